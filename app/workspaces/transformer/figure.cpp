#include "app/charts/color_key.h"
#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/words/transformer_arithmetic.h"
#include "app/workspaces/transformer/figure_layout.h"
#include "app/workspaces/transformer/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr ChoiceName k_modes[] = {{"forward", "Forward"}, {"gradient", "Gradient"}};
constexpr std::string_view k_mode_hints[] = {
    "What each box puts out", "∂L/∂ of what each box puts out: how the loss would move with it"};
constexpr float k_head_h = 30, k_legend_h = 20, k_caption_lines = 3;
constexpr double k_pulse_s = 0.6; // on its way up; a word that is played takes longer
// The widths of the lens over the figure, and the least width of the figure left beside it.
constexpr float k_least_floating = 330, k_most_floating = 440, k_least_beside = 180;

// An arrowhead with its tip at `tip`. It points along (dx, dy), which is one of the axes.
void arrowhead(Ui& ui, Point tip, float dx, float dy, float half, Color color) {
    const float length = 7;
    const Point base{tip.x - dx * length, tip.y - dy * length};
    ui.canvas.fill_triangle(tip, {base.x - dy * half, base.y + dx * half},
                            {base.x + dy * half, base.y - dx * half}, color);
}

// The arrow below a box or an Add: into the box, or in Gradient out of it.
void arrow_below(TransformerPanel& p, Point at, float half, Color color) {
    const float down = p.view.gradient ? 1 : -1;
    arrowhead(p, {at.x, at.y + (p.view.gradient ? 7.0f : 0)}, 0, down, half, color);
}

// A short text that is whole or left out, where the lens lies over a part of it.
void sign(Ui& ui, const FigurePlan& plan, Rect r, std::string_view text, TextRole role, Color ink,
          Align align) {
    if (plan.sight.encloses(r)) ui.label(r, text, role, ink, align);
}

// The arrows of the stream up from box to box.
void draw_arrows(TransformerPanel& p, const FigurePlan& plan, const StackPlan& stack) {
    for (const PlacedBox& placed : stack.boxes) {
        if (placed.box.kind == Box::Kind::embedding || placed.box.kind == Box::Kind::add_norm)
            continue;
        float y = placed.rect.bottom();
        for (const PlacedSkip& skip : stack.skips)
            if (placed.box.kind == Box::Kind::sublayer && placed.box.block == skip.block &&
                skip.norm_before)
                y = skip.norm_before->bottom();
        arrow_below(p, {stack.trunk, y}, 6, p.theme.ink_soft);
        if (transformer_of(p).reading(placed.box) == Reading::cross &&
            placed.box.kind == Box::Kind::sublayer)
            sign(p, plan, {stack.trunk - 46, placed.rect.bottom(), 16, 16}, "Q", TextRole::small,
                 p.theme.ink_of(Stage::x), Align::right);
    }
}

