#include "app/language/language.h"
#include "app/workspaces/gradient_flow/panels.h"
#include "app/workspaces/shared/labelled_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

std::array<std::string_view, 6> sublayer_hints(Activation activation) {
    return {"W·x",
            "tanh(W·x)",
            "W·relu(x)",
            activation == Activation::gelu ? "Two matrices with a GELU between them"
                                           : "Two matrices with a ReLU between them",
            "Multi-head self-attention",
            "Attention, then FFN, each with its own Add & Norm"};
}
constexpr std::array<ChoiceName, 4> k_inits = {{{"xavier-normal", "Xavier"},
                                                {"xavier-uniform", "uniform"},
                                                {"he-normal", "He"},
                                                {"normal", "N(0,s²)"}}};
constexpr std::array<std::string_view, 4> k_init_hints = {
    "Xavier normal: N(0, 2/(fan in + fan out))", "Xavier uniform: the same variance",
    "He normal: N(0, 2/fan in)", "N(0, 0.02²), as in GPT-2"};
constexpr std::array<ChoiceName, 2> k_skips = {{{"add", "Add"}, {"no-skip", "None"}}};
constexpr std::array<std::string_view, 2> k_skip_hints = {"λx + α·F(x)", "F(x) alone"};
// The norms, first the one that normalizes nothing.
constexpr auto k_norm_choices = [] {
    auto norms = k_norms;
    std::ranges::rotate(norms, std::ranges::find(norms, Shares::nothing, &NormEntry::shares));
    return norms;
}();
constexpr auto k_norm_hints = [] {
    std::array<std::string_view, k_norms.size()> labels;
    std::ranges::transform(k_norm_choices, labels.begin(), &NormEntry::label);
    return labels;
}();
// As in the name of a stack.
constexpr auto k_norm_names = [] {
    std::array<ChoiceName, k_norms.size()> names;
    std::ranges::transform(k_norm_choices, names.begin(), [](const NormEntry& norm) {
        return ChoiceName{norm.id, norm.normalizes() ? norm.short_name : norm.label};
    });
    return names;
}();
constexpr std::array<std::string_view, 4> k_placement_hints = {
    "norm(x + F(x))", "x + F(norm(x)), and a final norm",
    "norm(αx + F(x)), α = (2L)^¼, smaller weights in the branch",
    "x + norm(F(norm(x))), and a final norm"};
constexpr std::array<std::string_view, 2> k_loss_hints = {
    "Σ R⊙y: a gradient of norm 1 at the top", "Over a vocabulary, one random target a token"};
constexpr std::array<ChoiceName, 2> k_affine_of = {{{"all", "all blocks"}, {"one", "one block"}}};

// Beside the choice of whose γ and β they are is a button or a number, below it where that has no
// room. The same with and without it, so that nothing moves.
constexpr float k_beside = 6;

bool has_room_beside(const Ui& ui, float w) {
    return segmented_width(ui, k_affine_of) + ui.px(k_beside) + button_width(ui, tr("linked")) <= w;
}

float affine_height(const Ui& ui, float w) {
    const float choice = wrapped_choice_height(ui, w, k_affine_of);
    return has_room_beside(ui, w) ? choice : choice + ui.px(k_row_step);
}

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

void shape(Ui& ui, LabelledRows& rows, const StackConfig& now, StackConfig& next) {
    slide_into(ui, setting<&StackConfig::blocks>(), rows.next("Blocks"),
               counted(now.blocks, 1, k_most_blocks, 12, "Residual blocks, L"), next.blocks);
    slide_into(ui, setting<&StackConfig::width>(), rows.next("Width d"),
               listed(static_cast<double>(now.width), k_widths, 64, "Features of a token"),
               next.width);
    slide_into(
        ui, setting<&StackConfig::tokens>(), rows.next("Tokens"),
        listed(static_cast<double>(now.tokens), k_token_counts, 32, "Tokens of the sequence"),
        next.tokens);
}

