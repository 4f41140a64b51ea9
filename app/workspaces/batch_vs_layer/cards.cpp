#include "app/charts/color_key.h"
#include "app/words/norm_formula.h"
#include "app/workspaces/batch_vs_layer/panels.h"
#include "app/workspaces/shared/matrix_menu.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr std::uint64_t k_z_map = 200; // those of the norms follow

struct CardParts {
    Rect cells, names, left, right, below, words;
};

// Statistics and words follow right below the last row of cells.
CardParts parts_of(Rect inside, const CardPlace& place, Index rows) {
    CardParts p;
    const float below = k_below_cells;
    const float cells_h =
        std::max(0.0f, std::min(inside.h - below - k_card_names_h,
                                k_largest_card_cell.h * static_cast<float>(rows)));
    p.names = cut_top(inside, k_card_names_h);
    p.left = cut_left(inside, place.left_w);
    p.right = cut_right(inside, place.right_w);
    p.cells = cut_top(inside, cells_h, 4);
    p.below = cut_top(inside, 2 * k_card_line, 4);
    p.words = {p.left.x, inside.y, place.r.right() - (k_card_padding / 2) - p.left.x, inside.h};
    p.names.x = p.cells.x;
    p.names.w = p.cells.w;
    return p;
}

const Matrix<double>& card_values(const BatchPanel& p, std::size_t card) {
    const BatchStudy& study = study_of(p.frame);
    return card == 0 ? study.norms().z : study.result(card - 1, p.view.norm_result);
}

// The heat map of Z (card 0) or of a norm.
Heatmap map_of(const BatchPanel& p, const CardParts& parts, const CardPlace& place,
               std::size_t card, double limit) {
    const BatchStudy& study = study_of(p.frame);
    const auto version_of = [&](std::size_t of) {
        return of == 0 ? study.norms_version() : study.result_version(p.view.norm_result);
    };
    Heatmap map;
    map.values = card_values(p, card);
    map.version = version_of(card);
    map.id = k_z_map + card;
    map.limit = limit;
    map.port = port_of(p.frame.view.viewport, parts.cells, map.values.rows(), map.values.cols(),
                       k_largest_card_cell, p.canvas.scale());
    // All cards have digits of one size.
    const auto format_of = [&](std::size_t of) {
        return cell_format(p.frame.memory.of<BatchMemory>().formats[of], p.canvas, parts.cells,
                           map.port, card_values(p, of), version_of(of));
    };
    map.format = format_of(card);
    for (std::size_t other = 0; other <= k_compared_count; ++other)
        if (const CellFormat format = format_of(other); format.decimals >= 0)
            map.format.role = narrower(map.format.role, format.role);
    name_edges(map, *p.document.tokens, place.names ? place.left_w : 0, *p.document.features,
               parts.names.h);
    map.marks = marks_of_focus(p.frame);
    return map;
}

// An edit of X as the editor makes it, as one of Z. Nothing where Z is that already.
std::optional<Edit> as_edit_of_z(const Edit& edit, const Document& d) {
    SetZ out{};
    if (const auto* cells = std::get_if<SetCells>(&edit))
        out = {cells->token, cells->feature, cells->values, cells->grow};
    else if (const auto* fill = std::get_if<FillCells>(&edit))
        out = {fill->token, fill->feature,
               Matrix<double>::Constant(fill->tokens, fill->features, fill->value)};
    else
        return std::nullopt;
    if (out.values.size() == 1 && out.token < d.token_count() && out.feature < d.feature_count()) {
        const double x = d.residual == Residual::add ? (*d.x)(out.token, out.feature) : 0;
        const double now = x + (*d.f)(out.token, out.feature);
        const double typed = out.values(0, 0);
        // Z is a sum and may miss a typed value by its last bit.
        const double rounding = std::isfinite(now) ? 1e-12 * std::max(1.0, std::abs(now)) : 0;
        if (typed == now || std::abs(typed - now) <= rounding) return std::nullopt;
    }
    return out;
}

