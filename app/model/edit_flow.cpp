#include "app/model/edit_flow.h"

#include "app/model/flow_stories.h"
#include "app/model/pin_name.h"
#include "core/norm/normalize.h"

#include <algorithm>
#include <fmt/format.h>

namespace normscope {

namespace {

using Pins = std::vector<PinnedStack>;

// The document with a changed setup, if that can be.
template<class Change>
Result<Document> with_flow(const Document& before, Change&& change) {
    Document d = before;
    change(d.flow);
    if (const auto ok = check(d.flow); !ok) return tl::unexpected(ok.error());
    return d;
}

// As with_flow(), where one pinned stack changes.
template<class Change>
Result<Document> with_pin(const Document& before, std::size_t index, Change&& change) {
    if (index >= before.flow.pinned->size())
        return fail(fmt::format("There is no pinned stack {}: {} are pinned", index + 1,
                                before.flow.pinned->size()));
    return with_flow(before, [&](FlowSetup& s) {
        Pins pins = *s.pinned;
        change(s, pins);
        s.pinned = std::move(pins);
    });
}

void drop_blocks_beyond(StackConfig& stack) {
    std::erase_if(stack.block_affine,
                  [&](const BlockAffine& own) { return own.block >= stack.blocks; });
}

bool same_affine(const StackConfig& a, const StackConfig& b) {
    return a.gamma == b.gamma && a.beta == b.beta && a.block_affine == b.block_affine;
}

struct ApplyFlow {
    const Document& before;

    Result<Document> operator()(const SetStack& e) const {
        return with_flow(before, [&](FlowSetup& s) {
            const bool moves_all = s.linked_affine && !same_affine(s.stack, e.stack);
            s.stack = e.stack;
            drop_blocks_beyond(s.stack);
            if (!moves_all) return;
            Pins pins = *s.pinned;
            for (PinnedStack& pin : pins) {
                pin.name = moved_name(pin.name, pin.stack, e.stack);
                pin.stack.gamma = e.stack.gamma;
                pin.stack.beta = e.stack.beta;
                pin.stack.block_affine = e.stack.block_affine;
                drop_blocks_beyond(pin.stack);
            }
            s.pinned = std::move(pins);
        });
    }
    Result<Document> operator()(const SetFlowSeeds& e) const {
        return with_flow(before, [&](FlowSetup& s) { s.seeds = e.seeds; });
    }
    Result<Document> operator()(const PinStack& e) const {
        return with_flow(before, [&](FlowSetup& s) {
            Pins pins = *s.pinned;
            pins.push_back({e.name.empty() ? pin_name(s.stack, pins) : e.name, s.stack, true,
                            free_look(pins)});
            s.pinned = std::move(pins);
        });
    }
    Result<Document> operator()(const RestorePin& e) const {
        return with_pin(before, e.index,
                        [&](FlowSetup& s, const Pins& pins) { s.stack = pins[e.index].stack; });
    }
    Result<Document> operator()(const RenamePin& e) const {
        if (e.name.find_first_not_of(' ') == std::string::npos)
            return fail("A pinned stack needs a name of at least one letter");
        return with_pin(before, e.index,
                        [&](FlowSetup&, Pins& pins) { pins[e.index].name = e.name; });
    }
    Result<Document> operator()(const RemovePin& e) const {
        return with_pin(before, e.index, [&](FlowSetup& s, Pins& pins) {
            pins.erase(pins.begin() + static_cast<std::ptrdiff_t>(e.index));
            if (pins.empty()) s.linked_affine = false;
        });
    }
    Result<Document> operator()(const ShowPin& e) const {
        return with_pin(before, e.index,
                        [&](FlowSetup&, Pins& pins) { pins[e.index].shown = e.shown; });
    }
    Result<Document> operator()(const LinkAffine& e) const {
        return with_flow(before, [&](FlowSetup& s) { s.linked_affine = e.linked; });
    }
    Result<Document> operator()(const TellStory& e) const {
        const auto story = find_story(e.id);
        if (!story) return tl::unexpected(story.error());
        return with_flow(before, [&](FlowSetup& s) { s = tell(**story, s).setup; });
    }
};

template<class E>
std::string label_of(std::span<const NamedChoice<E>> table, E value) {
    for (const auto& entry : table)
        if (entry.value == value) return std::string(entry.label);
    return {};
}

// Of the one setting that differs, or "Another stack" where several do.
std::string difference(const StackConfig& a, const StackConfig& b) {
    std::vector<std::string> names;
    const auto number = [&](const char* what, auto StackConfig::*member) {
        if (a.*member != b.*member)
            names.push_back(fmt::format("{} → {:.4g}", what, static_cast<double>(b.*member)));
    };
    number("Blocks", &StackConfig::blocks);
    number("Width", &StackConfig::width);
    number("Tokens", &StackConfig::tokens);
    number("Feed-forward factor", &StackConfig::ffn_mult);
    number("Heads", &StackConfig::heads);
    number("Trunk scale λ", &StackConfig::trunk_scale);
    number("Branch scale α", &StackConfig::branch_scale);
    number("γ of all blocks", &StackConfig::gamma);
    number("β of all blocks", &StackConfig::beta);
    number("ε of the stack", &StackConfig::eps);
    number("Vocabulary", &StackConfig::vocabulary);
    if (a.seed != b.seed) names.push_back(fmt::format("Seed → {}", b.seed));
    if (a.init.gain != b.init.gain) names.push_back(fmt::format("Gain → {:.4g}", b.init.gain));
    if (a.init.init != b.init.init)
        names.push_back(fmt::format("Weights: {}", init_id(b.init.init)));
    if (a.init.std != b.init.std) names.push_back(fmt::format("Weights: s = {:.4g}", b.init.std));
    if (a.sublayer != b.sublayer)
        names.push_back("Sublayer: " + label_of(sublayer_table(), b.sublayer));
    if (a.placement != b.placement)
        names.push_back("Placement: " + label_of(placement_table(), b.placement));
    if (a.loss != b.loss) names.push_back("Loss: " + label_of(stack_loss_table(), b.loss));
    if (a.norm != b.norm)
        names.push_back(fmt::format("Norm of the stack: {}", norm_entry(b.norm).label));
    if (a.skip != b.skip) names.push_back(b.skip == Residual::add ? "Skip: Add" : "Skip: None");
    if (a.mask != b.mask) names.push_back(b.mask == Mask::causal ? "Causal mask" : "No mask");
    if (a.activation != b.activation)
        names.emplace_back(b.activation == Activation::gelu ? "Activation: GELU"
                                                            : "Activation: ReLU");
    // The blocks' own values go with the blocks, and with a slider that moves all.
    if (names.empty() && a.block_affine != b.block_affine) return "γ, β of one block";
    return names.size() == 1 ? names.front() : std::string("Another stack");
}

struct DescribeFlow {
    const Document& before;