void draw_bands(TransformerPanel& p, const FigurePlan& plan, const StackPlan& stack) {
    const Theme& t = p.theme;
    const float top = stack.boxes.back().rect.y, bottom = stack.boxes.front().rect.y;
    const bool left = stack.side == StackSide::encoder;
    p.canvas.fill_rect({stack.trunk - 5, top, 10, bottom - top}, t.of(Stage::y).with_alpha(0.25f));
    for (const PlacedSkip& skip : stack.skips) {
        const Meeting m = meeting_at(p, {Box::Kind::add_norm, stack.side, stack.drawn, skip.block});
        const auto width = [&](float share) { return std::max(1.0f, plan.widest * share); };
        const float narrow = width(1 - m.drawn_share());
        if (m.skip > 0) {
            const Point way[] = {{stack.trunk, skip.leaves},
                                 {stack.outside, skip.leaves},
                                 {stack.outside, skip.add.y},
                                 skip.add};
            p.canvas.polyline(rounded_path(way, 12), t.of(Stage::x), width(m.drawn_share()));
            const float in = left ? 1 : -1; // from outside to the trunk
            const Point tip{stack.trunk - in * 8.0f, p.view.gradient ? skip.leaves : skip.add.y};
            arrowhead(p, tip, in, 0, width(m.drawn_share()) / 2 + 3, t.of(Stage::x));
        }
        p.canvas.fill_rect(
            {skip.add.x - narrow / 2, skip.add.y, narrow, skip.branch_from - skip.add.y},
            t.of(Stage::f));
        arrow_below(p, {skip.add.x, skip.add.y + 8}, narrow / 2 + 3, t.of(Stage::f));
        for (const std::optional<Rect>& norm : {skip.norm_before, skip.norm_after})
            if (norm) {
                p.canvas.fill_rect(*norm, t.panel, 3);
                p.canvas.stroke_rect(*norm, t.of(Stage::x_hat), 1.5f, 3);
                if (plan.sight.encloses(*norm))
                    p.canvas.text_in(*norm, "Norm", TextRole::small, t.ink_of(Stage::x_hat));
            }
        const float r = 8;
        const Rect add{skip.add.x - r, skip.add.y - r, 2 * r, 2 * r};
        p.canvas.fill_rect(add, t.ink, k_fully_round);
        if (plan.sight.encloses(add)) p.canvas.text_in(add, "+", TextRole::small, t.panel);
        sign(p, plan, {skip.add.x + (left ? 16 : -66), skip.add.y - 9.0f, 50.0f, 18.0f}, m.text(),
             TextRole::number_small, t.ink_soft, left ? Align::left : Align::right);
    }
    draw_arrows(p, plan, stack);
}

// A frame around a norm that stands before its sublayer, and their ⊕, which says what they
// are together.
void frame_add_norms(TransformerPanel& p, const FigurePlan& plan, const StackPlan& stack) {
    const Color color = p.theme.of(Stage::x_hat);
    const std::string_view name = "Add & Norm";
    const float apart = 4;
    for (const PlacedSkip& skip : stack.skips) {
        if (!skip.norm_before) continue;
        const Box box{Box::Kind::add_norm, stack.side, stack.drawn, skip.block};
        const Rect add = std::ranges::find(stack.boxes, box, &PlacedBox::box)->rect;
        const Rect& norm = *skip.norm_before;
        const Rect frame{add.x - apart, add.y - apart, add.w + 2 * apart,
                         norm.bottom() - add.y + 2 * apart};
        p.canvas.fill_rect(frame, color.with_alpha(0.07f), 6);
        p.canvas.stroke_rect(frame, color.with_alpha(0.6f), 1, 6);
        const Rect words{add.x + 6, norm.y, small_width(p, name) + 1, norm.h};
        if (words.right() < stack.trunk - 48) // and of Q
            sign(p, plan, words, name, TextRole::small, p.theme.ink_of(Stage::x_hat), Align::left);
    }
}

// A step of decoding goes up the stack that reads the words: the box lights up where it is.
void draw_pulse(const TransformerPanel& p, const StackPlan& stack) {
    if (!p.view.pulse || stack.side != transformer_of(p).head()) return;
    const double way = std::min((ImGui::GetTime() - *p.view.pulse) / k_pulse_s, 1.0);
    const float bottom = stack.boxes.front().rect.bottom(), top = stack.boxes.back().rect.y;
    const float y = bottom + static_cast<float>(way) * (top - bottom);
    for (const PlacedBox& placed : stack.boxes)
        if (placed.rect.y <= y && y <= placed.rect.bottom())
            return p.canvas.stroke_rect(placed.rect, p.theme.focus, 3, 4);
    p.canvas.fill_circle({stack.trunk, y}, 7, p.theme.focus);
}

// The cells of `parts` that stand in a box.
std::vector<CellBlock> cells_in(const std::vector<BoxCells>& parts, const Box& box) {
    std::vector<CellBlock> out;
    for (const BoxCells& part : parts)
        if (part.box == box) out.push_back(part.cells);
    return out;
}

