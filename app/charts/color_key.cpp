#include "app/charts/color_key.h"

#include "app/charts/number_format.h"
#include "core/base/lists.h"

#include <algorithm>

namespace normscope {

namespace {

constexpr float k_ramp_w = 60, k_gap = 5;

// The ends of a scale that moves have the digits of one that stands.
std::string end_text(double value) {
    return number_text(value, 2);
}

} // namespace

float color_key_width(const Canvas& canvas, double limit, std::string_view of) {
    const float words = of.empty() ? 0 : canvas.text_size(of, TextRole::small).w + 2 * k_gap;
    const auto number = [&](double v) {
        return canvas.text_size(end_text(v), TextRole::number_small).w + k_gap;
    };
    return words + number(-limit) + number(limit) + k_ramp_w;
}

void draw_color_key(Canvas& canvas, const Theme& theme, Rect row, double limit,
                    std::string_view of) {
    const auto write = [&](std::string_view text, TextRole role, float gap) {
        const Rect r = cut_left(row, canvas.text_size(text, role).w, gap);
        canvas.text_in(r, text, role, theme.ink_soft, Align::left);
    };
    if (!of.empty()) write(of, TextRole::small, 2 * k_gap);
    write(end_text(-limit), TextRole::number_small, k_gap);
    const Rect all = cut_left(row, k_ramp_w, k_gap);
    const Rect ramp = all.inset(0, std::max(0.0f, (all.h - 12) / 2));
    constexpr int k_steps = 20;
    for (const auto i : indices(k_steps))
        canvas.fill_rect({ramp.x + ramp.w * static_cast<float>(i) / k_steps, ramp.y,
                          ramp.w / k_steps + 0.5f, ramp.h},
                         heat_color(theme, limit * (2.0 * i / (k_steps - 1) - 1), limit));
    write(end_text(limit), TextRole::number_small, 0);
}

} // namespace normscope
