#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/words/transformer_arithmetic.h"
#include "app/workspaces/transformer/figure_layout.h"
#include "app/workspaces/transformer/panels.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr std::array<ChoiceName, 2> k_modes = {{{"forward", "Forward"}, {"gradient", "Gradient"}}};
constexpr std::array<std::string_view, 2> k_mode_hints = {
    "What each box puts out", "∂L/∂ of what each box puts out: how the loss would move with it"};
constexpr float k_head_h = 30, k_legend_h = 20;

// A path whose corners are arcs.
std::vector<Point> rounded_path(std::span<const Point> corners, float radius) {
    std::vector<Point> path{corners.front()};
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        const Point a = corners[i - 1], b = corners[i], c = corners[i + 1];
        const auto towards = [&](Point to) {
            const float dx = to.x - b.x, dy = to.y - b.y, length = std::hypot(dx, dy);
            const float r = std::min(radius, length / 2);
            return length > 0 ? Point{b.x + dx / length * r, b.y + dy / length * r} : b;
        };
        const Point in = towards(a), out = towards(c);
        constexpr int k_steps = 8;
        for (int s = 0; s <= k_steps; ++s) { // a quadratic curve with its corner as control point
            const float t = static_cast<float>(s) / k_steps;
            const float u = 1 - t;
            path.push_back({u * u * in.x + 2 * u * t * b.x + t * t * out.x,
                            u * u * in.y + 2 * u * t * b.y + t * t * out.y});
        }
    }
    path.push_back(corners.back());
    return path;
}

void draw_bands(Ui& ui, const FigurePlan& plan, const StackPlan& stack,
                const TransformerStudy& study, bool gradient) {
    const Theme& t = ui.theme;
    const float top = stack.boxes.back().rect.y, bottom = stack.boxes.front().rect.y;
    ui.canvas.fill_rect({stack.trunk - ui.px(5), top, ui.px(10), bottom - top},
                        t.of(Stage::y).with_alpha(0.25f));
    for (const PlacedSkip& skip : stack.skips) {
        const Meeting m =
            meeting_at(study, gradient, {Box::Kind::add_norm, stack.side, stack.drawn, skip.block});
        const float share = m.drawn_share();
        const float wide = std::max(ui.px(1), plan.widest * share);
        const float narrow = std::max(ui.px(1), plan.widest * (1 - share));
        if (m.skip > 0) {
            const Point way[] = {{stack.trunk, skip.leaves},
                                 {stack.outside, skip.leaves},
                                 {stack.outside, skip.add.y},
                                 skip.add};
            ui.canvas.polyline(rounded_path(way, ui.px(12)), t.of(Stage::x), wide);
        }
        ui.canvas.fill_rect(
            {skip.add.x - narrow / 2, skip.add.y, narrow, skip.branch_from - skip.add.y},
            t.of(Stage::f));
        for (const std::optional<Rect>& norm : {skip.norm_before, skip.norm_after})
            if (norm) {
                ui.canvas.fill_rect(*norm, t.panel, ui.px(3));
                ui.canvas.stroke_rect(*norm, t.of(Stage::x_hat), ui.px(1.5f), ui.px(3));
                ui.canvas.text_in(*norm, "Norm", TextRole::small, t.ink_of(Stage::x_hat));
            }
        const float r = ui.px(8);
        ui.canvas.fill_rect({skip.add.x - r, skip.add.y - r, 2 * r, 2 * r}, t.ink, r);
        ui.canvas.text_in({skip.add.x - r, skip.add.y - r, 2 * r, 2 * r}, "+", TextRole::small,
                          t.panel);
        const float x =
            stack.side == StackSide::encoder ? skip.add.x + ui.px(16) : skip.add.x - ui.px(66);
        ui.label({x, skip.add.y - ui.px(9), ui.px(50), ui.px(18)}, m.text(), TextRole::number_small,
                 t.ink_soft, stack.side == StackSide::encoder ? Align::left : Align::right);
    }
}

// Those of `parts` that stand in a box.
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
LitCells lit_cells(const TransformerView& view, const TransformerStudy& study) {
    if (!view.hovered || !study.has(view.hovered->box)) return {};
    const auto& [box, token, feature] = *view.hovered;
    LitCells out;
    // The gradient comes the other way.
    out.made_of = (view.gradient ? goes_into : made_of)(study, box, token, feature);
    out.goes_into = (view.gradient ? made_of : goes_into)(study, box, token, feature);
    out.made_of.push_back({box, {token, feature, 1, 1}});
    return out;
}