// The number under the mouse, what it is made of and what it goes into, everywhere they stand.
struct LitCells {
    std::vector<BoxCells> made_of, goes_into;
};
LitCells lit_cells(const TransformerPanel& p) {
    const TransformerStudy& study = transformer_of(p);
    if (!p.view.hovered || !study.has(p.view.hovered->box)) return {};
    const auto& [box, token, feature] = *p.view.hovered;
    LitCells out{made_of(study, box, token, feature), goes_into(study, box, token, feature)};
    if (p.view.gradient) std::swap(out.made_of, out.goes_into); // it comes the other way
    out.made_of.push_back({box, {token, feature, 1, 1}});
    return out;
}

void draw_box(TransformerPanel& p, const FigurePlan& plan, const PlacedBox& placed,
              const LitCells& lit, double limit) {
    const TransformerStudy& study = transformer_of(p);
    const auto& [box, rect, place_of_name, place_of_map] = placed;
    const std::string id = id_of(study, box);
    const Hit hit = p.hit(id, rect);
    const bool chosen = p.view.box == box;
    p.canvas.fill_rect(rect, hit.hovered ? p.theme.control_hover : p.theme.panel, 4);
    p.canvas.stroke_rect(rect, chosen ? p.theme.ink : p.theme.border, chosen ? 2 : 1, 4);
    Rect bar = rect;
    p.canvas.fill_rect(cut_left(bar, 4), p.theme.of(stage_of(box)));
    Rect name = place_of_name;
    cut_left(name, 6);
    const TakenOut sublayer{box.side, box.layer, box.block, BlockPiece::sublayer};
    const bool out = box.kind == Box::Kind::sublayer && is_taken_out(study.setup(), sublayer);
    const std::string words =
        out ? worded("{}, out: F = 0", name_of(study, box)) : std::string(name_of(study, box));
    const float h = paragraph_height(p, name.w, words, TextRole::small);
    if (h > rect.h)
        sign(p, plan, name, words, TextRole::small, p.theme.ink, Align::left);
    else if (plan.sight.encloses(name))
        paragraph(p, {name.x, rect.center().y - h / 2, name.w, h}, words, TextRole::small);
    const Matrix<float> values = p.view.gradient ? study.gradient(box) : study.output(box);
    const bool compared = box.in_layer() || box.kind == Box::Kind::final_norm;
    const auto cell = small_map(p, place_of_map,
                                {worded("figure {}", id),
                                 values,
                                 compared ? limit : limit_of(values),
                                 pinned_in(p, box.side),
                                 {cells_in(lit.made_of, box), cells_in(lit.goes_into, box)}});
    p.focus_ring(hit, rect, 4);
    if (hit.hovered && cell) p.next.hovered = {box, cell->row, cell->col};
    if (!hit.clicked) return;
    p.next.box = box;
    p.next.lens_open = true;
    if (cell && hit.released) p.next.pinned = {box.side, cell->row};
}

// K and V of the encoder's output, to the cross-attention.
void draw_memory(TransformerPanel& p, const FigurePlan& plan) {
    if (plan.stacks.size() < 2) return;
    const StackPlan& from = plan.stacks.front();
    const StackPlan& to = plan.stacks.back();
    const auto cross = std::ranges::find(to.boxes, Box{Box::Kind::sublayer, to.side, to.drawn, 1},
                                         &PlacedBox::box);
    if (cross == to.boxes.end()) return;
    const Color color = p.theme.of(Stage::y);
    const float start = from.boxes.back().rect.y;
    const float middle = (from.column.right() + to.column.x) / 2;
    const struct {
        std::string_view name;
        float shift;
    } bands[] = {{"K", -1}, {"V", 1}};
    for (const auto& [name, shift] : bands) {
        const float x = from.trunk + shift * 6.0f, y = from.above.y - (12 - 6 * shift);
        const float down = middle - shift * 6.0f;
        const float in = cross->rect.center().y + shift * 7.0f;
        const Point way[] = {{x, start}, {x, y}, {down, y}, {down, in}, {cross->rect.x, in}};
        const Color shade = color.with_alpha(shift < 0 ? 0.55f : 0.9f);
        p.canvas.polyline(rounded_path(way, 10), shade, 7);
        if (p.view.gradient)
            arrowhead(p, {x, start}, 0, 1, 6, shade);
        else
            arrowhead(p, {cross->rect.x, in}, 1, 0, 6, color);
        sign(p, plan, {down + 5, in - (shift < 0 ? 20 : -2), 16.0f, 18.0f}, name, TextRole::small,
             p.theme.ink_of(Stage::y), Align::left);
    }
}

