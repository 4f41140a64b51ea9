#include "app/charts/line_chart.h"
#include "app/language/language.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/shared/held.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace normscope {

namespace {

constexpr double k_seconds_a_step = 1.6;
constexpr double k_longest_frame = 0.1; // the first one after a rest counts as no more

std::string coordinates(const Vec3& v) {
    return worded("({}, {}, {})", fixed_text(v(0), 2), fixed_text(v(1), 2), fixed_text(v(2), 2));
}

// A small picture of the scene from one side.
void looked_at_from(AddNormPanel& p, NamePart part, const PanelSpec& spec, double rise) {
    const Rect inside = panel(p, part, p.rect, spec);
    SpaceScene scene = scene_of(p.frame);
    scene.words = false;
    draw_scene(p, inside, fit_scene(inside, {p.view.space.camera.turn, rise}, scene), scene);
}

struct StepWords {
    std::string sign;
    std::string_view where;
};

std::array<StepWords, 4> step_words(Lies lies, const Spread& spread) {
    const std::string divided = fmt::format("÷ {}", spread.scale);
    const bool circle = lies == Lies::on_circle, sphere = lies == Lies::on_sphere;
    const bool unmoved = lies == Lies::unmoved;
    const std::string_view stays = "it stays there", by_axis = "axis by axis";
    const std::string_view centred = circle ? "to the floor" : spread.centres ? by_axis : stays;
    const std::string_view normalized = circle                  ? "to the circle"
                                        : sphere                ? "to the sphere"
                                        : lies == Lies::on_rays ? "along its ray"
                                        : unmoved               ? stays
                                                                : by_axis;
    const std::string_view scaled = circle   ? "to the ellipse"
                                    : sphere ? "to the ellipsoid"
                                             : "stretched";
    return {{{spread.centres ? "− μ" : "no μ", centred},
             {unmoved ? "no σ" : divided, normalized},
             {"⊙ γ", scaled},
             {"+ β", "moved: y"}}};
}

void play_row(AddNormPanel& p, Rect row) {
    if (p.state.picture) return;
    const SpaceLook& look = p.view.space;
    SpaceLook& next = p.next.space;
    const double at = look.reached.value_or(4);
    const auto go = [&](double to) {
        next.playing = false;
        next.reached = std::clamp(to, 0.0, 4.0);
    };
    const std::string_view label = look.playing ? "Pause" : "Play the four steps ▸";
    const auto push = [&](std::string_view id, std::string_view text, bool enabled,
                          std::string_view hint, ButtonLook how = ButtonLook::plain) {
        const Rect r = cut_left(row, std::max(30.0f, button_width(p, text)), 6.0f);
        return button(p, id, r, {text, hint, enabled, how});
    };
    if (push("play", label, true, "Every token goes its four steps", ButtonLook::primary)) {
        if (p.frame.view.reduce_motion) {
            go(at >= 4 ? 0 : std::floor(at) + 1);
        } else {
            next.playing = !look.playing;
            if (next.playing && at >= 4) next.reached = 0;
        }
    }
    if (push("back", "◂", at > 0, "One step back")) go(std::ceil(at) - 1);
    if (push("forward", "▸", at < 4, "One step on")) go(std::floor(at) + 1);
}

} // namespace

void play_on(AddNormPanel& p) {
    const SpaceLook& look = p.view.space;
    SpaceLook& next = p.next.space;
    if (!look.playing || !look.reached) return;
    const double passed =
        std::min(static_cast<double>(ImGui::GetIO().DeltaTime), k_longest_frame) / k_seconds_a_step;
    next.reached = *look.reached + passed;
    if (*next.reached < 4) return;
    next.reached.reset();
    next.playing = false;
}

