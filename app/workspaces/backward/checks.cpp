#include "app/charts/line_chart.h"
#include "app/study/backward/published.h"
#include "app/workspaces/backward/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

// The gradient is a number and its differences are none.
bool has_no_differences(const SampledCheck& check) {
    return std::isnan(check.max_absolute) && std::isfinite(check.worst.analytic);
}

bool agrees(const Checked& checked) {
    return checked.check.agrees(k_check_tolerance);
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

// From the longest on; what the shorter ones leave out is in the hint.
std::vector<std::string> badge_words(const Checked& checked) {
    const auto& [check, where, why] = checked;
    if (agrees(checked))
        return {check.max_absolute < k_check_tolerance
                    ? worded("checked: within {}", scientific_text(check.max_absolute, 0))
                    : worded("checked: within {} of its size", // of large numbers
                             scientific_text(check.max_relative, 0)),
                worded("checked")};
    if (!why && has_no_differences(check))
        return {worded("unknown: no digits for differences"), worded("unknown")};
    if (std::isnan(check.max_absolute)) return nan_words(why);
    const GradientEntry& named = named_entry(check);
    const double off = std::abs(named.analytic - named.numeric);
    return {worded("off by {}, at {}", short_number(off), where),
            worded("off by {}", short_number(off))};
}

// A badge off the right of `head`, with the longest of the words that has room.
Hit badge(Ui& ui, Rect& head, const std::vector<std::string>& words, bool good, HitSpec spec) {
    const Color ink = good ? ui.theme.ink_of(Stage::y) : ui.theme.error;
    const float icon = 18, pad = 8;
    const auto width = [&](const std::string& text) {
        return small_width(ui, text) + icon + 2 * pad + 1;
    };
    const float most = head.w * 0.72f;
    const auto fits =
        std::ranges::find_if(words, [&](const std::string& text) { return width(text) <= most; });
    const std::string& text = fits != words.end() ? *fits : words.back();
    Rect r = cut_right(head, std::min(width(text), most), 8.0f);
    r = {r.x, r.center().y - 11, r.w, 22};
    const Hit hit = ui.hit("badge", r, spec);
    pill(ui, r, ink, good ? 0.10f : 0.14f);
    ui.focus_ring(hit, r, k_fully_round);
    const Point c{r.x + pad + 6, r.center().y};
    const float d = 4;
    if (good) {
        const std::array<Point, 3> tick = {Point{c.x - d, c.y},
                                           Point{c.x - d * 0.2f, c.y + d * 0.8f},
                                           Point{c.x + d, c.y - d * 0.8f}};
        ui.canvas.polyline(tick, ink, 2);
    } else {
        draw_marker(ui.canvas, Marker::cross, c, 4, ink);
    }
    cut_left(r, pad + icon);
    cut_right(r, pad);
    ui.canvas.text_in(r, ui.canvas.elide(text, TextRole::small, r.w), TextRole::small, ink,
                      Align::left);
    return hit;
}

struct NamedCheck {
    std::string_view id;
    std::string title;
    Checked checked;
};

// Every check of the page, the one of the group in focus first.
std::vector<NamedCheck> page_checks(const BackPanel& p) {
    const Document& d = p.document;
    const Backward& b = backward_of(p.frame);
    const OpenFolds& folds = p.view.folds;
    const Index group = group_in_focus(p.frame);
    std::vector<NamedCheck> all;
    all.push_back({"dz-group", worded("dz of {}", set_name(d, p.frame.derived.sets(), group)),
                   checked_group(p, group)});
    const auto add = [&](std::string_view id, std::string_view title, const SampledCheck& check,
                         std::string where, std::optional<NotANumber> why) {
        all.push_back({id, std::string(tr(title)), {check, std::move(where), std::move(why)}});
    };
    const auto entry = [&](const SampledCheck& check) {
        return entry_name(d, named_entry(check).entry);
    };
    const auto parameter = [&](const SampledCheck& check) {
        return parameter_name(d, named_entry(check).entry);
    };
    const auto& checks = b.checks();
    add("dz", "dz, dX and dF(X)", checks.dz, entry(checks.dz), b.not_a_number());
    add("dgamma", "dγ", checks.dgamma, parameter(checks.dgamma), b.not_a_number());
    add("dbeta", "dβ", checks.dbeta, parameter(checks.dbeta), b.not_a_number());
    if (checks.dy) add("dy", "dY", *checks.dy, entry(*checks.dy), b.not_a_number());
    if (folds.has("jacobian")) {
        const GroupJacobian& j =
            group_jacobian(p.frame.memory.of<BackwardMemory>().jacobian, b, group);
        const Index at = named_entry(j.check).entry, n = b.sets().size();
        const auto names = place_names(d, b.sets(), group);
        if (at >= 0)
            add("jacobian", "Jacobian", j.check,
                worded("{}, {}", entry_at(names, at / n), entry_at(names, at % n)),
                b.not_a_number_in(group));
    }
    if (folds.has("see-saw")) {
        const SampledCheck check = b.check_scaled(d.backward.scale);
        add("see-saw", "Scale see-saw", check,
            set_name(d, b.sets(), std::max<Index>(named_entry(check).entry, 0)), b.not_a_number());
    }
    if (folds.has("published")) {
        const Index token = token_in_focus(p.frame).value_or(0);
        const SampledCheck check = read_published(d, b.dy(), token, b.lr()).check;
        const auto worst = static_cast<std::size_t>(std::max<Index>(named_entry(check).entry, 0));
        add("published", "As published", check, (*d.features)[worst],
            !b.sets().by_feature() && b.sets().groups == 1 ? b.not_a_number_in(token)
                                                           : b.not_a_number());
    }
    return all;
}

} // namespace

Checked checked_group(const BackPanel& p, Index group) {
    const Backward& b = backward_of(p.frame);
    const SampledCheck& check =
        group_check(p.frame.memory.of<BackwardMemory>().group_check, b, group);
    return {check, entry_name(p.document, named_entry(check).entry), b.not_a_number_in(group)};
}

void page_badge(BackPanel& p, Rect& head) {
    const std::vector<NamedCheck> all = page_checks(p);
    const auto wrong = std::ranges::find_if_not(all, agrees, &NamedCheck::checked);
    const bool good = wrong == all.end();
    std::vector<std::string> words;
    if (good) {
        double most = 0;
        for (const NamedCheck& one : all) {
            const SampledCheck& check = one.checked.check;
            most = std::max(most, check.max_absolute < k_check_tolerance ? check.max_absolute
                                                                         : check.max_relative);
        }
        words = {worded("everything checked: within {}", scientific_text(most, 0)),
                 worded("checked")};
    } else {
        words = badge_words(wrong->checked);
    }
    const Hit hit = badge(p, head, words, good, {.kind = PartKind::button});
    if (hit.clicked) p.next.folds.toggle("checks");
    p.tooltip(hit, good ? "Every gradient of the page agrees with central differences. A click "
                          "shows the list"
                        : explanation(backward_of(p.frame), wrong->checked));
}

void checks_panel(BackPanel& p) {
    Column rows = p.column("checks", {.title = "Checks", .hint = "against central differences"});
    for (const NamedCheck& one : page_checks(p)) {
        const IdScope scope(p, one.id);
        Rect line = rows.next(26, 2);
        p.label(cut_left(line, 190), one.title);
        Rect at = cut_left(line, 420);
        const Hit hit = badge(p, at, badge_words(one.checked), agrees(one.checked), k_by_mouse);
        p.tooltip(hit, explanation(backward_of(p.frame), one.checked));
    }
}

} // namespace normscope
