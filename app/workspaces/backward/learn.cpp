#include "app/charts/line_chart.h"
#include "app/workspaces/backward/panels.h"
#include "core/norm/normalize.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

// A run ends by itself where a step changes the loss by less than this share of it.
constexpr double k_still = 1e-9;
constexpr double k_leap = 0.1;    // of what the slope promises
constexpr double k_higher = 0.01; // of the loss before; less is a leap to the other side
constexpr Index k_most_learned = Index{1} << 17; // values times steps in a frame
constexpr double k_away = 100;                   // times the first loss: the steps are too long
constexpr std::size_t k_drawn = 600;             // points of the curve

// Σ Y and one entry of Y become as small as one likes; the other losses end at 0.
bool has_lowest_point(LossKind loss) {
    return loss == LossKind::distance || loss == LossKind::cross_entropy;
}

// The loss after the last step, whatever was done since then, and if `now` is not that far yet.
double landed_at(const BackwardSetup& s, double now) {
    return s.landed->empty() ? now : s.landed->back();
}

bool stands_still(const BackwardSetup& s, double now) {
    const std::vector<double>& losses = *s.losses;
    if (losses.size() < 2) return false;
    const double landed = landed_at(s, now);
    return std::abs(losses.back() - landed) <= k_still * std::abs(landed) ||
           (has_lowest_point(s.loss) && landed < k_reached_loss);
}

// The loss has grown far above where it began, and still grows.
bool runs_away(const BackwardSetup& s, double now) {
    const std::vector<double>& losses = *s.losses;
    if (losses.size() < 2) return false;
    const double began = std::max(losses.front(), k_reached_loss);
    const double landed = landed_at(s, now);
    return !(landed < k_away * began) && !(landed < losses.back());
}

// Every loss here is convex in γ and β: only too long a step goes up.
bool went_up(const BackwardSetup& s, double now) {
    return !s.losses->empty() &&
           landed_at(s, now) - s.losses->back() > k_higher * std::abs(s.losses->back());
}

// By more than the rounding of a loss in float32.
bool differs(double a, double b) {
    return std::abs(a - b) > 1e-6 * std::max(std::abs(a), std::abs(b));
}

// γ, β or what they learn from are no longer as the last step left them.
bool changed_since(const Backward& b) {
    const BackwardSetup& s = b.document().backward;
    const double now = b.loss().value_or(std::nan(""));
    return !s.landed->empty() && !b.target_reached() && differs(s.landed->back(), now);
}

// The last two steps took hardly anything off the loss: each landed as high on the other side.
bool leaps_across(const Document& d, const Backward& b, double now) {
    const std::vector<double>& losses = *d.backward.losses;
    if (losses.size() < 2 || b.target_reached() || changed_since(b)) return false;
    double promised = b.lr() * (b.dgamma().squaredNorm() + b.dbeta().squaredNorm());
    if (b.best()) promised = std::min(promised, now - b.best()->loss); // there is no more
    const double before = losses[losses.size() - 2];
    const double taken = std::max(before - losses.back(), losses.back() - now);
    return promised > k_still * std::abs(now) && taken < k_leap * promised;
}

// A slider for lr; its reset takes the usual one.
void rate_row(BackPanel& p, Rect row, const Backward& b) {
    const bool curved = has_lowest_point(p.document.backward.loss);
    std::string hint =
        worded("The step along −dγ and −dβ. Delete for {}", number_text(b.usual_lr(), 3));
    if (curved)
        hint = worded(
            "{}: 1 / the loss's steepest curvature, so that no step leaps across its lowest point",
            hint);
    p.label(cut_left(row, 28), "lr", TextRole::label, p.theme.ink_soft);
    const auto lr =
        slider(p, setting<&BackwardSetup::lr>(), row,
               two_digits(b.lr(), k_least_learning_rate, k_most_learning_rate, b.usual_lr(), hint))
            .value;
    if (lr) p.edit(set<&BackwardSetup::lr>(*lr == b.usual_lr() ? std::nullopt : lr));
}

void step_button(BackPanel& p, FlowLayout& flow) {
    if (button(p, flow, "step", {"Step", "γ −= lr·dγ, β −= lr·dβ", !p.frame.view.running}))
        p.edit(LearnSteps{1});
}

// True when it was pressed.
bool restart_button(BackPanel& p, FlowLayout& flow) {
    const BackwardSetup& s = p.document.backward;
    const bool pressed = button(p, flow, "restart",
                                {"Restart", "γ, β as before the first step, and an empty curve",
                                 !s.losses->empty() || !s.start_gamma->empty()});
    if (pressed) p.edit(RestartLearning{});
    return pressed;
}

void speed_field(BackPanel& p, FlowLayout& flow) {
    constexpr Accepted k_speeds{{1, 2000}};
    const double now = p.view.learning_speed;
    if (const auto speed =
            number_field(p, "speed", flow.next(button_width(p, "2000 steps/s")), now,
                         worded("{:.4g} steps/s", now),
                         "How fast Run goes: click to type, 1 to 2000 steps a second", k_speeds))
        p.next.learning_speed = *speed;
}

