#include "app/charts/number_format.h"
#include "app/charts/space.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/backward/panels.h"

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
constexpr double k_axis = 2.2;                   // the arrows along the features
constexpr float k_dot = 4.5f;
constexpr std::array k_step_stages = {Stage::z, Stage::x_hat, Stage::gamma, Stage::beta};

std::array<Vec3, 5> stops_of(const TokenWay& w) {
    return {w.z, w.centred, w.x_hat, w.scaled, w.y};
}

struct SceneDrawing {
    Ui& ui;
    const SpaceView& view;
    const SpaceScene& scene;
    PointLabels& labels;
    const TokenWay& focus;

    bool reached(double step) const { return scene.reached >= step; }
    float px(float logical) const { return ui.px(logical); }
    void word(const Vec3& at, std::string_view text, Color color) const {
        if (scene.words) labels.put(view.at(at), text, TextRole::small, color, px(8));
    }
};

// Where an ellipse is furthest to the left or right, and furthest down.
Vec3 furthest(const SpaceView& view, const SpaceEllipse& e, Projected towards) {
    const Projected a = project(view.camera, e.a), b = project(view.camera, e.b);
    return e.at(std::atan2(b.right * towards.right + b.up * towards.up,
                           a.right * towards.right + a.up * towards.up));
}

// How far the direction 1 is drawn, as a mean.
double highest(const Geometry& g) {
    double top = 1.4;
    for (const TokenWay& w : g.tokens)
        if (std::isfinite(w.z.sum())) top = std::max(top, w.z.mean() + 0.3);
    return top;
}

void draw_axes(const SceneDrawing& d) {
    const Theme& theme = d.ui.theme;
    const Point origin = d.view.at(Vec3::Zero());
    for (int i = 0; i < 3; ++i) {
        const Vec3 tip = k_axis * Vec3::Unit(i);
        d.ui.canvas.line(d.view.at(-0.6 * tip), origin, theme.rule, d.px(1), Dash::dotted);
        draw_arrow(d.ui.canvas, origin, d.view.at(tip), {theme.ink_soft, d.px(1.2f)});
        if (!d.scene.words) continue;
        const std::string& name = (*d.scene.document.features)[static_cast<std::size_t>(i)];
        const AsTyped as_typed(d.ui.canvas);
        const float half = d.ui.canvas.text_size(name, TextRole::label).w / 2;
        const Point beyond = d.view.at(1.1 * tip);
        d.labels.put(beyond, name, TextRole::label, theme.ink, -half); // right on it
    }
    const double top = highest(d.scene.geometry);
    const auto on_axis = [](double mean) { return Vec3(mean, mean, mean); };
    const Point tip = d.view.at(on_axis(top));
    if (std::hypot(tip.x - origin.x, tip.y - origin.y) < d.px(30)) return; // seen from above
    draw_arrow(d.ui.canvas, origin, tip, {theme.ink, d.px(1.4f), Dash::dashed});
    if (!d.scene.words) return;
    d.labels.put({tip.x, tip.y - d.px(2)}, "direction 1", TextRole::label, theme.ink, d.px(5));
    const double step = std::max(1.0, std::ceil(top / 4));
    for (double mean = step; mean < top - 0.2; mean += step) {
        const Point at = d.view.at(on_axis(mean));
        d.ui.canvas.line({at.x - d.px(4), at.y}, {at.x + d.px(4), at.y}, theme.ink, d.px(1));
        d.labels.put(at, worded("μ = {}", number_text(mean, 3)), TextRole::small, theme.ink_soft,
                     d.px(7));
    }
}

// What γ, and then β, make of the circle or sphere of the token in focus, with their names.
struct Stretched {
    SpaceEllipse scaled, shifted;
    std::string_view scaled_name, shifted_name;
};
void draw_stretched(const SceneDrawing& d, const SpaceEllipse& all, std::string_view all_name,
                    const Stretched& own) {
    const Theme& theme = d.ui.theme;
    d.word(furthest(d.view, all, {0, -1}), all_name, theme.ink_of(Stage::x_hat));
    if (d.reached(3)) {
        draw_ellipse(d.ui.canvas, d.view, own.scaled,
                     {theme.of(Stage::gamma), d.px(1.4f), Dash::dashed});
        d.word(furthest(d.view, own.scaled, {-1, 0}), own.scaled_name, theme.ink_of(Stage::gamma));
    }
    if (d.reached(4)) {
        draw_ellipse(d.ui.canvas, d.view, own.shifted, {theme.of(Stage::y), d.px(2)},
                     theme.of(Stage::y).with_alpha(0.09f));
        d.word(furthest(d.view, own.shifted, {-0.6, 1}), own.shifted_name, theme.ink_of(Stage::y));
    }
}