void space_panel(AddNormPanel& p) {
    const SpaceLook& look = p.view.space;
    const Index tokens = p.document.token_count();
    const std::string shown =
        tokens <= k_most_points
            ? worded("a token is a point, a feature an axis")
            : worded("the first {} of {} tokens, each a point", k_most_points, tokens);
    Rect inside = panel(p, "geometry", p.rect, {.title = "Geometry", .hint = shown});
    const IdScope scope(p, "geometry");
    if (!p.state.picture) {
        Rect row = cut_top(inside, 28, 2);
        constexpr ChoiceName k_cameras[] = {{"tilted", "Tilted"}, {"along-1", "Along 1"},
                                            {"side", "Side"},     {"along-d0", "Along d0"},
                                            {"along-d1", "d1"},   {"along-d2", "d2"}};
        const std::array<Camera, 6> cameras = {k_tilted,
                                               Camera{k_tilted.turn, std::numbers::pi / 2},
                                               Camera{k_tilted.turn, 0},
                                               camera_along(0),
                                               camera_along(1),
                                               camera_along(2)};
        const std::size_t at = place_in(cameras, look.camera);
        const Rect cameras_at = cut_left(row, segmented_width(p, k_cameras), 10);
        if (const auto c = segmented(p, "camera", cameras_at, k_cameras,
                                     at < cameras.size() ? static_cast<int>(at) : -1))
            p.next.space.camera = entry_at(cameras, *c);
        view_choice(p, row);
        const ButtonLook how = look.gradient ? ButtonLook::primary : ButtonLook::plain;
        if (left_button(p, "gradient", row,
                        {"Gradient",
                         "Arrows at x\u0302: γ⊙dY, what the norm takes off "
                         "it, and dz",
                         true, how}))
            p.next.space.gradient = !look.gradient;
    }
    const SpaceScene scene = scene_of(p.frame);
    const TokenWay& focus = scene.way();
    const std::string_view hint = "Drag to turn, a point to move it (with Shift along an axis), "
                                  "a blue handle to pull what the norm forgets.";
    if (!p.state.picture) soft_label(p, cut_bottom(inside, 22), hint);
    p.label(cut_bottom(inside, 22),
            worded("{}   z {}   x\u0302 {}   y {}",
                   group_name(p.document, Axis::token, scene.focus), coordinates(focus.z),
                   coordinates(focus.x_hat), coordinates(focus.y)),
            TextRole::formula);
    constexpr std::string_view k_across = "add-norm.across", k_high = "add-norm.high";
    const SpaceReach reach = reach_of(look.camera, scene);
    const SpaceView view = fit_scene(inside, look.camera, scene,
                                     SpaceReach{held(p, k_across, reach.across, reach.across),
                                                held(p, k_high, reach.high, reach.high)});
    draw_scene(p, inside, view, scene);
    take_space(p, inside, view, scene);
    if (p.next.space.camera == look.camera) return;
    for (const std::string_view scale : {k_across, k_high}) // another picture has its own
        p.actions.view.scales.erase(scale);
}

void four_steps_panel(AddNormPanel& p) {
    const SpaceScene scene = scene_of(p.frame);
    const TokenWay& w = scene.way();
    const std::string& token = group_name(p.document, Axis::token, scene.focus);
    Column rows = p.column("four-steps", {.title = "Four steps", .hint = token});
    const float number_w = std::min(58.0f, (rows.width() - 112.0f) / 5);
    const auto columns = [&](Rect row, const std::array<std::string, 5>& texts, TextRole role,
                             Color color) {
        for (int i = 4; i >= 0; --i)
            p.label(cut_right(row, number_w), entry_at(texts, i), role,
                    i > 2 ? p.theme.ink_soft : color, Align::right);
    };
    const Names& names = *p.document.features;
    columns(rows.next(22), {names[0], names[1], names[2], "mean", std::string(tr("length"))},
            TextRole::small, p.theme.ink_soft);
    const auto words = step_words(scene.geometry.lies, *norm_entry(p.document.norm).spread);
    constexpr std::array k_stages = {Stage::z, Stage::z, Stage::x_hat, Stage::gamma, Stage::y};
    constexpr std::array k_marks = {Stage::z, Stage::z, Stage::x_hat, Stage::gamma, Stage::beta};
    const std::array<Vec3, 5> stops = {w.z, w.centred, w.x_hat, w.scaled, w.y};
    for (const auto i : indices(stops)) {
        Rect left = rows.next(36);
        const Color color = p.theme.ink_of(k_stages[i]);
        const Vec3& stop = stops[i];
        const auto text = [](double v) { return fixed_text(v, 2); };
        std::array<std::string, 5> texts{text(stop(0)), text(stop(1)), text(stop(2)),
                                         text(stop.mean()), text(stop.norm())};
        Rect numbers = cut_right(left, 5 * number_w);
        numbers.h = 26;
        if (i == 0 && !p.state.picture) { // Z is typed here
            Rect fields = numbers;
            for (const auto k : indices(3)) {
                std::string& now = entry_at(texts, k);
                const Rect field = cut_left(fields, number_w).inset(2, 0);
                const auto typed =
                    number_field(p, fmt::format("d{}", k), field, w.z(k), now, "Click to type Z");
                if (typed && *typed != w.z(k))
                    p.edit(SetZ{scene.focus, k, Matrix<double>::Constant(1, 1, *typed)});
                now.clear();
            }
        }
        columns(numbers, texts, TextRole::number, color);
        const Rect mark = cut_left(left, 24);
        const Point at{mark.x + 9, mark.y + 13};
        p.canvas.fill_circle(at, i == 0 ? 6 : 9, p.theme.of(k_marks[i]));
        if (i > 0)
            p.canvas.text_in(square_around(at, 9), fmt::format("{}", i), TextRole::small,
                             ink_on(p.theme.of(k_marks[i])));
        p.label(cut_top(left, 20), i == 0 ? "z" : words[i - 1].sign, TextRole::label, color);
        soft_label(p, left, i == 0 ? "the token" : words[i - 1].where);
    }
    rows.next(4);
    play_row(p, rows.next(28));
}

