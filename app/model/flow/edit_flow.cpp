#include "app/model/edit_parts.h"

#include "app/language/language.h"
#include "app/model/flow/flow_setup.h"
#include "app/model/flow/flow_stories.h"

namespace normscope {

namespace {

using Pins = std::vector<PinnedStack>;

void drop_blocks_beyond(StackConfig& stack) {
    std::erase_if(stack.block_affine,
                  [&](const BlockAffine& own) { return own.block >= stack.blocks; });
}

bool same_affine(const StackConfig& a, const StackConfig& b) {
    return a.gamma == b.gamma && a.beta == b.beta && a.block_affine == b.block_affine;
}

struct ApplyFlow {
    const Document& before;

    // As with_part(), where one pinned stack changes.
    template<class Change>
    Result<Document> with_pin(std::size_t index, Change&& change) const {
        if (index >= before.flow.pinned->size())
            return fail("There is no pinned stack {}: {} are pinned", index + 1,
                        before.flow.pinned->size());
        return with_part<FlowSetup>(before, [&](FlowSetup& s) { change(s, s.pinned.own()); });
    }

    Result<Document> operator()(const SetStack& e) const {
        return with_part<FlowSetup>(before, [&](FlowSetup& s) {
            const bool moves_all = s.linked_affine && !same_affine(s.stack, e.stack);
            s.stack = e.stack;
            drop_blocks_beyond(s.stack);
            if (!moves_all) return;
            for (PinnedStack& pin : s.pinned.own()) {
                pin.stack.gamma = e.stack.gamma;
                pin.stack.beta = e.stack.beta;
                pin.stack.block_affine = e.stack.block_affine;
                drop_blocks_beyond(pin.stack);
            }
        });
    }

    Result<Document> operator()(const PinStack& e) const {
        return with_part<FlowSetup>(before, [&](FlowSetup& s) {
            Pins& pins = s.pinned.own();
            pins.push_back({e.name, s.stack, true, free_look(pins)});
        });
    }

    Result<Document> operator()(const RestorePin& e) const {
        return with_pin(e.index,
                        [&](FlowSetup& s, const Pins& pins) { s.stack = pins[e.index].stack; });
    }

    Result<Document> operator()(const RenamePin& e) const {
        if (e.name.find_first_not_of(' ') == std::string::npos)
            return fail("A pinned stack needs a name of at least one letter");
        return with_pin(e.index, [&](FlowSetup&, Pins& pins) { pins[e.index].name = e.name; });
    }

    Result<Document> operator()(const RemovePin& e) const {
        return with_pin(e.index, [&](FlowSetup& s, Pins& pins) {
            pins.erase(pins.begin() + static_cast<std::ptrdiff_t>(e.index));
            if (pins.empty()) s.linked_affine = false;
        });
    }

    Result<Document> operator()(const ShowPin& e) const {
        return with_pin(e.index, [&](FlowSetup&, Pins& pins) { pins[e.index].shown = e.shown; });
    }

    Result<Document> operator()(const TellStory& e) const {
        const auto story = TRY(find_story(e.id));
        return with_part<FlowSetup>(before, [&](FlowSetup& s) { s = tell(*story, s).setup; });
    }
};

struct DescribeFlow {
    const Document& before;

    std::string pin_at(std::size_t index) const {
        return index < before.flow.pinned->size() ? stack_names(before.flow)[index] : std::string();
    }

    Wording operator()(const SetStack& e) const {
        const StackConfig& was = before.flow.stack;
        StackConfig of_blocks = was;
        of_blocks.block_affine = e.stack.block_affine;
        // The blocks' own values go with the blocks, and with a slider that moves all.
        if (of_blocks == e.stack && of_blocks != was) return wording("γ, β of one block");
        return describe_difference(was, e.stack, wording("Another stack"));
    }
    Wording operator()(const PinStack& e) const {
        return wording("Pin “{}”", e.name.empty() ? stack_names(before.flow).back() : e.name);
    }
    Wording operator()(const RestorePin& e) const {
        return wording("Restore “{}”", pin_at(e.index));
    }
    Wording operator()(const RenamePin& e) const {
        return wording("Rename “{}” to “{}”", pin_at(e.index), e.name);
    }
    Wording operator()(const RemovePin& e) const { return wording("Remove “{}”", pin_at(e.index)); }
    Wording operator()(const ShowPin& e) const {
        return wording("{} “{}”", e.shown ? "Show" : "Hide", pin_at(e.index));
    }
    Wording operator()(const TellStory& e) const {
        const auto story = find_story(e.id);
        return story ? wording("Show “{}”", (*story)->label) : wording("Show a story");
    }
};

} // namespace

Result<Document> apply_part(const Document& before, const FlowEdit& edit) {
    return std::visit(ApplyFlow{before}, edit);
}

Wording label_of_part(const FlowEdit& edit, const Document& before) {
    return std::visit(DescribeFlow{before}, edit);
}

} // namespace normscope
