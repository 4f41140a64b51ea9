#include "app/words/norm_formula.h"
#include "app/workspaces/backward/panels.h"
#include "core/base/lists.h"
#include "core/stats/magnitude.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr int k_factor_digits = 5; // so that the bars' four decimals can be recomputed from them
constexpr float k_words_w = 176;   // left of the bars
constexpr float k_least_words_w = 120;
constexpr float k_digits_h = 18;
constexpr double k_other_scale = 4; // from here on one of two rows would be low
constexpr double k_cuts = 3;
constexpr double k_seconds_a_cut = 4;   // a sentence is read meanwhile
constexpr double k_longest_pause = 0.1; // the first frame after a rest counts as no more
constexpr double k_next_instant = 1e-4; // less: the same frame, drawn again

struct Step {
    std::string_view id;
    std::string title, detail;
    std::span<const double> values;
    Color color;
    bool off = false;               // left out on purpose
    std::vector<double> marks = {}; // what the next step removes
    std::string_view undone = {};   // by the norm, and so taken out here
};

// A mean(a) of at most `rounding` is written 0, a mean(a⊙x̂) of at most `rounding` · max|x̂|.
std::array<Step, 4> steps_of(const Ui& ui, const Document& d, const Surgery& s, double rounding) {
    const BrokenTerm broken = d.backward.broken;
    const auto mean_text = [&](double mean, double factor = 1) {
        return number_text(std::abs(mean) <= rounding * factor ? 0 : mean, k_factor_digits);
    };
    const double largest_x_hat = largest_magnitude(s.x_hat.data(), s.x_hat.size());
    const bool constants = constant_statistics(d);
    const Spread& spread = *norm_entry(d.norm).spread;
    std::array<Step, 4> steps;
    steps[0] = {"terms.gamma",
                "a = γ ⊙ dY",
                worded("mean {}", mean_text(s.mean)),
                span_of(s.a),
                ui.theme.of(Stage::gamma),
                broken == BrokenTerm::gamma};
    if (s.has_mean && broken != BrokenTerm::mean)
        steps[0].marks.assign(steps[0].values.size(), s.mean);
    steps[1] = {"terms.mean",
                "− mean",
                s.has_mean         ? worded("takes {} off each", mean_text(s.mean))
                : s.has_projection ? worded("{} norm has no mean", norm_entry(d.norm).label)
                : constants        ? "μ of training: a constant"
                                   : "no norm, no mean",
                span_of(s.centred),
                ui.theme.of(Stage::x_hat),
                s.has_mean && broken == BrokenTerm::mean,
                {},
                s.has_mean ? "takes out the shift" : ""};
    if (s.has_projection && broken != BrokenTerm::projection)
        for (const double pull : s.pull) steps[1].marks.push_back(pull * s.mean_ax);
    steps[2] = {"terms.projection",
                worded("− {} · mean(a⊙x\u0302)", spread.pull_symbol),
                s.has_projection
                    ? worded("mean(a⊙x\u0302) = {}", mean_text(s.mean_ax, largest_x_hat))
                : constants ? "σ² of training: a constant"
                            : "no norm, no projection",
                span_of(s.projected),
                ui.theme.of(Stage::x_hat),
                s.has_projection && broken == BrokenTerm::projection,
                {},
                s.has_projection ? "takes out the stretch" : ""};
    steps[3] = {"terms.dz", "÷ s = dz",
                spread.divides
                    ? worded("s = {} = {}", unspaced(divisor_formula(spread, spread.in_formula)),
                             number_text(s.s, k_factor_digits))
                    : "no norm, s = 1",
                span_of(s.dz), ui.theme.of(Stage::z)};
    return steps;
}

// Bars of the four rows share a scale, but for dz where one of two would not be seen.
struct RowScales {
    Extent shared, of_dz;
};
RowScales row_scales(const Surgery& s, std::span<const double> taken, bool dz_is_rounding) {
    // The shared range is of all rows at once: a row of zeros alone would ask for a scale to 1.
    std::vector<double> values(taken.begin(), taken.end());
    for (const Vector<double>* row : {&s.a, &s.centred, &s.projected})
        values.insert(values.end(), row->begin(), row->end());
    RowScales scales{value_range(values), value_range(span_of(s.dz))};
    if (dz_is_rounding)
        scales.of_dz = scales.shared;
    else
        share_scale(scales.shared, scales.of_dz, k_other_scale);
    return scales;
}

// The legend of the grey and the lines, at the right end of `row`. False: `row` is too narrow.
bool legend(Ui& ui, Rect row) {
    const std::string_view before = "before the step", next = "taken next";
    const float before_w = small_width(ui, before) + 1, next_w = small_width(ui, next) + 1;
    if (row.w < before_w + next_w + 80) return false;
    const float y = row.center().y;
    const Rect last = cut_right(row, next_w, 38);
    soft_label(ui, last, next);
    ui.canvas.line({last.x - 24, y}, {last.x - 6, y}, ui.theme.ink, 2);
    const Rect first = cut_right(row, before_w);
    soft_label(ui, first, before);
    const Rect swatch{first.x - 20, y - 6, 14, 12};
    ui.canvas.fill_rect(swatch, ui.theme.ink_soft.with_alpha(0.14f));
    ui.canvas.stroke_rect(swatch, ui.theme.ink_soft.with_alpha(0.5f));
    return true;
}

