#include "app/study/backward/conventions.h"

#include <cmath>
#include <limits>

namespace normscope {

Normalization normalize_by(const Convention& c, std::span<const double> z, double eps) {
    const double n = static_cast<double>(z.size());
    double mean = 0;
    for (const double v : z) mean += v;
    mean /= n;
    double squares = 0;
    for (const double v : z) squares += (v - mean) * (v - mean);
    const double count = c.unbiased ? n - 1 : n;
    const double variance = count > 0 ? squares / count : std::numeric_limits<double>::quiet_NaN();
    Normalization out;
    out.divisor = c.eps_outside ? std::sqrt(variance) + eps : std::sqrt(variance + eps);
    out.values.reserve(z.size());
    for (const double v : z) out.values.push_back((v - mean) / out.divisor);
    return out;
}

} // namespace normscope
