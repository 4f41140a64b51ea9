#include "app/charts/space.h"

#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace normscope {

namespace {

constexpr int k_ellipse_points = 96;

// Orthonormal: `one` is the direction 1, u and v lie in the plane orthogonal to it.
struct Basis {
    Vec3 u = Vec3(1, -1, 0).normalized();
    Vec3 v = Vec3(1, 1, -2).normalized();
    Vec3 one = Vec3(1, 1, 1).normalized();
};

struct PictureAxes {
    Vec3 right, up;
};

// right = cos t·u + sin t·v, and `up` is the direction 1 as far as it is seen, and what goes away
// from the eye.
PictureAxes axes_of(const Camera& c) {
    const Basis b;
    const Vec3 away = std::cos(c.turn) * b.v - std::sin(c.turn) * b.u;
    return {std::cos(c.turn) * b.u + std::sin(c.turn) * b.v,
            std::cos(c.rise) * b.one + std::sin(c.rise) * away};
}

} // namespace

Projected project(const Camera& camera, const Vec3& v) {
    const PictureAxes f = axes_of(camera);
    return {f.right.dot(v), f.up.dot(v)};
}

Vec3 unproject(const Camera& camera, Projected p) {
    const PictureAxes f = axes_of(camera);
    return p.right * f.right + p.up * f.up;
}

Camera camera_along(int axis) {
    // The feature's direction has nothing to the right, and comes towards the eye.
    const Basis b;
    const Vec3 e = Vec3::Unit(axis);
    return {std::atan2(b.u.dot(e), -b.v.dot(e)), std::asin(b.one.dot(e))};
}

SpaceEllipse SpaceEllipse::circle(double r) {
    const Basis basis;
    return {Vec3::Zero(), r * basis.u, r * basis.v};
}

SpaceEllipse SpaceEllipse::stretched(const Vec3& factors, const Vec3& shift) const {
    return {factors.cwiseProduct(center) + shift, factors.cwiseProduct(a), factors.cwiseProduct(b)};
}

SpaceEllipse outline(const Camera& camera, const Vec3& center, const Vec3& r) {
    // The shadow of the ball's image under diag(r) is P·diag(r) of the ball. Conjugate half-axes of
    // it are the columns of the Cholesky factor of P·diag(r)²·Pᵀ.
    const PictureAxes f = axes_of(camera);
    const Vec3 right = f.right.cwiseProduct(r), up = f.up.cwiseProduct(r);
    const double width = right.norm();
    const double slope = width > 0 ? right.dot(up) / width : 0;
    const double height = std::sqrt(std::max(0.0, up.squaredNorm() - slope * slope));
    return {center, unproject(camera, {width, slope}), unproject(camera, {0, height})};
}

Point SpaceView::in_sight(const Vec3& v) const {
    const Point p = at(v);
    if (sees(v) || !bounds.contains(origin)) return p;
    const float dx = p.x - origin.x, dy = p.y - origin.y;
    float way = 1;
    if (dx != 0) way = std::min(way, ((dx > 0 ? bounds.right() : bounds.x) - origin.x) / dx);
    if (dy != 0) way = std::min(way, ((dy > 0 ? bounds.bottom() : bounds.y) - origin.y) / dy);
    return between(origin, p, way);
}

void draw_ellipse(Canvas& canvas, const SpaceView& view, const SpaceEllipse& ellipse, Stroke stroke,
                  std::optional<Color> fill) {
    // Both sides run from the ellipse's leftmost point, so that their points pair at the same x.
    const Projected a = project(view.camera, ellipse.a), b = project(view.camera, ellipse.b);
    const double leftmost = std::atan2(b.right, a.right) + std::numbers::pi;
    const auto side = [&](double sign) {
        std::vector<Point> points(k_ellipse_points + 1);
        for (int i = 0; i <= k_ellipse_points; ++i)
            entry_at(points, i) =
                view.at(ellipse.at(leftmost + sign * std::numbers::pi * i / k_ellipse_points));
        return points;
    };
    std::vector<Point> round = side(1);
    const std::vector<Point> back = side(-1);
    if (fill) canvas.fill_between(round, back, *fill);
    round.insert(round.end(), back.rbegin() + 1, back.rend());
    canvas.polyline(round, stroke.color, stroke.width, stroke.dash);
}