// The name of the shown group, between the buttons to the one before and the next.
void group_choice(BackPanel& p, Rect& row, Index group) {
    const StatisticSets sets = p.frame.derived.sets();
    const std::string name = set_name(p.document, sets, group);
    const auto step = [&](NamePart part, std::string_view label, Index to,
                          const std::string& hint) {
        const bool is_there = to >= 0 && to < sets.count();
        if (button(p, part, cut_left(row, 28), {label, hint, is_there}))
            pin_set(p.actions.view, sets, to);
    };
    step("previous", "◂", group - 1, worded("The {} before", sets.name()));
    const float name_w =
        std::clamp(p.text_width(Text::typed(name), TextRole::label) + 14.0f, 60.0f, 150.0f);
    p.label(cut_left(row, name_w), Text::typed(name), TextRole::label, p.theme.ink, Align::center);
    step("next", "▸", group + 1, worded("The next {}", sets.name()));
    cut_left(row, 16);
}

constexpr std::string_view k_break = "Break it:";

float break_choice_width(const Ui& ui) {
    return ui.text_width(k_break, TextRole::label) + 10 +
           segmented_width(ui, names_of<BrokenTerm>());
}

void break_choice(BackPanel& p, Rect& row) {
    const std::string projection =
        worded("Leaves out − {}·mean(a⊙x\u0302)", norm_entry(p.document.norm).spread->pull_symbol);
    const std::array<std::string_view, 4> hints = {"The backward pass as it should be",
                                                   "Leaves out − mean(a)", projection,
                                                   "Uses dY where γ⊙dY should stand"};
    const float buttons_w = std::min(row.w, segmented_width(p, names_of<BrokenTerm>()));
    const float label_w = std::min(row.w, break_choice_width(p)) - buttons_w;
    p.label(cut_left(row, label_w), k_break, TextRole::label, p.theme.ink_soft);
    choose_setting<&BackwardSetup::broken>(p, cut_left(row, buttons_w), p.document.backward,
                                           p.actions.edits, hints);
}

// The cuts one after the other, by themselves or, where motion is reduced, by a press each.
void play_button(BackPanel& p, Rect& row) {
    const std::optional<double>& cut = p.view.cut;
    const bool by_hand = p.frame.view.reduce_motion;
    const std::string_view label = !cut      ? "Play the cuts ▸"
                                   : by_hand ? "Next cut ▸"
                                             : "Show all cuts";
    const float w = button_width(p, "Play the cuts ▸");
    const bool pressed = button(p, "play", cut_left(row, w, 12),
                                {label, "From γ⊙dY to dz: what each of the three cuts takes away",
                                 true, cut ? ButtonLook::plain : ButtonLook::primary});
    const auto passed = static_cast<double>(ImGui::GetIO().DeltaTime);
    if (pressed)
        p.next.cut = cut && !by_hand ? std::nullopt : std::optional(cut ? *cut + 1 : 0);
    else if (cut && !by_hand && passed >= k_next_instant)
        p.next.cut = *cut + std::min(passed, k_longest_pause) / k_seconds_a_cut;
    if (p.next.cut >= k_cuts) p.next.cut.reset();
}

// Training or evaluation for a norm with running μ and σ²: Z moves them, or they are constants.
void statistics_choice(BackPanel& p, Rect row) {
    left_words(p, row, "μ, σ²:", TextRole::label, p.theme.ink_soft, 10);
    p.control<&BackwardSetup::mode>(cut_left(row, segmented_width(p, names_of<Mode>()), 12));
    const int updates = p.document.batch.updates;
    soft_label(p, row,
               constant_statistics(p.document)
                   ? worded("evaluation: constants, after {}", updates == 1
                                                                   ? worded("{} update", updates)
                                                                   : worded("{} updates", updates))
                   : "training: Z moves them");
}

// Title and detail of a step, beside the middle of its bars.
void step_words(Ui& ui, Rect words, float middle, const Step& step, bool own_scale) {
    cut_top(words, std::max(0.0f, middle - 20.0f - words.y));
    const auto line = [&](float height, std::string_view text, TextRole role, Color ink) {
        ui.label(cut_top(words, height), text, role, step.off ? ui.theme.error : ink);
    };
    line(22, step.title, TextRole::title, ui.theme.ink);
    line(18, step.off ? "left out" : step.detail, TextRole::small, ui.theme.ink_soft);
    const std::string_view third = own_scale ? "on a scale of its own" : step.undone;
    if (!step.off) soft_label(ui, cut_top(words, 18), third);
}

