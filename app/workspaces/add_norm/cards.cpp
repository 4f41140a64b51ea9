#include "app/charts/distribution_chart.h"
#include "app/io/text.h"
#include "app/words/norm_formula.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/shared/held.h"
#include "app/workspaces/shared/matrix_menu.h"
#include "app/workspaces/shared/tensor_style.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr Size k_largest_cell{110, 84};
constexpr float k_feature_names_h = 22;
constexpr float k_distribution_h = 118;
constexpr float k_above_distribution = 6;
constexpr float k_card_frame = 20 + 28; // above and below a card's content, and its title
constexpr double k_muted = 8; // how much farther the colours of a card that is left out reach

struct CardWords {
    std::string title, hint;
};

CardWords card_words(const Document& d, Tensor which) {
    switch (which) {
    case Tensor::x:
        return {"X input", d.residual == Residual::add ? "editable" : "not added"};
    case Tensor::f:
        return {"F(X) sublayer", "editable"};
    case Tensor::z:
        return d.residual == Residual::add ? CardWords{"Z = X + F(X)", "Add"}
                                           : CardWords{"Z = F(X)", "No skip"};
    case Tensor::x_hat:
        if (const Spread& spread = *norm_entry(d.norm).spread; spread.divides)
            return {"x\u0302", of_matrix(x_hat_formula(spread, spread.in_formula))};
        return {"x\u0302 = Z", "no norm"};
    case Tensor::y:
        return {"Y", "γ ⊙ x\u0302 + β"};
    }
    return {};
}

// X, F(X) and Z share their scales, and x̂ and Y theirs: what is added to X moves nothing of Y.
bool before_norm(Tensor which) {
    return which <= Tensor::z;
}

Extent axis_of(const AddNormPanel& p, Tensor which) {
    std::vector<SampleExtent> samples;
    for (const auto i : indices(k_tensors))
        if (const auto one = static_cast<Tensor>(i); before_norm(one) == before_norm(which))
            samples.push_back(extent_of(p.frame.derived.pooled(one)));
    return held_axis(p, before_norm(which) ? "add-norm.axis-before" : "add-norm.axis-after",
                     samples);
}

HeatmapMarks marks_of(const AddNormPanel& p, Index rows, Index cols) {
    const StatisticSets sets = p.frame.derived.sets();
    const Hover& hover = p.frame.view.hover;
    HeatmapMarks marks = marks_of_focus(p.frame);
    // The group of the worked steps: the values that share a mean and a variance.
    const CellBlock set = sets.block(worked_group(p));
    marks.outlined.push_back(set);
    // A hovered fader or name shows what else it stands for.
    if (sets.by_feature()) {
        marks.col_name = set.col;
        if (hover.token && !hover.feature) marks.outlined.push_back({*hover.token, 0, 1, cols});
    } else {
        marks.row_name = set.row;
        if (hover.feature && !hover.token) marks.outlined.push_back({0, *hover.feature, rows, 1});
    }
    return marks;
}

// Without a skip X goes nowhere.
bool left_out(const Document& d, Tensor which) {
    return which == Tensor::x && d.residual == Residual::no_skip;
}

// Neighbours among the cards.
struct Cards {
    Tensor first, last;
    constexpr bool hold(Tensor which) const { return first <= which && which <= last; }
};
constexpr Cards k_cards_of_term[] = {{Tensor::z, Tensor::z}, // by FormulaTerm
                                     {Tensor::z, Tensor::z},     {Tensor::z, Tensor::x_hat},
                                     {Tensor::z, Tensor::x_hat}, {Tensor::x_hat, Tensor::y},
                                     {Tensor::y, Tensor::y}};
constexpr Cards k_cards_of_step[] = {{Tensor::x, Tensor::z}, // by WorkedKind
                                     {Tensor::z, Tensor::z},
                                     {Tensor::z, Tensor::z},
                                     {Tensor::z, Tensor::x_hat},
                                     {Tensor::x_hat, Tensor::y}};

// The cells of the step that is played, or of the term that is pointed at.
void mark_playing(const AddNormPanel& p, Tensor which, HeatmapMarks& marks) {
    const auto& playing = p.view.playing;
    const auto term = p.frame.view.hover.term;
    if (!term && !playing) return;
    const bool takes =
        term ? entry_at(k_cards_of_term, *term).hold(which)
             : !left_out(p.document, which) && takes_part(which, static_cast<WorkedKind>(*playing));
    marks.lit = takes ? p.frame.derived.sets().block(worked_group(p)) : CellBlock{};
}

