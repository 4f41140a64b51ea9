#include "app/study/backward/published.h"

#include "app/workspaces/backward/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_row_h = 66, k_narrow_row_h = 120;
constexpr float k_wide_text = 900;
constexpr std::size_t k_values = 16; // shown of each list, at most
constexpr std::size_t k_values_when_asked = 64;
constexpr std::size_t k_values_a_line = 4; // else a line would end within a number

Color verdict_color(const Theme& theme, Verdict verdict) {
    if (verdict == Verdict::right) return theme.ink_of(Stage::y);
    const bool depends = verdict == Verdict::right_if || verdict == Verdict::differs;
    return depends ? theme.ink_of(Stage::f) : theme.error;
}

// So many values a line; 0: all in one.
std::string listed(const std::vector<double>& values, std::size_t count, int decimals,
                   std::size_t per_line = 0) {
    std::string text;
    for (const auto i : indices(count)) {
        if (i > 0) text += per_line > 0 && i % per_line == 0 ? "\n" : "  ";
        const double v = values[i];
        const double size = std::abs(v);
        const bool fixed = !std::isfinite(v) || v == 0 || (size >= 5e-4 && size < 1e5);
        text += fixed ? fixed_text(v, decimals) : number_text(v, size < 1 ? decimals - 2 : 6);
    }
    if (values.size() > count) text = worded("{}  … {} more", text, values.size() - count);
    return text;
}

// How much of each list is shown, and with how many decimals.
struct Listing {
    std::size_t count = 0;
    int decimals = 3;
};

// As many values as a width has room for, with as many decimals; lists of equal length alike.
Listing fit(const Ui& ui, float w, const std::vector<double>& values,
            const std::vector<double>& beside) {
    const auto fits = [&](const std::vector<double>& list, const Listing& listing) {
        const std::string text = listed(list, listing.count, listing.decimals);
        return ui.text_width(text, TextRole::number_small) <= w;
    };
    const bool alike = values.size() == beside.size();
    for (std::size_t count = std::min(values.size(), k_values); count > 0; --count)
        for (int decimals = 6; decimals >= 3; --decimals)
            if (const Listing l{count, decimals}; fits(values, l) && (!alike || fits(beside, l)))
                return l;
    return {std::min<std::size_t>(values.size(), 1), 3};
}

// A formula with its numbers below; those there is no room for are shown when asked.
void reading(Ui& ui, std::string_view id, Rect r, std::string_view formula,
             const std::vector<double>& values, const std::vector<double>& beside, Color color) {
    ui.label(cut_top(r, 22), formula, TextRole::formula, color);
    const auto [count, decimals] = fit(ui, r.w, values, beside);
    const Rect line = cut_top(r, 19);
    ui.label(line, listed(values, count, decimals), TextRole::number_small);
    if (count < values.size())
        ui.tooltip(
            ui.hit(id, line, k_by_mouse),
            listed(values, std::min(values.size(), k_values_when_asked), 6, k_values_a_line));
}

void verdict_pill(Ui& ui, Rect r, Verdict verdict) {
    const Color color = verdict_color(ui.theme, verdict);
    const std::string_view text = verdict_text(verdict);
    r = {r.x, r.y, std::min(r.w, small_width(ui, text) + 18.0f), 22.0f};
    pill(ui, r, color, 0.10f);
    ui.label(r.inset(6, 0), text, TextRole::small, color, Align::center);
}

// lr, and the update itself of all γ and β there are.
void step_controls(BackPanel& p, Rect r) {
    const double now = backward_of(p.frame).lr();
    const std::string text = worded("lr {}", number_text(now, 3));
    const Rect field = cut_left(r, std::max(90.0f, button_width(p, text)), 8.0f);
    if (const auto lr =
            number_field(p, {"published.lr", true}, field, now, text, "The step: click to type"))
        p.edit(set<&BackwardSetup::lr>(*lr));
    if (left_button(p, {"published.step", true}, r,
                    {"Step", "γ −= lr·dγ, β −= lr·dβ, once, of every γ and β in Add & Norm",
                     !p.frame.view.running}))
        p.edit(LearnSteps{1});
}

// Returns where it ends.
float term_row(BackPanel& p, Rect r, const PublishedTerm& term) {
    const bool right = term.verdict == Verdict::right;
    Rect name = cut_left(r, 170);
    p.label(cut_top(name, 22), term.what, TextRole::title);
    verdict_pill(p, name, term.verdict);
    const Color published = right ? p.theme.ink : verdict_color(p.theme, term.verdict);
    const auto both = [&](Rect left, Rect beside) {
        reading(p, "published", left, term.published, term.published_values, term.corrected_values,
                published);
        reading(p, "corrected", beside, term.corrected, term.corrected_values,
                term.published_values, p.theme.ink);
    };
    const float gap = 16;
    if (r.w >= k_wide_text - 170) {
        const float column = std::floor(r.w * 0.33f) - gap;
        const Rect left = cut_left(r, column, gap);
        both(left, cut_left(r, column, gap));
    } else {
        Rect top = cut_top(r, 44);
        const Rect left = cut_left(top, (top.w - gap) / 2, gap);
        both(left, top);
    }
    cut_top(r, soft_paragraph(p, r, term.why) + 4);
    if (term.what == "Step" && !p.state.picture) step_controls(p, cut_top(r, 28));
    return r.y;
}