void draw_circles(const SceneDrawing& d) {
    const Theme& theme = d.ui.theme;
    const Color x_hat = theme.of(Stage::x_hat);
    double plane = 1.35 * k_radius;
    for (const TokenWay& w : d.scene.geometry.tokens)
        if (std::isfinite(w.centred.sum())) plane = std::max(plane, w.centred.norm() + 0.1);
    const SpaceEllipse rim = SpaceEllipse::circle(plane);
    draw_ellipse(d.ui.canvas, d.view, rim, {x_hat.with_alpha(0.35f), d.px(1)},
                 x_hat.with_alpha(0.07f));
    d.word(furthest(d.view, rim, {-1, -0.5}), "mean 0", theme.ink_of(Stage::x_hat));
    const SpaceEllipse circle = SpaceEllipse::circle(k_radius);
    draw_ellipse(d.ui.canvas, d.view, circle, {x_hat, d.px(2)});
    const SpaceEllipse own = SpaceEllipse::circle(d.focus.x_hat.norm());
    draw_stretched(d, circle, "circle of radius √3",
                   {own.stretched(d.focus.gamma, Vec3::Zero()),
                    own.stretched(d.focus.gamma, d.focus.beta), "γ ⊙ circle", "γ ⊙ circle + β"});
}

void draw_spheres(const SceneDrawing& d) {
    const Color x_hat = d.ui.theme.of(Stage::x_hat);
    const auto of = [&](double r, const Vec3& factors, const Vec3& shift) {
        return outline(d.view.camera, shift, r * factors.cwiseAbs());
    };
    const SpaceEllipse sphere = of(k_radius, Vec3::Ones(), Vec3::Zero());
    draw_ellipse(d.ui.canvas, d.view, sphere, {x_hat, d.px(2)}, x_hat.with_alpha(0.07f));
    draw_ellipse(d.ui.canvas, d.view, SpaceEllipse::circle(k_radius),
                 {x_hat.with_alpha(0.5f), d.px(1), Dash::dashed});
    const double own = d.focus.x_hat.norm();
    draw_stretched(d, sphere, "sphere of radius √3",
                   {of(own, d.focus.gamma, Vec3::Zero()), of(own, d.focus.gamma, d.focus.beta),
                    "γ ⊙ sphere", "γ ⊙ sphere + β"});
}

// μ ± σ along every axis, ± 1 of x̂, and what γ and β make of that.
void draw_boxes(const SceneDrawing& d) {
    const Theme& theme = d.ui.theme;
    const Geometry& g = d.scene.geometry;
    if (!std::isfinite(g.spread.sum())) return;
    const auto box = [&](const Vec3& center, const Vec3& half, Stage stage, Dash dash, float width,
                         std::string_view text) {
        draw_box(d.ui.canvas, d.view, center, half, {theme.of(stage), d.px(width), dash});
        d.word(center + half.cwiseProduct(Vec3(1, -1, -1)), text, theme.ink_of(stage));
    };
    box(g.mean, g.spread, Stage::z, Dash::dotted, 1.4f, "μ ± σ");
    if (d.reached(2)) box(Vec3::Zero(), Vec3::Ones(), Stage::x_hat, Dash::solid, 2, "0 ± 1");
    if (d.reached(3))
        box(Vec3::Zero(), d.focus.gamma.cwiseAbs(), Stage::gamma, Dash::dashed, 1.4f, "± γ");
    if (d.reached(4))
        box(d.focus.beta, d.focus.gamma.cwiseAbs(), Stage::y, Dash::solid, 2, "β ± γ");
}

