#include "app/model/document.h"
#include "app/model/printed_number.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace normscope {

namespace {

constexpr float k_row = 34;
constexpr float k_label_w = 92;
constexpr float k_setup_w = 330; // what the sections need; narrower, they stand below one another
constexpr float k_try_w = 415;
constexpr float k_check_w = 240;
constexpr float k_gap = 24;
constexpr float k_check_h = 206; // of the check, where it is below the others

Rect next_line(Rect& area) {
    return cut_top(area, 28, k_row - 28);
}

Rect next_row(Ui& ui, Rect& area, std::string_view label) {
    Rect r = next_line(area);
    ui.label(cut_left(r, k_label_w), label, TextRole::label, ui.theme.ink_soft);
    return r;
}

void shape_row(AddNormPanel& p, Rect r) {
    const auto counted = [&](Axis axis) {
        const Index n = count_along(p.document, axis);
        if (axis == Axis::token) return n == 1 ? worded("{} token", n) : worded("{} tokens", n);
        return n == 1 ? worded("{} feature", n) : worded("{} features", n);
    };
    const std::string tokens = counted(Axis::token), features = counted(Axis::feature);
    if (p.state.picture) return p.label(r, tokens + " · " + features);
    const bool in_words = stepper_width(p, tokens) + stepper_width(p, features) + 12 <= r.w;
    const auto along = [&](Axis axis, const std::string& in_all, std::string_view id,
                           std::string_view words) {
        const Index n = count_along(p.document, axis);
        const std::string text = in_words ? in_all : fmt::format("{}", n);
        const auto count = stepper(p, {id, true}, cut_left(r, stepper_width(p, text), 12),
                                   {.now = n,
                                    .less = std::max<Index>(n - 1, 1),
                                    .more = std::min(n + 1, most_along(p.document, axis)),
                                    .text = text,
                                    .less_hint = "Remove the last one",
                                    .hint = worded("Click to type how many {}", words),
                                    .more_hint = "Add one at the end"});
        if (!count) return;
        if (*count == n - 1)
            p.edit(Remove{axis, n - 1});
        else if (*count == n + 1)
            p.edit(Insert{axis, n});
        else
            p.edit(Resize{axis, *count});
    };
    along(Axis::token, tokens, "tokens", tr("tokens"));
    along(Axis::feature, features, "features", tr("features"));
}

// To the stack whose Add & Norm is open.
void way_back(AddNormPanel& p, FlowLayout& flow) {
    const auto& from = p.frame.view.came_from;
    if (!from) return;
    const Workspace& stack = workspace_table()[from->workspace];
    const std::string label = worded("◂ {}, {}", stack.label, from->part);
    if (!button(p, flow, "back-to-stack", {label, "Back to the stack that this belongs to"}))
        return;
    p.actions.view.workspace = from->workspace;
    stack.come_back(p.actions.view);
}

// Says which of γ and β begin anew where they are shared otherwise.
void say_begins_anew(AddNormPanel& p, AffinePer per) {
    const bool gamma = begins_anew(p.document, per, Param::gamma);
    const bool beta = begins_anew(p.document, per, Param::beta);
    if (!gamma && !beta) return;
    const std::string_view now = id_of(per), before = id_of(p.document.affine_per);
    const std::string begin =
        gamma && beta ? worded("γ and β per {} begin at 1 and 0", now)
                      : worded("{} per {} begins at {}", symbol(gamma ? Param::gamma : Param::beta),
                               now, gamma ? 1 : 0);
    p.say(worded("{}; what was set per {} comes back with “{}”", begin, before, before));
}

// The number of groups beside the name of a norm that shares by group.
void groups_stepper(AddNormPanel& p, FlowLayout& flow) {
    const Document& d = p.document;
    if (!has_groups(d.norm)) return;
    const StepperSpec groups = divisors(d.norm.groups, d.feature_count());
    const auto chosen = stepper(p, setting<&Document::norm, &Norm::groups>(),
                                flow.next(stepper_width(p, groups.text)), groups);
    if (!chosen) return;
    if (const auto ok = check_groups(*chosen, d.feature_count()); ok)
        p.edit(set<&Document::norm, &Norm::groups>(*chosen));
    else
        p.state.complaint = error_text(ok.error());
}

// Norm and residual, and the buttons that open the rest. Returns the height that the bar took.
float bar(AddNormPanel& p, Rect area) {
    const IdScope scope(p, "setup");
    FlowLayout flow(area);
    const auto labelled = [&](std::string_view label, float width) {
        const float w = p.text_width(label, TextRole::label) + 10;
        Rect r = flow.next(w + width);
        p.label(cut_left(r, w), label, TextRole::label, p.theme.ink_soft);
        return r;
    };
    p.control<&Document::norm, &Norm::kind>(
        labelled("Norm", segmented_width(p, names_of<NormKind>())));
    groups_stepper(p, flow);
    flow.next(10);
    p.control<&Document::residual>(labelled("Residual", segmented_width(p, names_of<Residual>())));
    way_back(p, flow);
    if (p.state.picture) return flow.bottom() - area.y;
    constexpr FoldWords k_try{"try", "Try ▾", "Try ▴", "Other numbers, and what becomes of them"};
    const auto place = [&](const FoldWords& words) {
        return flow.next(std::max(button_width(p, words.closed), button_width(p, words.opened)));
    };
    fold(p, place(k_try), k_try, p.view.tries, p.next.tries);
    more(p, place(k_more), p.view.more, p.next.more);
    return flow.bottom() - area.y;
}

// Each section returns the height that it took.
float rest_section(AddNormPanel& p, Rect area) {
    const IdScope scope(p, "setup");
    const float top = area.y;
    if (const auto per = p.control<&Document::affine_per>(next_row(p, area, "γ, β per")))
        say_begins_anew(p, *per);
    p.control<&Document::eps>(next_row(p, area, "ε"));
    p.control<&Document::precision>(next_row(p, area, "Precision"));
    shape_row(p, next_row(p, area, "Shape"));
    return area.y - top;
}

float try_section(AddNormPanel& p, Rect area) {
    if (p.state.picture) return 0; // nothing in it but what can be pressed
    const IdScope scope(p, "try");
    const float top = area.y;
    const auto line = [&] { return next_line(area); };
    const AddNormView& v = p.view;
    AddNormView& next = p.next;
    const Document& d = p.document;
    const auto push = [&](FlowLayout& flow, std::string_view id, std::string_view label,
                          const Edit& edit, std::string_view hint) {
        if (button(p, flow, id, {label, hint})) p.edit(edit);
    };
    FlowLayout resets(line());
    push(resets, "reset", "Reset γ=1, β=0", ResetParams{}, "What a fresh layer starts with");
    const NormEntry& norm = norm_entry(d.norm);
    if (norm.normalizes()) // else it would be the same as to reset
        push(resets, "undo-norm", "Undo the norm", UndoNorm{token_in_focus(p.frame).value_or(0)},
             "Sets γ and β to what the norm took from the pinned token, so that its Y is its Z "
             "again");

    Rect random = line();
    constexpr ChoiceName k_distributions[] = {
        {"normal", "normal"}, {"uniform", "uniform"}, {"heavy-tails", "heavy tails"}};
    if (left_button(p, "randomize", random,
                    {"Randomize", "New X and F(X) from the seed; pressed again, from the next one"},
                    6)) {
        next.seed = v.seed + (v.seed_used ? 1 : 0);
        next.seed_used = true;
        p.edit(Randomize{v.distribution, next.seed});
    }
    const std::string seed_text = worded("seed {}", v.seed);
    const float seed_w = button_width(p, seed_text);
    const Rect choices = cut_left(
        random, std::min(segmented_width(p, k_distributions), random.w - seed_w - 6.0f), 6.0f);
    const Rect seed_at = cut_left(random, seed_w);
    if (const auto c = segmented(p, "distribution", choices, k_distributions,
                                 static_cast<int>(v.distribution))) {
        next.distribution = static_cast<Distribution>(*c);
        next.seed_used = false;
    }
    if (const auto seed = seed_field(p, "seed", seed_at, v.seed, seed_text,
                                     "The same seed gives the same numbers")) {
        next.seed = *seed;
        next.seed_used = false;
    }

    FlowLayout shapes(line());
    push(shapes, "outlier", "Add an outlier",
         AddOutlier{feature_in_focus(p.frame).value_or(d.feature_count() - 1)},
         "Raises one feature of X by 20 in every token");
    push(shapes, "constant-row", "Constant row", ConstantRow{token_in_focus(p.frame).value_or(0)},
         "Makes all values of Z of the pinned token alike: σ = 0");
    push(shapes, "no-sublayer", "F(X) = 0",
         FillCells{Input::f, 0, 0, d.token_count(), d.feature_count(), 0},
         "What if the sublayer does nothing? Undo brings it back");

    Rect amounts = line();
    const auto amount = [&](std::string_view id, std::string_view label, double value,
                            double& next_value, const Edit& edit, std::string_view hint) {
        const IdScope amount_scope(p, id);
        const std::string text = short_text(value);
        const bool pressed = left_button(p, "", amounts, {label, hint});
        const Rect field = cut_left(amounts, std::max(44.0f, button_width(p, text)), 10.0f);
        const auto typed = number_field(p, "amount", field, value, text, "Click to type");
        if (typed && std::isfinite(*typed))
            next_value = *typed;
        else if (typed)
            p.state.complaint = "The amount must be a finite number: it stays as it was";
        if (pressed) p.edit(edit);
    };
    amount("shift", "Shift X by", v.shift, next.shift, ShiftInput{v.shift},
           "Adds to every value of X");
    amount("scale", "Scale by", v.factor, next.factor, ScaleInput{v.factor},
           "Multiplies X and F(X), so that Z scales");
    p.name("", {area.x, top, area.w, area.y - top}, PartKind::panel);
    return area.y - top;
}

} // namespace

void setup_panel(AddNormPanel& p) {
    constexpr float k_no_bottom = 1e6f;
    Rect inside = panel(p, "setup", p.rect, {});
    const float end = 10, gap = k_gap;
    inside.h = k_no_bottom;
    cut_top(inside, bar(p, inside));
    const auto [more, tries] = std::pair(p.view.more, p.view.tries);
    if (more || tries) cut_top(inside, end);
    const bool beside = more && tries && inside.w >= k_setup_w + k_gap + k_try_w;
    float h = 0; // of what stands side by side
    if (more) h = rest_section(p, beside ? cut_left(inside, k_setup_w, gap) : inside);
    if (more && tries && !beside) cut_top(inside, std::exchange(h, 0.0f), end);
    if (tries) {
        const bool check_beside = inside.w >= k_try_w + k_gap + k_check_w;
        h = std::max(h, try_section(p, check_beside ? cut_left(inside, k_try_w, gap) : inside));
        if (!check_beside) cut_top(inside, std::exchange(h, k_check_h), end);
        inside.h = h;
        undo_check(p, inside);
    }
    p.needed = inside.y + h + end + 2 - p.rect.y;
}

} // namespace normscope
