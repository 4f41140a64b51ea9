#include "app/workspaces/gradient_flow/panels.h"

#include <algorithm>

namespace normscope {

namespace {

constexpr float k_two_columns = 250; // from this width on
constexpr float k_between = 16;
constexpr float k_swatch = 24;
constexpr float k_value_gap = 6;

float line_of(const Ui& ui) {
    return ui.canvas.line_height(TextRole::small) + 2;
}

std::size_t columns_of(float width, std::size_t values) {
    return width >= k_two_columns && values > 1 ? 2 : 1;
}

// The widths of a column's words: its longest name, and the widest values behind a name.
struct ColumnWidths {
    float name = 0, mean = 0, both = 0; // both: with what several seeds reach
};
ColumnWidths widths_of(const Ui& ui, std::span<const ListedValue> column) {
    const auto width = [&](std::string_view text) { return small_width(ui, text) + 1; };
    ColumnWidths out;
    for (const ListedValue& v : column) {
        out.name = std::max(out.name, width(v.name));
        out.mean = std::max(out.mean, width(v.mean));
        out.both = std::max(out.both,
                            width(v.mean) + (v.reach.empty() ? 0 : k_value_gap + width(v.reach)));
    }
    return out;
}

float whole_width(const ColumnWidths& w) {
    return (k_swatch + 2 * k_value_gap) + w.name + w.both;
}

// Half of what there is, unless one of the two needs more and the other less.
float first_width(const ColumnWidths& first, const ColumnWidths& second, float all) {
    const float half = all / 2;
    const float a = whole_width(first), b = whole_width(second);
    if (b > half) return std::max(std::min(a, half), all - b);
    return a > half ? std::min(a, all - b) : half;
}

void column_of_values(Ui& ui, Rect place, std::span<const ListedValue> column) {
    const ColumnWidths widths = widths_of(ui, column);
    const bool all = whole_width(widths) <= place.w;
    const float room = place.w - (k_swatch + 2 * k_value_gap);
    const float name_w = all ? widths.name : std::clamp(room - widths.mean, 0.0f, widths.name);
    for (const ListedValue& v : column) {
        Rect row = cut_top(place, line_of(ui));
        draw_swatch(ui, cut_left(row, k_swatch, k_value_gap), v.style, k_curve_marker);
        soft_label(ui, cut_left(row, name_w, k_value_gap), Text::typed(v.name));
        const float mean_w = small_width(ui, v.mean) + 1;
        ui.label(cut_left(row, mean_w, k_value_gap), v.mean, TextRole::small);
        if (all) soft_label(ui, row, v.reach);
    }
}

} // namespace

float value_list_height(const Ui& ui, float width, std::size_t values) {
    const std::size_t columns = columns_of(width, values);
    return line_of(ui) * static_cast<float>(1 + (values + columns - 1) / columns);
}

void value_list(Ui& ui, Rect r, std::string_view where, std::span<const ListedValue> values) {
    ui.label(cut_top(r, line_of(ui)), where, TextRole::small);
    if (columns_of(r.w, values.size()) == 1) return column_of_values(ui, r, values);
    const std::size_t rows = (values.size() + 1) / 2;
    const auto first = values.first(rows), second = values.subspan(rows);
    const float all = r.w - k_between;
    const float w = first_width(widths_of(ui, first), widths_of(ui, second), all);
    column_of_values(ui, cut_left(r, w, k_between), first);
    column_of_values(ui, r, second);
}

} // namespace normscope
