#include "app/charts/line_chart.h"
#include "app/workspaces/backward/panels.h"
#include "core/stats/magnitude.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

// The gradient is a number and its differences are none.
bool has_no_differences(const SampledCheck& check) {
    return std::isnan(check.max_absolute) && std::isfinite(check.worst.analytic);
}

std::string explanation(const Backward& b, const Checked& checked) {
    const auto& [check, where, why] = checked;
    if (b.error()) return worded("NaN: {}", sentence(*b.error()));
    if (why && std::isnan(check.max_absolute))
        return worded("NaN at {}, because {}. {}", where, why->cause, why->way_out);
    if (has_no_differences(check))
        return worded("Not compared at {}: values that large have no digits for a step that "
                      "small. Make ε larger, or the values smaller.",
                      where);
    const std::string compared =
        check.checked == check.total
            ? worded("all {} entries", check.total)
            : worded("a sample of {} of {} entries", check.checked, check.total);
    const GradientEntry& named = named_entry(check);
    const std::string largest = short_number(check.max_absolute);
    const std::string analytic = number_text(named.analytic, 6),
                      numeric = number_text(named.numeric, 6);
    return fmt::format(
        "{} {}",
        worded("Analytic against central differences of the program's own forward pass: {}.",
               compared),
        named.entry == check.largest.entry
            ? worded("Largest difference {}, at {}:\nanalytic {}\ndifferences {}", largest, where,
                     analytic, numeric)
            : worded("Largest difference {}. Farthest apart for its size is {}:\nanalytic "
                     "{}\ndifferences {}",
                     largest, where, analytic, numeric));
}

// "NaN: X[broken, d1] is NaN", "NaN: X[broken, d1]", "NaN". An apposition goes with the verb.
std::vector<std::string> nan_words(const std::optional<NotANumber>& why) {
    if (!why) return {"NaN"};
    constexpr std::string_view k_is_nan = " is NaN";
    std::vector<std::string> words{worded("NaN: {}", why->cause)};
    if (words[0].ends_with(k_is_nan))
        words.push_back(words[0].substr(0, words[0].size() - k_is_nan.size()));
    if (const auto comma = words.back().rfind(", ");
        words.back().ends_with(',') && comma != std::string::npos)
        words.back().resize(comma);
    words.emplace_back("NaN");
    return words;
}

// From here on digits before the point fill the slot; the others where it is narrow.
constexpr std::array k_huge = {1e9, 1e6, 1e3};
constexpr int k_plain_digits = 8; // before and behind the point together
constexpr double k_no_bar = 1e-4; // of the largest value; its bar is less than a pixel high

// Words that are wider than the slot of their bar: below it, as far as the row reaches.
Rect below_bar(const Ui& ui, Rect row, Index n, Index i, std::string_view text, TextRole role) {
    const float w = std::min(ui.canvas.text_size(text, role).w + 1, row.w);
    const float x = bar_slot(row, n, i).center().x - w / 2;
    return {std::clamp(x, row.x, row.right() - w), row.y, w, row.h};
}

} // namespace

std::string short_number(double value) {
    return std::isfinite(value) && value != 0 && std::abs(value) < 1e-3 ? scientific_text(value, 1)
                                                                        : number_text(value, 3);
}

void pill(Ui& ui, Rect r, Color color, float alpha) {
    ui.canvas.fill_rect(r, color.with_alpha(alpha), r.h / 2);
    ui.canvas.stroke_rect(r, color.with_alpha(0.6f), ui.px(1), r.h / 2);
}

void check_badge(BackPanel& p, Rect& head, const Checked& checked) {
    Ui& ui = p.ui;
    const auto& [check, where, why] = checked;
    const bool agrees = check.agrees(k_check_tolerance);
    const Color ink = agrees ? ui.theme.ink_of(Stage::y) : ui.theme.error;
    // The longest that has room; what it leaves out is in the hint.
    std::vector<std::string> words;
    if (agrees)
        words = {check.max_absolute < k_check_tolerance
                     ? worded("checked: within {}", scientific_text(check.max_absolute, 0))
                     : worded("checked: within {} of its size", // of large numbers
                              scientific_text(check.max_relative, 0)),
                 worded("checked")};
    else if (!why && has_no_differences(check))
        words = {"unknown: no digits for differences", worded("unknown")};
    else if (std::isnan(check.max_absolute))
        words = nan_words(why);
    else {
        const GradientEntry& named = named_entry(check);
        const double off = std::abs(named.analytic - named.numeric);
        words = {worded("off by {}, at {}", short_number(off), where),
                 worded("off by {}", short_number(off))};
    }
    const float icon = ui.px(18);
    const float pad = ui.px(8);
    const auto width = [&](const std::string& text) {
        return small_width(ui, text) + icon + 2 * pad + 1;
    };
    const float most = head.w * 0.72f;
    const auto fits =
        std::ranges::find_if(words, [&](const std::string& text) { return width(text) <= most; });
    const std::string& text = fits != words.end() ? *fits : words.back();
    const float w = std::min(width(text), most);
    Rect r = cut_right(head, w, ui.px(8));
    r = {r.x, r.center().y - ui.px(11), r.w, ui.px(22)};
    const Hit hit = ui.hit("badge", r, {.focusable = false});
    pill(ui, r, ink, agrees ? 0.10f : 0.14f);
    const Point c{r.x + pad + ui.px(6), r.center().y};
    const float d = ui.px(4);
    if (agrees) {
        const std::array<Point, 3> tick = {Point{c.x - d, c.y},
                                           Point{c.x - d * 0.2f, c.y + d * 0.8f},
                                           Point{c.x + d, c.y - d * 0.8f}};
        ui.canvas.polyline(tick, ink, ui.px(2));
    } else {
        draw_marker(ui.canvas, Marker::cross, c, d, ink);
    }
    cut_left(r, pad + icon);
    cut_right(r, pad);
    ui.canvas.text_in(r, ui.canvas.elide(text, TextRole::small, r.w), TextRole::small, ink,
                      Align::left);
    ui.tooltip(hit, explanation(backward_of(p.frame), checked));
}

