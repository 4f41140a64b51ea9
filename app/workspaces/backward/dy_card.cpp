#include "app/charts/color_key.h"
#include "app/model/learning.h"
#include "app/model/printed_number.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/backward/panels.h"
#include "app/workspaces/shared/matrix_menu.h"
#include "core/base/lists.h"
#include "core/nn/loss.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

constexpr Size k_largest_cell{110, 64};
constexpr float k_recipe_row = 20;

// Buttons of which one is chosen. Returns what became another.
template<auto Setting>
std::optional<MemberType<Setting>> choice_buttons(BackPanel& p, Column& rows) {
    const IdScope scope(p, setting<Setting>());
    std::optional<MemberType<Setting>> chosen;
    rows.flow(
        [&](FlowLayout& flow) {
            const auto now = p.document.backward.*Setting;
            auto hint = set<Setting>(now).field->words.look.hints.begin();
            for (const auto& [value, id, label] : choices(now)) {
                const ButtonLook look = value == now ? ButtonLook::primary : ButtonLook::plain;
                if (button(p, flow, id, {label, *hint++, true, look}) && value != now)
                    chosen = value;
            }
        },
        6);
    if (chosen) p.edit(set<Setting>(*chosen));
    return chosen;
}

template<auto Setting>
void target_field(BackPanel& p, FlowLayout& flow, std::string_view word) {
    const double value = p.document.backward.*Setting;
    const std::string text = worded("{} {}", word, short_text(value));
    if (const auto typed = number_field(p, setting<Setting>(), flow.next(button_width(p, text)),
                                        value, text, "Click to type"))
        p.edit(set<Setting>(*typed));
}

// How far the target reaches, and whether it stands in the place of dY.
void target_details(BackPanel& p, FlowLayout& flow) {
    const TargetKind kind = p.document.backward.target_kind;
    if (kind == TargetKind::normal || kind == TargetKind::uniform) {
        target_field<&BackwardSetup::target_mean>(p, flow, "mean");
        target_field<&BackwardSetup::target_std>(p, flow, "std");
    }
    const std::string_view show = p.view.target_shown ? "Show dY" : "Show the target";
    if (button(p, flow, "show", {show, "What the cells below are"})) {
        p.next.target_shown = !p.view.target_shown;
        p.next.editor_dy = {};
    }
}

// L and its value.
std::string loss_text(const Document& d, double loss) {
    const BackwardSetup& s = d.backward;
    const std::string value = number_text(loss, s.loss == LossKind::one_entry ? 4 : 5);
    if (s.loss == LossKind::one_entry)
        return worded("L = Y[{}, {}] = {}", group_name(d, Axis::token, s.entry_token),
                      group_name(d, Axis::feature, s.entry_feature), value);
    return s.loss == LossKind::sum        ? worded("L = Σ Y = {}", value)
           : s.loss == LossKind::distance ? worded("L = mean (Y − T)² = {}", value)
                                          : worded("L = mean −log p(class) = {}", value);
}

// The choice of the loss, and the settings that belong to it.
void loss_rows(BackPanel& p, Column& rows, const Backward& b) {
    const BackwardSetup& s = p.document.backward;
    if (const auto loss = choice_buttons<&BackwardSetup::loss>(p, rows)) {
        if (*loss == LossKind::one_entry) // of what is looked at
            p.edit(SetLossEntry{token_in_focus(p.frame).value_or(s.entry_token),
                                feature_in_focus(p.frame).value_or(s.entry_feature)});
        p.next.editor_dy = {};
    }
    if (s.loss == LossKind::distance) {
        choice_buttons<&BackwardSetup::target_kind>(p, rows);
        rows.flow([&](FlowLayout& flow) { target_details(p, flow); }, 4);
    } else if (s.loss == LossKind::cross_entropy) {
        rows.flow(
            [&](FlowLayout& flow) {
                const std::string text = worded("seed {}", s.head_seed);
                if (const auto seed = seed_field(p, setting<&BackwardSetup::head_seed>(),
                                                 flow.next(button_width(p, text)), s.head_seed,
                                                 text, "Of the linear head and the classes"))
                    p.edit(set<&BackwardSetup::head_seed>(*seed));
            },
            4);
    }
    if (s.loss != LossKind::given)
        p.label(rows.next(20), loss_text(p.document, b.loss().value_or(0)), TextRole::number_small);
}

