#pragma once
#include "app/charts/distribution_chart.h"
#include "tests/app/charts/recording_canvas.h"

#include <cmath>
#include <numbers>
#include <vector>

namespace normscope {

// A standard normal distribution, as core/stats would give it.
struct Bell {
    std::vector<double> density, edges, bins;
    Bell() {
        const auto height = [](double x) {
            return std::exp(-x * x / 2) / std::sqrt(2 * std::numbers::pi);
        };
        for (int i = 0; i <= 120; ++i) density.push_back(height(-6 + i * 0.1));
        for (int i = 0; i <= 24; ++i) edges.push_back(-6 + i * 0.5);
        for (int i = 0; i < 24; ++i) bins.push_back(height(-5.75 + i * 0.5));
    }
    DistributionCurve curve() const {
        DistributionCurve c;
        c.color = k_blue;
        c.density = density;
        c.density_lo = -6;
        c.density_hi = 6;
        c.bin_edges = edges;
        c.bin_density = bins;
        c.mean = 0;
        c.std = 1;
        return c;
    }
};

} // namespace normscope