void checked_head(BackPanel& p, Rect head, const PanelSpec& spec, const Checked& checked) {
    Ui& ui = p.ui;
    check_badge(p, head, checked);
    left_words(ui, head, spec.title, TextRole::title, spec.title_color.value_or(ui.theme.ink), 10);
    if (!spec.hint.empty() && small_width(ui, spec.hint) <= head.w) soft_label(ui, head, spec.hint);
}

Rect checked_panel(BackPanel& p, const PanelSpec& spec, const Checked& checked) {
    Rect inside = panel(p.ui, "", p.rect, {.title = {}, .bar = spec.bar});
    checked_head(p, cut_top(inside, p.ui.px(k_checked_head), p.ui.px(k_below_head)), spec, checked);
    return inside;
}

void share_scale(Extent& a, Extent& b, double most_apart) {
    const double ratio = (a.hi - a.lo) / (b.hi - b.lo);
    if (ratio < most_apart && ratio > 1 / most_apart) a = b = both(a, b);
}

std::optional<int> bar_numbers(Ui& ui, Rect row, std::span<const double> values, int most,
                               std::optional<Index> lit, double rounding,
                               std::optional<Color> color) {
    if (!ui.canvas.sees(row)) return std::nullopt;
    const Color ink = color.value_or(ui.theme.ink);
    const auto n = static_cast<Index>(values.size());
    const float w = row.w / static_cast<float>(std::max<Index>(n, 1)) - ui.px(4);
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
            if (ui.canvas.text_size(text_of(v, decimals, huge), role).w > w) return false;
        for (Index i = 0; i < n; ++i)
            ui.canvas.text_in(bar_slot(row, n, i),
                              text_of(values[static_cast<std::size_t>(i)], decimals, huge), role,
                              ink);
        return true;
    };
    // Where thousands are left, whole numbers will do.
    for (const double huge : k_huge) {
        const bool plain = largest < huge;
        const int finest = plain ? std::clamp(k_plain_digits - before_point, 0, most) : most;
        for (int decimals = finest;
             decimals >= (plain && before_point > 4 ? 0 : 1) && w > ui.px(10); --decimals)
            for (const TextRole role : {TextRole::number_small, TextRole::number_tiny})
                if (all_of_them(decimals, role, huge))
                    return plain && !are_tiny(decimals) ? std::optional(decimals) : std::nullopt;
    }
    if (lit && *lit < n) {
        const double v = values[static_cast<std::size_t>(*lit)];
        const std::string text = number_text(std::abs(v) <= rounding ? 0 : v, 5);
        ui.label(below_bar(ui, row, n, *lit, text, TextRole::number_small), text,
                 TextRole::number_small, ink, Align::center);
    }
    return std::nullopt;
}

void bar_names(Ui& ui, Rect row, Index n, const std::function<std::string(Index)>& name,
               std::optional<Index> lit) {
    if (n == 0 || !ui.canvas.sees(row)) return;
    const AsTyped names_of_a_person(ui.canvas);
    if (row.w / static_cast<float>(n) < ui.px(18)) {
        if (!lit || *lit >= n) return;
        const std::string text = name(*lit);
        ui.label(below_bar(ui, row, n, *lit, text, TextRole::small), text, TextRole::small,
                 ui.theme.ink, Align::center);
        return;
    }
    std::vector<std::string> names;
    std::vector<float> free; // room beside the name in its slot, on either side; 0 if it has none
    for (Index i = 0; i < n; ++i) {
        names.push_back(name(i));
        const float w = small_width(ui, names.back()) + ui.px(4);
        free.push_back(std::max(0.0f, (row.w / static_cast<float>(n) - w) / 2));
    }
    for (Index i = 0; i < n; ++i) {
        // A long name reaches into what its neighbours leave.
        const auto at = static_cast<std::size_t>(i);
        const bool between = i > 0 && i + 1 < n;
        const float more = between ? std::min(free[at - 1], free[at + 1]) : 0;
        ui.label(bar_slot(row, n, i).inset(ui.px(2) - more, 0), names[at], TextRole::small,
                 lit == i ? ui.theme.ink : ui.theme.ink_soft, Align::center);
    }
}

} // namespace normscope