// The cell of Z that the hand is at: the dragged one however far the mouse has gone, the selected
// one while it is the keyboard that moves it, else the one under the mouse.
std::optional<Cell> cell_in_hand(Ui& ui, bool focused, const MatrixSurface& surface,
                                 const MatrixEditorState& before, const MatrixEditorState& editor,
                                 const MatrixEvents& events) {
    const ImGuiIO& io = ImGui::GetIO();
    if (!focused || !editor.active) return events.hovered;
    const bool down = io.MouseDown[ImGuiMouseButton_Left];
    const ImVec2 began = io.MouseClickedPos[ImGuiMouseButton_Left];
    if (down && !surface.pannable && surface.area.contains({began.x, began.y}))
        return editor.cursor;
    if (!(before == editor) && !down && !ImGui::IsMouseReleased(ImGuiMouseButton_Left) &&
        !ImGui::IsMouseClicked(ImGuiMouseButton_Right))
        ui.state.focus_visible = true;
    else if (events.hovered && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0))
        ui.state.focus_visible = false; // the mouse takes over
    return ui.state.focus_visible ? editor.cursor : events.hovered;
}

// Whether the results are shown before γ and β or after them, and by how many norms.
void result_choice(BatchPanel& p, Rect row) {
    constexpr ChoiceName k_results[] = {{"x-hat", "x\u0302"}, {"y", "Y"}};
    constexpr std::string_view k_hints[] = {
        "What each norm makes of Z, before γ and β",
        "Y = γ⊙x\u0302 + β, with the γ and β of this document for every norm"};
    left_words(p, row, "Results:", TextRole::small, p.theme.ink_soft, 8);
    const Rect at = cut_left(row, segmented_width(p, k_results));
    if (const auto c = segmented(p, {"result", true}, at, k_results,
                                 static_cast<int>(p.view.norm_result), k_hints))
        p.next.norm_result = static_cast<NormResult>(*c);
    cut_left(row, 10);
    if (is_missed(p, "batch-vs-layer.norms.rms") || is_missed(p, "batch-vs-layer.norms.group"))
        p.next.more_norms = true;
    if (left_button(p, {"norms.more", true}, row,
                    {"Two more norms", "RMS norm and group norm, of the same Z", true,
                     p.view.more_norms ? ButtonLook::primary : ButtonLook::plain}))
        p.next.more_norms = !p.view.more_norms;
}

// The colours of Z, and those of the results where there is room for both.
void color_keys(BatchPanel& p, Rect row, const CardLimits& limits) {
    const std::string_view results = p.view.norm_result == NormResult::y ? "Y" : "x\u0302";
    const Rect z = cut_left(row, color_key_width(p.canvas, limits.z, "Z"), 16);
    p.name("key", z, PartKind::key);
    draw_color_key(p.canvas, p.theme, z, limits.z, "Z");
    if (color_key_width(p.canvas, limits.results, results) > row.w) return;
    for (const NormEntry& norm : k_compared_norms)
        p.name({fmt::format("norms.{}.key", norm.id), true}, row, PartKind::key);
    draw_color_key(p.canvas, p.theme, row, limits.results, results);
}

