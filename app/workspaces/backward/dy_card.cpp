#include "app/model/learning.h"
#include "app/model/printed_number.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/backward/panels.h"
#include "app/workspaces/shared/matrix_menu.h"
#include "core/nn/loss.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

constexpr Size k_largest_cell{110, 64};
constexpr float k_recipe_row = 20;

constexpr std::array<std::string_view, 5> k_loss_hints = {
    "dY is what you type", "L = Σ Y: every dY is 1", "L is one value of Y: click it below",
    "L = mean (Y − target)²",
    "Y goes through a seeded linear head with five classes; every token has a seeded class"};
constexpr std::array<std::string_view, 4> k_target_hints = {
    "Undo the norm: Y should become Z again",
    "Match a bell curve: each x\u0302 goes to the quantile of its rank",
    "Match a uniform distribution", "A matrix you type"};

// Buttons of which one is chosen, in as many lines as they need; what they take is cut off `area`.
template<class E>
std::optional<E> choice_buttons(Ui& ui, NamePart part, Rect& area, E now,
                                std::span<const std::string_view> hints) {
    const IdScope scope(ui, part);
    FlowLayout flow(ui, area);
    std::optional<E> chosen;
    for (std::size_t i = 0; const auto& choice : choices(now)) {
        const bool on = choice.value == now;
        if (button(
                ui, flow, choice.id,
                {choice.label, on ? ButtonLook::primary : ButtonLook::plain, true, hints[i++]}) &&
            !on)
            chosen = choice.value;
    }
    cut_top(area, flow.bottom() - area.y + ui.px(6));
    return chosen;
}

// What belongs to the chosen loss; what it takes is cut off `area`.
void loss_details(Ui& ui, Rect& area, const Frame& f, Actions& a, const Backward& b) {
    const BackwardSetup& s = f.document.backward;
    if (s.loss == LossKind::distance && !ui.state.picture) {
        if (const auto target = choice_buttons(ui, setting<&BackwardSetup::target_kind>(), area,
                                               s.target_kind, k_target_hints))
            a.edits.push_back(set<&BackwardSetup::target_kind>(*target));
        FlowLayout flow(ui, area);
        if (s.target_kind == TargetKind::normal || s.target_kind == TargetKind::uniform) {
            const auto field = [&](NamePart part, std::string_view word, double value) {
                const std::string text = worded("{} {}", word, short_text(value));
                return number_field(ui, part, flow.next(button_width(ui, text)), value, text,
                                    "Click to type");
            };
            if (const auto mean =
                    field(setting<&BackwardSetup::target_mean>(), "mean", s.target_mean))
                a.edits.push_back(set<&BackwardSetup::target_mean>(*mean));
            if (const auto std = field(setting<&BackwardSetup::target_std>(), "std", s.target_std))
                a.edits.push_back(set<&BackwardSetup::target_std>(*std));
        }
        const std::string_view show =
            f.view.of<BackwardView>().target_shown ? "Show dY" : "Show the target";
        if (button(ui, flow, "show", {show, ButtonLook::plain, true, "What the cells below are"})) {
            a.view.of<BackwardView>().target_shown = !f.view.of<BackwardView>().target_shown;
            a.view.of<BackwardView>().editor_dy = {};
        }
        cut_top(area, flow.bottom() - area.y + ui.px(4));
    } else if (s.loss == LossKind::cross_entropy && !ui.state.picture) {
        FlowLayout flow(ui, area);
        const std::string text = worded("seed {}", s.head_seed);
        if (const auto seed = seed_field(ui, setting<&BackwardSetup::head_seed>(),
                                         flow.next(button_width(ui, text)), s.head_seed, text,
                                         "Of the linear head and the classes"))
            a.edits.push_back(set<&BackwardSetup::head_seed>(*seed));
        cut_top(area, flow.bottom() - area.y + ui.px(4));
    }
    std::string line;
    const double loss = b.loss().value_or(0);
    if (s.loss == LossKind::one_entry)
        line = worded("L = Y[{}, {}] = {}", group_name(f.document, Axis::token, s.entry_token),
                      group_name(f.document, Axis::feature, s.entry_feature), number_text(loss, 4));
    else if (s.loss == LossKind::sum)
        line = worded("L = Σ Y = {}", number_text(loss, 5));
    else if (s.loss == LossKind::distance)
        line = worded("L = mean (Y − T)² = {}", number_text(loss, 5));
    else if (s.loss == LossKind::cross_entropy)
        line = worded("L = mean −log p(class) = {}", number_text(loss, 5));
    if (!line.empty())
        ui.label(cut_top(area, ui.px(20)), line, TextRole::number_small, ui.theme.ink);
}

