#pragma once
#include "core/base/matrix.h"
#include "core/base/result.h"
#include "core/norm/shape.h"

#include <cstdint>

namespace normscope {

// What a backward pass is asked for: parameter gradients cost about as much as the input's;
// training needs them alone, and no gradients of what is not trained.
enum class Want : std::uint8_t { everything, training, input_only };

struct Pass {
    Want want = Want::everything;
    int threads = 1;
};

// `x` has `features` columns and at least one row, or the message of `who` names both shapes.
template<class S>
Result<void> check_features(const char* who, const Matrix<S>& x, Index features) {
    if (x.rows() > 0 && x.cols() == features) return {};
    return fail("{} expects tokens of {} features; the matrix is {}", who, features, shape_text(x));
}

// A gradient of `tokens`×`features`, or the message of `who` names both shapes.
template<class S>
Result<void> check_gradient(const char* who, const Matrix<S>& dy, Index tokens, Index features) {
    if (dy.rows() == tokens && dy.cols() == features) return {};
    return fail("{}: the gradient does not fit: the output is {}, dy is {}", who,
                shape_text(tokens, features), shape_text(dy));
}

} // namespace normscope
