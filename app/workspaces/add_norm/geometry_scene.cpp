#include "app/charts/number_format.h"
#include "app/charts/space.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/backward/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <string_view>
#include <vector>

namespace normscope {

namespace {

constexpr double k_radius = std::numbers::sqrt3; // of x̂ at ε = 0, D = 3
constexpr double k_floor = 1.35 * k_radius;      // so far the plane is drawn at least
constexpr double k_axis = 2.2;                   // the arrows along the features
constexpr float k_dot = 4.5f;
constexpr std::array k_step_stages = {Stage::z, Stage::x_hat, Stage::gamma, Stage::beta};

std::array<Vec3, 5> stops_of(const TokenWay& w) {
    return {w.z, w.centred, w.x_hat, w.scaled, w.y};
}

// The circle or sphere of the token in focus after γ, and after γ and β, with their names.
struct Stretched {
    SpaceEllipse scaled, shifted;
    std::string_view scaled_name, shifted_name;
};

// One drawing of a scene.
struct SceneDrawing {
    Ui& ui;
    const SpaceView& view;
    const SpaceScene& scene;
    PointLabels& labels;
    const TokenWay& focus = scene.way();
    const Theme& theme = ui.theme;
    Canvas& canvas = ui.canvas;

    bool reached(double step) const { return scene.reached >= step; }
    void word(const Vec3& at, std::string_view text, Color color) const {
        if (scene.words) labels.put(view.at(at), text, TextRole::small, color, 8);
    }
    void ellipse(const SpaceEllipse& e, Stroke stroke,
                 std::optional<Color> fill = std::nullopt) const {
        draw_ellipse(canvas, view, e, stroke, fill);
        along(view, e, [&](Point from, Point to) { labels.keep_off(from, to); });
    }

