#pragma once
#include "core/base/matrix.h"
#include "core/base/result.h"
#include "core/norm/shape.h"

#include <cstdint>
#include <string>

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
    return fail(std::string(who) + " expects tokens of " + std::to_string(features) +
                " features; the matrix is " + shape_text(x.rows(), x.cols()));
}

// A gradient of `tokens`×`features`, or the message of `who` names both shapes.
template<class S>
Result<void> check_gradient(const char* who, const Matrix<S>& dy, Index tokens, Index features) {
    if (dy.rows() == tokens && dy.cols() == features) return {};
    return fail(std::string(who) + ": the gradient does not fit: the output is " +
                shape_text(tokens, features) + ", dy is " + shape_text(dy.rows(), dy.cols()));
}

} // namespace normscope
