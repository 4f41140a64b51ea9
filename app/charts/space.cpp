#include "app/charts/space.h"

#include <Eigen/Dense>
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
    // The shadow of the ball's image under diag(r) has the half-axes of P·diag(r).
    const PictureAxes f = axes_of(camera);
    Eigen::Matrix<double, 2, 3> p;
    p << f.right.cwiseProduct(r).transpose(), f.up.cwiseProduct(r).transpose();
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> axes(p * p.transpose());
    const auto half_axis = [&](int i) {
        const Eigen::Vector2d d =
            axes.eigenvectors().col(i) * std::sqrt(std::max(0.0, axes.eigenvalues()(i)));
        return unproject(camera, {d.x(), d.y()});
    };
    return {center, half_axis(0), half_axis(1)};
}

void draw_ellipse(Canvas& canvas, const SpaceView& view, const SpaceEllipse& ellipse, Stroke stroke,
                  std::optional<Color> fill) {
    // Where t runs from its leftmost point to both sides, two points lie at the same x.
    const Projected a = project(view.camera, ellipse.a), b = project(view.camera, ellipse.b);
    const double leftmost = std::atan2(b.right, a.right) + std::numbers::pi;
    const auto side = [&](double sign) {
        std::vector<Point> points(k_ellipse_points + 1);
        for (int i = 0; i <= k_ellipse_points; ++i)
            points[static_cast<std::size_t>(i)] =
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
    for (int from = 0; from < 8; ++from)
        for (const int along : {1, 2, 4})
            if (!(from & along))
                canvas.line(corner(from), corner(from | along), stroke.color, stroke.width,
                            stroke.dash);
}

void draw_arrow(Canvas& canvas, Point from, Point to, Stroke stroke) {
    const float dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
    if (!(length > 0)) return;
    const float head = std::min(length, 3 * stroke.width + 4 * canvas.scale());
    const Point along{dx / length, dy / length};
    const Point neck{to.x - head * along.x, to.y - head * along.y};
    const float half = head * 0.45f;
    canvas.line(from, neck, stroke.color, stroke.width, stroke.dash);
    canvas.fill_triangle(to, {neck.x - half * along.y, neck.y + half * along.x},
                         {neck.x + half * along.y, neck.y - half * along.x}, stroke.color);
}

void PointLabels::draw() {
    const auto takes = [&](const Rect& r) { return bounds_.encloses(r) && take_place(taken_, r); };
    const AsTyped said_when_put(canvas_);
    for (const Wanted& w : wanted_) {
        const Size size = canvas_.text_size(w.text, w.role);
        const std::array<Rect, 4> sides = {
            Rect{w.at.x + w.gap, w.at.y - size.h / 2, size.w, size.h},
            Rect{w.at.x - w.gap - size.w, w.at.y - size.h / 2, size.w, size.h},
            Rect{w.at.x - size.w / 2, w.at.y - w.gap - size.h, size.w, size.h},
            Rect{w.at.x - size.w / 2, w.at.y + w.gap, size.w, size.h}};
        const auto found = std::ranges::find_if(sides, takes);
        if (found != sides.end()) canvas_.text({found->x, found->y}, w.text, w.role, w.color);
    }
    wanted_.clear();
}

} // namespace normscope