// μ and σ (for RMS norm the root mean square) at the edge of the set they belong to.
void statistics(Ui& ui, const CardParts& parts, const HeatmapPort& port, const NormOfZ& norm,
                const Frame& f) {
    const Vector<double> sigma = norm.scale();
    if (norm.sets().by_feature()) {
        const Rect symbols{parts.left.x, parts.below.y, parts.left.w - 4, parts.below.h};
        statistics_below_columns(ui, symbols, parts.below,
                                 {across_axis(parts.cells, port), probed_cell(f).feature},
                                 {norm.mean, sigma, norm.spread().scale}, {norm.mean, sigma});
        return;
    }
    const Color ink = ui.theme.ink_of(Stage::x_hat);
    Rect strip = parts.right;
    Rect heads{strip.x, parts.names.y, strip.w, parts.names.h};
    const Cell probed = probed_cell(f);
    const StatisticSets sets = norm.sets();
    const CellAxis rows = down_axis(parts.cells, port);
    if (sets.groups > 1) {
        statistics_of_groups(ui, strip, rows, probed,
                             {sets, norm.mean, sigma, *f.document.features});
        cut_left(heads, k_group_name_w);
        ui.label(cut_left(heads, heads.w / 2), "μ", TextRole::label, ink, Align::right);
        return ui.label(heads, norm.spread().scale, TextRole::label, ink, Align::right);
    }
    const Vector<double>& mean = norm.spread().centres ? norm.mean : sigma;
    const auto column = [&](std::string_view symbol, const Vector<double>& values,
                            const Vector<double>& beside, float w) {
        ui.label(cut_left(heads, w), symbol, TextRole::label, ink, Align::right);
        numbers_beside_rows(ui, cut_left(strip, w), {rows, probed.token}, values, beside);
    };
    if (norm.spread().centres) column("μ", mean, sigma, strip.w / 2);
    column(norm.spread().scale, sigma, mean, strip.w);
}

} // namespace

void z_card(BatchPanel& p, const CardPlace& place, const CardLimits& limits) {
    const Frame& f = p.frame;
    const Document& d = p.document;
    const BatchStudy& study = study_of(f);
    const NormsOfZ& norms = study.norms();
    const bool adds = d.residual == Residual::add;
    const IdScope scope(p, "z");
    Rect inside = panel(p, "", place.r,
                        {.title = adds ? "Z = X + F(X)" : "Z = F(X)",
                         .hint = p.state.picture ? "" : tr("editable"),
                         .bar = p.theme.of(Stage::z),
                         .title_color = p.theme.ink_of(Stage::z)});
    const CardParts parts = parts_of(inside, place, norms.z.rows());
    Heatmap map = map_of(p, parts, place, 0, limits.z);
    MatrixEditorState& editor = p.next.editor_z;
    if (editor.active && has_keyboard(p, "cells")) map.marks.selected = editor.block();
    draw_heatmap(p.canvas, p.theme, parts.cells, map, f.memory.of<BatchMemory>().maps[0]);
    const MatrixEditorState before = editor;
    const MatrixSurface surface = surface_of(f, parts.cells, map);
    MatrixEvents events = matrix_editor(p, "cells", surface, Input::x, editor);
    const bool focused = has_keyboard(p, "cells");
    events.hovered = cell_in_hand(p, focused, surface, before, editor, events);
    events.keyed = events.toggled = {}; // what the keyboard is on is pinned below
    for (const Edit& edit : std::exchange(events.edits, {}))
        if (auto of_z = as_edit_of_z(edit, d)) p.edit(*std::move(of_z));
    take_events(events, f, p.actions, {}, false);
    if (focused && editor.active && p.state.focus_visible)
        pin(p.actions.view, f, editor.cursor.token, editor.cursor.feature, false);

    const Cell cell = probed_cell(f);
    const bool edit = shows_edit(f);
    const std::string glow =
        !edit     ? worded("Thick frames: what moves if [{}] grows by 1.",
                           cell_name(d, cell.token, cell.feature))
        : f.ghost ? "Framed: what has moved since the drag began."
        : shows_old_values(map)
            ? "Framed: what the last edit moved. The small number is the value before it."
            : "Framed: what the last edit moved.";
    Rect words = parts.words;
    words.y -= 2 * k_card_line; // no statistics here: their lines are free
    words.h += 2 * k_card_line;
    color_keys(p, cut_top(words, k_card_line), limits);
    if (!p.state.picture) {
        if (norms.not_a_number) {
            NotANumber here = *norms.not_a_number;
            here.way_out = "Type a number for it here, or undo.";
            cut_top(words, error_paragraph(p, words, here.words(p.state.picture)));
        } else
            cut_top(words, soft_paragraph(
                               p, words,
                               worded("{}: {} changes.",
                                      surface.pannable ? "Click a cell and type" : "Drag or type",
                                      adds ? "X" : "F(X)")));
        cut_top(words, 2);
        result_choice(p, cut_top(words, 26, 4));
    }
    paragraph(p, words, glow, TextRole::small, edit ? p.theme.ink_of(Stage::y) : p.theme.focus);
}

