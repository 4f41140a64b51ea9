#include "app/charts/number_format.h"
#include "app/charts/signed_bars.h"
#include "app/widgets/controls.h"
#include "app/workspaces/backward/badge.h"
#include "app/workspaces/backward/names.h"
#include "app/workspaces/backward/panels.h"
#include "app/workspaces/focus.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_words_w = 176; // left of the bars
constexpr float k_least_words_w = 120;

struct Step {
    std::string title;
    std::string detail;
    const std::vector<double>* values;
    const std::vector<double>* before = nullptr; // ghosts
    std::vector<double> marks;                   // what the next step removes
    std::optional<double> level;
    Color color;
    bool off = false; // left out on purpose
};

std::array<Step, 4> steps_of(const Ui& ui, const Document& d, const Surgery& s) {
    const BrokenTerm broken = d.backward.broken;
    std::array<Step, 4> steps;
    steps[0] = {"γ ⊙ dY",
                fmt::format("mean {}", short_number(s.mean)),
                &s.a,
                nullptr,
                {},
                std::nullopt,
                ui.theme.of(Stage::gamma),
                broken == BrokenTerm::gamma};
    if (s.has_mean && broken != BrokenTerm::mean) steps[0].level = s.mean;
    steps[1] = {"− mean",
                s.has_mean         ? fmt::format("takes {} off each", short_number(s.mean))
                : s.has_projection ? "RMS norm has no mean"
                                   : "no norm, no mean",
                &s.centred,
                &s.a,
                {},
                std::nullopt,
                ui.theme.of(Stage::x_hat),
                broken == BrokenTerm::mean};
    if (s.mean_ax != 0)
        for (const double x : s.x_hat) steps[1].marks.push_back(x * s.mean_ax);
    steps[2] = {"− x\u0302 · mean(a⊙x\u0302)",
                s.has_projection ? fmt::format("mean(a⊙x\u0302) = {}", short_number(s.mean_ax))
                                 : "no norm, no projection",
                &s.projected,
                &s.centred,
                {},
                std::nullopt,
                ui.theme.of(Stage::x_hat),
                broken == BrokenTerm::projection};
    steps[3] = {"÷ s = dz",
                fmt::format("s = √(σ²+ε) = {}", short_number(s.s)),
                &s.dz,
                &s.projected,
                {},
                std::nullopt,
                ui.theme.of(Stage::z)};
    return steps;
}

// Bars of the four rows share a scale, but for dz where s is so far from 1 that one of them would
// not be seen.
double last_limit(const Surgery& s, double limit) {
    const double own = bar_limit(s.dz);
    return own > limit * 8 || own < limit / 8 ? own : limit;
}

void numbers(Ui& ui, Rect row, const std::vector<double>& values, std::optional<Index> lit) {
    const auto n = static_cast<Index>(values.size());
    const float w = row.w / static_cast<float>(n);
    for (int decimals = 4; decimals >= 2; --decimals) {
        float widest = 0;
        for (const double v : values)
            widest = std::max(
                widest, ui.canvas.text_size(fixed_text(v, decimals), TextRole::number_small).w);
        if (widest + ui.px(4) > w) continue;
        for (Index i = 0; i < n; ++i)
            ui.canvas.text_in(bar_slot(row, n, i),
                              fixed_text(values[static_cast<std::size_t>(i)], decimals),
                              TextRole::number_small, ui.theme.ink);
        return;
    }
    // No room for all of them: the hovered one.
    if (lit)
        ui.label(row, number_text(values[static_cast<std::size_t>(*lit)], 5),
                 TextRole::number_small, ui.theme.ink, Align::center);
}

void place_names(Ui& ui, Rect row, const Frame& f, std::optional<Index> lit) {
    const bool by_feature = f.derived.group_axis() == Axis::feature;
    const Names& names = by_feature ? *f.document.tokens : *f.document.features;
    const auto n = static_cast<Index>(names.size());
    const float w = row.w / static_cast<float>(n);
    if (w >= ui.px(18)) {
        for (Index i = 0; i < n; ++i)
            ui.label(bar_slot(row, n, i).inset(ui.px(2), 0), names[static_cast<std::size_t>(i)],
                     TextRole::small, lit == i ? ui.theme.ink : ui.theme.ink_soft, Align::center);
    } else if (lit) {
        ui.label(row, names[static_cast<std::size_t>(*lit)], TextRole::small, ui.theme.ink,
                 Align::center);
    }
}

// Which group is shown, and the way to the next.
void group_choice(Ui& ui, Rect& row, const Frame& f, Actions& a, Index group) {
    const bool by_feature = f.derived.group_axis() == Axis::feature;
    const Index n = f.derived.group_axis() == Axis::feature ? f.document.feature_count()
                                                            : f.document.token_count();
    const Rect back = cut_left(row, ui.px(28));
    const std::string& name = group_name(f.document, f.derived.group_axis(), group);
    const float name_w =
        std::clamp(ui.canvas.text_size(name, TextRole::label).w + ui.px(14), ui.px(60), ui.px(150));
    const Rect at = cut_left(row, name_w);
    const Rect forward = cut_left(row, ui.px(28));
    ui.label(at, name, TextRole::label, ui.theme.ink, Align::center);
    auto& pinned = by_feature ? a.view.pinned_feature : a.view.pinned_token;
    if (button(ui, "previous", back,
               {"◂", ButtonLook::plain, group > 0,
                by_feature ? "The feature before" : "The token before"}))
        pinned = group - 1;
    if (button(ui, "next", forward,
               {"▸", ButtonLook::plain, group + 1 < n,
                by_feature ? "The next feature" : "The next token"}))
        pinned = group + 1;
    cut_left(row, ui.px(16));
}