void draw_box(Ui& ui, const PlacedBox& placed, const Frame& f, Actions& a,
              const TransformerStudy& study, const LitCells& lit, double limit) {
    const TransformerView& view = f.view.of<TransformerView>();
    const Box& box = placed.box;
    const std::string id = id_of(study, box);
    const Hit hit = ui.hit(id, placed.rect);
    const bool chosen = view.box == box;
    ui.canvas.fill_rect(placed.rect, hit.hovered ? ui.theme.control_hover : ui.theme.panel,
                        ui.px(4));
    ui.canvas.stroke_rect(placed.rect, chosen ? ui.theme.ink : ui.theme.border,
                          ui.px(chosen ? 2 : 1), ui.px(4));
    ui.canvas.fill_rect({placed.rect.x, placed.rect.y, ui.px(4), placed.rect.h},
                        ui.theme.of(stage_of(box)));
    Rect name = placed.name;
    cut_left(name, ui.px(6));
    const TakenOut sublayer{box.side, box.layer, box.block, BlockPiece::sublayer};
    const bool out = box.kind == Box::Kind::sublayer && is_taken_out(study.setup(), sublayer);
    const std::string words =
        std::string(name_of(study, box)) + (out ? worded(", out: F = 0") : "");
    const float h = paragraph_height(ui, name.w, words, TextRole::small);
    if (h <= placed.rect.h)
        paragraph(ui, {name.x, placed.rect.center().y - h / 2, name.w, h}, words, TextRole::small,
                  ui.theme.ink);
    else
        ui.label(name, words, TextRole::small, ui.theme.ink);
    const Matrix<float> gradient = view.gradient ? study.gradient(box) : Matrix<float>();
    const Matrix<float>& values = view.gradient ? gradient : study.output(box);
    const bool of_words = box.kind == Box::Kind::linear || box.kind == Box::Kind::softmax;
    const double own = values.size() > 0 ? static_cast<double>(values.cwiseAbs().maxCoeff()) : 1;
    const auto cell = small_map(
        ui, placed.map, f,
        {worded("figure {}", id),
         values,
         of_words || box.kind == Box::Kind::embedding ? common_limit(std::array{own}) : limit,
         pinned_in(f, box.side),
         {cells_in(lit.made_of, box), cells_in(lit.goes_into, box)}});
    ui.focus_ring(hit, placed.rect, ui.px(4));
    if (hit.hovered && cell) a.view.of<TransformerView>().hovered = {box, cell->row, cell->col};
    if (!hit.clicked) return;
    a.view.of<TransformerView>().box = box;
    if (cell && hit.released) a.view.of<TransformerView>().pinned = {box.side, cell->row};
}

// K and V of the encoder's output, to the cross-attention.
void draw_memory(Ui& ui, const FigurePlan& plan) {
    if (plan.stacks.size() < 2) return;
    const StackPlan& from = plan.stacks.front();
    const StackPlan& to = plan.stacks.back();
    const auto cross = std::ranges::find(to.boxes, Box{Box::Kind::sublayer, to.side, to.drawn, 1},
                                         &PlacedBox::box);
    if (cross == to.boxes.end()) return;
    const Color color = ui.theme.of(Stage::y);
    const float start = from.boxes.back().rect.y;
    const float middle = (from.column.right() + to.column.x) / 2;
    const struct {
        std::string_view name;
        float shift;
    } bands[] = {{"K", -1}, {"V", 1}};
    for (const auto& [name, shift] : bands) {
        const float x = from.trunk + shift * ui.px(6), y = from.above.y - ui.px(12 - 6 * shift);
        const float down = middle - shift * ui.px(6);
        const float in = cross->rect.center().y + shift * ui.px(7);
        const Point way[] = {{x, start}, {x, y}, {down, y}, {down, in}, {cross->rect.x, in}};
        ui.canvas.polyline(rounded_path(way, ui.px(10)), color.with_alpha(shift < 0 ? 0.55f : 0.9f),
                           ui.px(7));
        ui.label({down + ui.px(5), in - ui.px(shift < 0 ? 20 : -2), ui.px(16), ui.px(18)}, name,
                 TextRole::small, ui.theme.ink_of(Stage::y));
    }
}