void norm_card(BatchPanel& p, const CardPlace& place, std::size_t which, double limit) {
    const Frame& f = p.frame;
    const BatchStudy& study = study_of(f);
    const IdScope scope(p, k_compared_norms[which].id);
    const NormOfZ& norm = study.norms().norms[which];
    const NormResult result = p.view.norm_result;
    const Stage stage = result == NormResult::y ? Stage::y : Stage::x_hat;
    const NormEntry& entry = k_compared_norms[which];
    const StatisticSets sets = norm.sets();
    const std::string title = entry.shares == Shares::group
                                  ? worded("{} norm, G = {}", entry.label, sets.groups)
                                  : worded("{} norm", entry.label);
    const std::string x_hat = x_hat_formula(*entry.spread, entry.spread->in_formula);
    Rect inside = panel(p, "", place.r,
                        {.title = title,
                         .hint = result == NormResult::y ? "γ " + x_hat + " + β" : x_hat,
                         .bar = p.theme.of(stage),
                         .title_color = p.theme.ink_of(stage)});
    const Matrix<double>& values = card_values(p, 1 + which);
    if (norm.error) return card_words(p, inside, which);
    const CardParts parts = parts_of(inside, place, values.rows());
    Heatmap map = map_of(p, parts, place, 1 + which, limit);
    outline_sets(p, parts.cells, map.port, sets);
    if (sets.by_feature() && norm.batch < values.rows())
        map.marks.lit = CellBlock{0, 0, norm.batch, values.cols()};
    draw_heatmap(p.canvas, p.theme, parts.cells, map, f.memory.of<BatchMemory>().maps[1 + which]);
    if (sets.by_feature() ? feature_in_focus(f).has_value() : token_in_focus(f).has_value()) {
        const Cell cell = probed_cell(f);
        const double way = p.state.picture ? 1 : p.view.banded == cell ? p.view.swept : 0;
        draw_band(p, parts.cells, map.port, sets.block(sets.set_of(cell.token, cell.feature)), cell,
                  static_cast<float>(way));
    }
    const bool edit = shows_edit(f);
    const Touch& touch = edit ? edit_touch(f) : probe_touch(f);
    const Moved& moved = touch[which];
    const auto most = std::ranges::max_element(touch, {}, &Moved::largest);
    draw_glow(
        p, parts.cells, map.port,
        {moved.bounds, most->largest, [&](Index t, Index d) { return moved.change(t, d); }, edit});
    if (edit) draw_old_values(p, parts.cells, map, moved);
    take_events(matrix_surface(p, "cells", surface_of(f, parts.cells, map)), f, p.actions,
                {.compared = which}, true);
    statistics(p, parts, map.port, norm, f);
    card_words(p, parts.words, which);
}

void norms_menu(Turn turn) {
    const Frame& f = turn.frame;
    Actions& a = turn.actions;
    const BatchStudy& study = study_of(f);
    const BatchView& view = f.view.of<BatchView>();
    const auto compared = a.view.menu ? a.view.menu->compared : std::nullopt;
    const MenuMatrix matrix = compared ? MenuMatrix{study.result(*compared, view.norm_result)}
                                       : MenuMatrix{study.norms().z, Input::x, &view.editor_z};
    for (const Edit& edit : matrix_menu(turn, matrix))
        if (auto of_z = as_edit_of_z(edit, f.document)) a.edits.push_back(std::move(*of_z));
}

} // namespace normscope
