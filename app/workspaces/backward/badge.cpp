#include "app/workspaces/backward/panels.h"

#include "app/study/backward/gradient_checks.h"

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
    if (b.error()) return worded("NaN: ") + sentence(*b.error());
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
    return worded("Analytic against central differences of the program's own forward pass: "
                  "{}. Largest difference {}{} {}:\nanalytic {}\ndifferences {}",
                  compared, short_number(check.max_absolute),
                  named.entry == check.largest.entry ? ", at" : ". Farthest apart for its size is",
                  where, number_text(named.analytic, 6), number_text(named.numeric, 6));
}

// "NaN: X[broken, d1] is NaN", "NaN: X[broken, d1]", "NaN". An apposition goes with the verb.
std::vector<std::string> nan_words(const std::optional<NotANumber>& why) {
    if (!why) return {"NaN"};
    constexpr std::string_view k_is_nan = " is NaN";
    std::vector<std::string> words{worded("NaN: ") + why->cause};
    if (words[0].ends_with(k_is_nan))
        words.push_back(words[0].substr(0, words[0].size() - k_is_nan.size()));
    if (const auto comma = words.back().rfind(", ");
        words.back().ends_with(',') && comma != std::string::npos)
        words.back().resize(comma);
    words.emplace_back("NaN");
    return words;
}

} // namespace

std::string short_number(double value) {
    return std::isfinite(value) && value != 0 && std::abs(value) < 1e-3 ? scientific_text(value, 1)
                                                                        : number_text(value, 3);
}

void check_badge(Ui& ui, Rect& head, const Backward& b, const Checked& checked) {
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
        return ui.canvas.text_size(text, TextRole::small).w + icon + 2 * pad + 1;
    };
    const float most = head.w * 0.72f;
    const auto fits =
        std::ranges::find_if(words, [&](const std::string& text) { return width(text) <= most; });
    const std::string& text = fits != words.end() ? *fits : words.back();
    const float w = std::min(width(text), most);
    Rect r = cut_right(head, w, ui.px(8));
    r = {r.x, r.center().y - ui.px(11), r.w, ui.px(22)};
    const Hit hit = ui.hit("badge", r, {.focusable = false});
    ui.canvas.fill_rect(r, ink.with_alpha(agrees ? 0.10f : 0.14f), ui.px(11));
    ui.canvas.stroke_rect(r, ink.with_alpha(0.6f), ui.px(1), ui.px(11));
    cut_left(r, pad);
    const Rect sign = cut_left(r, icon);
    const Point c{sign.x + ui.px(6), sign.center().y};
    const float d = ui.px(4);
    if (agrees) {
        const std::array<Point, 3> tick = {Point{c.x - d, c.y},
                                           Point{c.x - d * 0.2f, c.y + d * 0.8f},
                                           Point{c.x + d, c.y - d * 0.8f}};
        ui.canvas.polyline(tick, ink, ui.px(2));
    } else {
        ui.canvas.line({c.x - d, c.y - d}, {c.x + d, c.y + d}, ink, ui.px(2));
        ui.canvas.line({c.x - d, c.y + d}, {c.x + d, c.y - d}, ink, ui.px(2));
    }
    cut_right(r, pad);
    ui.canvas.text_in(r, ui.canvas.elide(text, TextRole::small, r.w), TextRole::small, ink,
                      Align::left);
    ui.tooltip(hit, explanation(b, checked));
}

Rect checked_panel(Ui& ui, Rect r, const PanelSpec& spec, const Backward& b,
                   const Checked& checked) {
    Rect inside = panel(ui, "", r, {.title = {}, .bar = spec.bar});
    Rect head = cut_top(inside, ui.px(24), ui.px(4));
    check_badge(ui, head, b, checked);
    const float title_w =
        std::min(head.w, ui.canvas.text_size(spec.title, TextRole::title).w + ui.px(10));
    ui.label(cut_left(head, title_w), spec.title, TextRole::title,
             spec.title_color.value_or(ui.theme.ink));
    if (!spec.hint.empty() && ui.canvas.text_size(spec.hint, TextRole::small).w <= head.w)
        soft_label(ui, head, spec.hint);
    return inside;
}

} // namespace normscope
