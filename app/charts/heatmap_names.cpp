#include "app/charts/heatmap.h"
#include "app/charts/ticks.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

// Every how many cells of `cell` pixels a name of `room` pixels is written. Names at the ends move
// inward by up to half their room, hence the 1.5.
Index stride_for(float cell, float room) {
    if (cell >= room) return 1;
    return std::max<Index>(
        2, static_cast<Index>(std::llround(nice_step(static_cast<double>(1.5f * room / cell)))));
}

// Calls draw(i, marked, from, length) for the names to be written, of length(i, marked) pixels:
// each at the middle of its cell, moved so that it does not leave the axis.
template<class Length, class Draw>
void spread(const CellAxis& axis, VisibleSpan seen, Index count, Index stride,
            std::optional<Index> marked, float gap, Length length, Draw draw) {
    const float last = axis.start + axis.length;
    // The name of a cell at an end of which less than half is seen would stand beside its
    // neighbour. The marked one stays.
    const auto hardly_seen = [&](Index i) {
        return (axis.middle(i) < axis.start || axis.middle(i) > last) && marked != i;
    };
    if (seen.end - seen.first > 1 && hardly_seen(seen.first)) ++seen.first;
    if (seen.end - seen.first > 1 && hardly_seen(seen.end - 1)) --seen.end;
    const Index end = std::min(seen.end, count);
    std::vector<Rect> taken; // with the gap behind each
    const auto write = [&](Index i) {
        const float room = length(i, marked == i);
        const float from =
            std::clamp(axis.middle(i) - room / 2, axis.start, std::max(axis.start, last - room));
        if (take_place(taken, {from, 0, room + gap, 1})) draw(i, marked == i, from, room);
    };
    if (marked && *marked >= seen.first && *marked < end) write(*marked);
    for (Index i = (seen.first + stride - 1) / stride * stride; i < end; i += stride) write(i);
}

// Names beside large digits are large too, where all of them fit.
bool large_names(const Canvas& canvas, const Heatmap& map, std::span<const std::string> names,
                 Size room) {
    constexpr std::size_t k_most = 64; // beside cells as large as that no more are seen
    if (narrower(map.format.role, TextRole::name_large) != TextRole::name_large) return false;
    return map.format.decimals >= 0 && names.size() <= k_most &&
           canvas.line_height(TextRole::name_large) <= room.h &&
           std::ranges::all_of(names, [&](const std::string& name) {
               return canvas.text_size(Text::typed(name), TextRole::brand).w <= room.w;
           });
}

} // namespace

void draw_row_names(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                    VisibleSpan rows) {
    if (map.row_names.empty() || map.row_names_w <= 0) return;
    const float label_h = canvas.line_height(TextRole::label);
    const float width = map.row_names_w - 6;
    const bool large = large_names(canvas, map, map.row_names, {width, map.port.cell_h});
    const TextRole role = large                        ? TextRole::name_large
                          : map.port.cell_h >= label_h ? TextRole::label
                                                       : TextRole::small;
    const float line = canvas.line_height(role);
    if (line > area.h) return;
    const float left = area.x - map.row_names_w;
    spread(
        down_axis(area, map.port), rows, std::ssize(map.row_names),
        stride_for(map.port.cell_h, line), map.marks.row_name, 0, [&](Index, bool) { return line; },
        [&](Index row, bool marked, float top, float) {
            const TextRole used = !marked                   ? role
                                  : large                   ? TextRole::brand
                                  : role == TextRole::label ? TextRole::title
                                                            : role;
            const Text name = Text::typed(entry_at(map.row_names, row));
            canvas.text_in({left, top, width, line}, Text::typed(canvas.elide(name, used, width)),
                           used, marked ? theme.ink : theme.ink_soft, Align::left);
        });
}

void draw_col_names(Canvas& canvas, const Theme& theme, Rect area, const Heatmap& map,
                    VisibleSpan cols) {
    if (map.col_names.empty() || map.col_names_h <= 0) return;
    const TextRole role =
        large_names(canvas, map, map.col_names, {map.port.cell_w - 4, map.col_names_h})
            ? TextRole::name_large
            : TextRole::small;
    const auto count = std::ssize(map.col_names);
    const auto name = [&](Index col) { return Text::typed(entry_at(map.col_names, col)); };
    // The widest of a few: measuring thousands of names would cost more than drawing them.
    const Index seen = std::min(cols.end, count) - cols.first;
    const Index looked_at = std::min<Index>(seen, 32);
    const float gap = 4;
    float widest = 0;
    Index fitting = 0;
    for (const auto i : indices(looked_at)) {
        const Index col = cols.first + (looked_at > 1 ? i * (seen - 1) / (looked_at - 1) : 0);
        const float w = canvas.text_size(name(col), role).w;
        widest = std::max(widest, w);
        if (w + gap <= map.port.cell_w) ++fitting;
    }
    // Long names are rather shortened than left out, as long as some five letters remain, or where
    // they are the few that would push out those that have room.
    const float least = std::min(widest, canvas.text_size("00000", role).w);
    const bool few_are_long = 4 * fitting >= 3 * looked_at;
    const Index stride = map.port.cell_w >= least + gap || few_are_long
                             ? 1
                             : stride_for(map.port.cell_w, std::min(widest, 90.0f) + gap);
    const float most =
        std::min(area.w, stride == 1 ? map.port.cell_w - gap : std::min(widest, 90.0f));
    // One letter and dots say less than nothing.
    const bool left_out = most < canvas.text_size("000", role).w;
    const auto text_of = [&](Index col, bool marked) {
        std::string text =
            canvas.elide(name(col), role, marked ? std::min(area.w, std::max(most, 90.0f)) : most);
        if (left_out && !marked && text != name(col).view()) text.clear();
        return text;
    };
    spread(
        across_axis(area, map.port), cols, count, stride, map.marks.col_name, gap,
        [&](Index col, bool marked) {
            return canvas.text_size(Text::typed(text_of(col, marked)), role).w;
        },
        [&](Index col, bool marked, float left, float w) {
            canvas.text_in({left, area.y - map.col_names_h, w, map.col_names_h},
                           Text::typed(text_of(col, marked)), role,
                           marked ? theme.ink : theme.ink_soft);
        });
}

} // namespace normscope
