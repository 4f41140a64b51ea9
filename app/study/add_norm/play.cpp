#include "app/study/add_norm/play.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

// The span of a step in which something happens; a step lasts from 0 to 1.
struct Span {
    double from, to;
};
constexpr Span k_into_z{0.05, 0.9};
constexpr Span k_onto_line{0.05, 0.6}, k_mean_drawn{0.65, 0.85};
constexpr Span k_sticks{0.02, 0.25}, k_squares{0.3, 0.5}, k_levelled{0.6, 0.9};
constexpr Span k_moved{0.02, 0.35}, k_scaled{0.4, 0.7}, k_into_cells{0.72, 0.98};

// The progress through a span: 0 before it, 1 after it, slow at both ends.
double eased(double part, Span span) {
    const double t = std::clamp((part - span.from) / (span.to - span.from), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

// The progress of motion i of n, which begin one after the other.
double eased(double part, Span span, Index i, Index n) {
    const double length = (span.to - span.from) * (n > 1 ? 0.4 : 1);
    const double last = span.to - span.from - length;
    const double from =
        span.from + (n > 1 ? last * static_cast<double>(i) / static_cast<double>(n - 1) : 0);
    return eased(part, {from, from + length});
}

double between(double from, double to, double way) {
    return from * (1 - way) + to * way;
}

// One set's numbers.
struct PlayedSet {
    const Derived& derived;
    Index set;
    StatisticSets sets = derived.sets();
    Index n = sets.size();
    const NormEntry& norm = norm_entry(derived.document().norm);
    const Spread& spread = *norm.spread;
    bool normalizes = norm.normalizes() && !derived.error().has_value();
    double mean = normalizes && spread.centres ? derived.mean(set) : 0;
    double rstd = normalizes ? derived.rstd(set) : 1;

    double at(Tensor which, Index place) const {
        return derived.view(which)(sets.token(set, place), sets.feature(set, place));
    }
    double scaled(Index place) const {
        return derived.gamma(sets.token(set, place), sets.feature(set, place)) *
               at(Tensor::x_hat, place);
    }
    double statistic() const { // around the mean, or around 0 where none is taken off
        Vector<double> values(n);
        for (Index i = 0; i < n; ++i) values(i) = at(Tensor::z, i) - mean;
        return spread.statistic(values);
    }
};

// The place of a value on the line in the step of `f`.
double on_line(const PlayedSet& s, const PlayedFrame& f, Index place) {
    const double z = s.at(Tensor::z, place);
    if (f.step < 3) return z;
    const double x_hat = s.at(Tensor::x_hat, place);
    if (f.step == 3)
        return f.scaled > 0 ? between(z - s.mean, x_hat, f.scaled) : z - s.mean * f.moved;
    const double scaled = s.scaled(place);
    return f.scaled > 0 ? between(scaled, s.at(Tensor::y, place), f.scaled)
                        : between(x_hat, scaled, f.moved);
}

} // namespace

PlayedFrame played_frame(const Derived& derived, Index set, double time) {
    const PlayedSet s{derived, set};
    const bool skip = derived.document().residual == Residual::add;
    PlayedFrame f;
    time = std::clamp(time, 0.0, static_cast<double>(k_played_steps));
    f.step = std::clamp(static_cast<int>(std::ceil(time)) - 1, 0, k_played_steps - 1);
    f.part = time - f.step;
    const auto span = [&](int step, Span when) {
        return f.step > step ? 1.0 : f.step < step ? 0.0 : eased(f.part, when);
    };
    const auto one_by_one = [&](int step, Span when, Index i) {
        return f.step > step ? 1.0 : f.step < step ? 0.0 : eased(f.part, when, i, s.n);
    };
    if (s.normalizes) {
        f.mean_drawn = f.step == 4 ? 0 : span(1, k_mean_drawn);
        f.stick = span(2, k_sticks);
        f.square = s.spread.squares ? span(2, k_squares) : 0;
        f.levelled = span(2, k_levelled);
    }
    if (f.step >= 3) {
        f.moved = eased(f.part, k_moved);
        f.scaled = eased(f.part, k_scaled);
    }
    f.mean = f.step < 3 ? s.mean : s.mean * (1 - f.moved);
    const bool squares = f.square > 0 && f.step < 4;
    f.statistic = s.normalizes && (f.step == 2 || f.step == 3) ? s.statistic() : 0;
    const double side = f.step == 3 ? between(1, s.rstd, f.scaled) : 1;
    const Index apart = (s.n + k_most_played - 1) / k_most_played;
    for (Index i = 0; i < s.n; ++i) {
        const double into_z = one_by_one(0, k_into_z, i);
        const double onto_line = one_by_one(1, k_onto_line, i);
        const double into_x_hat = one_by_one(3, k_into_cells, i);
        const double into_y = one_by_one(4, k_into_cells, i);
        f.z_made += into_z == 1;
        f.x_hat_made += into_x_hat == 1;
        f.y_made += into_y == 1;
        if (onto_line == 1) {
            ++f.summed;
            f.sum += s.at(Tensor::z, i);
        }
        if (i % apart != 0) continue;
        const auto fly = [&](PlayedAt from, PlayedAt to, double way, double value) {
            if (way > 0 && way < 1) f.flights.push_back({i, from, to, way, value});
        };
        if (skip) fly(PlayedAt::x, PlayedAt::z, into_z, s.at(Tensor::x, i));
        fly(PlayedAt::f, PlayedAt::z, into_z, s.at(Tensor::f, i));
        fly(PlayedAt::z, PlayedAt::line, onto_line, s.at(Tensor::z, i));
        fly(PlayedAt::line, PlayedAt::x_hat, into_x_hat, s.at(Tensor::x_hat, i));
        fly(PlayedAt::line, PlayedAt::y, into_y, s.at(Tensor::y, i));
        if (onto_line < 1) continue;
        PlayedValue value{i, on_line(s, f, i)};
        if (squares)
            value.area =
                between(std::pow(s.at(Tensor::z, i) - s.mean, 2), f.statistic, f.levelled) * side *
                side;
        f.values.push_back(value);
    }
    return f;
}

PlayedRange played_range(const Derived& derived, Index set) {
    const PlayedSet s{derived, set};
    PlayedRange range{0, 0, s.normalizes ? s.spread.root(s.statistic()) : 0};
    if (!std::isfinite(range.farthest)) range.farthest = 0;
    for (Index i = 0; i < s.n; ++i) {
        const double z = s.at(Tensor::z, i);
        for (const double at :
             {z, z - s.mean, s.at(Tensor::x_hat, i), s.scaled(i), s.at(Tensor::y, i)}) {
            if (!std::isfinite(at)) continue;
            range.lo = std::min(range.lo, at);
            range.hi = std::max(range.hi, at);
        }
        if (s.normalizes && std::isfinite(z - s.mean))
            range.farthest = std::max(range.farthest, std::abs(z - s.mean));
    }
    return range;
}

} // namespace normscope