void branch(Ui& ui, LabelledRows& rows, float w, const StackConfig& now, StackConfig& next) {
    choose_into(ui, setting<&StackConfig::sublayer>(), rows.of<SublayerKind>("Sublayer", w),
                next.sublayer, sublayer_hints(now.activation));
    slide_into(ui, setting<&StackConfig::init, &InitRule::gain>(), rows.next("Gain"),
               logarithmic(now.init.gain, 0.05, 5, 1, "Multiplies every weight as it is drawn"),
               next.init.gain);
    if (const auto c = wrapped_choice(ui, setting<&StackConfig::init, &InitRule::init>(),
                                      rows.next("Weights", wrapped_choice_height(ui, w, k_inits)),
                                      k_inits, static_cast<int>(now.init.init), k_init_hints))
        next.init.init = static_cast<Init>(*c);
}

// What the present settings do not do as their names say; a story's are as it wants them.
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

void skip_and_norm(Ui& ui, LabelledRows& rows, float w, const FlowSetup& setup, StackConfig& next) {
    const StackConfig& now = setup.stack;
    if (const auto c = segmented(ui, setting<&StackConfig::skip>(), rows.next("Skip"), k_skips,
                                 now.skip == Residual::add ? 0 : 1, k_skip_hints))
        next.skip = *c == 0 ? Residual::add : Residual::no_skip;
    const Rect trunk = rows.next("Skip · λ");
    if (now.skip == Residual::no_skip)
        soft_label(ui, trunk, "there is no skip");
    else
        slide_into(ui, setting<&StackConfig::trunk_scale>(), trunk,
                   linear(now.trunk_scale, 0, 1.5, 1, "λx + F(x)"), next.trunk_scale);
    slide_into(ui, setting<&StackConfig::branch_scale>(), rows.next("F(x) · α"),
               linear(now.branch_scale, 0, 2, 1, "x + α·F(x)"), next.branch_scale);
    const auto norm = std::ranges::find(k_norm_choices, now.norm.kind, &NormEntry::kind);
    if (const auto c = wrapped_choice(ui, setting<&StackConfig::norm, &Norm::kind>(),
                                      rows.next("Norm", wrapped_choice_height(ui, w, k_norm_names)),
                                      k_norm_names, static_cast<int>(norm - k_norm_choices.begin()),
                                      k_norm_hints))
        next.norm = {k_norm_choices[static_cast<std::size_t>(*c)].kind,
                     fitting_groups(now.norm.groups, now.width)};
    if (has_groups(now.norm))
        if (const auto chosen = group_stepper(ui, setting<&StackConfig::norm, &Norm::groups>(),
                                              rows.next("Groups"), now.norm.groups, now.width))
            next.norm.groups = *chosen;
    choose_into(ui, setting<&StackConfig::placement>(), rows.of<Placement>("Placement", w),
                next.placement, k_placement_hints);
    rows.note(note_of(setup));
}