// The names beside and above the cells: hover, pin, rename, menu.
void name_strip(AddNormPanel& p, Rect cells, const HeatmapPort& port, Tensor card, Axis axis,
                Rect strip) {
    View& next = p.actions.view; // of all workspaces
    const bool rows = axis == Axis::token;
    const Names& names = rows ? *p.document.tokens : *p.document.features;
    const float cell = rows ? port.cell_h : port.cell_w;
    const float origin = rows ? cells.y : cells.x;
    const Hit hit = p.hit(rows ? "tokens" : "features", strip, k_by_mouse);
    const auto rect_of = [&](Index i) {
        const float from = origin + (static_cast<float>(i) - (rows ? port.row : port.col)) * cell;
        return rows ? Rect{strip.x, from, strip.w, cell} : Rect{from, strip.y, cell, strip.h};
    };
    if (const auto renamed = p.frame.view.renaming;
        renamed && renamed->axis == axis && renamed->index < std::ssize(names)) {
        const Rect r = rect_of(renamed->index);
        if (const auto text = p.edit_text(hit.id, r, TextRole::label, Align::left)) {
            const std::string_view kept = trim(*text);
            if (!kept.empty() && kept != entry_at(names, renamed->index))
                p.edit(Rename{axis, renamed->index, std::string(kept)});
            next.renaming.reset();
        } else if (p.frame.view.renaming_begins) {
            if (card <= renamed->card)
                p.begin_text_edit(hit.id, entry_at(names, renamed->index), true);
            next.renaming_begins = false;
        } else if (p.state.text_edit == 0) { // Esc ended it, here or in another card
            next.renaming.reset();
        }
    }
    if (!hit.hovered) return;
    const Point m = p.mouse();
    const float offset =
        (rows ? m.y - cells.y : m.x - cells.x) / cell + (rows ? port.row : port.col);
    const auto i = static_cast<Index>(std::floor(offset));
    if (i < 0 || i >= std::ssize(names)) return;
    next.hover.along(axis) = i;
    auto& pinned = next.pinned(axis);
    if (hit.clicked && !p.frame.view.renaming) // not by the end of a double click
        pinned = pinned == i ? std::nullopt : std::optional<Index>(i);
    if (hit.double_clicked) {
        pinned = i; // whatever its first click did
        next.renaming = NameRef{axis, i, card};
        next.renaming_begins = true;
    }
    if (hit.right_clicked) next.menu = MatrixMenu{axis, card, rows ? i : 0, rows ? 0 : i};
    p.tooltip(hit, rows ? "Click pins this token, double-click renames it, right-click for more"
                        : "Click pins this feature, double-click renames it, right-click for more");
}

void distribution(AddNormPanel& p, Rect r, Tensor which) {
    const Derived& derived = p.frame.derived;
    const Distribution1D& d = derived.pooled(which);
    DistributionChart chart;
    const Extent extent = axis_of(p, which);
    chart.x_lo = extent.lo;
    chart.x_hi = extent.hi;
    const Color color =
        left_out(p.document, which) ? p.theme.ink_soft : p.theme.of(stage_of(which));
    chart.curves.push_back(curve_of(d, color, {}));
    if (derived.group_count() > 1) { // each has a mean of its own
        chart.curves.back().mean.reset();
        chart.sigma_bars = false;
    }
    chart.dots = drawn_as_dots(p.view, derived.view(which).size());
    std::vector<double> values, before;
    if (chart.dots) chart.curves.back().dots = values = pooled_values(derived, which, {});
    const Derived* const earlier = p.frame.before;
    if (chart.dots && earlier && earlier->view(which).size() == derived.view(which).size() &&
        earlier->version(which) != derived.version(which)) {
        DistributionCurve ghost;
        ghost.color = color;
        ghost.ghost = true;
        ghost.dots = before = pooled_values(*earlier, which, {});
        chart.curves.insert(chart.curves.begin(), std::move(ghost));
    }
    const Hover& hover = p.frame.view.hover;
    if (hover.token && hover.feature)
        chart.cursor = derived.view(which)(*hover.token, *hover.feature);
    draw_distributions(p.canvas, p.theme, r, chart);
}

} // namespace