// A sentence from the left, as the words are no headings of the columns above them; spread where it
// has no room.
void draw_words(Ui& ui, Rect r, Rect sight, const Words& words, std::optional<Index> pinned) {
    const auto width = [&](const std::string& word) {
        return ui.text_width(Text::typed(word), TextRole::small) + 10;
    };
    float whole = 0;
    for (const std::string& word : words) whole += width(word);
    const float share = std::min(1.0f, r.w / whole);
    for (const auto i : indices(words)) {
        const Rect place = cut_left(r, width(words[i]) * share);
        if (sight.encloses(place))
            ui.label(place, Text::typed(words[i]), TextRole::small,
                     pinned == static_cast<Index>(i) ? ui.theme.ink : ui.theme.ink_soft,
                     Align::center);
    }
}

void draw_layer_name(Ui& ui, Rect r, float x, int layer, int layers) {
    if (layer < 1 || layer > layers) return;
    const float w = 64;
    const Rect chip{x - w / 2, r.y + 1, w, r.h - 2};
    ui.canvas.fill_rect(chip, ui.theme.panel, k_fully_round);
    ui.canvas.stroke_rect(chip, ui.theme.border, 1, k_fully_round);
    soft_label(ui, chip, worded("layer {}", layer), Align::center);
}

void draw_stack(TransformerPanel& p, const FigurePlan& plan, const StackPlan& stack,
                const LitCells& lit, double limit) {
    const TransformerStudy& study = transformer_of(p);
    frame_add_norms(p, plan, stack);
    draw_bands(p, plan, stack);
    for (const PlacedBox& box : stack.boxes) draw_box(p, plan, box, lit, limit);
    draw_pulse(p, stack);
    const int layers = study.layers(stack.side);
    draw_layer_name(p, stack.below, stack.trunk, stack.drawn, layers);
    draw_layer_name(p, stack.above, stack.trunk, stack.drawn + 2, layers);
    draw_words(p, stack.words, plan.sight, study.tokens(stack.side), pinned_in(p, stack.side));
}

void head_row(TransformerPanel& p, Rect row) {
    if (!p.state.picture) {
        const Rect modes = cut_right(row, segmented_width(p, k_modes), 12);
        if (const auto mode =
                segmented(p, "mode", modes, k_modes, p.view.gradient ? 1 : 0, k_mode_hints))
            p.next.gradient = *mode == 1;
        const TransformerStudy& study = transformer_of(p);
        const int layers =
            std::max(study.layers(StackSide::encoder), study.layers(StackSide::decoder));
        const int now = std::min(*std::ranges::max_element(p.view.layer), layers - 1);
        const StepperSpec spec{now + 1,
                               std::max(1, now),
                               std::min(layers, now + 2),
                               worded("layer {} of {}", now + 1, layers),
                               "The layer below",
                               "The layer that is drawn",
                               "The layer above",
                               whole_numbers(1, layers)};
        const Rect place = cut_right(row, stepper_width(p, spec.text), 12);
        if (const auto chosen = stepper(p, "layer", place, spec)) {
            const int layer = static_cast<int>(*chosen) - 1;
            p.next.layer = {layer, layer};
            if (p.next.box.in_layer()) p.next.box.layer = layer;
        }
    }
    left_words(p, row, "Transformer", TextRole::title, p.theme.ink, 12);
    soft_label(p, row,
               p.view.gradient ? "∂L/∂ of what each box puts out"
                               : "a row is a token, a column a feature");
}