// Words on a ground of their colour at the bottom of `inside`, which gets what is left.
void note(Ui& ui, Rect& inside, std::string_view words, Color color) {
    const float pad = ui.px(8);
    const float h = paragraph_height(ui, inside.w - 2 * pad, words, TextRole::small) + ui.px(12);
    const Rect r = cut_bottom(inside, std::min(h, inside.h * 0.5f));
    ui.canvas.fill_rect(r, color.with_alpha(0.08f), ui.px(5));
    paragraph(ui, r.inset(pad, ui.px(6)), words, TextRole::small, color);
    cut_bottom(inside, ui.px(6));
}

// p of a token and W of a feature, from which its dY follows.
void class_lines(Ui& ui, Rect r, const Frame& f, const Backward& b, Index token, Index feature) {
    const Index features = b.dy().cols();
    const LinearHead head = linear_head(f.document.backward.head_seed, b.dy().rows(), features);
    const Index right = head.classes[static_cast<std::size_t>(token)];
    Matrix<double> y(1, features);
    for (Index j = 0; j < features; ++j) y(0, j) = b.y(token, j);
    const auto loss = cross_entropy<double>(y * head.weights, {right}); // p − 1 at its class
    if (!loss) return;
    std::string p = worded("class {}, p", right),
                w = "W[" + (*f.document.features)[static_cast<std::size_t>(feature)] + "]";
    for (Index c = 0; c < k_head_classes; ++c) {
        p += " " + fixed_text(loss->dlogits(0, c) + (c == right ? 1 : 0), 3);
        w += " " + fixed_text(head.weights(feature, c), 3);
    }
    for (const std::string& text : {p, w})
        ui.label(cut_top(r, ui.px(k_recipe_row)), text, TextRole::number_small, ui.theme.ink);
}

// What a dY is computed from, at the bottom of `inside`: of the cell under the mouse, or how.
void recipe(Ui& ui, Rect& inside, const Frame& f, const Backward& b) {
    const BackwardSetup& s = f.document.backward;
    const auto& token = f.view.hover.token;
    const auto& feature = f.view.hover.feature;
    const bool classes = s.loss == LossKind::cross_entropy && !ui.state.picture;
    Rect below = cut_bottom(inside, ui.px(classes ? 3 * k_recipe_row : k_recipe_row));
    const Rect r = cut_top(below, ui.px(k_recipe_row));
    if (token && feature && *token < b.dy().rows() && *feature < b.dy().cols()) {
        if (classes) class_lines(ui, below, f, b, *token, *feature);
        std::string text = worded("Y {}", number_text(b.y(*token, *feature), 5));
        if (s.loss == LossKind::distance)
            text += worded("  T {}", number_text(b.target()(*token, *feature), 5));
        text += worded("  dY {}", number_text(b.dy()(*token, *feature), 4));
        ui.label(r, text, TextRole::number_small, ui.theme.ink);
        return;
    }
    std::string text = "dY = 1 for every value of Y";
    if (s.loss == LossKind::one_entry) text = "dY = 1 for that value of Y, else 0";
    if (s.loss == LossKind::distance)
        text = worded("dY = 2 (Y − T) / {}{}", b.dy().size(),
                      ui.state.picture ? "" : "; point at a cell for its Y, T");
    if (s.loss == LossKind::cross_entropy)
        text = worded("p = softmax(Y·W), dY = (p − class)·Wᵀ / {}", b.dy().rows());
    soft_label(ui, r, text);
    if (classes)
        soft_label(ui, cut_top(below, ui.px(k_recipe_row)),
                   worded("classes 0 to {}; point at a cell for its p and W", k_head_classes - 1));
}

// Which matrix stands in the card, and what its cells set where they can be typed.
struct Shown {
    bool target;
    const Matrix<double>& values;
    std::optional<Input> input;
};
Shown shown_of(const Frame& f, const Backward& b) {
    const BackwardSetup& s = f.document.backward;
    if (s.loss != LossKind::distance || !f.view.of<BackwardView>().target_shown)
        return {false, b.dy(), s.loss == LossKind::given ? std::optional(Input::dy) : std::nullopt};
    return {true, b.target(),
            s.target_kind == TargetKind::matrix ? std::optional(Input::target) : std::nullopt};
}

