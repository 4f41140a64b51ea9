#include "app/widgets/keys.h"
#include "app/workspaces/add_norm/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace normscope {

namespace {

constexpr float k_reach = 12;       // of a point
constexpr float k_handle_away = 26; // from Z
constexpr double k_turn_by_key = std::numbers::pi / 36;
constexpr double k_turn_a_pixel = 0.01;
constexpr double k_shortest = 0.05; // a token's length is not pulled below this share of itself

// Rounds to a power of ten of at most 1/`unit`: no digit is written that a pixel cannot tell apart.
double rounded(double value, double unit) {
    const double scale = std::pow(10.0, std::ceil(std::log10(unit)));
    return std::round(value * scale) / scale;
}

// How far along `direction` the hand has gone on the picture.
double along(const SpaceView& view, Point from, Point to, const Vec3& direction) {
    const Projected d = project(view.camera, direction);
    const double x = static_cast<double>(to.x - from.x) / view.unit,
                 y = static_cast<double>(from.y - to.y) / view.unit;
    const double length = d.right * d.right + d.up * d.up;
    return length > 1e-6 ? (x * d.right + y * d.up) / length : 0;
}

// The feature's axis, or the direction 1, that the hand follows best.
Vec3 nearest_axis(const SpaceView& view, Point from, Point to) {
    Vec3 best = Vec3::Ones();
    double most = -1;
    for (const Vec3& axis :
         {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3::UnitZ()), Vec3(Vec3::Ones())}) {
        const Projected d = project(view.camera, axis);
        const double size = std::hypot(d.right, d.up);
        if (size < 0.05) continue; // it points at the eye
        const double cosine = std::abs(along(view, from, to, axis)) * size;
        if (cosine > most) most = cosine, best = axis;
    }
    return best;
}

// The held token's Z after the hand has moved its mean, its length or all of Z.
Vec3 moved_z(const SpaceView& view, const SpaceGrab& grab, Point mouse, bool centres) {
    const Vec3& z = grab.z;
    const auto round_each = [&](Vec3 v) {
        for (double& x : v) x = rounded(x, view.unit);
        return v;
    };
    switch (grab.of) {
    case SpaceGrab::Of::mean:
        // One number is added to every feature: Z − μ stays, digit for digit.
        return z + Vec3::Constant(rounded(along(view, grab.from, mouse, Vec3::Ones()), view.unit));
    case SpaceGrab::Of::length: {
        const Vec3 mean = Vec3::Constant(centres ? z.mean() : 0.0);
        const Vec3 own = z - mean;
        const double factor =
            std::max(k_shortest, 1 + rounded(along(view, grab.from, mouse, own), 100));
        return mean + factor * own;
    }
    case SpaceGrab::Of::token:
        if (shift_down()) {
            const Vec3 axis = nearest_axis(view, grab.from, mouse);
            return round_each(z + along(view, grab.from, mouse, axis) * axis);
        }
        return round_each(z + view.moved(grab.from, mouse));
    case SpaceGrab::Of::camera:
        break;
    }
    return z;
}

Camera turned(const Camera& from, double turn, double rise) {
    constexpr double k_upright = std::numbers::pi / 2;
    return {from.turn + turn, std::clamp(from.rise + rise, -k_upright, k_upright)};
}

SpaceGrab grabbed(const SpaceView& view, const SpaceScene& scene, Point at) {
    const float reach = k_reach;
    const auto& tokens = scene.geometry.tokens;
    const auto grab = [&](SpaceGrab::Of of, Index token) {
        return SpaceGrab{of, token, at, view.camera, entry_at(tokens, token).z};
    };
    const Handles handles = handles_of(view, scene);
    if (handles.mean && distance(at, *handles.mean) < reach)
        return grab(SpaceGrab::Of::mean, scene.focus);
    if (handles.length && distance(at, *handles.length) < reach)
        return grab(SpaceGrab::Of::length, scene.focus);
    std::optional<Index> nearest;
    float least = reach;
    for (const auto t : indices(tokens))
        if (const float away = distance(at, place_on_way(view, tokens[t], 0)); away < least)
            least = away, nearest = static_cast<Index>(t);
    return grab(nearest ? SpaceGrab::Of::token : SpaceGrab::Of::camera, nearest.value_or(0));
}

void take_keys(const Hit& hit, const SpaceLook& look, SpaceLook& next) {
    if (!hit.focused) return;
    const auto turn = [&](Key key, double turn_by, double rise_by) {
        if (key_pressed(key, true)) next.camera = turned(look.camera, turn_by, rise_by);
    };
    turn(Key::left, k_turn_by_key, 0);
    turn(Key::right, -k_turn_by_key, 0);
    turn(Key::up, 0, k_turn_by_key);
    turn(Key::down, 0, -k_turn_by_key);
}

} // namespace

Handles handles_of(const SpaceView& view, const SpaceScene& scene) {
    Handles out;
    const TokenWay& w = scene.way();
    if (!scene.geometry.of_tokens() || !std::isfinite(w.z.sum())) return out;
    const Point z = place_on_way(view, w, 0);
    const auto beside = [&](const Vec3& direction) -> std::optional<Point> {
        const Projected d = project(view.camera, direction);
        const double length = std::hypot(d.right, d.up);
        if (length < 0.05) return std::nullopt; // it points at the eye
        const double away = static_cast<double>(k_handle_away) / length;
        return Point{z.x + static_cast<float>(d.right * away),
                     z.y - static_cast<float>(d.up * away)};
    };
    if (scene.geometry.centres) out.mean = beside(Vec3::Ones());
    if (w.centred.norm() > 0) out.length = beside(w.centred.normalized());
    return out;
}

void take_space(AddNormPanel& p, Rect area, const SpaceView& view, const SpaceScene& scene) {
    if (p.state.picture) return;
    const SpaceLook& look = p.view.space;
    SpaceLook& next = p.next.space;
    const Hit hit = p.hit("space", area);
    const Point mouse = p.mouse();
    if (hit.pressed) next.grab = grabbed(view, scene, mouse);
    if (!hit.held) next.grab.reset();
    take_keys(hit, look, next);
    if (look.grab && hit.held) {
        const SpaceGrab& grab = *look.grab;
        if (grab.of == SpaceGrab::Of::camera) {
            const double right = static_cast<double>(mouse.x - grab.from.x),
                         down = static_cast<double>(mouse.y - grab.from.y);
            next.camera = turned(grab.camera, -k_turn_a_pixel * right, k_turn_a_pixel * down);
        } else {
            p.actions.view.hover.token = grab.token;
            p.actions.view.pinned_token = grab.token;
            const Vec3 z = moved_z(view, grab, mouse, scene.geometry.centres);
            if (!(z == entry_at(scene.geometry.tokens, grab.token).z))
                p.edit(SetZ{grab.token, 0, Matrix<double>(z.transpose())});
        }
    } else if (hit.hovered) {
        const SpaceGrab under = grabbed(view, scene, mouse);
        if (under.of == SpaceGrab::Of::token) p.actions.view.hover.token = under.token;
    }
    if (hit.clicked && look.grab && look.grab->of == SpaceGrab::Of::token)
        p.actions.view.pinned_token = look.grab->token;
    const Handles handles = handles_of(view, scene);
    for (const auto& at : {handles.mean, handles.length}) {
        if (!at) continue;
        draw_arrow(p.canvas, place_on_way(view, scene.way(), 0), *at, {p.theme.focus, 2});
        p.canvas.fill_circle(*at, 5, p.theme.focus);
    }
    p.focus_ring(hit, area, 4);
}

} // namespace normscope