void loss_curve(Ui& ui, Rect r, const Backward& b) {
    const std::vector<double>& before = *b.document().backward.losses;
    const std::vector<double>& landed = *b.document().backward.landed;
    const double now = b.loss().value_or(std::nan(""));
    std::vector<DataPoint> points, jumps;
    std::vector<double> values;
    const std::size_t every = std::max<std::size_t>(1, before.size() / k_drawn);
    const auto add = [&](std::size_t i, double loss) {
        const double x = static_cast<double>(i);
        if (i < before.size() ? i > 0 && i <= landed.size() && differs(landed[i - 1], loss)
                              : changed_since(b)) {
            const DataPoint from{x, landed[i - 1]};
            const DataPoint gap{x, std::nan("")};
            points.insert(points.end(), {from, gap});
            jumps.insert(jumps.end(), {from, {x, loss}, gap});
            values.push_back(from.y);
        }
        points.push_back({x, loss});
        values.push_back(loss);
    };
    for (std::size_t i = 0; i < before.size(); i += every) add(i, before[i]);
    add(before.size(), now);
    const bool stops_above_zero = b.best() && !(b.best()->loss < 1e-12);
    if (stops_above_zero) values.push_back(b.best()->loss);
    const auto [lo, hi] = std::ranges::minmax_element(values);
    LineChart chart;
    chart.y_kind = *lo > 0 && *hi / *lo > 30 ? ScaleKind::log : ScaleKind::linear;
    const LineRange y = line_range(chart.y_kind, values);
    chart.y_lo = y.lo;
    chart.y_hi = y.hi;
    chart.x_hi = std::max(10.0, static_cast<double>(before.size()));
    chart.x_title = tr("step");
    chart.y_title = tr("loss");
    chart.series.push_back({points, {ui.theme.of(Stage::y)}});
    if (!jumps.empty()) chart.series.push_back({jumps, {ui.theme.of(Stage::y), Dash::dotted}});
    chart.marks.push_back(
        {static_cast<double>(before.size()), now, number_text(now, 3), ui.theme.of(Stage::y)});
    if (stops_above_zero)
        chart.levels.push_back({b.best()->loss,
                                worded("least squares {}", number_text(b.best()->loss, 3)),
                                ui.theme.error});
    draw_line_chart(ui.canvas, ui.theme, r, chart);
}

std::string words(const Document& d, const Backward& b, bool picture) {
    const double now = b.loss().value_or(std::nan(""));
    if (runs_away(d.backward, now))
        return picture ? "The loss runs away: lr is too large."
                       : "The loss runs away: lr is too large. Restart, with a smaller lr.";
    if (went_up(d.backward, now))
        return picture ? "The last step took the loss up: lr is too large."
                       : "The last step took the loss up: lr is too large. A smaller one goes "
                         "down.";
    if (leaps_across(d, b, now))
        return picture ? "Every step leaps to the other side of the lowest point, as high as it "
                         "was: lr is too large."
                       : "Every step leaps to the other side of the lowest point, as high as it "
                         "was: lr is too large. A smaller one goes down.";
    if (d.backward.losses->size() >= k_most_losses)
        return picture ? worded("The curve ends after {} steps.", k_most_losses)
                       : worded("The curve ends after {} steps. Restart to go on.", k_most_losses);
    if (!has_lowest_point(d.backward.loss) && std::isfinite(now)) {
        const std::string down =
            worded("{} has no lowest point: every step takes it farther down.",
                   d.backward.loss == LossKind::sum ? "Σ Y" : "One entry of Y");
        return picture
                   ? down
                   : fmt::format(
                         "{} {}", down,
                         tr("A run ends where you pause it; toward a distance it ends by itself."));
    }
    if (b.target_reached())
        return "The target is reached: Y is what it was to become, and no step changes it.";
    if (!std::isfinite(now))
        return b.not_a_number() ? worded("The loss is no number, and no step makes it one: {}.",
                                         b.not_a_number()->cause)
                                : "The loss is no number, and no step makes it one.";
    if (!b.best()) return "This loss has no closed-form optimum: the curve has no dashed line.";
    const bool undoing = d.backward.target_kind == TargetKind::z;
    const NormEntry& norm = norm_entry(d.norm);
    const StatisticSets sets = b.sets();
    const bool per_set = d.affine_per == AffinePer::feature
                             ? sets.by_feature()
                             : d.affine_per == AffinePer::token && sets.count() == sets.tokens;
    const std::string_view statistics = norm.spread->takes;
    if (b.best()->loss < 1e-12) {
        if (!undoing || !per_set || !norm.normalizes())
            return "Some γ and β make Y what it is to become: the loss can reach 0.";
        return sets.by_feature()
                   ? worded("{} norm has one {} a feature, and so have γ and β: the loss can "
                            "reach 0.",
                            norm.label, statistics)
                   : worded("One γ and β a token undo each token's own {}: the loss can "
                            "reach 0.",
                            statistics);
    }
    const std::string reason =
        !undoing             ? worded("γ and β scale and shift x\u0302, no more")
        : !norm.normalizes() ? worded("γ and β scale and shift Z, no more")
        : sets.by_feature()
            ? worded("γ and β that are not a feature's own cannot undo its own {}", statistics)
        : sets.groups > 1
            ? worded("γ and β that several groups share cannot undo each one's own {}", statistics)
            : worded("γ and β shared by all tokens cannot undo every token's own {}", statistics);
    return worded("{}: the loss stops at the dashed line, {}.", reason,
                  number_text(b.best()->loss, 4));
}

