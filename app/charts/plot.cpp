#include "app/charts/plot.h"

#include "app/charts/number_format.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace normscope {

std::vector<Tick> row_ticks(const Canvas& canvas, const Scale& y, TextRole role, float lines) {
    const float room = canvas.line_height(role) * lines;
    return make_ticks(y, [room](std::string_view) { return room; });
}

std::vector<Tick> column_ticks(const Canvas& canvas, const Scale& x, float gap) {
    return make_ticks(x, [&](std::string_view label) {
        return canvas.text_size(label, TextRole::small).w + gap;
    });
}

std::vector<Tick> count_ticks(const Canvas& canvas, const Scale& x) {
    constexpr float k_gap = 14;
    std::vector<Tick> ticks = column_ticks(canvas, x, k_gap);
    std::erase_if(ticks,
                  [](const Tick& t) { return std::abs(t.value - std::round(t.value)) > 1e-6; });
    for (Tick& t : ticks) t.label = fixed_text(t.value, 0);
    // The last one, in place of those that it leaves no room.
    const Tick last{x.hi, fixed_text(x.hi, 0)};
    const auto half = [&](const Tick& t) {
        return canvas.text_size(t.label, TextRole::small).w / 2;
    };
    const float from = x.pixel(last.value) - half(last) - k_gap;
    while (!ticks.empty() && x.pixel(ticks.back().value) + half(ticks.back()) > from)
        ticks.pop_back();
    ticks.push_back(last);
    return ticks;
}

float widest_label(const Canvas& canvas, std::span<const Tick> ticks, TextRole role) {
    float widest = 0;
    for (const Tick& t : ticks) widest = std::max(widest, canvas.text_size(t.label, role).w);
    return widest;
}

void draw_rows(Canvas& canvas, const Theme& theme, const Plot& plot) {
    const float line = canvas.line_height(TextRole::small);
    for (const Tick& t : plot.rows) {
        const float at = plot.y.pixel(t.value);
        canvas.across(plot.plot, at, theme.rule);
        canvas.text({plot.plot.x - 6, at - line / 2}, t.label, TextRole::small, theme.ink_soft,
                    Align::right);
    }
}

void draw_columns(Canvas& canvas, const Theme& theme, const Plot& plot, std::span<const Tick> ticks,
                  Rect labels) {
    std::optional<float> written; // as far as the labels before reach
    for (const Tick& t : ticks) {
        const float at = plot.x.pixel(t.value);
        canvas.down({0, plot.plot.bottom(), 0, 3}, at, theme.ink_soft);
        const float half = canvas.text_size(t.label, TextRole::small).w / 2;
        const float middle = moved_within(at, half, labels.x, labels.right());
        if (written && middle - half < *written + 1) continue; // a label that has no room
        canvas.text({middle, labels.y}, t.label, TextRole::small, theme.ink_soft, Align::center);
        written = middle + half;
    }
}

void draw_x_title(Canvas& canvas, const Theme& theme, Rect plot, Rect area,
                  std::string_view title) {
    if (!title.empty())
        canvas.text({plot.center().x, area.bottom() - canvas.line_height(TextRole::small)},
                    canvas.elide(title, TextRole::small, plot.w), TextRole::small, theme.ink_soft,
                    Align::center);
}

} // namespace normscope
