#include "app/model/document.h"
#include "app/model/printed_number.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_row = 34;
constexpr float k_title = 30;
constexpr float k_label_w = 92;
constexpr float k_setup_w = 330; // what the sections need; narrower, they stand below one another
constexpr float k_try_w = 415;
constexpr float k_check_w = 240;
constexpr float k_gap = 24;
constexpr float k_rows_h = k_title + 6 * k_row; // of either
constexpr float k_check_h = 206;

// ε on a track: 0 at the left end, then 1e-12 to 1 by its logarithm.
constexpr double k_eps_decades = 12;
double eps_to_unit(double eps) {
    if (eps <= 0) return 0;
    return std::clamp(0.04 + 0.96 * (std::log10(eps) + k_eps_decades) / k_eps_decades, 0.04, 1.0);
}
double eps_from_unit(double t) {
    if (t < 0.03) return 0;
    const double exponent = std::max(0.0, (t - 0.04) / 0.96) * k_eps_decades - k_eps_decades;
    return to_significant(std::pow(10.0, exponent), 1); // 1e-5, 2e-5, … 9e-5
}

Rect next_line(const Ui& ui, Rect& area) {
    return cut_top(area, ui.px(28), ui.px(k_row - 28));
}

Rect row(Ui& ui, Rect& area, std::string_view label) {
    Rect r = next_line(ui, area);
    ui.label(cut_left(r, ui.px(k_label_w)), label, TextRole::label, ui.theme.ink_soft);
    return r;
}

void title(Ui& ui, Rect& area, std::string_view text) {
    ui.label(cut_top(area, ui.px(k_title - 6), ui.px(6)), text, TextRole::title, ui.theme.ink);
}

void shape_row(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const auto counted = [&](Axis axis) {
        const Index n = count_along(f.document, axis);
        if (axis == Axis::token) return n == 1 ? worded("{} token", n) : worded("{} tokens", n);
        return n == 1 ? worded("{} feature", n) : worded("{} features", n);
    };
    const std::string tokens = counted(Axis::token), features = counted(Axis::feature);
    if (ui.state.picture)
        return ui.label(r, tokens + " · " + features, TextRole::label, ui.theme.ink);
    const bool in_words =
        stepper_width(ui, tokens) + stepper_width(ui, features) + ui.px(12) <= r.w;
    const auto along = [&](Axis axis, const std::string& in_all, std::string_view words) {
        const Index n = count_along(f.document, axis);
        const std::string text = in_words ? in_all : fmt::format("{}", n);
        const Index most = axis == Axis::token ? k_max_tokens : k_max_features;
        const std::string_view counted_words = axis == Axis::token ? tr("tokens") : tr("features");
        const auto count =
            stepper(ui, {words, true}, cut_left(r, stepper_width(ui, text), ui.px(12)),
                    {.now = n,
                     .less = std::max<Index>(n - 1, 1),
                     .more = std::min(n + 1, most),
                     .text = text,
                     .less_hint = "Remove the last one",
                     .hint = worded("Click to type how many {}", counted_words),
                     .more_hint = "Add one at the end"});
        if (!count) return;
        if (*count == n - 1)
            a.edits.push_back(Remove{axis, n - 1});
        else if (*count == n + 1)
            a.edits.push_back(Insert{axis, n});
        else
            a.edits.push_back(Resize{axis, *count});
    };
    along(Axis::token, tokens, "tokens");
    along(Axis::feature, features, "features");
}

// To the stack whose Add & Norm is open, at the right of the title.
void way_back(Ui& ui, Rect r, const Frame& f, Actions& a) {
    if (!f.view.came_from) return;
    const WorkspaceEntry& stack = workspace_table()[f.view.came_from->workspace];
    const std::string label = worded("◂ {}, {}", stack.label, f.view.came_from->part);
    r.h = ui.px(k_title - 6);
    const Rect place = cut_right(r, std::min(button_width(ui, label), r.w - ui.px(60)));
    if (!button(ui, "back-to-stack", place,
                {label, ButtonLook::plain, true, "Back to the stack that this belongs to"}))
        return;
    a.view.workspace = f.view.came_from->workspace;
    stack.come_back(a.view);
}

void share_affine(const Frame& f, Actions& a, AffinePer per, std::string_view now,
                  std::string_view before) {
    a.edits.push_back(set<&Document::affine_per>(per));
    const bool gamma = begins_anew(f.document, per, Param::gamma);
    const bool beta = begins_anew(f.document, per, Param::beta);
    if (!gamma && !beta) return;
    const std::string begin =
        gamma && beta ? worded("γ and β per {} begin at 1 and 0", now)
                      : worded("{} per {} begins at {}", symbol(gamma ? Param::gamma : Param::beta),
                               now, gamma ? 1 : 0);
    a.status = worded("{}; what was set per {} comes back with “{}”", begin, before, before);
}