void matrix(Ui& ui, Rect inside, const Frame& f, Actions& a, const Backward& b) {
    const BackwardSetup& s = f.document.backward;
    const auto& [target, values, input] = shown_of(f, b);
    const float names_w = std::min(names_width(ui, *f.document.tokens), inside.w * 0.3f);
    const Rect names_row = cut_top(inside, ui.px(20));
    cut_left(inside, names_w);
    Heatmap map;
    map.values = values;
    map.version = b.dy_version() * 2 + (target ? 1 : 0);
    map.id = 100;
    // What is left of a distance that is reached is pale beside what it is the difference of.
    map.limit = target
                    ? own_limit(map, f.memory.of<BackwardMemory>().dy)
                    : common_limit(std::array{b.target_reached() ? b.dy_terms() : b.largest_dy()});
    map.port = port_of(f.view.viewport, inside, values.rows(), values.cols(),
                       {ui.px(k_largest_cell.w), ui.px(k_largest_cell.h)});
    map.format = choose_cell_format(ui.canvas, inside, map.port, values, k_gradient_decimals);
    name_edges(map, *f.document.tokens, names_w, *f.document.features, names_row.h);
    mark_focus(map, f);
    const MatrixSurface surface = surface_of(f, inside, map);
    MatrixEditorState& editor = a.view.of<BackwardView>().editor_dy;
    if (input && editor.active && has_keyboard(ui, "cells")) map.marks.selected = editor.block();
    draw_heatmap(ui.canvas, ui.theme, inside, map, f.memory.of<BackwardMemory>().dy);
    const MatrixEvents events = input ? matrix_editor(ui, "cells", surface, *input, editor)
                                      : matrix_surface(ui, "cells", surface);
    if (events.clicked && s.loss == LossKind::one_entry)
        a.edits.push_back(SetLossEntry{events.clicked->token, events.clicked->feature});
    take_events(events, f, a, {}, false);
}

} // namespace

void dy_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "dy");
    const Backward& b = backward_of(f);
    const BackwardSetup& s = f.document.backward;
    const bool target = shown_of(f, b).target;
    const bool typed = s.loss == LossKind::given;
    // Whose gradient it is, where nobody typed it.
    std::string hint = ui.state.picture ? "" : "editable";
    if (f.view.came_from)
        hint = worded("the gradient at {}", f.view.came_from->part);
    else if (s.dy->size() == 0)
        hint = ui.state.picture ? "example numbers" : "example numbers: type yours";
    if (!typed) hint.clear();
    const PanelSpec spec{.title = target ? "Target" : "dY",
                         .hint = hint,
                         .bar = ui.theme.of(Stage::y),
                         .title_color = ui.theme.ink_of(Stage::y)};
    Rect inside = b.checks().dy && !target // which is no gradient
                      ? checked_panel(ui, r, spec, b,
                                      {*b.checks().dy,
                                       entry_name(f.document, named_entry(*b.checks().dy).entry),
                                       b.not_a_number()})
                      : panel(ui, "", r, spec);
    if (!ui.state.picture)
        if (const auto loss =
                choice_buttons(ui, setting<&BackwardSetup::loss>(), inside, s.loss, k_loss_hints)) {
            a.edits.push_back(set<&BackwardSetup::loss>(*loss));
            if (*loss == LossKind::one_entry) // of what is looked at
                a.edits.push_back(SetLossEntry{token_in_focus(f).value_or(s.entry_token),
                                               feature_in_focus(f).value_or(s.entry_feature)});
            a.view.of<BackwardView>().editor_dy = {};
        }
    loss_details(ui, inside, f, a, b);
    if (b.target_reached())
        note(ui, inside,
             "The target is reached: L is as good as 0, and so are dY and every gradient.",
             ui.theme.ink_of(Stage::y));
    else if (const auto& reason = b.vanishing())
        note(ui, inside, *reason, ui.theme.error);
    if (!typed) recipe(ui, inside, f, b);
    matrix(ui, inside, f, a, b);
}

void dy_menu(Ui& ui, const Frame& f, Actions& a) {
    const Shown shown = shown_of(f, backward_of(f));
    for (Edit& edit :
         matrix_menu(ui, f, a, {shown.values, shown.input, &f.view.of<BackwardView>().editor_dy}))
        a.edits.push_back(std::move(edit));
}

} // namespace normscope