// The norm whose γ and β learn and, but in a picture, the workspace that sets it.
std::string norm_words(const Document& d, bool picture) {
    const std::string_view per = label_of(d.affine_per);
    std::string norm(tr(norm_entry(d.norm).label));
    if (constant_statistics(d)) norm = worded("{}, evaluation", norm);
    return picture ? worded("Norm: {} · γ, β {}.", norm, per)
                   : worded("Norm: {} · γ, β {} (change in 1 Add & Norm).", norm, per);
}

// dY is typed: the text's own update, a step at a time, and the losses that one can go down.
void invitation(BackPanel& p, Column& rows, const Backward& b) {
    rows.says("One Step of gradient descent: γ − lr·dγ, β − lr·dβ.", 4);
    rate_row(p, rows.next(28, 4), b);
    rows.flow(
        [&](FlowLayout& flow) {
            step_button(p, flow);
            restart_button(p, flow);
        },
        6);
    rows.says("Give Y a target, and γ and β learn it by themselves.", 4);
    rows.flow(
        [&](FlowLayout& flow) {
            const auto toward = [&](std::string_view id, std::string_view label, TargetKind target,
                                    std::string_view hint) {
                if (!button(p, flow, id, {label, hint})) return;
                p.edit(set<&BackwardSetup::loss>(LossKind::distance));
                p.edit(set<&BackwardSetup::target_kind>(target));
            };
            toward("toward-z", "Undo the norm", TargetKind::z, "Distance to Z");
            toward("toward-normal", "Match a distribution", TargetKind::normal,
                   "Distance to a bell curve, rank by rank");
        },
        6);
    rows.says(norm_words(p.document, false));
}

// Step, Run, Restart and the speed of a run. Returns whether one is to go on.
bool run_buttons(BackPanel& p, FlowLayout& flow, bool can_run) {
    bool running = p.frame.view.running;
    step_button(p, flow);
    if (button(p, "run", flow.next(button_width(p, "Pause")),
               {running ? "Pause" : "Run",
                "Step after step until nothing changes or the loss runs away", can_run,
                ButtonLook::primary}))
        running = !running;
    if (restart_button(p, flow)) running = false;
    speed_field(p, flow);
    return running;
}

} // namespace

void learn_panel(BackPanel& p) {
    const bool picture = p.state.picture;
    const Backward& b = backward_of(p.frame);
    const BackwardSetup& s = p.document.backward;
    Column rows = p.column("learn", {.title = "Learn γ, β"});
    if (s.loss == LossKind::given && picture)
        return rows.says(fmt::format("{} {}", tr("dY is typed: there is no loss to go down."),
                                     norm_words(p.document, true)));
    if (s.loss == LossKind::given) return invitation(p, rows, b);
    rate_row(p, rows.next(28, 4), b);
    bool running = p.frame.view.running;
    const bool can_run = s.losses->size() < k_most_losses;
    rows.flow([&](FlowLayout& flow) { running = run_buttons(p, flow, can_run); }, 6);
    std::string said(tr(words(b.document(), b, picture)));
    if (changed_since(b))
        said = fmt::format("{} {}", said, tr("Dotted: set by hand since the last step."));
    const std::string more = said + ' ' + norm_words(p.document, picture);
    Rect inside = rows.rest();
    // The curve comes first.
    for (const auto& [text, least] : {std::pair(more, 130), std::pair(said, 90)}) {
        const float words_h = paragraph_height(p, inside.w, text, TextRole::small) + 4;
        if (inside.h <= words_h + (static_cast<float>(least))) continue;
        soft_paragraph(p, cut_bottom(inside, words_h), text);
        break;
    }
    loss_curve(p, inside, b);
    const double now = b.loss().value_or(0);
    bool& runs = p.actions.view.running;
    runs = running && can_run && !stands_still(s, now) && !runs_away(s, now);
    if (runs && !p.frame.view.running) p.next.steps_due = 1;
}

std::optional<Edit> learning_due(View& view, const Document& document, double seconds) {
    BackwardView& own = view.of<BackwardView>();
    own.steps_due += seconds * own.learning_speed;
    auto steps = static_cast<int>(own.steps_due);
    own.steps_due -= steps;
    if (steps == 0) return std::nullopt;
    while (steps > 1 && steps * document.x->size() > k_most_learned) steps /= 2;
    return LearnSteps{steps};
}

} // namespace normscope