// Of a norm that shares by group: below its name, at the right of `r`, which it makes narrower.
void groups_stepper(Ui& ui, Rect& r, const Frame& f, Actions& a) {
    const Document& d = f.document;
    if (norm_entry(d.norm).shares != Shares::group) return;
    const StepperSpec groups = divisors(d.norm.groups, d.feature_count());
    const auto chosen = stepper(ui, setting<&Document::norm, &Norm::groups>(),
                                cut_right(r, stepper_width(ui, groups.text)), groups);
    if (!chosen) return;
    if (const auto ok = check_groups(*chosen, d.feature_count()); ok)
        a.edits.push_back(set<&Document::norm, &Norm::groups>(*chosen));
    else
        ui.state.complaint = error_text(ok.error());
}

void setup_section(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const IdScope scope(ui, "setup");
    Rect head = area;
    title(ui, area, "Setup");
    way_back(ui, cut_top(head, area.y - head.y), f, a);
    const Document& d = f.document;

    choose_setting<&Document::norm, &Norm::kind>(ui, row(ui, area, "Normalize"), d, a.edits);
    Rect below = row(ui, area, "Residual");
    groups_stepper(ui, below, f, a);
    choose_setting<&Document::residual>(ui, below, d, a.edits);

    constexpr std::array<ChoiceName, 3> k_pers = {
        {{"feature", "feature"}, {"token", "token"}, {"scalar", "scalar"}}};
    constexpr std::array<std::string_view, 3> k_per_hints = {
        "One γ and β a feature, as in PyTorch", "One γ and β a token: not PyTorch, but it exists",
        "One γ and one β for everything"};
    if (const auto c = segmented(ui, setting<&Document::affine_per>(), row(ui, area, "γ, β per"),
                                 k_pers, static_cast<int>(d.affine_per), k_per_hints))
        share_affine(f, a, static_cast<AffinePer>(*c), k_pers[static_cast<std::size_t>(*c)].label,
                     k_pers[static_cast<std::size_t>(d.affine_per)].label);

    eps_row(ui, row(ui, area, "ε"), f, a);

    choose_setting<&Document::precision>(ui, row(ui, area, "Precision"), d, a.edits);
    shape_row(ui, row(ui, area, "Shape"), f, a);
}