// A step's number on its line, beside those of other steps; none where all of it is taken.
void bubble(const SceneDrawing& d, Point from, Point to, int number, Color color,
            std::vector<Point>& others) {
    const float r = d.px(9);
    constexpr std::array k_shares{0.5f, 0.35f, 0.65f, 0.2f, 0.8f};
    const auto place = [&](float share) {
        return Point{from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
    };
    const auto share = std::ranges::find_if(k_shares, [&](float one) {
        return std::ranges::none_of(others, [&](Point other) {
            return std::hypot(place(one).x - other.x, place(one).y - other.y) < 2 * r;
        });
    });
    if (share == k_shares.end()) return;
    const Point at = place(*share);
    others.push_back(at);
    d.ui.canvas.fill_circle(at, r, color);
    d.ui.canvas.text_in({at.x - r, at.y - r, 2 * r, 2 * r}, fmt::format("{}", number),
                        TextRole::small, ink_on(color));
    d.labels.keep_free({at.x - r, at.y - r, 2 * r, 2 * r});
}

void draw_way(const SceneDrawing& d, const TokenWay& way, bool in_focus) {
    const Theme& theme = d.ui.theme;
    const auto stops = stops_of(way);
    Canvas& canvas = d.ui.canvas;
    std::vector<Point> bubbles;
    for (int i = 0; i < 4; ++i) {
        if (d.scene.reached <= i) break;
        const Point from = d.view.at(stops[static_cast<std::size_t>(i)]);
        const Point to = d.view.at(on_the_way(way, std::min(d.scene.reached, i + 1.0)));
        const Color color = theme.of(k_step_stages[static_cast<std::size_t>(i)]);
        canvas.line(from, to, in_focus ? color : color.with_alpha(0.55f), d.px(in_focus ? 3 : 1.3f),
                    in_focus || i > 0 ? Dash::solid : Dash::dotted);
        if (in_focus && d.scene.words && std::hypot(to.x - from.x, to.y - from.y) > d.px(44))
            bubble(d, from, to, i + 1, color, bubbles);
    }
    const float r = d.px(in_focus ? k_dot + 1.5f : k_dot);
    const auto dot = [&](const Vec3& v, Stage stage, bool filled, float size) {
        const Point at = d.view.at(v);
        canvas.fill_circle(at, size, filled ? theme.of(stage) : theme.panel);
        if (!filled) canvas.stroke_circle(at, size, theme.of(stage), d.px(1.6f));
        d.labels.keep_free({at.x - size, at.y - size, 2 * size, 2 * size});
    };
    if (d.reached(1) && (way.centred - way.z).norm() > 1e-9) dot(way.centred, Stage::z, false, r);
    if (d.reached(2)) dot(way.x_hat, Stage::x_hat, true, r + d.px(1));
    if (d.reached(3) && (way.scaled - way.x_hat).norm() > 1e-9)
        dot(way.scaled, Stage::gamma, false, r);
    dot(way.z, Stage::z, true, r);
    if (d.reached(4)) dot(way.y, Stage::y, true, r - d.px(1));
    if (d.scene.reached > 0 && d.scene.reached < 4)
        canvas.stroke_circle(d.view.at(on_the_way(way, d.scene.reached)), r + d.px(2), theme.ink,
                             d.px(2));
}

// γ⊙dY at x̂ with the two parts that the norm takes off, and dz along what is left.
void draw_gradient(const SceneDrawing& d) {
    const GradientParts& g = *d.scene.gradient;
    const double size = g.a.norm();
    if (!(size > 0) || !std::isfinite(size)) return;
    const Theme& theme = d.ui.theme;
    const auto arrow = [&](const Vec3& v, std::string_view text, Color color, Dash dash) {
        const Vec3 to = d.focus.x_hat + v / size;
        const Point a = d.view.at(d.focus.x_hat), b = d.view.at(to);
        if (std::hypot(b.x - a.x, b.y - a.y) < d.px(6)) return;
        draw_arrow(d.ui.canvas, a, b, {color, d.px(2), dash});
        if (d.scene.words) d.labels.put(b, text, TextRole::small, color, d.px(6));
    };
    arrow(g.a, "γ⊙dY", theme.ink_soft, Dash::dotted);
    if (g.along_one.norm() > 1e-9 * size)
        arrow(g.along_one, "along 1", theme.ink_soft, Dash::dotted);
    if (g.along_x_hat.norm() > 1e-9 * size)
        arrow(g.along_x_hat,
              worded("along {}", norm_entry(d.scene.document.norm).spread->pull_symbol),
              theme.ink_soft, Dash::dotted);
    arrow(g.a - g.along_one - g.along_x_hat, "dz", theme.ink, Dash::solid);
}

void name_points(const SceneDrawing& d) {
    const Theme& theme = d.ui.theme;
    const auto& tokens = d.scene.geometry.tokens;
    const auto put_name = [&](std::size_t t, TextRole role, Color color, float gap) {
        const AsTyped name(d.ui.canvas);
        d.labels.put(d.view.at(tokens[t].z), (*d.scene.document.tokens)[t], role, color, gap);
    };
    const auto focus = static_cast<std::size_t>(d.scene.focus);
    put_name(focus, TextRole::title, theme.ink, d.px(10));
    if (d.reached(2))
        d.labels.put(d.view.at(d.focus.x_hat), "x\u0302", TextRole::title,
                     theme.ink_of(Stage::x_hat), d.px(8));
    if (d.reached(4))
        d.labels.put(d.view.at(d.focus.y), "y", TextRole::title, theme.ink_of(Stage::y), d.px(8));
    constexpr std::size_t k_most_names = 24;
    for (std::size_t t = 0; t < std::min(tokens.size(), k_most_names); ++t)
        if (t != focus && std::isfinite(tokens[t].z.sum()))
            put_name(t, TextRole::label, theme.ink_soft, d.px(8));
}

} // namespace

