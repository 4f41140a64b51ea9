#pragma once
#include <cmath>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// Values from lo to hi.
struct Extent {
    double lo = -1, hi = 1;
    bool operator==(const Extent&) const = default;
};

enum class ScaleKind : std::uint8_t { linear, log, symlog };

// From values to pixels along one axis. lo ≠ hi; for log both are positive. symlog is linear within
// ±linear_to and logarithmic beyond, so that both signs and zero have a place.
struct Scale {
    ScaleKind kind = ScaleKind::linear;
    double lo = 0, hi = 1;
    float from = 0, to = 1; // of lo and hi; from > to on a y-axis
    double linear_to = 1;   // symlog only, > 0
    bool operator==(const Scale&) const = default;

    // A value's place when lo is 0 and hi is 1. A value without one (0 on a log axis) is −∞.
    double fraction(double value) const { return (bent(value) - bent(lo)) / (bent(hi) - bent(lo)); }

    float pixel(double value) const { return pixel_at(fraction(value)); }
    float pixel_at(double fraction) const {
        return from + static_cast<float>(fraction) * (to - from);
    }
    double value(float pixel) const {
        const double t = static_cast<double>((pixel - from) / (to - from));
        return unbent(bent(lo) + t * (bent(hi) - bent(lo)));
    }

  private:
    double bent(double v) const {
        if (kind == ScaleKind::linear) return v;
        if (kind == ScaleKind::log) return std::log10(v);
        if (std::abs(v) <= linear_to) return v / linear_to;
        return std::copysign(1 + std::log10(std::abs(v) / linear_to), v);
    }
    double unbent(double b) const {
        if (kind == ScaleKind::linear) return b;
        if (kind == ScaleKind::log) return std::pow(10.0, b);
        if (std::abs(b) <= 1) return b * linear_to;
        return std::copysign(linear_to * std::pow(10.0, std::abs(b) - 1), b);
    }
};

struct Tick {
    double value = 0;
    std::string label;
};

// One of the steps, ascending from 1, · 10^k: the least that is at least `least` (> 0).
double round_up(double least, std::initializer_list<double> steps);

// 1, 2 or 5 · 10^k.
double nice_step(double least);

// [lo, hi] moved outward to multiples of a nice step, about `parts` of them.
Extent nice_range(double lo, double hi, int parts);

// How much room a label takes along the axis, the gap to its neighbour included.
using LabelRoom = std::function<float(std::string_view)>;

// Ticks within [lo, hi], as many as have room without crowding. Linear axes step by 1, 2 or 5 ·
// 10^k and write all labels with the same decimals; logarithmic ones step by whole decades (1e-4,
// 1e0), or by 1, 2, 5 within few of them; symlog has zero and the decades of both signs. Empty for
// a range that is empty or not finite.
std::vector<Tick> make_ticks(const Scale& scale, const LabelRoom& room);

} // namespace normscope