void affine(Ui& ui, LabelledRows& rows, float w, const Frame& f, Actions& a, StackConfig& next) {
    const StackConfig& now = f.document.flow.stack;
    const auto chosen = f.view.of<FlowView>().only_block;
    const int shown = std::clamp(chosen.value_or(1), 1, now.blocks);
    Rect row = rows.next("γ, β of", affine_height(ui, w));
    const bool beside = has_room_beside(ui, w);
    const Rect choice = beside ? cut_left(row, segmented_width(ui, k_affine_of) + 1)
                               : cut_top(row, wrapped_choice_height(ui, w, k_affine_of));
    if (beside)
        cut_left(row, ui.px(k_beside));
    else
        cut_top(row, ui.px(k_row_step - k_row_line));
    if (const auto c = wrapped_choice(ui, "affine-of", choice, k_affine_of, chosen ? 1 : 0))
        a.view.of<FlowView>().only_block =
            *c == 1 ? std::optional(f.view.of<FlowView>().block.value_or(1)) : std::nullopt;
    if (chosen) {
        const std::string text = fmt::format("{}", shown);
        const Accepted blocks = whole_numbers(1, now.blocks);
        if (const auto typed = number_field(ui, "block", cut_left(row, ui.px(40)), shown, text,
                                            "Which block: click to type", blocks))
            choose_block(a.view.of<FlowView>(), static_cast<int>(*typed));
    } else if (const bool linked = f.document.flow.linked_affine;
               linked || !f.document.flow.pinned->empty()) {
        const std::string_view label = linked ? tr("linked") : tr("link");
        if (button(ui, setting<&FlowSetup::linked_affine>(),
                   cut_left(row, std::min(row.w, button_width(ui, label))),
                   {label, linked ? ButtonLook::primary : ButtonLook::plain, true,
                    linked ? "The pinned stacks get the same γ and β; press to let them be"
                           : "One γ and one β for this stack and the pinned ones"}))
            a.edits.push_back(set<&FlowSetup::linked_affine>(!linked));
    }

    const std::optional<int> block = chosen ? std::optional(shown - 1) : std::nullopt;
    const auto one = [&](NamePart name, Param param, double BlockAffine::*which, double lo,
                         double hi) {
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
        // Of blocks that differ, also the value that the stack has is news.
        const Rect place = rows.next(symbol(param));
        const auto v = mixed ? slider(ui, name, place, spec).value : slide(ui, name, place, spec);
        if (v) set_affine(next, which, block, *v);
    };
    one(setting<&StackConfig::gamma>(), Param::gamma, &BlockAffine::gamma, 0, 3);
    one(setting<&StackConfig::beta>(), Param::beta, &BlockAffine::beta, -3, 3);
}

void measuring(Ui& ui, LabelledRows& rows, float w, const Frame& f, Actions& a, StackConfig& next) {
    choose_into(ui, setting<&StackConfig::loss>(), rows.of<StackLoss>("Loss", w), next.loss,
                k_loss_hints);
    if (const auto seed = seed_row(ui, setting<&StackConfig::seed>(), rows.next("Seed"), next.seed,
                                   "Of the weights and the input: click to type",
                                   "Other weights and another input"))
        next.seed = *seed;
    if (const auto v = slide<int>(ui, setting<&FlowSetup::seeds>(), rows.next("Seeds"),
                                  counted(f.document.flow.seeds, 1, k_most_flow_seeds, 5,
                                          "This many runs: the line is their mean, the band their "
                                          "least and most")))
        a.edits.push_back(set<&FlowSetup::seeds>(*v));
}

} // namespace

float stack_height(const Ui& ui, const StackConfig& stack, float width) {
    const float w = row_control_w(ui, width);
    const float plain_rows = has_groups(stack.norm) ? 12 : 11;
    float height = ui.px(20 + 28 + k_row_step * plain_rows + k_row_note + k_below_row_note);
    height += affine_height(ui, w) + ui.px(k_row_step - k_row_line);
    for (const auto& choices : {names_of<SublayerKind>(), names_of<Placement>(),
                                names_of<StackLoss>(), std::vector(k_inits.begin(), k_inits.end()),
                                std::vector(k_norm_names.begin(), k_norm_names.end())})
        height += wrapped_choice_height(ui, w, choices) + ui.px(k_row_step - k_row_line);
    return height;
}

void stack_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "stack");
    const Rect inside = panel(ui, "", r, {.title = "Stack"});
    const float w = inside.w - ui.px(k_row_label_w);
    const StackConfig& now = f.document.flow.stack;
    StackConfig next = now;
    LabelledRows rows(ui, inside);
    shape(ui, rows, now, next);
    branch(ui, rows, w, now, next);
    skip_and_norm(ui, rows, w, f.document.flow, next);
    affine(ui, rows, w, f, a, next);
    measuring(ui, rows, w, f, a, next);
    if (next == now) return;
    a.edits.push_back(SetStack{next});
    FlowSetup after = f.document.flow;
    after.stack = next;
    if (leaves_a_guess(f.view.of<FlowView>(), after))
        a.status = "This is no more the story that your guess is for: Ctrl+Z brings both back";
}

} // namespace normscope