void try_section(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const AddNormView& v = f.view.of<AddNormView>();
    AddNormView& next = a.view.of<AddNormView>();
    if (ui.state.picture) return; // nothing in it but what can be pressed
    const IdScope scope(ui, "try");
    ui.name("", area, PartKind::panel);
    title(ui, area, "Try");
    const auto line = [&] { return next_line(ui, area); };
    const Document& d = f.document;
    const auto push = [&](FlowLayout& flow, std::string_view id, std::string_view label,
                          const Edit& edit, std::string_view hint) {
        if (button(ui, flow, id, {label, ButtonLook::plain, true, hint})) a.edits.push_back(edit);
    };
    FlowLayout resets(ui, line());
    push(resets, "reset", "Reset γ=1, β=0", ResetParams{}, "What a fresh layer starts with");
    const NormEntry& norm = norm_entry(d.norm);
    if (norm.normalizes()) // else it would be the same as to reset
        push(resets, "undo-norm",
             worded("Undo the norm: γ={}, β={}", norm.spread->scale, norm.centres ? "μ" : "0"),
             UndoNorm{token_in_focus(f).value_or(0)},
             "Sets γ and β to what the norm took from the pinned token, so that its Y is its Z "
             "again");

    Rect random = line();
    constexpr std::array<ChoiceName, 3> k_distributions = {
        {{"normal", "normal"}, {"uniform", "uniform"}, {"heavy-tails", "heavy tails"}}};
    const std::string_view anew = "Randomize";
    const Rect anew_at = cut_left(random, button_width(ui, anew), ui.px(6));
    if (button(ui, "randomize", anew_at,
               {anew, ButtonLook::plain, true,
                "New X and F(X) from the seed; pressed again, from the next one"})) {
        next.seed = v.seed + (v.seed_used ? 1 : 0);
        next.seed_used = true;
        a.edits.push_back(Randomize{v.distribution, next.seed});
    }
    const std::string seed_text = worded("seed {}", v.seed);
    const float seed_w = button_width(ui, seed_text);
    const Rect choices = cut_left(
        random, std::min(segmented_width(ui, k_distributions), random.w - seed_w - ui.px(6)),
        ui.px(6));
    const Rect seed_at = cut_left(random, seed_w);
    if (const auto c = segmented(ui, "distribution", choices, k_distributions,
                                 static_cast<int>(v.distribution))) {
        next.distribution = static_cast<Distribution>(*c);
        next.seed_used = false;
    }
    if (const auto seed = seed_field(ui, "seed", seed_at, v.seed, seed_text,
                                     "The same seed gives the same numbers")) {
        next.seed = *seed;
        next.seed_used = false;
    }

    FlowLayout shapes(ui, line());
    push(shapes, "outlier", "Add an outlier",
         AddOutlier{feature_in_focus(f).value_or(d.feature_count() - 1)},
         "Raises one feature of X by 20 in every token");
    push(shapes, "constant-row", "Constant row", ConstantRow{token_in_focus(f).value_or(0)},
         "Makes all values of Z of the pinned token alike: σ = 0");
    push(shapes, "no-sublayer", "F(X) = 0",
         FillCells{Input::f, 0, 0, d.token_count(), d.feature_count(), 0},
         "What if the sublayer does nothing? Undo brings it back");

    Rect amounts = line();
    const auto amount = [&](std::string_view id, std::string_view label, double value,
                            double& next_value, const Edit& edit, std::string_view hint) {
        const IdScope amount_scope(ui, id);
        const std::string text = short_text(value);
        const Rect go = cut_left(amounts, button_width(ui, label));
        const Rect field =
            cut_left(amounts, std::max(ui.px(44), button_width(ui, text)), ui.px(10));
        const bool pressed = button(ui, "", go, {label, ButtonLook::plain, true, hint});
        const auto typed = number_field(ui, "amount", field, value, text, "Click to type");
        if (typed && std::isfinite(*typed))
            next_value = *typed;
        else if (typed)
            ui.state.complaint = "The amount must be a finite number: it stays as it was";
        if (pressed) a.edits.push_back(edit);
    };
    amount("shift", "Shift X by", v.shift, next.shift, ShiftInput{v.shift},
           "Adds to every value of X");
    amount("scale", "Scale by", v.factor, next.factor, ScaleInput{v.factor},
           "Multiplies X and F(X), so that Z scales");
    cut_top(area, ui.px(4));
    Rect last = line();
    view_choice(ui, last, f, a);
    play_button(ui, last, f, a);
}

int columns_for(const Ui& ui, float width) {
    if (width >= ui.px(k_setup_w + k_try_w + k_check_w + 2 * k_gap)) return 3;
    return width >= ui.px(k_setup_w + k_try_w + k_gap) ? 2 : 1;
}

} // namespace

void eps_row(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const double now = f.document.eps;
    const SliderSpec eps{.value = now,
                         .to_unit = eps_to_unit,
                         .from_unit = eps_from_unit,
                         .reset = 1e-5,
                         .text = now == 0 ? "0" : number_text(now, 3),
                         .hint = "ε keeps the root from being 0; PyTorch's is 1e-5"};
    if (const auto result = slider(ui, setting<&Document::eps>(), r, eps); result.value)
        a.edits.push_back(set<&Document::eps>(*result.value));
}

float setup_height(const Ui& ui, float width) {
    const float inner = width - ui.px(20);
    const float rows = ui.px(k_rows_h);
    const float frame = ui.px(22);
    const int columns = columns_for(ui, inner);
    if (columns == 3) return rows + frame;
    if (columns == 2) return rows + ui.px(k_check_h * 0.55f) + frame;
    return 2 * rows + ui.px(k_check_h) + frame + ui.px(20);
}

void setup_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    Rect inside = panel(ui, "setup", r, {});
    if (ui.passes_by(r)) return;
    const int columns = columns_for(ui, inside.w);
    const float gap = ui.px(k_gap);
    // Alike where there is room, else each as wide as it needs.
    const float w =
        (inside.w - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    const float try_w = std::max(w, ui.px(k_try_w));
    const float setup_w = std::max(w - (try_w - w) / 2, ui.px(k_setup_w));
    const float rows = ui.px(k_rows_h);
    if (columns == 3) {
        setup_section(ui, cut_left(inside, setup_w, gap), f, a);
        if (!ui.state.picture) try_section(ui, cut_left(inside, try_w, gap), f, a);
    } else if (columns == 2) {
        Rect top = cut_top(inside, rows);
        const Rect second = cut_right(top, try_w, gap);
        setup_section(ui, top, f, a);
        try_section(ui, second, f, a);
    } else {
        setup_section(ui, cut_top(inside, rows, ui.px(10)), f, a);
        try_section(ui, cut_top(inside, rows, ui.px(10)), f, a);
    }
    undo_check(ui, inside, f);
}

} // namespace normscope
