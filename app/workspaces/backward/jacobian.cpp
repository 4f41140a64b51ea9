#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/backward/panels.h"
#include "app/workspaces/shared/matrix_menu.h"
#include "core/base/lists.h"
#include "core/stats/magnitude.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

// A direction is lost where J leaves at most this share of what ÷ s alone would, but for ε's trace.
constexpr double k_nowhere = 1e-3;

// A direction in which Z may move without moving Y, as a row of cells under the matrix. Where what
// J makes of it (`symbol`) is no number, the direction is none either.
void direction(Ui& ui, Rect r, Rect cells, std::string_view name, std::string_view symbol,
               double result, std::span<const double> values) {
    ui.label({r.x, r.y, cells.x - r.x - 4, r.h}, name, TextRole::small);
    const auto n = std::ssize(values);
    const double largest = largest_magnitude(values.data(), n);
    const Index drawn = std::min(n, static_cast<Index>(cells.w));
    for (const auto i : indices(drawn)) {
        const Rect slot = bar_slot(cells, drawn, i);
        ui.canvas.fill_rect(slot.inset(slot.w > 8 ? 1 : 0, 2),
                            std::isfinite(result)
                                ? heat_color(ui.theme, entry_at(values, i * n / drawn), largest)
                                : ui.theme.nan);
    }
    const float after = cells.right() + 8;
    ui.label({after, r.y, r.right() - after, r.h}, worded("{} {}", symbol, short_number(result)),
             TextRole::number_small);
}

// The places whose y moves with nothing, by name; the first of many.
std::string still_names(const std::vector<Index>& still, std::span<const std::string> names) {
    constexpr std::size_t k_most_named = 3;
    std::string out;
    for (const auto i : indices(std::min(still.size(), k_most_named)))
        out += (i > 0 ? ", " : "") + entry_at(names, still[i]);
    if (still.size() > k_most_named)
        out = worded("{} and {} more", out, still.size() - k_most_named);
    return out;
}

// The verdict on the two directions, shift and scale. `scales`: there is something to stretch.
std::string lost_directions(const Ui& ui, const Backward& b, Index group, const GroupJacobian& j,
                            const std::optional<NotANumber>& why, bool scales,
                            std::span<const std::string> names) {
    if (b.error()) return sentence(*b.error());
    if (!std::isfinite(j.shift))
        return why ? worded("NaN: {}", why->words(ui.state.picture))
                   : "NaN: its terms are too large.";
    if (b.overflows(group) && why) return why->words(ui.state.picture);
    if (j.gain == 0) return "Every direction leads nowhere: γ is 0.";
    // As many directions as there are such places are lost, and more than shift and scale may be.
    const bool more = !j.still.empty();
    const std::string still = still_names(j.still, names);
    const std::string stays = more ? ' ' + worded("y stays where γ is 0: {}.", still) : "";
    if (!b.rescales()) {
        const std::string_view none =
            b.running() ? "μ and σ are constants" : "nothing is normalized";
        return more ? worded("Only γ takes directions away: {}.", none) + stays
                    : worded("No direction is lost: {}.", none);
    }
    const bool centres = b.centres();
    const double length = std::sqrt(static_cast<double>(j.values.rows())); // of 1
    const double nowhere = k_nowhere * j.gain;
    const bool shift = centres && j.shift <= nowhere * length;
    const bool scale = scales && j.scale <= nowhere * j.x_hat;
    if (shift && scale)
        return more ? worded("At least two directions lead nowhere, shift and scale among them.") +
                          stays
                    : "Two directions lead nowhere: a shift of all values, and a stretch (scale).";
    const std::string felt =
        !scales  ? worded("x\u0302 is 0: there is nothing to stretch.")
        : !shift ? centres ? worded("A shift is felt: {}, not 0.", short_number(j.shift))
                           : worded("A shift is felt.")
        : b.terms().projection
            ? worded("Stretching (scale) is felt through ε: {}, not 0.", short_number(j.scale))
            : worded("Stretching (scale) is felt: {}, not 0.", short_number(j.scale));
    if (shift || scale) {
        const std::string_view lost =
            shift ? "a shift of all values" : "a stretch of all values (scale)";
        return (more ? worded("At least one direction leads nowhere: {}.", lost)
                     : worded("One direction leads nowhere: {}.", lost)) +
               ' ' + felt + stays;
    }
    if (!centres && !scales) // a row of zeros, and no mean is taken off
        return (more ? worded("y moves but where γ is 0: {}.", still)
                     : worded("No direction leads nowhere.")) +
               ' ' + felt;
    const std::string shifted = short_number(j.shift), scaled = short_number(j.scale);
    const std::string by = !scales ? worded("a shift is felt by {}", shifted)
                           : !centres
                               ? worded("stretching by {}", scaled)
                               : worded("a shift is felt by {}, stretching by {}", shifted, scaled);
    return (more ? worded("Shift and scale are not lost: {}.", by)
                 : worded("No direction leads nowhere: {}.", by)) +
           stays;
}

} // namespace

