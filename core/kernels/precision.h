#pragma once
#include <cstddef>
#include <type_traits>
#include <utility>

namespace normscope {

// The kernel for S from a pair of kernels in float and in double. A source exports such pairs for
// each instruction set.
template<class S, class F32, class F64>
auto in_precision(const std::pair<F32, F64>& kernels) {
    constexpr std::size_t k_which = std::is_same_v<S, float> ? 0 : 1;
    return std::get<k_which>(kernels);
}

} // namespace normscope