// The lens lies beside the clicked box, on the side of the figure that has more room.
Rect floating_place(const TransformerPanel& p, Rect figure, const FigurePlan& plan) {
    const auto stack = std::ranges::find(plan.stacks, chosen_box(p).side, &StackPlan::side);
    const Rect box = stack->boxes.front().rect; // as wide as all of them
    const bool at_right = box.center().x < figure.center().x;
    const float room = at_right ? figure.right() - box.right() : box.x - figure.x;
    const float w = std::clamp(room, k_least_floating, k_most_floating);
    if (figure.w - w < k_least_beside) return figure;
    return (at_right ? cut_right : cut_left)(figure, w, 0);
}

// The rest of the figure when a rectangle over it, at one of its sides, is taken away.
Rect rest_beside(Rect figure, Rect over) {
    (over.x > figure.x ? cut_right : cut_left)(figure, over.w, 0);
    return figure;
}

// A window of its own, above the figure that it covers.
void draw_floating_lens(TransformerPanel& p, Rect r) {
    p.place_item({r.x, r.y});
    ImGui::BeginChild("##lens", p.pixels(Size{r.w, r.h}), false,
                      ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoSavedSettings |
                          ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    const AtEnd end(ImGui::EndChild);
    TransformerPanel lens{{p, r, p.frame, p.actions}};
    lens_panel(lens);
}

// Returns where the lens is to lie over the figure, if anywhere.
std::optional<Rect> draw_figure(TransformerPanel& p) {
    const IdScope scope(p, "layers");
    Rect inside = p.framed();
    if (p.view.pulse && ImGui::GetTime() - *p.view.pulse >= k_pulse_s) p.next.pulse.reset();
    const TransformerStudy& study = transformer_of(p);
    head_row(p, cut_top(inside, k_head_h));
    const auto instead = [&](std::string_view words, Color ink) {
        paragraph(p, inside.inset(20), words, TextRole::label, ink);
        return std::optional<Rect>();
    };
    if (study.error()) return instead(sentence(*study.error()), p.theme.error);
    if (p.view.gradient && !study.backward())
        return instead(
            "There is no gradient: an encoder alone has a loss where source and target have "
            "as many words. Add or take out words until they do.",
            p.theme.ink_soft);
    const double limit = common_limit(study.largest(p.view.gradient)); // of maps to be compared
    Rect below = cut_bottom(inside, k_caption_lines * (p.canvas.line_height(TextRole::small) + 3));
    Rect key = cut_right(below, 176);
    draw_color_key(p.canvas, p.theme, cut_top(key, k_legend_h), limit);
    provenance(p, below);
    FigurePlan plan = plan_figure(inside, study, p.view.layer);
    p.needed = p.rect.h - inside.h + plan.needed;
    std::optional<Rect> lens;
    if (p.next.lens_floats && p.view.lens_open && !p.state.picture)
        lens = floating_place(p, inside, plan);
    plan.sight = lens ? rest_beside(inside, *lens) : p.rect;
    p.canvas.push_clip(plan.sight);
    for (const StackPlan& stack : plan.stacks) {
        p.canvas.fill_rect(stack.layer, p.theme.background, 6);
        p.canvas.stroke_rect(stack.layer, p.theme.border, 1, 6);
    }
    draw_memory(p, plan);
    const LitCells lit = lit_cells(p);
    for (const StackPlan& stack : plan.stacks) draw_stack(p, plan, stack, lit, limit);
    draw_overview(p, plan.overview, plan.sight);
    p.canvas.pop_clip();
    return lens;
}

} // namespace

void figure_panel(TransformerPanel& p) {
    if (const auto lens = draw_figure(p)) draw_floating_lens(p, *lens);
}

} // namespace normscope