void break_choice(Ui& ui, Rect row, const Frame& f, Actions& a) {
    constexpr std::array<std::string_view, 4> k_terms = {"nothing", "mean", "projection", "γ"};
    constexpr std::array<std::string_view, 4> k_hints = {
        "The backward pass as it should be", "Leaves out − mean(a)",
        "Leaves out − x\u0302·mean(a⊙x\u0302)", "Uses dY where γ⊙dY should stand"};
    const std::string_view label = "Break it:";
    const float label_w = ui.canvas.text_size(label, TextRole::label).w + ui.px(10);
    if (row.w < label_w + ui.px(120)) return;
    ui.label(cut_left(row, label_w), label, TextRole::label, ui.theme.ink_soft);
    if (const auto c = segmented(ui, "break", row, k_terms,
                                 static_cast<int>(f.document.backward.broken), k_hints))
        a.edits.push_back(EditBackward{BreakTerm{static_cast<BrokenTerm>(*c)}});
}

std::string verdict(const Frame& f, const Backward& b) {
    const Document& d = f.document;
    const SampledCheck& check = b.checks().dz;
    if (b.error()) return b.error()->message + ".";
    if (d.backward.broken == BrokenTerm::none) {
        if (d.norm == NormKind::none) return "Nothing is normalized: dz is γ⊙dY.";
        return d.norm == NormKind::rms
                   ? "What is taken away is what the norm undoes: stretching all values together. "
                     "The rest, divided by s, is dz."
                   : "What is taken away is what the norm undoes: moving all values together, and "
                     "stretching them together. The rest, divided by s, is dz.";
    }
    if (check.agrees(k_check_tolerance))
        return "Left out, and still right: with these numbers that term is 0 or γ is 1.";
    return fmt::format("Wrong at {}: analytic {}, differences say {}.",
                       entry_name(d, check.worst.entry), number_text(check.worst.analytic, 4),
                       number_text(check.worst.numeric, 4));
}

} // namespace

void surgery_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope("surgery");
    const Backward& b = backward_of(f);
    const Index group = group_in_focus(f);
    const Surgery s = b.surgery(group);
    const auto n = static_cast<Index>(s.a.size());
    Rect inside = checked_panel(ui, r,
                                {.title = "Gradient surgery",
                                 .hint = f.derived.group_axis() == Axis::feature
                                             ? "along a feature: what shares its μ and σ"
                                             : "along a token: what shares its μ and σ"},
                                b.checks().dz, entry_name(f.document, b.checks().dz.worst.entry));
    Rect choices = cut_top(inside, ui.px(28));
    cut_top(inside, ui.px(4));
    group_choice(ui, choices, f, a, group);
    break_choice(ui, choices, f, a);
    const bool wrong = !b.checks().dz.agrees(k_check_tolerance);
    ui.label(cut_bottom(inside, ui.px(22)), verdict(f, b), TextRole::small,
             wrong ? ui.theme.error : ui.theme.ink_soft);

    const std::array<Step, 4> steps = steps_of(ui, f.document, s);
    const double limit = std::max({bar_limit(s.a), bar_limit(s.centred), bar_limit(s.projected)});
    const std::optional<Index> lit = hovered_place(f);
    const float words_w =
        std::max(ui.px(k_least_words_w), std::min(ui.px(k_words_w), inside.w * 0.3f));
    place_names(ui, {inside.x + words_w, inside.y, inside.w - words_w, ui.px(20)}, f, lit);
    cut_top(inside, ui.px(20));
    const float row_h = inside.h / 4;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const Step& step = steps[i];
        Rect row = cut_top(inside, row_h);
        Rect words = cut_left(row, words_w);
        cut_right(words, ui.px(8));
        const Rect digits = cut_bottom(row, ui.px(18));
        cut_bottom(row, ui.px(4));
        const float title_y = std::max(words.y, row.center().y - ui.px(20));
        ui.label({words.x, title_y, words.w, ui.px(22)}, step.title, TextRole::title,
                 step.off ? ui.theme.error : ui.theme.ink);
        ui.label({words.x, title_y + ui.px(22), words.w, ui.px(18)},
                 step.off ? "left out" : step.detail, TextRole::small,
                 step.off ? ui.theme.error : ui.theme.ink_soft);
        SignedBars bars{.values = *step.values,
                        .marks = step.marks,
                        .limit = i == 3 ? last_limit(s, limit) : limit,
                        .color = step.color,
                        .level = step.level,
                        .lit = lit};
        if (step.before) bars.ghosts = *step.before;
        const Rect target{row.x, row.y, row.w, row.h + digits.h};
        const IdScope row_scope(static_cast<int>(i));
        const Hit hit = ui.hit("bars", target, false);
        if (hit.hovered)
            if (const auto place = bar_at(target, n, ui.mouse())) light_place(f, a, group, *place);
        draw_signed_bars(ui.canvas, ui.theme, row, bars);
        numbers(ui, digits, *step.values, lit);
        if (i == 3 && bars.limit != limit && row.w > ui.px(200))
            ui.label({row.right() - ui.px(90), row.y, ui.px(90), ui.px(16)}, "own scale",
                     TextRole::small, ui.theme.ink_soft, Align::right);
    }
}

} // namespace normscope