void draw_box(Canvas& canvas, const SpaceView& view, const Vec3& center, const Vec3& half,
              Stroke stroke) {
    const auto corner = [&](int bits) {
        const Vec3 signs((bits & 1) ? 1 : -1, (bits & 2) ? 1 : -1, (bits & 4) ? 1 : -1);
        return view.at(center + half.cwiseProduct(signs));
    };
    for (const auto from : indices(8))
        for (const int along : {1, 2, 4})
            if (!(from & along))
                canvas.line(corner(from), corner(from | along), stroke.color, stroke.width,
                            stroke.dash);
}

void draw_arrow(Canvas& canvas, Point from, Point to, Stroke stroke) {
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    if (!(length > 0)) return;
    const float head = std::min(length, 3 * stroke.width + 4);
    const Point along{dx / length, dy / length};
    const Point neck{to.x - head * along.x, to.y - head * along.y};
    const float half = head * 0.45f;
    canvas.line(from, neck, stroke.color, stroke.width, stroke.dash);
    canvas.fill_triangle(to, {neck.x - half * along.y, neck.y + half * along.x},
                         {neck.x + half * along.y, neck.y - half * along.x}, stroke.color);
}

void PointLabels::keep_off(Point from, Point to) {
    constexpr float k_apart = 6;
    const int parts = 1 + static_cast<int>(distance(from, to) / k_apart);
    for (int i = 0; i <= parts; ++i)
        lines_.push_back(
            square_around(between(from, to, static_cast<float>(i) / static_cast<float>(parts)), 2));
}

std::optional<Rect> PointLabels::place_of(const Wanted& w, float away, bool off_lines) const {
    const Size size = canvas_.text_size(Text::typed(w.text), w.role);
    const float gap = w.gap + away, x = size.w / 2 + gap, y = size.h / 2 + gap;
    constexpr float k_slant = 0.75f;
    const std::array<Point, 8> middles = {Point{x, 0},
                                          {-x, 0},
                                          {0, -y},
                                          {0, y},
                                          {k_slant * x, -k_slant * y},
                                          {-k_slant * x, -k_slant * y},
                                          {k_slant * x, k_slant * y},
                                          {-k_slant * x, k_slant * y}};
    const std::size_t sides = away > 0 ? middles.size() : 4;
    for (const auto i : indices(sides)) {
        const Rect r{w.at.x + middles[i].x - size.w / 2, w.at.y + middles[i].y - size.h / 2, size.w,
                     size.h};
        const auto meets = [&](const Rect& other) { return r.overlaps(other); };
        if (bounds_.encloses(r) && std::ranges::none_of(taken_, meets) &&
            (!off_lines || std::ranges::none_of(lines_, meets)))
            return r;
    }
    return std::nullopt;
}

void PointLabels::draw(Color leader) {
    for (const Wanted& w : wanted_) {
        std::optional<Rect> place;
        float away = 0;
        for (const bool off_lines : {true, false})
            for (const float far : {0.0f, 14.0f, 32.0f, 56.0f, 84.0f})
                if (!place) {
                    away = far;
                    place = place_of(w, away, off_lines);
                }
        if (!place) continue;
        taken_.push_back(*place);
        if (away > 0) {
            canvas_.line(w.at, place->inset(-2).nearest_to(w.at), leader);
        }
        canvas_.text({place->x, place->y}, Text::typed(w.text), w.role, w.color);
    }
    wanted_.clear();
}

} // namespace normscope