void jacobian_panel(BackPanel& p) {
    const IdScope scope(p, "jacobian");
    const Document& d = p.document;
    const Backward& b = backward_of(p.frame);
    const Index group = group_in_focus(p.frame);
    BackwardMemory& memory = p.frame.memory.of<BackwardMemory>();
    Rect inside = p.framed();
    Rect head = cut_top(inside, 28, 4);
    if (!p.state.picture) // the title says of what, too
        p.control<&BackwardSetup::jacobian>(
            cut_right(head, segmented_width(p, names_of<JacobianOf>()), 8));
    const bool of_y = d.backward.jacobian == JacobianOf::y;
    const GroupJacobian& j = group_jacobian(memory.jacobian, b, group);
    const StatisticSets sets = b.sets();
    const std::span<const std::string> names = place_names(d, sets, group);
    const Index n = sets.size();
    const auto name = [&](Index place) { return entry_at(names, place); };
    const std::optional<NotANumber> why = b.not_a_number_in(group);
    p.label(head,
            worded("Jacobian {} · {}", of_y ? "∂y/∂z" : "∂x\u0302/∂z", set_name(d, sets, group)),
            TextRole::title);
    if (j.values.size() == 0)
        return void(soft_paragraph(
            p, inside,
            b.error() ? sentence(*b.error())
                      : worded("With {} values a group the Jacobian has {} entries, too many to "
                               "look at: {} values are the most.",
                               n, n * n, k_most_jacobian)));
    const bool centres = b.centres();
    const Vector<double> x_hat = values_of(b.cache().x_hat, sets.block(group));
    const bool scales = b.rescales() && (x_hat.array() != 0).any();

    const Rect words = cut_bottom(inside, 40);
    Rect directions = cut_bottom(inside, centres ? 44 : scales ? 22 : 0, 6);
    const Rect names_row = cut_top(inside, 20);
    const float names_w = std::max(names_width(p, names), 62.0f); // or the corner's words
    cut_left(inside, names_w);
    cut_right(inside, std::min(104.0f, inside.w * 0.3f)); // |J·1| = …
    const Rect area = cut_left(inside, inside.h * 1.6f);

    Heatmap map = fitted_map(p, area, j.values, {72, 34});
    map.version = j.version;
    map.id = 104;
    map.limit = held_limit(p, "backward.jacobian", j.largest);
    name_edges(map, names, names_w, names, names_row.h);
    std::string readout;
    if (const auto cell = read_cells(p, "cells", area, map).cell) {
        light_place(p.frame, p.actions, group, cell->col);
        const std::string entry =
            worded("∂{}[{}] / ∂z[{}]", of_y ? "y" : "x\u0302", name(cell->row), name(cell->col));
        readout = worded("{} = {}", entry, number_text(j.values(cell->row, cell->col), 4));
        map.marks.row_name = cell->row;
        map.marks.col_name = cell->col;
        map.marks.strong = CellBlock{cell->row, cell->col, 1, 1};
    } else if (const auto place = hovered_place(p.frame)) {
        map.marks.row_name = map.marks.col_name = place;
        map.marks.outlined = {{0, *place, n, 1}, {*place, 0, 1, n}};
    }
    soft_label(p, {area.x - names_w, names_row.y, names_w - 4, names_row.h},
               of_y ? "y ↓ z →" : "x\u0302 ↓ z →");
    draw_heatmap(p.canvas, p.theme, area, map, memory.jacobian_map);
    const float cells_w = std::min(area.w, map.port.cell_w * static_cast<float>(n));
    const auto next = [&](std::string_view direction_name, std::string_view symbol, double result,
                          std::span<const double> values) {
        const Rect row = cut_top(directions, 22);
        direction(p, row, {area.x, row.y, cells_w, row.h}, direction_name, symbol, result, values);
    };
    const std::vector<double> ones(static_cast<std::size_t>(n), 1.0);
    if (centres) next(tr("shift"), "|J·1|", j.shift, ones);
    if (scales) next(tr("scale"), "|J·x\u0302|", j.scale, span_of(x_hat));
    if (!readout.empty())
        return p.label({words.x, words.y, words.w, 20}, readout, TextRole::number_small);
    soft_paragraph(p, words, lost_directions(p, b, group, j, why, scales, names));
}

} // namespace normscope
