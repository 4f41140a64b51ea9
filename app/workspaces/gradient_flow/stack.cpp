#include "app/language/language.h"
#include "app/layout/settings.h"
#include "app/workspaces/gradient_flow/panels.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr ChoiceName k_affine_of[] = {{"all", "all blocks"}, {"one", "one block"}};

// γ or β: of one block, or of all (then blocks that have their own take it too).
void set_affine(StackConfig& c, double BlockAffine::*which, std::optional<int> block,
                double value) {
    if (block) {
        auto at = std::ranges::find(c.block_affine, *block, &BlockAffine::block);
        if (at == c.block_affine.end()) at = c.block_affine.insert(at, {*block, c.gamma, c.beta});
        (*at).*which = value;
    } else {
        for (BlockAffine& own : c.block_affine) own.*which = value;
        (which == &BlockAffine::gamma ? c.gamma : c.beta) = value;
    }
    std::erase_if(c.block_affine, [&](const BlockAffine& own) {
        return own.gamma == c.gamma && own.beta == c.beta;
    });
    std::ranges::sort(c.block_affine, {}, &BlockAffine::block);
}

// A note on settings that do not do as their names say; none in a story, which wants them so.
std::string_view note_of(const FlowSetup& setup) {
    const StackConfig& c = setup.stack;
    if (told_story(setup)) return "";
    if (places_no_norm(c)) return "No norm to place: the same as Post.";
    if (enlarges_no_skip(c)) return "No skip to enlarge: take Skip: Add.";
    if (!norm_entry(c.norm).normalizes() &&
        (c.gamma != 1 || c.beta != 0 || !c.block_affine.empty()))
        return "No norm, but γ and β still apply.";
    return "";
}

// The choice whether the sliders change γ and β of all blocks or of one. Beside it, or below if
// there is no room: which block, or whether the pinned stacks take them too.
void whose_affine(Column& rows, FlowPanel& p) {
    Ui& ui = rows.ui();
    Rect more = rows.row_of("γ, β of", k_affine_of);
    const Rect choice = cut_left(more, segmented_width(ui, k_affine_of) + 1, 6);
    if (more.w < button_width(ui, tr("linked"))) more = rows.row("");
    const auto chosen = p.view.only_block;
    if (const auto c = wrapped_choice(ui, "affine-of", choice, k_affine_of, chosen ? 1 : 0))
        p.next.only_block = *c == 1 ? std::optional(p.view.block.value_or(1)) : std::nullopt;
    const FlowSetup& setup = p.document.flow;
    if (chosen) {
        const int shown = std::clamp(*chosen, 1, setup.stack.blocks);
        if (const auto typed =
                number_field(ui, "block", cut_left(more, 40), shown, fmt::format("{}", shown),
                             "Which block: click to type", whole_numbers(1, setup.stack.blocks)))
            choose_block(p.next, static_cast<int>(*typed));
    } else if (const bool linked = setup.linked_affine; linked || !setup.pinned->empty()) {
        const std::string_view label = linked ? tr("linked") : tr("link");
        if (button(ui, setting<&FlowSetup::linked_affine>(),
                   cut_left(more, button_width(ui, label)),
                   {label,
                    linked ? "The pinned stacks get the same γ and β; press to let them be"
                           : "One γ and one β for this stack and the pinned ones",
                    true, linked ? ButtonLook::primary : ButtonLook::plain}))
            p.edit(set<&FlowSetup::linked_affine>(!linked));
    }
}

// γ or β of one block, or of all.
void affine_row(Column& rows, const FlowPanel& p, NamePart part, Param param,
                double BlockAffine::*which, double lo, double hi, StackConfig& next) {
    const StackConfig& now = p.document.flow.stack;
    std::optional<int> block;
    if (p.view.only_block) block = std::clamp(*p.view.only_block, 1, now.blocks) - 1;
    const double of_stack = param == Param::gamma ? now.gamma : now.beta;
    double value = of_stack;
    bool mixed = false;
    for (const BlockAffine& own : now.block_affine) {
        if (block == own.block) value = own.*which;
        mixed |= !block && own.*which != of_stack;
    }
    const std::string_view hint =
        !norm_entry(now.norm).normalizes()
            ? "There is no norm: γ and β scale and shift what it would have read"
        : block ? "Of this block alone"
                : "Of all blocks";
    SliderSpec spec = linear(value, lo, hi, neutral(param), hint);
    if (mixed) spec.text = "mixed";
    // If blocks differ, the value that the stack has is a change, too.
    const Rect place = rows.row(symbol(param));
    const auto v =
        mixed ? slider(rows.ui(), part, place, spec).value : slide(rows.ui(), part, place, spec);
    if (v) set_affine(next, which, block, *v);
}

void seldom_changed(Column& rows, FlowPanel& p, FlowSetup& next) {
    const FlowSetup& now = p.document.flow;
    settings(rows, now.stack, next.stack,
             {"width", "tokens", "sublayer", "gain", "init", "trunk_scale", "branch_scale"});
    whose_affine(rows, p);
    affine_row(rows, p, setting<&StackConfig::gamma>(), Param::gamma, &BlockAffine::gamma, 0, 3,
               next.stack);
    affine_row(rows, p, setting<&StackConfig::beta>(), Param::beta, &BlockAffine::beta, -3, 3,
               next.stack);
    settings(rows, now.stack, next.stack, {"loss", "seed"});
    settings(rows, now, next, {"seeds"});
}

} // namespace

void stack_panel(FlowPanel& p) {
    const FlowSetup& now = p.document.flow;
    FlowSetup next = now;
    Column rows = p.column("stack", {.title = "Stack"});
    settings(rows, now.stack, next.stack, {"blocks", "skip", "norm", "groups", "placement"});
    rows.note(note_of(now));
    if (more(p, rows.next(k_row_line, k_row_gap), p.view.more_stack, p.next.more_stack))
        seldom_changed(rows, p, next);
    if (next.seeds != now.seeds) p.edit(set<&FlowSetup::seeds>(next.seeds));
    if (next.stack == now.stack) return;
    p.edit(SetStack{next.stack});
    if (leaves_a_guess(p.view, next))
        p.say("This is no more the story that your guess is for: Ctrl+Z brings both back");
}

} // namespace normscope