Vec3 on_the_way(const TokenWay& way, double steps) {
    const auto stops = stops_of(way);
    const double at = std::clamp(steps, 0.0, 4.0);
    const auto i = static_cast<std::size_t>(std::min(std::floor(at), 3.0));
    const double t = at - static_cast<double>(i);
    return (1 - t) * stops[i] + t * stops[i + 1];
}

SpaceScene scene_of(const Frame& f) {
    SpaceScene scene{geometry_of(f.derived, k_most_points), f.document};
    scene.focus = std::min(token_in_focus(f).value_or(0),
                           static_cast<Index>(scene.geometry.tokens.size()) - 1);
    const SpaceLook& look = f.view.of<AddNormView>().space;
    scene.reached = look.reached.value_or(4);
    const Backward* b = f.memory.of<BackwardMemory>().backward.find(f.document);
    // A set that is not a token's own splits dz over several tokens.
    if (!b || b->error() || b->sets().by_feature() || b->sets().groups > 1) return scene;
    if (b->dz().cols() != k_space_features || scene.focus >= b->dz().rows()) return scene;
    const Surgery s = b->surgery(scene.focus);
    scene.gradient = GradientParts{s.a, s.a - s.centred, s.centred - s.projected, s.dz};
    return scene;
}

SpaceView fit_scene(const Ui& ui, Rect area, const Camera& camera, const SpaceScene& scene) {
    // A turn keeps how far a point is from the direction 1, and how high.
    double across = 1.35 * k_radius, top = 0, bottom = 0;
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
    for (int i = 0; i < 3; ++i) hold_point(k_axis * Vec3::Unit(i));
    for (const TokenWay& w : scene.geometry.tokens)
        for (const Vec3& stop : stops_of(w)) hold_point(stop);
    hold(0, highest(scene.geometry) * k_radius);
    hold(1.35 * k_radius, 0);
    const TokenWay& focus = scene.way();
    if (scene.geometry.lies == Lies::on_circle && std::isfinite(focus.y.sum())) {
        const SpaceEllipse own =
            SpaceEllipse::circle(focus.x_hat.norm()).stretched(focus.gamma, focus.beta);
        for (int i = 0; i < 16; ++i) hold_point(own.at(i * std::numbers::pi / 8));
    }
    if (scene.geometry.lies == Lies::on_sphere) {
        const double r =
            k_radius * std::max(1.0, focus.gamma.cwiseAbs().maxCoeff()) + focus.beta.norm();
        top = std::max(top, r);
        bottom = std::min(bottom, -r);
        across = std::max(across, r);
    }
    const double margin_x = static_cast<double>(ui.px(scene.words ? 60 : 8)),
                 margin_y = static_cast<double>(ui.px(scene.words ? 26 : 8));
    const double unit =
        std::max(1.0, std::min((static_cast<double>(area.w) / 2 - margin_x) / across,
                               (static_cast<double>(area.h) - 2 * margin_y) / (top - bottom)));
    const Point center = area.center();
    return {camera, {center.x, center.y + static_cast<float>(unit * (top + bottom) / 2)}, unit};
}

void draw_scene(Ui& ui, Rect area, const SpaceView& view, const SpaceScene& scene) {
    const auto& tokens = scene.geometry.tokens;
    const TokenWay& focus = scene.way();
    ui.canvas.push_clip(area);
    PointLabels labels(ui.canvas, area);
    const SceneDrawing d{ui, view, scene, labels, focus};
    const auto drawable = [](const TokenWay& w) {
        return std::isfinite(w.z.sum() + w.x_hat.sum() + w.y.sum());
    };
    const Handles handles = handles_of(ui, view, scene);
    for (const auto& at : {handles.mean, handles.length})
        if (at) labels.keep_free({at->x - ui.px(6), at->y - ui.px(6), ui.px(12), ui.px(12)});
    if (scene.words && drawable(focus)) name_points(d);
    if (drawable(focus)) {
        if (scene.geometry.lies == Lies::on_circle) draw_circles(d);
        if (scene.geometry.lies == Lies::on_sphere) draw_spheres(d);
        if (scene.geometry.lies == Lies::shifted) draw_boxes(d);
    }
    draw_axes(d);
    for (std::size_t t = 0; t < tokens.size(); ++t)
        if (static_cast<Index>(t) != scene.focus && drawable(tokens[t]))
            draw_way(d, tokens[t], false);
    if (drawable(focus)) {
        draw_way(d, focus, true);
        if (scene.gradient && scene.reached >= 4) draw_gradient(d);
    }
    labels.draw();
    ui.canvas.pop_clip();
}

} // namespace normscope
