#include "app/workspaces/backward/panels.h"
#include "core/base/lists.h"
#include "core/stats/magnitude.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

// From here on digits before the point fill the slot; the others where it is narrow.
constexpr std::array k_huge = {1e9, 1e6, 1e3};
constexpr int k_plain_digits = 8; // before and behind the point together
constexpr double k_no_bar = 1e-4; // of the largest value; its bar is less than a pixel high

// Words that are wider than the slot of their bar: below it, as far as the row reaches.
Rect below_bar(const Ui& ui, Rect row, Index n, Index i, Text text, TextRole role) {
    const float w = std::min(ui.text_width(text, role) + 1, row.w);
    const float x = bar_slot(row, n, i).center().x - w / 2;
    return {std::clamp(x, row.x, row.right() - w), row.y, w, row.h};
}

// The line beyond a bar, its mark and its ghost: above them or, of a bar that goes down, below. A
// ghost that is much longer would have the number for its own: then it stands beyond zero.
Rect beyond_bar(const Ui& ui, Rect row, const SignedBars& bars, std::size_t i) {
    const float line = ui.canvas.line_height(TextRole::number_small);
    // As between_numbers() has room: a zero but for rounding may be below a range that begins at 0.
    const bool down = bars.range.hi <= 0 || (bars.values[i] < 0 && bars.range.lo < 0);
    const auto at_line = [&](double end, bool below) {
        const float y = bar_end(row, bars.range, end);
        return Rect{row.x, below ? y : y - line, row.w, line};
    };
    const auto farther = [&](double end, std::span<const double> of) {
        if (i >= of.size() || !std::isfinite(of[i])) return end;
        return down ? std::min(end, of[i]) : std::max(end, of[i]);
    };
    const double own = farther(farther(0, bars.values), bars.marks);
    const Rect at_own = at_line(own, down), at_all = at_line(farther(own, bars.ghosts), down);
    const bool room_beyond_zero = bars.range.lo < 0 && bars.range.hi > 0;
    const bool much_longer = std::abs(at_all.y - at_own.y) > line && room_beyond_zero;
    return much_longer && bars.marks.empty() ? at_line(0, !down) : at_all;
}

} // namespace

std::string short_number(double value) {
    return std::isfinite(value) && value != 0 && std::abs(value) < 1e-3 ? scientific_text(value, 1)
                                                                        : number_text(value, 3);
}

void pill(Ui& ui, Rect r, Color color, float alpha) {
    ui.canvas.fill_rect(r, color.with_alpha(alpha), k_fully_round);
    ui.canvas.stroke_rect(r, color.with_alpha(0.6f), 1, k_fully_round);
}

void share_scale(Extent& a, Extent& b, double most_apart) {
    const double ratio = (a.hi - a.lo) / (b.hi - b.lo);
    if (ratio < most_apart && ratio > 1 / most_apart) a = b = both(a, b);
}

std::optional<int> bar_numbers(Ui& ui, Rect row, std::span<const double> values, int most,
                               std::optional<Index> lit, double rounding,
                               std::optional<Color> color, const SignedBars* bars) {
    if (!ui.canvas.sees(row)) return std::nullopt;
    const Color ink = color.value_or(ui.theme.ink);
    const auto n = std::ssize(values);
    const float w = row.w / static_cast<float>(std::max<Index>(n, 1)) - 4.0f;
    const double largest = largest_magnitude(values.data(), n);
    const int before_point = largest >= 1 ? static_cast<int>(std::log10(largest)) + 1 : 1;
    // All of them would read 0.00, or nearly so.
    const auto are_tiny = [&](int decimals) {
        return largest > rounding && largest * std::pow(10, decimals) < 5;
    };
    const auto text_of = [&](double v, int decimals, double huge) {
        if (std::abs(v) <= rounding) v = 0;
        const bool tiny = are_tiny(decimals);
        if (tiny && decimals == 1 && v != 0 && std::abs(v) < k_no_bar * largest)
            return std::string("≈0");
        return tiny || std::abs(v) >= huge ? scientific_text(v, std::max(decimals - 1, 0))
                                           : fixed_text(v, decimals);
    };
    const auto all_of_them = [&](int decimals, TextRole role, double huge) {
        for (const double v : values)
            if (ui.text_width(text_of(v, decimals, huge), role) > w) return false;
        for (const auto i : indices(n)) {
            const double v = entry_at(values, i);
            const std::string text = text_of(v, decimals, huge);
            const Rect slot = bar_slot(row, n, i);
            ui.canvas.text_in(bars ? beyond_bar(ui, slot, *bars, static_cast<std::size_t>(i))
                                   : slot,
                              text, role, ink);
        }
        return true;
    };
    // Whole numbers will do where the largest is written in plain digits and is 10 000 or more.
    for (const double huge : k_huge) {
        const bool plain = largest < huge;
        const int finest = plain ? std::clamp(k_plain_digits - before_point, 0, most) : most;
        for (int decimals = finest; decimals >= (plain && before_point > 4 ? 0 : 1) && w > 10.0f;
             --decimals)
            for (const TextRole role : {TextRole::number_small, TextRole::number_narrow})
                if (all_of_them(decimals, role, huge))
                    return plain && !are_tiny(decimals) ? std::optional(decimals) : std::nullopt;
    }
    if (lit && *lit < n) {
        const double v = entry_at(values, *lit);
        const std::string text = number_text(std::abs(v) <= rounding ? 0 : v, 5);
        const Rect at = bars ? beyond_bar(ui, row, *bars, static_cast<std::size_t>(*lit)) : row;
        ui.label(below_bar(ui, at, n, *lit, text, TextRole::number_small), text,
                 TextRole::number_small, ink, Align::center);
    }
    return std::nullopt;
}

Rect between_numbers(const Ui& ui, Rect r, const Extent& scale) {
    const float line = ui.canvas.line_height(TextRole::number_small);
    if (scale.hi > 0) cut_top(r, line);
    if (scale.lo < 0) cut_bottom(r, line);
    return r;
}

void bar_names(Ui& ui, Rect row, Index n, const std::function<std::string(Index)>& name,
               std::optional<Index> lit) {
    if (n == 0 || !ui.canvas.sees(row)) return;
    if (row.w / static_cast<float>(n) < 18.0f) {
        if (!lit || *lit >= n) return;
        const std::string typed = name(*lit);
        const Text text = Text::typed(typed);
        ui.label(below_bar(ui, row, n, *lit, text, TextRole::small), text, TextRole::small,
                 ui.theme.ink, Align::center);
        return;
    }
    std::vector<std::string> names;
    std::vector<float> free; // room beside the name in its slot, on either side; 0 if it has none
    for (const auto i : indices(n)) {
        names.push_back(name(i));
        const float w = small_width(ui, Text::typed(names.back())) + 4;
        free.push_back(std::max(0.0f, (row.w / static_cast<float>(n) - w) / 2));
    }
    for (const auto i : indices(n)) {
        // A long name reaches into what its neighbours leave.
        const auto at = static_cast<std::size_t>(i);
        const bool between = i > 0 && i + 1 < n;
        const float more = between ? std::min(free[at - 1], free[at + 1]) : 0;
        ui.label(bar_slot(row, n, i).inset(2 - more, 0), Text::typed(names[at]), TextRole::small,
                 lit == i ? ui.theme.ink : ui.theme.ink_soft, Align::center);
    }
}

} // namespace normscope
