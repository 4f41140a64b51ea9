#pragma once
#include "app/charts/canvas.h"
#include "core/base/lists.h"

#include <Eigen/Core>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Points of three features, drawn in parallel projection: what is parallel stays parallel, and an
// ellipse an ellipse.
namespace normscope {

using Vec3 = Eigen::Vector3d;

// From where space is looked at. The direction 1 = (1,1,1)/√3 points up on the picture, or at the
// eye.
struct Camera {
    double turn = 0; // about the direction 1, radians
    double rise = 0; // of the eye above the plane orthogonal to it: 0 from the side, π/2 from above
    bool operator==(const Camera&) const = default;
};

// `up` is on the picture.
struct Projected {
    double right, up;
};
Projected project(const Camera& camera, const Vec3& v);

// The vector in the plane of the picture that project() makes {right, up} of.
Vec3 unproject(const Camera& camera, Projected p);

// The camera whose eye looks along `axis` (0 to 2) of the features.
Camera camera_along(int axis);

// A view of space in pixels: project() with an origin and a unit.
struct SpaceView {
    Camera camera;
    Point origin; // of (0,0,0)
    double unit;
    Rect bounds = {}; // none: without an edge

    Point at(const Vec3& v) const {
        const Projected p = project(camera, v);
        return {origin.x + static_cast<float>(unit * p.right),
                origin.y - static_cast<float>(unit * p.up)};
    }
    bool sees(const Vec3& v) const { return bounds.w <= 0 || bounds.contains(at(v)); }
    // The pixel of `v`, or the one at which the way there from the origin leaves the bounds.
    Point in_sight(const Vec3& v) const;
    // The vector between two pixels, in the plane of the picture.
    Vec3 moved(Point from, Point to) const {
        return unproject(camera, {static_cast<double>(to.x - from.x) / unit,
                                  static_cast<double>(from.y - to.y) / unit});
    }
};

// center + cos t·a + sin t·b
struct SpaceEllipse {
    Vec3 center, a, b;

    Vec3 at(double t) const { return center + std::cos(t) * a + std::sin(t) * b; }
    // A circle of radius r in the plane orthogonal to 1 = (1, 1, 1).
    static SpaceEllipse circle(double r);
    // Every point multiplied by `factors` and moved by `shift`, feature by feature.
    SpaceEllipse stretched(const Vec3& factors, const Vec3& shift) const;
};

// The outline that the ellipsoid Σ ((p − center)ᵢ/rᵢ)² = 1 has for the eye.
SpaceEllipse outline(const Camera& camera, const Vec3& center, const Vec3& r);

struct Stroke {
    Color color;
    float width = 2; // at scale 1
    Dash dash = Dash::solid;
};

void draw_ellipse(Canvas& canvas, const SpaceView& view, const SpaceEllipse& ellipse, Stroke stroke,
                  std::optional<Color> fill = std::nullopt);

// The edges of the box whose corners are center ± half.
void draw_box(Canvas& canvas, const SpaceView& view, const Vec3& center, const Vec3& half,
              Stroke stroke);

// Calls line(from, to) along the ellipse.
template<class Line>
void along(const SpaceView& view, const SpaceEllipse& ellipse, Line&& line) {
    constexpr int k_chords = 48;
    for (const auto i : indices(k_chords)) {
        const auto point = [&](int at) {
            return view.at(ellipse.at(2 * std::numbers::pi * at / k_chords));
        };
        line(point(i), point(i + 1));
    }
}

// A line with a head at `to`.
void draw_arrow(Canvas& canvas, Point from, Point to, Stroke stroke);

// Names of points that keep out of one another's way, and of what else is drawn.
class PointLabels {
  public:
    PointLabels(Canvas& canvas, Rect bounds) : canvas_(canvas), bounds_(bounds) {}

    void keep_free(Rect r) { taken_.push_back(r); }
    // A line that labels stay off as long as there is another place for them.
    void keep_off(Point from, Point to);

    // Beside `at`, a gap away, on the first side with room; farther away with a line that leads
    // there.
    void put(Point at, const Text& text, TextRole role, Color color, float gap) {
        wanted_.push_back({at, std::string(text.view()), role, color, gap});
    }

    // Writes all texts, the first ones first; one that has no room is left out.
    void draw(Color leader);

  private:
    struct Wanted {
        Point at;
        std::string text;
        TextRole role;
        Color color;
        float gap;
    };
    Canvas& canvas_;
    Rect bounds_;
    std::vector<Rect> taken_, lines_;
    std::vector<Wanted> wanted_;

    std::optional<Rect> place_of(const Wanted& wanted, float away, bool off_lines) const;
};

} // namespace normscope
