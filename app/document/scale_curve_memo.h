#pragma once
#include "app/document/backward.h"
#include "app/document/scale_curve.h"

#include <optional>

namespace normscope {

// The curve of the last backward pass it was asked about, computed when that is another.
class ScaleCurveMemo {
  public:
    const ScaleCurve& of(const Backward& backward);

  private:
    std::optional<ScaleCurve> last_;
    std::uint64_t x_hat_ = 0, affine_ = 0, dy_ = 0; // versions it was made of
};

} // namespace normscope