// Words on a ground of their colour at the bottom of `inside`, which gets what is left.
void note(Ui& ui, Rect& inside, std::string_view words, Color color) {
    const float pad = 8;
    const float h = paragraph_height(ui, inside.w - 2 * pad, words, TextRole::small) + 12;
    const Rect r = cut_bottom(inside, std::min(h, inside.h * 0.5f));
    ui.canvas.fill_rect(r, color.with_alpha(0.08f), 5);
    paragraph(ui, r.inset(pad, 6), words, TextRole::small, color);
    cut_bottom(inside, 6);
}

// p of a token and W of a feature, from which its dY follows.
void class_lines(BackPanel& p, Rect r, const Backward& b, Index token, Index feature) {
    const Index features = b.dy().cols();
    const LinearHead head = linear_head(p.document.backward.head_seed, b.dy().rows(), features);
    const Index right = entry_at(head.classes, token);
    Matrix<double> y(1, features);
    for (const auto j : indices(features)) y(0, j) = b.y(token, j);
    const auto loss = cross_entropy<double>(y * head.weights, {right}); // p − 1 at its class
    if (!loss) return;
    std::string shares = worded("class {}, p", right),
                w = "W[" + entry_at(*p.document.features, feature) + "]";
    for (const auto c : indices(k_head_classes)) {
        shares += " " + fixed_text(loss->dlogits(0, c) + (c == right ? 1 : 0), 3);
        w += " " + fixed_text(head.weights(feature, c), 3);
    }
    for (const std::string& text : {shares, w})
        p.label(cut_top(r, k_recipe_row), text, TextRole::number_small);
}

// The origin of dY, at the bottom of `inside`: the numbers of the cell under the mouse, else the
// rule in words.
void recipe(BackPanel& p, Rect& inside, const Backward& b) {
    const BackwardSetup& s = p.document.backward;
    const auto& token = p.frame.view.hover.token;
    const auto& feature = p.frame.view.hover.feature;
    const bool classes = s.loss == LossKind::cross_entropy && !p.state.picture;
    Rect below = cut_bottom(inside, classes ? 3 * k_recipe_row : k_recipe_row);
    const Rect r = cut_top(below, k_recipe_row);
    if (token && feature && *token < b.dy().rows() && *feature < b.dy().cols()) {
        if (classes) class_lines(p, below, b, *token, *feature);
        const std::string y = number_text(b.y(*token, *feature), 5);
        const std::string dy = number_text(b.dy()(*token, *feature), 4);
        return p.label(
            r,
            s.loss == LossKind::distance
                ? worded("Y {}  T {}  dY {}", y, number_text(b.target()(*token, *feature), 5), dy)
                : worded("Y {}  dY {}", y, dy),
            TextRole::number_small);
    }
    std::string text = "dY = 1 for every value of Y";
    if (s.loss == LossKind::one_entry) text = "dY = 1 for that value of Y, else 0";
    if (s.loss == LossKind::distance)
        text = p.state.picture
                   ? worded("dY = 2 (Y − T) / {}", b.dy().size())
                   : worded("dY = 2 (Y − T) / {}; point at a cell for its Y, T", b.dy().size());
    if (s.loss == LossKind::cross_entropy)
        text = worded("p = softmax(Y·W), dY = (p − class)·Wᵀ / {}", b.dy().rows());
    soft_label(p, r, text);
    if (classes)
        soft_label(p, cut_top(below, k_recipe_row),
                   worded("classes 0 to {}; point at a cell for its p and W", k_head_classes - 1));
}