std::string introduction(const PublishedReading& reading, double eps) {
    constexpr double k_felt = 5e-5; // in digits that are shown: then x̂ with ε is another one
    const bool eps_is_felt = eps > 2 * k_felt * reading.sigma * reading.sigma;
    if (reading.sigma == 0)
        return "One published description of Add & Norm, read as it stands. The σ of this token "
               "is 0: without ε most rows divide 0 by 0, and read NaN on both sides. The last "
               "row's corrected dz has the ε, and is checked.";
    const std::string gamma = number_text(reading.gamma, 4), beta = number_text(reading.beta, 4);
    return fmt::format(
        "{} {}",
        reading.uniform_gamma
            ? worded("One published description of Add & Norm, read as it stands. It has one γ and "
                     "β a token: here {} and {}.",
                     gamma, beta)
            : worded("One published description of Add & Norm, read as it stands. It has one γ and "
                     "β a token: here {} and {}, the means over its features.",
                     gamma, beta),
        tr(eps_is_felt
               ? "Published left, corrected right, both on layer norm of this token; x\u0302 is "
                 "without ε, but for the last row. The last row's corrected dz is checked."
               : "Published left, corrected right, both on layer norm of this token. The last "
                 "row's corrected dz is checked."));
}

} // namespace

void published_panel(BackPanel& p) {
    if (p.rect.h > 0 && !p.canvas.sees(p.rect)) { // below the rest of the page
        p.needed = p.rect.h;
        return p.name("published", p.rect, PartKind::panel);
    }
    const Document& d = p.document;
    const Backward& b = backward_of(p.frame);
    const Index token = token_in_focus(p.frame).value_or(0);
    const PublishedReading reading = read_published(d, b.dy(), token, b.lr());
    const std::string of_token = worded("token {}", group_name(d, Axis::token, token));
    Column rows =
        p.column("published", {.title = "As published, against corrected", .hint = of_token});
    const bool wide = rows.width() >= k_wide_text;
    rows.measured([&](Rect r) { return soft_paragraph(p, r, introduction(reading, d.eps)); }, 6);
    for (const PublishedTerm& term : reading.terms)
        rows.measured([&](Rect r) {
            const float least = r.y + (wide ? k_row_h : k_narrow_row_h);
            p.canvas.across(r, r.y, p.theme.rule);
            const IdScope scope(p, fmt::format("row-{}", &term - reading.terms.data()));
            const Rect line{r.x, r.y + 7, r.w, 1000};
            return std::max(least, term_row(p, line, term)) - r.y;
        });
}

void conventions_panel(BackPanel& p) {
    const Document& d = p.document;
    const Backward& b = backward_of(p.frame);
    const Index group = group_in_focus(p.frame);
    const StatisticSets sets = b.sets();
    Column rows = p.column(
        "conventions", {.title = "Conventions",
                        .hint = worded("{}: {}", set_name(d, sets, group),
                                       b.centres()         ? "first x\u0302"
                                       : sets.by_feature() ? "first x\u0302, in training"
                                                           : "first x\u0302, were it layer norm")});
    const Vector<double> values = values_of(b.z(), sets.block(group));
    const std::span<const double> z = span_of(values);
    constexpr double k_example[] = {1, 0, 0, 0};

    constexpr float k_line = 22;
    const auto cells = [&](Rect row, std::string_view name, std::string_view formula,
                           const std::string& divisor, const std::string& x,
                           const std::string& example, TextRole role, Color color) {
        for (const auto& [text, width] :
             {std::pair(&example, 62.0f), std::pair(&x, 54.0f), std::pair(&divisor, 54.0f)})
            p.label(cut_right(row, width), *text, role, color, Align::right);
        const bool room = row.w > 250;
        p.label(room ? cut_left(row, 128) : row, name, TextRole::small);
        if (room) soft_label(p, row, formula);
    };
    cells(rows.next(k_line), "", "", worded("divisor"), "x\u0302", "[1,0,0,0]", TextRole::small,
          p.theme.ink_soft);
    for (const Convention& c : k_conventions) {
        const Rect row = rows.next(k_line);
        const Normalization own = normalize_by(c, z, d.eps);
        const Normalization example = normalize_by(c, k_example, d.eps);
        const Hit hit = p.hit(c.id, row, k_by_mouse);
        p.tooltip(hit, c.who);
        if (hit.hovered) p.canvas.fill_rect(row, p.theme.control_hover, 3);
        const bool plain = own.divisor >= 0.1 && own.divisor < 100;
        cells(row, c.name, c.formula,
              plain ? fixed_text(own.divisor, 3) : number_text(own.divisor, 3),
              fixed_text(own.values[0], 3), fixed_text(example.values[0], 3),
              TextRole::number_small, p.theme.ink);
    }
    const double inside_root = normalize_by(k_conventions[0], z, d.eps).values[0];
    const double outside_root = normalize_by(k_conventions[2], z, d.eps).values[0];
    const double apart = std::abs(inside_root - outside_root);
    if (apart > 0 && fixed_text(inside_root, 3) == fixed_text(outside_root, 3))
        soft_label(p, rows.next(k_line),
                   worded("ε inside or outside: x̂ differs by {}", number_text(apart, 2)));
}

} // namespace normscope
