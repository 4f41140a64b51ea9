#include "app/charts/space.h"

#include "tests/app/charts/recording_canvas.h"

#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

namespace normscope {
namespace {

constexpr std::array k_cameras = {Camera{0, 0}, Camera{0.3, 0.5}, Camera{-2, 1.2},
                                  Camera{4, std::numbers::pi / 2}};

TEST(Space, WhatLiesInThePlaneOfThePictureComesBack) {
    for (const Camera& camera : k_cameras) {
        const Projected p = project(camera, unproject(camera, {1.5, -0.7}));
        EXPECT_NEAR(p.right, 1.5, 1e-12);
        EXPECT_NEAR(p.up, -0.7, 1e-12);
    }
}

TEST(Space, DirectionOnePointsUpAndAtTheEyeFromAbove) {
    const double length = std::numbers::sqrt3;
    for (const Camera& camera : k_cameras) {
        const Projected p = project(camera, Vec3(1, 1, 1));
        EXPECT_NEAR(p.right, 0, 1e-12);
        EXPECT_NEAR(p.up, length * std::cos(camera.rise), 1e-12);
    }
}

TEST(Space, ACameraAlongAFeatureSeesThatAxisAsAPointAndTheOthersInFullLength) {
    for (int i = 0; i < 3; ++i) {
        const Camera camera = camera_along(i);
        for (int j = 0; j < 3; ++j) {
            const Projected p = project(camera, Vec3::Unit(j));
            EXPECT_NEAR(std::hypot(p.right, p.up), i == j ? 0 : 1, 1e-12) << i << " " << j;
        }
    }
}

TEST(Space, TheCircleHasMeanZeroAndItsRadius) {
    const SpaceEllipse circle = SpaceEllipse::circle(1.7);
    for (double t = 0; t < 6; t += 0.4) {
        EXPECT_NEAR(circle.at(t).sum(), 0, 1e-12);
        EXPECT_NEAR(circle.at(t).norm(), 1.7, 1e-12);
    }
    const Vec3 gamma(1, 1.5, -0.6), beta(0.2, 0.6, 0.4);
    const SpaceEllipse y = circle.stretched(gamma, beta);
    for (double t = 0; t < 6; t += 0.4) {
        const Vec3 back = (y.at(t) - beta).cwiseQuotient(gamma);
        EXPECT_NEAR(back.sum(), 0, 1e-12);
        EXPECT_NEAR(back.squaredNorm(), 1.7 * 1.7, 1e-12);
    }
}

// The furthest point of an ellipsoid to a side of the picture is the furthest of its outline.
TEST(Space, AnOutlineReachesAsFarAsItsEllipsoid) {
    const Vec3 center(0.3, -1, 0.5), r(1, 2.5, 0.4);
    for (const Camera& camera : k_cameras) {
        const SpaceEllipse seen = outline(camera, center, r);
        for (double angle = 0; angle < 6; angle += 0.5) {
            // The reach of the ellipsoid from its center, in closed form: |diag(r)·direction|.
            const Vec3 direction = unproject(camera, {std::cos(angle), std::sin(angle)});
            const double far = r.cwiseProduct(direction).norm() + center.dot(direction);
            double most = -1e9;
            for (double t = 0; t < 2 * std::numbers::pi; t += 0.002)
                most = std::max(most, seen.at(t).dot(direction));
            EXPECT_NEAR(most, far, 1e-4);
        }
    }
}

TEST(Space, AnEllipseIsDrawnAsFarAsItReaches) {
    RecordingCanvas canvas;
    const SpaceView view{{0.3, 0.5}, {400, 300}, 80};
    const SpaceEllipse e = SpaceEllipse::circle(2).stretched({1, 1.5, 0.6}, {0.2, 0.6, 0.4});
    draw_ellipse(canvas, view, e, {k_blue}, k_blue.with_alpha(0.1f));
    double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
    for (double t = 0; t < 2 * std::numbers::pi; t += 0.001) {
        const Point p = view.at(e.at(t));
        left = std::min(left, static_cast<double>(p.x));
        right = std::max(right, static_cast<double>(p.x));
        top = std::min(top, static_cast<double>(p.y));
        bottom = std::max(bottom, static_cast<double>(p.y));
    }
    ASSERT_EQ(canvas.marks.size(), 2u);
    for (const auto& mark : canvas.marks) { // the filled area and the line around it
        EXPECT_NEAR(mark.bounds.x, left, 0.1);
        EXPECT_NEAR(mark.bounds.right(), right, 0.1);
        EXPECT_NEAR(mark.bounds.y, top, 0.1);
        EXPECT_NEAR(mark.bounds.bottom(), bottom, 0.1);
    }
}

TEST(PointLabels, KeepOutOfOneAnothersWayAndWithinTheirBounds) {
    RecordingCanvas canvas;
    const Rect bounds{0, 0, 200, 100};
    PointLabels labels(canvas, bounds);
    labels.keep_free({60, 40, 60, 20});
    for (int i = 0; i < 12; ++i)
        labels.put({20.0f + 14 * static_cast<float>(i), 20.0f + 5 * static_cast<float>(i)}, "token",
                   TextRole::small, k_blue, 4);
    labels.draw(theme(ThemeKind::light).ink_soft);
    EXPECT_GT(canvas.texts.size(), 2u);
    EXPECT_LT(canvas.texts.size(), 12u) << "what has no room is left out";
    EXPECT_FALSE(canvas.overlapping_texts());
    EXPECT_FALSE(canvas.text_outside(bounds));
}

} // namespace
} // namespace normscope