// The matrix in the card, dY or the target. `input`: set by typing in the cells; none: read only.
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

void matrix(BackPanel& p, Rect inside, const Backward& b) {
    const Document& d = p.document;
    const auto& [target, values, input] = shown_of(p.frame, b);
    const float names_w = std::min(names_width(p, *d.tokens), inside.w * 0.3f);
    const Rect key = cut_bottom(inside, 18, 4);
    const Rect names_row = cut_top(inside, 20);
    cut_left(inside, names_w);
    HeatmapPicture& picture = p.frame.memory.of<BackwardMemory>().dy;
    Heatmap map;
    map.values = values;
    map.version = b.dy_version() * 2 + (target ? 1 : 0);
    map.id = 100;
    // dY of a reached distance is pale: its limit is the size of the terms of the difference.
    map.limit =
        target ? held_limit(p, "backward.target", own_limit(map.values))
               : held_limit(p, "backward.dy", b.target_reached() ? b.dy_terms() : b.largest_dy());
    draw_color_key(p.canvas, p.theme, key, map.limit, target ? "" : "dY");
    map.port = port_of(p.frame.view.viewport, inside, values.rows(), values.cols(), k_largest_cell,
                       p.canvas.scale());
    map.format = choose_cell_format(p.canvas, inside, map.port, values, k_gradient_decimals);
    name_edges(map, *d.tokens, names_w, *d.features, names_row.h);
    mark_focus(map, p.frame);
    const MatrixSurface surface = surface_of(p.frame, inside, map);
    MatrixEditorState& editor = p.next.editor_dy;
    if (input && editor.active && has_keyboard(p, "cells")) map.marks.selected = editor.block();
    draw_heatmap(p.canvas, p.theme, inside, map, picture);
    const MatrixEvents events = input ? matrix_editor(p, "cells", surface, *input, editor)
                                      : matrix_surface(p, "cells", surface);
    if (events.clicked && d.backward.loss == LossKind::one_entry)
        p.edit(SetLossEntry{events.clicked->token, events.clicked->feature});
    take_events(events, p.frame, p.actions, {}, false);
}

// At the title: whose gradient it is where dY is typed.
std::string whose_dy(const BackPanel& p) {
    const BackwardSetup& s = p.document.backward;
    const bool picture = p.state.picture;
    if (s.loss != LossKind::given) return {};
    if (p.frame.view.came_from) return worded("the gradient at {}", p.frame.view.came_from->part);
    if (s.dy->size() == 0) return picture ? "example numbers" : "example numbers: type yours";
    return picture ? "" : "editable";
}

} // namespace

void dy_panel(BackPanel& p) {
    const Backward& b = backward_of(p.frame);
    const bool target = shown_of(p.frame, b).target;
    const std::string hint = whose_dy(p);
    const PanelSpec spec{.title = target ? "Target" : "dY",
                         .hint = hint,
                         .bar = p.theme.of(Stage::y),
                         .title_color = p.theme.ink_of(Stage::y)};
    Column rows = p.column("dy", spec);
    rows.says("dY says how the loss changes when Y changes.", 4);
    loss_rows(p, rows, b);
    Rect inside = rows.rest();
    if (b.target_reached())
        note(p, inside,
             "The target is reached: L is as good as 0, and so are dY and every gradient.",
             p.theme.ink_of(Stage::y));
    else if (const auto& reason = b.vanishing())
        note(p, inside, *reason, p.theme.error);
    if (p.document.backward.loss != LossKind::given) recipe(p, inside, b);
    matrix(p, inside, b);
}

void dy_menu(Turn turn) {
    const Frame& f = turn.frame;
    const Shown shown = shown_of(f, backward_of(f));
    for (Edit& edit :
         matrix_menu(turn, {shown.values, shown.input, &f.view.of<BackwardView>().editor_dy}))
        turn.actions.edits.push_back(std::move(edit));
}

} // namespace normscope