void draw_words(Ui& ui, Rect r, const Words& words, std::optional<Index> pinned) {
    const float w = r.w / static_cast<float>(words.size());
    const AsTyped typed(ui.canvas);
    for (std::size_t i = 0; i < words.size(); ++i)
        ui.label({r.x + w * static_cast<float>(i), r.y, w, r.h}, words[i], TextRole::small,
                 pinned == static_cast<Index>(i) ? ui.theme.ink : ui.theme.ink_soft, Align::center);
}

void draw_layer_name(Ui& ui, Rect r, float x, int layer, int layers) {
    if (layer < 1 || layer > layers) return;
    const float w = ui.px(64);
    const Rect chip{x - w / 2, r.y + ui.px(1), w, r.h - ui.px(2)};
    ui.canvas.fill_rect(chip, ui.theme.panel, chip.h / 2);
    ui.canvas.stroke_rect(chip, ui.theme.border, ui.px(1), chip.h / 2);
    soft_label(ui, chip, worded("layer {}", layer), Align::center);
}

void draw_stack(Ui& ui, const FigurePlan& plan, const StackPlan& stack, const Frame& f, Actions& a,
                const TransformerStudy& study, const LitCells& lit, double limit) {
    ui.canvas.fill_rect(stack.layer, ui.theme.background, ui.px(6));
    ui.canvas.stroke_rect(stack.layer, ui.theme.border, ui.px(1), ui.px(6));
    draw_bands(ui, plan, stack, study, f.view.of<TransformerView>().gradient);
    for (const PlacedBox& box : stack.boxes) draw_box(ui, box, f, a, study, lit, limit);
    const int layers = study.layers(stack.side);
    draw_layer_name(ui, stack.below, stack.trunk, stack.drawn, layers);
    draw_layer_name(ui, stack.above, stack.trunk, stack.drawn + 2, layers);
    draw_words(ui, stack.words, study.tokens(stack.side), pinned_in(f, stack.side));
}

void head_row(Ui& ui, Rect row, const Frame& f, Actions& a, const TransformerStudy& study) {
    const TransformerView& view = f.view.of<TransformerView>();
    if (!ui.state.picture) {
        const Rect modes = cut_right(row, segmented_width(ui, k_modes), ui.px(12));
        if (const auto mode =
                segmented(ui, "mode", modes, k_modes, view.gradient ? 1 : 0, k_mode_hints))
            a.view.of<TransformerView>().gradient = *mode == 1;
        const int layers =
            std::max(study.layers(StackSide::encoder), study.layers(StackSide::decoder));
        const int now = std::min(*std::ranges::max_element(view.layer), layers - 1);
        const StepperSpec spec{now + 1,
                               std::max(1, now),
                               std::min(layers, now + 2),
                               worded("layer {} of {}", now + 1, layers),
                               "The layer below",
                               "The layer that is drawn",
                               "The layer above",
                               whole_numbers(1, layers)};
        if (const auto chosen =
                stepper(ui, "layer", cut_right(row, stepper_width(ui, spec.text)), spec)) {
            const int layer = static_cast<int>(*chosen) - 1;
            TransformerView& next = a.view.of<TransformerView>();
            next.layer = {layer, layer};
            if (next.box.in_layer()) next.box.layer = layer;
        }
        cut_right(row, ui.px(12));
    }
    ui.label(cut_left(row, ui.canvas.text_size("Transformer", TextRole::title).w + ui.px(12)),
             "Transformer", TextRole::title, ui.theme.ink);
    soft_label(ui, row,
               view.gradient ? "each box shows ∂L/∂ of what it puts out"
                             : "each box shows what it puts out: tokens × features");
}

// ". Goes into Feed forward, Add & Norm of encoder 2"; at the encoder's top how many read it.
std::string goes_into_words(const TransformerStudy& study, const Box& box, Index token,
                            Index feature) {
    const std::vector<BoxCells> readers = goes_into(study, box, token, feature);
    if (readers.empty()) return {};
    std::string words;
    const std::size_t named = readers.size() > 2 ? 1 : readers.size();
    for (std::size_t i = 0; i < named; ++i)
        words += fmt::format("{}{}", i > 0 ? tr(" and ") : "", name_of(study, readers[i].box));
    const Box& first = readers.front().box;
    const std::string where =
        first.in_layer() ? worded(" of {} {}", id_of(first.side), first.layer + 1) : std::string();
    return worded(". Goes into {}{}", words,
                  named < readers.size() ? worded(" of all {} decoder layers", readers.size())
                                         : where);
}

