#pragma once
#include "core/base/matrix.h"
#include "core/base/result.h"
#include "core/train/task.h"

#include <cstdint>
#include <vector>

namespace normscope {

// Points with classes, made by code. u is uniform on ±1, of each coordinate anew; i counts the n
// points of a class:
//   spirals    class c: r·(sin t, cos t) + noise·u, r = 5i/n, t = 2π·turns·i/n + cπ, all divided
//              by 3 (TensorFlow Playground's spiral)
//   moons      (cos t, sin t) − (0.5, 0.25) and (0.5 − cos t, 0.25 − sin t), t = πi/n, + noise·u
//   circles    r·(sin t, cos t) + noise·u, t = 2πi/n, r = 1 of class 0 and 0.5 of class 1
//   xor        u + noise·u', class 1 where the coordinates of u have one sign
//   gaussians  N(±(1, 1), (5·noise)²)
struct PointTaskConfig {
    Task task = Task::spirals;
    double turns = 1; // of spirals
    double noise = 0.1;
    Index of_a_class = 200;

    bool operator==(const PointTaskConfig&) const = default;
};

// Each row of x is a point; a class from 0 to class_count − 1 for each.
struct Points {
    Matrix<double> x; // N×F
    std::vector<Index> classes;
    Index class_count = 2;
};

struct PointData {
    Points train;
    Points test;
};

// The points for training and as many others for the test. The same seed, the same points.
PointData draw_points(const PointTaskConfig& config, std::uint64_t seed);

// A fifth of the points, drawn by the seed, is the test. Every column is brought to mean 0 and
// variance 1 over the points for training; one that is constant there is only centred. Errors:
// fewer than 10 points; fewer than two columns or two classes; a value that is not finite, by its
// place; classes that do not fit.
Result<PointData> split_points(const Points& points, std::uint64_t seed);

} // namespace normscope