double color_limit(const AddNormPanel& p, Tensor which) {
    constexpr double k_pale = 10; // a colour of less than this part of the full one is pale
    std::array<double, k_tensors> largest{};
    for (const auto i : indices(k_tensors)) {
        const SampleExtent m = extent_of(p.frame.derived.pooled(static_cast<Tensor>(i)));
        // An outlier far away would leave the rest white.
        const double reach = std::max(std::abs(m.min), std::abs(m.max));
        largest[i] = std::isfinite(m.std) ? std::min(reach, std::abs(m.mean) + 4 * m.std) : reach;
    }
    const auto [x, f, z, x_hat, y] = largest;
    if (before_norm(which)) return held_limit(p, "add-norm.before", std::max({x, f, z}));
    const double larger = std::max(x_hat, y);
    const bool apart = larger > k_pale * std::min(x_hat, y); // γ or β takes them far apart
    if (which == Tensor::y) return held_limit(p, "add-norm.y", apart ? y : larger);
    return held_limit(p, "add-norm.x-hat", apart ? x_hat : larger);
}

void name_key(Ui& ui, Tensor which, Rect r) {
    ui.name({fmt::format("{}.key", entry_at(k_card_ids, which)), true}, r, PartKind::key);
}

bool takes_part(Tensor which, WorkedKind step) {
    return entry_at(k_cards_of_step, step).hold(which);
}

float names_width(const Ui& ui, std::span<const std::string> names, TextRole role) {
    float widest = 0;
    const auto look_at = [&](const std::string& name) {
        widest = std::max(widest, ui.text_width(name, role));
    };
    // At most 64 names evenly apart are measured, the last one, and the longest one in bytes.
    const std::size_t step = (names.size() + 63) / 64;
    for (std::size_t i = 0; i < names.size(); i += step) look_at(names[i]);
    look_at(names.back());
    look_at(*std::ranges::max_element(names, {}, &std::string::size));
    return std::min(std::ceil(widest) + 10.0f, 110.0f);
}

float card_height(Index tokens) {
    return k_card_frame + k_feature_names_h + k_largest_cell.h * static_cast<float>(tokens) +
           k_above_distribution + k_distribution_h;
}

float low_card_height(Index tokens, float cell, float edge) {
    return k_card_frame + k_feature_names_h + cell * static_cast<float>(tokens) + edge;
}