// What it does at the output that something is taken out: “… the output moves by 34.1 %, the loss
// from 2.104 to 2.433”; empty where nothing is.
std::string moved_words(const TransformerStudy& study) {
    const auto& moved = study.moved();
    if (!moved) return {};
    std::string words =
        worded("Without what is taken out, the output moves by {:.1f} %", 100 * moved->share);
    if (moved->loss && study.forward().loss)
        words += worded(", the loss from {:.3f} to {:.3f}", *moved->loss, *study.forward().loss);
    const auto silent = [](const TakenOut& out) { return out.piece == BlockPiece::sublayer; };
    if (std::ranges::any_of(*study.setup().taken_out, silent))
        words +=
            study.setup().config.placement == Placement::post ||
                    study.setup().config.placement == Placement::deepnorm
                ? worded(". Where F = 0 the sublayer has learned nothing: Add & Norm gives LN(X)")
                : worded(". Where F = 0 the sublayer has learned nothing: the Add gives X");
    return words;
}

// Where the number under the mouse comes from.
void provenance(Ui& ui, Rect r, const Frame& f, const TransformerStudy& study) {
    const auto& cell = f.view.of<TransformerView>().hovered;
    if (!cell || !study.has(cell->box)) {
        if (const std::string moved = moved_words(study); !moved.empty())
            paragraph(ui, r, moved, TextRole::small, ui.theme.ink);
        else if (!ui.state.picture)
            soft_label(ui, cut_top(r, ui.px(k_legend_h)),
                       "Point at a cell: where its number comes from");
        return;
    }
    const Words& tokens = study.tokens(cell->box.side);
    const auto token = static_cast<std::size_t>(cell->token);
    if (token >= tokens.size()) return;
    const auto& [box, row, feature] = *cell;
    const std::string where =
        f.view.of<TransformerView>().gradient
            ? gradient_from(study, box, row, feature)
            : where_from(study, box, row, feature) + goes_into_words(study, box, row, feature);
    paragraph(ui, r, worded("{}, “{}”: {}", place_of(study, cell->box), tokens[token], where),
              TextRole::small, ui.theme.ink);
}

void legend(Ui& ui, Rect row, double limit) {
    const float w = ui.px(60);
    const std::string most = compact_text(limit, 2);
    Rect middle = row;
    ui.label(cut_left(middle, ui.px(50), ui.px(4)), "−" + most, TextRole::number_small,
             ui.theme.ink_soft, Align::right);
    const Rect ramp = cut_left(middle, w).inset(0, ui.px(5));
    constexpr int k_steps = 20;
    for (int i = 0; i < k_steps; ++i)
        ui.canvas.fill_rect({ramp.x + ramp.w * static_cast<float>(i) / k_steps, ramp.y,
                             ramp.w / k_steps + 0.5f, ramp.h},
                            heat_color(ui.theme, limit * (2.0 * i / (k_steps - 1) - 1), limit));
    cut_left(middle, ui.px(4));
    ui.label(middle, most, TextRole::number_small, ui.theme.ink_soft);
}

} // namespace

void figure_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "layers");
    Rect inside = panel(ui, "", r, {});
    const TransformerStudy& study = transformer_of(f);
    head_row(ui, cut_top(inside, ui.px(k_head_h)), f, a, study);
    if (study.error()) {
        paragraph(ui, inside.inset(ui.px(20)), sentence(*study.error()), TextRole::label,
                  ui.theme.error);
        return;
    }
    const bool gradient = f.view.of<TransformerView>().gradient;
    if (gradient && !study.backward()) {
        paragraph(ui, inside.inset(ui.px(20)),
                  "There is no gradient: an encoder alone has a loss where source and target have "
                  "as many words. Add or take out words until they do.",
                  TextRole::label, ui.theme.ink_soft);
        return;
    }
    const double limit = common_limit(study.largest(gradient)); // of all maps that are compared
    Rect below = cut_bottom(inside, ui.px(2 * k_legend_h));
    Rect ramp = cut_right(below, ui.px(176));
    legend(ui, cut_top(ramp, ui.px(k_legend_h)), limit);
    provenance(ui, below, f, study);
    const FigurePlan plan =
        plan_figure(inside, ui.px(1), study, f.view.of<TransformerView>().layer);
    draw_memory(ui, plan);
    const LitCells lit = lit_cells(f.view.of<TransformerView>(), study);
    for (const StackPlan& stack : plan.stacks) draw_stack(ui, plan, stack, f, a, study, lit, limit);
    draw_overview(ui, plan.overview, f, a, study);
}

} // namespace normscope