void space_norm_panel(AddNormPanel& p) {
    Column rows = p.column("space-norm", {.title = "Norm"});
    p.control<&Document::norm, &Norm::kind>(rows.next(28, 6));
    Rect row = rows.next(28, 2);
    p.label(cut_left(row, 20), "ε", TextRole::label, p.theme.ink_soft);
    p.control<&Document::eps>(row);
    rows.says([&]() -> std::string {
        switch (geometry_of(p.frame.derived, k_most_points).lies) {
        case Lies::on_circle:
            return "The mean goes: tokens fall onto the plane of mean 0. The size goes: they move "
                   "onto the circle.";
        case Lies::on_sphere:
            return "No mean is taken off: tokens move straight to the sphere, wherever they are.";
        case Lies::on_rays:
            return worded("Tokens keep their direction: each is divided by its own {}.",
                          norm_entry(p.document.norm).spread->takes);
        case Lies::shifted:
            return "Each axis is shifted by its own μ and stretched by its own σ, the same for "
                   "every token.";
        case Lies::at_zero:
            return "Every value is a group of its own, its own mean: every x\u0302 is 0.";
        case Lies::unmoved:
            break;
        }
        return "Nothing is normalized: only γ and β move a token.";
    }());
}

void forgotten_panel(AddNormPanel& p) {
    Column rows = p.column(
        "forgotten", {.title = "What the norm forgets", .hint = "and takes from the gradient"});
    const SpaceScene scene = scene_of(p.frame);
    if (!scene.gradient)
        return rows.says("Under this norm a token's gradient depends on other tokens, or on "
                         "nothing: workspace 3 shows its parts.");
    const GradientParts& parts = *scene.gradient;
    const Spread& spread = *norm_entry(p.document.norm).spread;
    const auto number_row = [&](std::string_view label, const Vec3& v, Color color) {
        Rect row = rows.next(24);
        for (int i = 2; i >= 0; --i) // under the features' names
            p.label(cut_right(row, 56), fixed_text(v(i), 2), TextRole::number, color, Align::right);
        p.label(row, label, TextRole::label, color);
    };
    number_row("a = γ ⊙ dY", parts.a, p.theme.ink);
    number_row("− along 1", parts.along_one, p.theme.ink_of(Stage::z));
    number_row(worded("− along {}", spread.pull_symbol), parts.along_x_hat,
               p.theme.ink_of(Stage::x_hat));
    number_row(worded("rest ÷ {} = dz", spread.scale), parts.dz, p.theme.ink);
    rows.next(6);
    const bool centres = scene.geometry.centres;
    const auto dot = [](double v) { return statistic_text(v, 1); };
    if (centres)
        rows.says(worded("The mean: pull Z along 1, and x\u0302 stays. dz · 1 = {}.",
                         dot(parts.dz.sum())),
                  4);
    rows.says(worded("The length: pull Z away from {}, and x\u0302 stays, but for ε. "
                     "dz · x\u0302 = {}.",
                     centres ? "its mean" : "0", dot(parts.dz.dot(scene.way().x_hat))));
}

void side_panel(AddNormPanel& p) {
    looked_at_from(p, "from-the-side", {.title = "Side", .hint = "direction 1 is up"}, 0);
}

void above_panel(AddNormPanel& p) {
    looked_at_from(p, "from-above", {.title = "Along 1", .hint = "direction 1 is at you"},
                   std::numbers::pi / 2);
}

void x_hat_length_panel(AddNormPanel& p) {
    const Spread& spread = *norm_entry(p.document.norm).spread;
    Rect inside = panel(p, "x-hat-length", p.rect,
                        {.title = "Length of x\u0302 against ε",
                         .hint = worded("the smaller {}, the sooner ε counts", spread.scale)});
    const SpaceScene scene = scene_of(p.frame);
    const Geometry& g = scene.geometry;
    if (!g.of_tokens())
        return void(soft_paragraph(p, inside, "Under this norm a token has no length of its own."));
    constexpr std::size_t k_most_lines = 8;
    std::vector<std::vector<DataPoint>> lines;
    LineChart chart;
    chart.x_kind = ScaleKind::log;
    chart.x_lo = 1e-6;
    chart.x_hi = 100;
    chart.y_lo = 0;
    chart.y_hi = 2;
    if (spread.squares) chart.levels.push_back({std::numbers::sqrt3, "√3", p.theme.ink_soft});
    const std::size_t n = std::min(g.tokens.size(), k_most_lines);
    lines.reserve(n + 1);
    const auto add = [&](std::size_t t, bool focus) {
        std::vector<DataPoint>& points = lines.emplace_back();
        for (double e = -6; e <= 2.0001; e += 0.1)
            points.push_back(
                {std::pow(10.0, e), x_hat_length(g.tokens[t].centred, spread, std::pow(10.0, e))});
        chart.series.push_back(
            {points, {focus ? p.theme.of(Stage::x_hat) : p.theme.ink_soft}, focus ? 2.5f : 1});
    };
    for (const auto t : indices(n))
        if (static_cast<Index>(t) != scene.focus) add(t, false);
    const auto focus = static_cast<std::size_t>(scene.focus);
    add(focus, true);
    const double eps = std::max(p.document.eps, chart.x_lo);
    chart.marks.push_back({eps, g.tokens[focus].x_hat.norm(),
                           worded("ε = {}", number_text(p.document.eps, 3)),
                           p.theme.of(Stage::x_hat)});
    draw_line_chart(p.canvas, p.theme, inside, chart);
}

} // namespace normscope