    std::string name(std::size_t index) const {
        const Pins& pins = *before.flow.pinned;
        return index < pins.size() ? pins[index].name : std::string();
    }

    std::string operator()(const SetStack& e) const {
        return difference(before.flow.stack, e.stack);
    }
    std::string operator()(const SetFlowSeeds& e) const {
        return fmt::format("Seeds → {}", e.seeds);
    }
    std::string operator()(const PinStack& e) const {
        return fmt::format(
            "Pin “{}”", e.name.empty() ? pin_name(before.flow.stack, *before.flow.pinned) : e.name);
    }
    std::string operator()(const RestorePin& e) const {
        return fmt::format("Restore “{}”", name(e.index));
    }
    std::string operator()(const RenamePin& e) const {
        return fmt::format("Rename “{}” to “{}”", name(e.index), e.name);
    }
    std::string operator()(const RemovePin& e) const {
        return fmt::format("Remove “{}”", name(e.index));
    }
    std::string operator()(const ShowPin& e) const {
        return fmt::format("{} “{}”", e.shown ? "Show" : "Hide", name(e.index));
    }
    std::string operator()(const LinkAffine& e) const {
        return e.linked ? "One γ, β for all stacks" : "γ, β of each stack";
    }
    std::string operator()(const TellStory& e) const {
        const auto story = find_story(e.id);
        return story ? fmt::format("Show “{}”", (*story)->label) : "Show a story";
    }
};

} // namespace

Result<Document> apply(const Document& document, const EditFlow& edit) {
    return std::visit(ApplyFlow{document}, edit.change);
}

std::string describe(const EditFlow& edit, const Document& before) {
    return std::visit(DescribeFlow{before}, edit.change);
}

} // namespace normscope