void card_panel(AddNormPanel& p, Rect r, Tensor which, const CardRoom& room) {
    const float names_w = room.names_w;
    const Frame& f = p.frame;
    const auto at = static_cast<std::size_t>(which);
    const IdScope scope(p, k_card_ids[at]);
    AddNormMemory& memory = f.memory.of<AddNormMemory>();
    const CardWords words = card_words(p.document, which);
    const bool editable = which == Tensor::x || which == Tensor::f;
    const Stage stage = stage_of(which);
    const bool muted = left_out(p.document, which);
    Rect inside = panel(p, "", r,
                        {.title = words.title,
                         .hint = p.state.picture && editable && !muted ? "" : words.hint,
                         .bar = muted ? p.theme.border : p.theme.of(stage),
                         .title_color = muted ? p.theme.ink_soft : p.theme.ink_of(stage),
                         .padding = room.padding});
    if (p.passes_by(r)) return;
    const Size most = k_largest_cell;
    const MatrixView values = f.derived.view(which);
    const Index rows = values.rows();
    const Index cols = values.cols();
    // The largest cells of a few tokens leave room, which the distribution takes.
    const float cells_h = (k_feature_names_h + k_above_distribution) + room.edge.below +
                          most.h * static_cast<float>(rows);
    const bool with_edge = which == Tensor::z;
    const float plot_h = std::max(std::min(k_distribution_h, inside.h * 0.45f), inside.h - cells_h);
    Rect plot = cut_bottom(inside, room.low ? 0 : plot_h);
    cut_left(plot, names_w); // as wide as in the cards without names: one axis, one scale
    if (with_edge) {
        cut_left(plot, room.edge.left);
        cut_right(plot, room.edge.right);
    }
    if (!room.low) {
        p.name("distribution", plot, PartKind::place);
        cut_bottom(inside, k_above_distribution);
    }
    Rect below = cut_bottom(inside, room.edge.below);
    Rect feature_names = cut_top(inside, k_feature_names_h);
    const Rect token_names = cut_left(inside, names_w);
    cut_left(feature_names, names_w);
    cut_left(below, names_w);
    if (with_edge) {
        cut_left(inside, room.edge.left);
        cut_left(feature_names, room.edge.left);
        cut_right(inside, room.edge.right);
    }

    Heatmap map;
    map.values = values;
    map.version = f.derived.version(which);
    map.id = static_cast<std::uint64_t>(which);
    const double limit = color_limit(p, which);
    map.limit = limit * (muted ? k_muted : 1); // pale, its digits as before
    map.port = port_of(f.view.viewport, inside, rows, cols, most, p.canvas.scale());
    memory.cells_at[at] = {inside, map.port, plot};
    const auto own_format = [&](Tensor t) {
        return cell_format(entry_at(memory.formats, t), p.canvas, inside, map.port,
                           f.derived.view(t), f.derived.version(t));
    };
    map.format = own_format(which);
    for (const auto i : indices(k_tensors)) {
        const auto other = static_cast<Tensor>(i);
        const CellFormat& format = own_format(other);
        // As many decimals in all that stands in one sum or product with it, on one scale.
        if (before_norm(other) == before_norm(which) && color_limit(p, other) == limit)
            map.format = coarser(map.format, format);
        else if (format.decimals >= 0) // all cards have digits of one size
            map.format.role = narrower(map.format.role, format.role);
    }
    name_edges(map, *p.document.tokens, names_w, *p.document.features, feature_names.h);
    map.marks = marks_of(p, rows, cols);
    mark_playing(p, which, map.marks);

    const bool partly = map.port.cell_h * static_cast<float>(rows) > inside.h + 1 ||
                        map.port.cell_w * static_cast<float>(cols) > inside.w + 1;
    Rect overview;
    if (partly) {
        const float w = std::min(72.0f, inside.w * 0.3f);
        const float h = std::clamp(w * static_cast<float>(rows) / static_cast<float>(cols), 20.0f,
                                   std::min(72.0f, inside.h * 0.35f));
        // The cell under the mouse in any card, or the one that the keys have come to.
        overview = overview_place(inside, {w, h}, 4, map.port, map.marks.strong, p.mouse());
        map.covered = overview.inset(-2); // with its border
    }

    const MatrixSurface surface = surface_of(f, inside, map);
    MatrixEvents events;
    const bool is_x = which == Tensor::x;
    MatrixEditorState& editor = is_x ? p.next.editor_x : p.next.editor_f;
    // Only where the keyboard is, so that two cards do not seem to have it.
    if (editable && editor.active && has_keyboard(p, "cells")) map.marks.selected = editor.block();
    // The digits are drawn first so that the field of what is typed lies over them.
    draw_heatmap(p.canvas, p.theme, inside, map, memory.cards[at]);
    if (editable) {
        const ImGuiID focus_before = p.state.focus;
        events = matrix_editor(p, "cells", surface, is_x ? Input::x : Input::f, editor);
        if (p.state.focus != focus_before && p.state.focus != 0)
            (is_x ? p.next.editor_f : p.next.editor_x).active = false;
    } else {
        events = matrix_surface(p, "cells", surface);
    }
    if (p.view.playing) events.toggled.reset(); // Space goes on with the steps
    take_events(events, f, p.actions, {.tensor = which}, !editable);

    if (names_w > 0) name_strip(p, inside, map.port, which, Axis::token, token_names);
    name_strip(p, inside, map.port, which, Axis::feature, feature_names);

    if (with_edge && room.edge.right + room.edge.below > 0)
        draw_edge(p, room.edge, inside, map.port, feature_names, below, map.format.role);
    if (partly) draw_overview(p.canvas, p.theme, overview, map, inside, memory.overviews[at]);
    if (room.low) return;
    if (f.derived.error() && (which == Tensor::x_hat || which == Tensor::y))
        error_paragraph(
            p, plot,
            sentence(*f.derived.error()) +
                worded(" Add a token (right-click on a token's name), or choose another norm."));
    else
        distribution(p, plot, which);
}

} // namespace normscope