    void draw_axes() const;
    void draw_stretched(const SpaceEllipse& all, std::string_view all_name,
                        const Stretched& own) const;
    void draw_circles() const;
    void draw_spheres() const;
    void draw_boxes() const;
    void bubble(Point from, Point to, int number, Color color, std::vector<Point>& others) const;
    void mark_beyond(Point at, Point token, float r) const;
    void draw_way(const TokenWay& way, bool in_focus) const;
    void draw_gradient() const;
    void name_points() const;
};

// The point of an ellipse that is furthest on the picture in the direction `towards`.
Vec3 furthest(const SpaceView& view, const SpaceEllipse& e, Projected towards) {
    const Projected a = project(view.camera, e.a), b = project(view.camera, e.b);
    return e.at(std::atan2(b.right * towards.right + b.up * towards.up,
                           a.right * towards.right + a.up * towards.up));
}

// The upper end of the axis along the direction 1, as a mean.
double highest(const Geometry& g) {
    double top = 1.4;
    for (const TokenWay& w : g.tokens)
        if (std::isfinite(w.z.sum())) top = std::max(top, w.z.mean() + 0.3);
    return top;
}

void SceneDrawing::draw_axes() const {
    const Point origin = view.at(Vec3::Zero());
    for (const auto i : indices(3)) {
        const Vec3 tip = k_axis * Vec3::Unit(i);
        canvas.line(view.at(-0.6 * tip), origin, theme.rule, 1, Dash::dotted);
        draw_arrow(canvas, origin, view.at(tip), {theme.ink_soft, 1.2f});
        labels.keep_off(origin, view.at(tip));
        if (!scene.words) continue;
        const std::string& name = entry_at(*scene.document.features, i);
        labels.put(view.at(tip), Text::typed(name), TextRole::label, theme.ink, 6);
    }
    const double top = highest(scene.geometry);
    const auto on_axis = [](double mean) { return Vec3(mean, mean, mean); };
    const Point tip = view.in_sight(on_axis(top));
    if (distance(tip, origin) < 30) return; // seen from above
    draw_arrow(canvas, origin, tip, {theme.ink, 1.4f, Dash::dashed});
    labels.keep_off(origin, tip);
    if (!scene.words) return;
    labels.put({tip.x, tip.y - 2}, "direction 1", TextRole::label, theme.ink, 5);
    const double step = std::max(1.0, std::ceil(top / 4));
    for (double mean = step; mean < top - 0.2; mean += step) {
        const Point at = view.at(on_axis(mean));
        if (!view.sees(on_axis(mean))) break;
        canvas.line({at.x - 4, at.y}, {at.x + 4, at.y}, theme.ink);
        labels.put(at, worded("μ = {}", number_text(mean, 3)), TextRole::small, theme.ink_soft, 7);
    }
}

// Both look alike on the picture.
bool coincide(const SpaceView& view, const SpaceEllipse& a, const SpaceEllipse& b) {
    constexpr float k_apart = 2;
    for (const auto i : indices(16)) {
        const double t = i * std::numbers::pi / 8;
        if (distance(view.at(a.at(t)), view.at(b.at(t))) > k_apart) return false;
    }
    return true;
}

// Only one of two ellipses is drawn where they coincide.
void SceneDrawing::draw_stretched(const SpaceEllipse& all, std::string_view all_name,
                                  const Stretched& own) const {
    word(furthest(view, all, {0, -1}), all_name, theme.ink_of(Stage::x_hat));
    if (reached(3) && !coincide(view, own.scaled, all)) {
        ellipse(own.scaled, {theme.of(Stage::gamma), 1.4f, Dash::dashed});
        word(furthest(view, own.scaled, {-1, 0}), own.scaled_name, theme.ink_of(Stage::gamma));
    }
    if (reached(4) && !coincide(view, own.shifted, reached(3) ? own.scaled : all)) {
        ellipse(own.shifted, {theme.of(Stage::y), 2}, theme.of(Stage::y).with_alpha(0.09f));
        word(furthest(view, own.shifted, {-0.6, 1}), own.shifted_name, theme.ink_of(Stage::y));
    }
}

void SceneDrawing::draw_circles() const {
    const Color x_hat = theme.of(Stage::x_hat);
    double plane = k_floor;
    for (const TokenWay& w : scene.geometry.tokens)
        if (std::isfinite(w.centred.sum())) plane = std::max(plane, w.centred.norm() + 0.1);
    const SpaceEllipse rim = SpaceEllipse::circle(plane);
    ellipse(rim, {x_hat.with_alpha(0.35f), 1}, x_hat.with_alpha(0.07f));
    word(furthest(view, rim, {-1, -0.5}), "mean 0", theme.ink_of(Stage::x_hat));
    const SpaceEllipse circle = SpaceEllipse::circle(k_radius);
    ellipse(circle, {x_hat, 2});
    const SpaceEllipse own = SpaceEllipse::circle(focus.x_hat.norm());
    draw_stretched(circle, "circle of radius √3",
                   {own.stretched(focus.gamma, Vec3::Zero()),
                    own.stretched(focus.gamma, focus.beta), "γ ⊙ circle", "γ ⊙ circle + β"});
}

void SceneDrawing::draw_spheres() const {
    const Color x_hat = theme.of(Stage::x_hat);
    const auto of = [&](double r, const Vec3& factors, const Vec3& shift) {
        return outline(view.camera, shift, r * factors.cwiseAbs());
    };
    const SpaceEllipse sphere = of(k_radius, Vec3::Ones(), Vec3::Zero());
    ellipse(sphere, {x_hat, 2}, x_hat.with_alpha(0.07f));
    ellipse(SpaceEllipse::circle(k_radius), {x_hat.with_alpha(0.5f), 1, Dash::dashed});
    const double own = focus.x_hat.norm();
    draw_stretched(sphere, "sphere of radius √3",
                   {of(own, focus.gamma, Vec3::Zero()), of(own, focus.gamma, focus.beta),
                    "γ ⊙ sphere", "γ ⊙ sphere + β"});
}

// μ ± σ along every axis, ± 1 of x̂, and what γ and β make of that.
void SceneDrawing::draw_boxes() const {
    const Geometry& g = scene.geometry;
    if (!std::isfinite(g.spread.sum())) return;
    const auto box = [&](const Vec3& center, const Vec3& half, Stage stage, Dash dash, float width,
                         std::string_view text) {
        draw_box(canvas, view, center, half, {theme.of(stage), width, dash});
        word(center + half.cwiseProduct(Vec3(1, -1, -1)), text, theme.ink_of(stage));
    };
    box(g.mean, g.spread, Stage::z, Dash::dotted, 1.4f, "μ ± σ");
    if (reached(2)) box(Vec3::Zero(), Vec3::Ones(), Stage::x_hat, Dash::solid, 2, "0 ± 1");
    if (reached(3))
        box(Vec3::Zero(), focus.gamma.cwiseAbs(), Stage::gamma, Dash::dashed, 1.4f, "± γ");
    if (reached(4)) box(focus.beta, focus.gamma.cwiseAbs(), Stage::y, Dash::solid, 2, "β ± γ");
}

// A step's number on its line, beside those of other steps; none where all of it is taken.
void SceneDrawing::bubble(Point from, Point to, int number, Color color,
                          std::vector<Point>& others) const {
    const float r = 9;
    constexpr std::array k_shares{0.5f, 0.35f, 0.65f, 0.2f, 0.8f};
    const auto share = std::ranges::find_if(k_shares, [&](float one) {
        return std::ranges::none_of(
            others, [&](Point other) { return distance(between(from, to, one), other) < 2 * r; });
    });
    if (share == k_shares.end()) return;
    const Point at = between(from, to, *share);
    others.push_back(at);
    canvas.fill_circle(at, r, color);
    canvas.text_in(square_around(at, r), fmt::format("{}", number), TextRole::small, ink_on(color));
    labels.keep_free(square_around(at, r));
}

// The token lies farther out than the picture reaches.
void SceneDrawing::mark_beyond(Point at, Point token, float r) const {
    const float away = distance(at, token);
    if (!(away > 0)) return;
    const Point along{(token.x - at.x) / away, (token.y - at.y) / away};
    const Point tip{at.x + 2.2f * r * along.x, at.y + 2.2f * r * along.y};
    canvas.fill_triangle(tip, {at.x - r * along.y, at.y + r * along.x},
                         {at.x + r * along.y, at.y - r * along.x}, theme.of(Stage::z));
}

void SceneDrawing::draw_way(const TokenWay& way, bool in_focus) const {
    std::vector<Point> bubbles;
    for (const auto i : indices(4)) {
        if (scene.reached <= i) break;
        const Point from = place_on_way(view, way, i);
        const Point to = place_on_way(view, way, std::min(scene.reached, i + 1.0));
        const Color color = theme.of(entry_at(k_step_stages, i));
        canvas.line(from, to, in_focus ? color : color.with_alpha(0.55f), in_focus ? 3 : 1.3f,
                    in_focus || i > 0 ? Dash::solid : Dash::dotted);
        if (in_focus) labels.keep_off(from, to);
        if (in_focus && scene.words && distance(from, to) > 44)
            bubble(from, to, i + 1, color, bubbles);
    }
    const float r = in_focus ? k_dot + 1.5f : k_dot;
    const auto dot = [&](int stop, Stage stage, bool filled, float size) {
        const Point at = place_on_way(view, way, stop);
        canvas.fill_circle(at, size, filled ? theme.of(stage) : theme.panel);
        if (!filled) canvas.stroke_circle(at, size, theme.of(stage), 1.6f);
        labels.keep_free(square_around(at, size));
    };
    if (reached(1) && (way.centred - way.z).norm() > 1e-9) dot(1, Stage::z, false, r);
    if (reached(2)) dot(2, Stage::x_hat, true, r + 1);
    if (reached(3) && (way.scaled - way.x_hat).norm() > 1e-9) dot(3, Stage::gamma, false, r);
    dot(0, Stage::z, true, r);
    if (!view.sees(way.z)) mark_beyond(place_on_way(view, way, 0), view.at(way.z), r);
    if (reached(4)) dot(4, Stage::y, true, r - 1);
    if (scene.reached > 0 && scene.reached < 4)
        canvas.stroke_circle(place_on_way(view, way, scene.reached), r + 2, theme.ink, 2);
}

// γ⊙dY at x̂ with the two parts that the norm takes off, and dz along what is left.
void SceneDrawing::draw_gradient() const {
    const GradientParts& g = *scene.gradient;
    const double size = g.a.norm();
    if (!(size > 0) || !std::isfinite(size)) return;
    const auto arrow = [&](const Vec3& v, std::string_view text, Color color, Dash dash) {
        const Vec3 to = focus.x_hat + v / size;
        const Point a = view.at(focus.x_hat), b = view.at(to);
        if (distance(a, b) < 6) return;
        draw_arrow(canvas, a, b, {color, 2, dash});
        if (scene.words) labels.put(b, text, TextRole::small, color, 6);
    };
    arrow(g.a, "γ⊙dY", theme.ink_soft, Dash::dotted);
    if (g.along_one.norm() > 1e-9 * size)
        arrow(g.along_one, "along 1", theme.ink_soft, Dash::dotted);
    if (g.along_x_hat.norm() > 1e-9 * size)
        arrow(g.along_x_hat,
              worded("along {}", norm_entry(scene.document.norm).spread->pull_symbol),
              theme.ink_soft, Dash::dotted);
    arrow(g.a - g.along_one - g.along_x_hat, "dz", theme.ink, Dash::solid);
}

void SceneDrawing::name_points() const {
    const auto& tokens = scene.geometry.tokens;
    const auto put_name = [&](std::size_t t, TextRole role, Color color, float gap) {
        labels.put(place_on_way(view, tokens[t], 0), Text::typed((*scene.document.tokens)[t]), role,
                   color, gap);
    };
    const auto first = static_cast<std::size_t>(scene.focus);
    put_name(first, TextRole::title, theme.ink, 10);
    if (reached(2))
        labels.put(view.at(focus.x_hat), "x\u0302", TextRole::title, theme.ink_of(Stage::x_hat), 8);
    if (reached(4)) labels.put(view.at(focus.y), "y", TextRole::title, theme.ink_of(Stage::y), 8);
    constexpr std::size_t k_most_names = 24;
    for (const auto t : indices(std::min(tokens.size(), k_most_names)))
        if (t != first && std::isfinite(tokens[t].z.sum()))
            put_name(t, TextRole::label, theme.ink_soft, 8.0f);
}

} // namespace

Vec3 on_the_way(const TokenWay& way, double steps) {
    const auto stops = stops_of(way);
    const double at = std::clamp(steps, 0.0, 4.0);
    const auto i = static_cast<std::size_t>(std::min(std::floor(at), 3.0));
    const double t = at - static_cast<double>(i);
    return (1 - t) * stops[i] + t * stops[i + 1];
}

Point place_on_way(const SpaceView& view, const TokenWay& way, double steps) {
    return view.in_sight(on_the_way(way, steps));
}

SpaceScene scene_of(const Frame& f) {
    SpaceScene scene{geometry_of(f.derived, k_most_points), f.document};
    scene.focus = std::min(token_in_focus(f).value_or(0), std::ssize(scene.geometry.tokens) - 1);
    scene.reached = f.view.of<AddNormView>().space.reached.value_or(4);
    scene.arrows = f.view.of<AddNormView>().space.gradient;
    const Backward& b = f.memory.of<BackwardMemory>().backward.of(f.document);
    // A set that is not a token's own splits dz over several tokens.
    if (b.error() || b.sets().by_feature() || b.sets().groups > 1) return scene;
    if (b.dz().cols() != k_space_features || scene.focus >= b.dz().rows()) return scene;
    const Surgery s = b.surgery(scene.focus);
    scene.gradient = GradientParts{s.a, s.a - s.centred, s.centred - s.projected, s.dz};
    return scene;
}

SpaceReach reach_of(const Camera& camera, const SpaceScene& scene) {
    // A turn keeps how far a point is from the direction 1, and how high.
    double across = k_floor, top = 0, bottom = 0;
    const double sin = std::abs(std::sin(camera.rise)), cos = std::cos(camera.rise);
    const auto hold = [&](double out, double up) {
        across = std::max(across, out);
        top = std::max(top, up * cos + out * sin);
        bottom = std::min(bottom, up * cos - out * sin);
    };
    const auto hold_point = [&](const Vec3& v) {
        if (!std::isfinite(v.sum())) return;
        const double up = v.sum() / k_radius;
        hold(std::sqrt(std::max(0.0, v.dot(v) - up * up)), up);
    };
    for (const auto i : indices(3)) hold_point(k_axis * Vec3::Unit(i));
    for (const TokenWay& w : scene.geometry.tokens)
        for (const Vec3& stop : stops_of(w)) hold_point(stop);
    hold(0, highest(scene.geometry) * k_radius);
    hold(k_floor, 0);
    const TokenWay& focus = scene.way();
    if (scene.geometry.lies == Lies::on_circle && std::isfinite(focus.y.sum())) {
        const SpaceEllipse own =
            SpaceEllipse::circle(focus.x_hat.norm()).stretched(focus.gamma, focus.beta);
        for (const auto i : indices(16)) hold_point(own.at(i * std::numbers::pi / 8));
    }
    if (scene.geometry.lies == Lies::on_sphere) {
        const double r =
            k_radius * std::max(1.0, focus.gamma.cwiseAbs().maxCoeff()) + focus.beta.norm();
        top = std::max(top, r);
        bottom = std::min(bottom, -r);
        across = std::max(across, r);
    }
    return {{-across, across}, {bottom, top}};
}

SpaceView fit_scene(Rect area, const Camera& camera, const SpaceScene& scene,
                    const std::optional<SpaceReach>& held) {
    const auto [across, high] = held.value_or(reach_of(camera, scene));
    const double w = static_cast<double>(area.w), h = static_cast<double>(area.h);
    const double margin_x = static_cast<double>(scene.words ? 60 : 8),
                 margin_y = static_cast<double>(scene.words ? 26 : 8);
    // Circle and sphere are never lower than a third of the picture where they are seen as the
    // usual camera sees them: a token far away stands at the edge then.
    const Lies lies = scene.geometry.lies;
    const double sin = lies == Lies::on_sphere ? 1 : std::sin(std::max(k_tilted.rise, camera.rise));
    const bool round = lies == Lies::on_circle || lies == Lies::on_sphere;
    const double least =
        round ? std::min(h / (3 * 2 * k_radius * sin), (w / 2 - margin_x) / k_floor) : 1;
    const double unit = std::max(
        {1.0, least,
         std::min((w / 2 - margin_x) / across.hi, (h - 2 * margin_y) / (high.hi - high.lo))});
    // A scene without room is cut at the top, then at the bottom; the floor stays.
    const double floor = k_floor * std::abs(std::sin(camera.rise));
    const double room = (h - 2 * margin_y) / unit;
    const double bottom = std::max(high.lo, std::min(-floor, floor - room));
    const double top = std::min(high.hi, std::max(floor, bottom + room));
    const Point center = area.center();
    return {camera,
            {center.x, center.y + static_cast<float>(unit * (top + bottom) / 2)},
            unit,
            area.inset(14)};
}

void draw_scene(Ui& ui, Rect area, const SpaceView& view, const SpaceScene& scene) {
    ui.canvas.push_clip(area);
    PointLabels labels(ui.canvas, area);
    const SceneDrawing d{ui, view, scene, labels};
    const auto drawable = [](const TokenWay& w) {
        return std::isfinite(w.z.sum() + w.x_hat.sum() + w.y.sum());
    };
    const Handles handles = handles_of(view, scene);
    for (const auto& at : {handles.mean, handles.length})
        if (at) labels.keep_free(square_around(*at, 6));
    if (drawable(d.focus)) {
        if (scene.words) d.name_points();
        if (scene.geometry.lies == Lies::on_circle) d.draw_circles();
        if (scene.geometry.lies == Lies::on_sphere) d.draw_spheres();
        if (scene.geometry.lies == Lies::shifted) d.draw_boxes();
    }
    d.draw_axes();
    for (const TokenWay& way : scene.geometry.tokens)
        if (&way != &d.focus && drawable(way)) d.draw_way(way, false);
    if (drawable(d.focus)) {
        d.draw_way(d.focus, true);
        if (scene.gradient && scene.arrows && scene.reached >= 4) d.draw_gradient();
    }
    labels.draw(ui.theme.ink_soft);
    ui.canvas.pop_clip();
}

} // namespace normscope
