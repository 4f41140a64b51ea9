#pragma once

namespace normscope {

// The x below which a share p of N(0, 1) lies; p in (0, 1), −∞ at 0 and ∞ at 1, NaN outside.
// Acklam's rational approximation (2003, relative error 1.15e-9) and one Halley step on erfc.
double normal_quantile(double p);

} // namespace normscope
