#include "core/train/train_data.h"

#include "core/base/lists.h"
#include "core/base/random.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace normscope {
namespace {

constexpr double k_pi = std::numbers::pi;
constexpr Index k_fewest_points = 10;

struct Point {
    double x, y;
};

// Point i of n of a class, without noise.
Point spiral_point(double turns, Index c, double share) {
    const double t = 2 * k_pi * turns * share + static_cast<double>(c) * k_pi;
    return {5 * share * std::sin(t), 5 * share * std::cos(t)};
}
Point moon_point(Index c, double share) {
    const double t = k_pi * share;
    if (c == 0) return {std::cos(t) - 0.5, std::sin(t) - 0.25};
    return {0.5 - std::cos(t), 0.25 - std::sin(t)};
}
Point circle_point(Index c, double share) {
    const double t = 2 * k_pi * share, r = c == 0 ? 1 : 0.5;
    return {r * std::sin(t), r * std::cos(t)};
}

double centred(Random& random) {
    return 2 * random.uniform() - 1;
}

// A point of class c: one sign of both coordinates is class 1.
Point xor_point(Index c, Random& random) {
    const Point p{centred(random), centred(random)};
    const bool alike = (p.x < 0) == (p.y < 0);
    return {alike == (c == 1) ? p.x : -p.x, p.y};
}

Point point_of(const TrainConfig& config, Index c, Index i, Random& random) {
    const double share = static_cast<double>(i) / static_cast<double>(config.points);
    if (config.task == Task::gaussians) {
        const double centre = c == 0 ? -1 : 1, spread = 5 * config.noise;
        return {centre + spread * random.normal(), centre + spread * random.normal()};
    }
    Point p{};
    if (config.task == Task::spirals) p = spiral_point(config.turns, c, share);
    if (config.task == Task::moons) p = moon_point(c, share);
    if (config.task == Task::circles) p = circle_point(c, share);
    if (config.task == Task::exclusive_or) p = xor_point(c, random);
    p.x += config.noise * centred(random);
    p.y += config.noise * centred(random);
    if (config.task == Task::spirals) return {p.x / 3, p.y / 3};
    return p;
}

Points draw(const TrainConfig& config, Random random) {
    constexpr Index k_classes = 2;
    Points out;
    out.x.resize(k_classes * config.points, 2);
    for (Index c = 0; c < k_classes; ++c)
        for (Index i = 0; i < config.points; ++i) {
            const Point p = point_of(config, c, i, random);
            out.x.row(std::ssize(out.classes)) << p.x, p.y;
            out.classes.push_back(c);
        }
    return out;
}

Result<void> check_points(const Points& points) {
    const Index n = points.x.rows();
    if (n < k_fewest_points)
        return fail("training needs at least {} points; there are {}", k_fewest_points, n);
    if (points.x.cols() < 2)
        return fail("points need at least two columns beside the class; there are {}",
                    points.x.cols());
    if (points.class_count < 2)
        return fail("the points are all of one class: training needs at least two");
    if (std::ssize(points.classes) != n)
        return fail("there are {} points and {} classes", n, points.classes.size());
    for (Index i = 0; i < n; ++i) {
        const Index c = entry_at(points.classes, i);
        if (c < 0 || c >= points.class_count)
            return fail("point {} is of class {}; the classes are 0 to {}", i + 1, c,
                        points.class_count - 1);
        for (Index f = 0; f < points.x.cols(); ++f)
            if (!std::isfinite(points.x(i, f)))
                return fail("column {} of point {} is not a finite number", f + 1, i + 1);
    }
    return {};
}

Points chosen(const Points& points, const std::vector<Index>& order, std::size_t first,
              std::size_t count) {
    Points out;
    out.class_count = points.class_count;
    out.x.resize(static_cast<Index>(count), points.x.cols());
    for (std::size_t i = 0; i < count; ++i) {
        const Index from = order[first + i];
        out.x.row(static_cast<Index>(i)) = points.x.row(from);
        out.classes.push_back(entry_at(points.classes, from));
    }
    return out;
}

void standardize(PointData& data, Index feature) {
    auto train = data.train.x.col(feature);
    auto test = data.test.x.col(feature);
    const double largest = train.cwiseAbs().maxCoeff();
    constexpr double k_rounding = 16 * std::numeric_limits<double>::epsilon();
    if (train.maxCoeff() / 2 - train.minCoeff() / 2 <= k_rounding * largest) {
        train.setZero();
        test.setZero();
        return;
    }
    int exponent = 0; // of a power of two that brings squares within the range of a double
    std::frexp(largest, &exponent);
    const auto scaled = [exponent](double value) { return std::ldexp(value, -exponent); };
    train = train.unaryExpr(scaled).eval();
    test = test.unaryExpr(scaled).eval();
    const double mean = train.mean();
    const double scale = 1 / std::sqrt((train.array() - mean).square().mean());
    train = (train.array() - mean) * scale;
    test = (test.array() - mean) * scale;
}

} // namespace

PointData draw_points(const TrainConfig& config) {
    return {draw(config, random_stream(config.seed, "train")),
            draw(config, random_stream(config.seed, "test"))};
}

Result<PointData> split_points(const Points& points, std::uint64_t seed) {
    TRY(check_points(points));
    std::vector<Index> order = first_places(std::ssize(points.classes));
    Random random = random_stream(seed, "split");
    for (std::size_t i = order.size() - 1; i > 0; --i)
        std::swap(order[i], order[random.below(i + 1)]);
    const std::size_t tests = order.size() / 5;
    PointData out{chosen(points, order, tests, order.size() - tests),
                  chosen(points, order, 0, tests)};
    for (Index f = 0; f < points.x.cols(); ++f) standardize(out, f);
    return out;
}

} // namespace normscope