// The four rows of bars, under the names of their places.
void step_rows(BackPanel& p, Rect inside, Index group, const Backward& b, const Surgery& s) {
    const Index n = s.a.size();
    const double rounding = rounding_of_dz(b, s);
    const std::array<Step, 4> steps = steps_of(p, p.document, s, rounding * s.s);
    const RowScales fitting = row_scales(s, steps[1].marks, is_rounding(b, s));
    const Extent shared = held(p, "backward.terms", fitting.shared, fitting.shared);
    const RowScales scales{shared, fitting.of_dz == fitting.shared
                                       ? shared
                                       : held(p, "backward.dz-bars", fitting.of_dz, fitting.of_dz)};
    const std::optional<Index> lit = hovered_place(p.frame);
    const auto names = place_names(p.document, p.frame.derived.sets(), group);
    Rect left = cut_left(inside, std::max(k_least_words_w, std::min(k_words_w, inside.w * 0.3f)));
    cut_right(left, 8);
    bar_names(
        p, cut_top(inside, 20), n, [&](Index i) { return entry_at(names, i); }, lit);
    const float factors_h = s.has_projection ? k_digits_h : 0;
    const float row_h = (inside.h - factors_h) / 4; // bars on one scale are equally high
    const double cuts = p.view.cut.value_or(k_cuts);
    for (const auto i : indices(steps)) {
        const Step& step = steps[i];
        const bool is_dz = i == 3;
        // So much of this row is cut already.
        const double made = i == 0 ? 1 : std::clamp(cuts - static_cast<double>(i - 1), 0.0, 1.0);
        cut_top(inside, 8);
        const Rect factors = cut_top(inside, i == 2 ? factors_h : 0);
        const Rect target = cut_top(inside, row_h - 8);
        const Rect bars_at = between_numbers(p, target, both(scales.shared, scales.of_dz));
        const bool own_scale = is_dz && !(scales.of_dz == scales.shared) && bars_at.w > 200;
        step_words(p, {left.x, factors.y, left.w, target.bottom() - factors.y}, bars_at.center().y,
                   step, own_scale);
        if (made == 0) continue;
        if (factors.h > 0) {
            // The factors x̂ of the mean are written out, so that the row can be recomputed.
            p.label({left.x, factors.y, left.w, factors.h}, "x\u0302", TextRole::small,
                    p.theme.ink_soft, Align::right);
            bar_numbers(p, factors, span_of(s.x_hat), 4, lit, 0, p.theme.ink_soft);
        }
        SignedBars bars{.values = step.values,
                        .range = is_dz ? scales.of_dz : scales.shared,
                        .color = step.color,
                        .lit = lit};
        std::vector<double> on_the_way;
        if (i > 0) bars.ghosts = steps[i - 1].values;
        if (made < 1) {
            for (const auto v : indices(step.values))
                on_the_way.push_back(std::lerp(steps[i - 1].values[v], step.values[v], made));
            bars.values = on_the_way;
            bars.range = {std::lerp(scales.shared.lo, bars.range.lo, made),
                          std::lerp(scales.shared.hi, bars.range.hi, made)};
        } else {
            bars.marks = step.marks;
        }
        const Hit hit = p.hit({step.id, true}, target, k_by_mouse);
        if (hit.hovered)
            if (const auto place = bar_at(target, n, p.mouse()))
                light_place(p.frame, p.actions, group, *place);
        draw_signed_bars(p.canvas, p.theme, bars_at, bars);
        if (made == 1)
            bar_numbers(p, bars_at, step.values, 4, lit, is_dz ? rounding : rounding * s.s,
                        std::nullopt, &bars);
    }
}

} // namespace

void surgery_panel(BackPanel& p) {
    const IdScope scope(p, "surgery");
    const Backward& b = backward_of(p.frame);
    const Index group = group_in_focus(p.frame);
    const Surgery s = b.surgery(group);
    const Checked of_group = checked_group(p, group);
    Rect inside = p.framed();
    Rect head = cut_top(inside, 24, 4);
    page_badge(p, head);
    left_words(p, head, "Gradient surgery", TextRole::title, p.theme.ink, 10);
    if (const std::string words = surgery_hint(p.document, p.frame.derived.sets());
        small_width(p, words) <= head.w)
        soft_label(p, head, words);
    cut_top(inside, soft_paragraph(p, inside, surgery_purpose(s)) + 6);
    const auto next_row = [&] { return cut_top(inside, 28, 4); };
    Rect choices = next_row();
    group_choice(p, choices, group);
    if (!p.state.picture) {
        play_button(p, choices);
        if (choices.w < break_choice_width(p)) choices = next_row();
        break_choice(p, choices);
        if (norm_entry(p.document.norm).has_running) statistics_choice(p, next_row());
    }
    cut_left(choices, 16);
    const bool explained = legend(p, choices);
    const bool wrong = of_group.why || wrong_somewhere(b);
    p.label(cut_bottom(inside, 22), surgery_verdict(p, b, s, of_group), TextRole::small,
            wrong ? p.theme.error : p.theme.ink_soft);
    if (!explained) legend(p, cut_bottom(inside, 20));
    step_rows(p, inside, group, b, s);
}

} // namespace normscope
