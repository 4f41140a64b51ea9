#pragma once
#include <algorithm>
#include <cstddef>
#include <hwy/aligned_allocator.h>
#include <hwy/base.h>

namespace normscope::kernels {

// Room for a few arrays of n values each, zeros at first, each beginning on a cache line: a vector
// that lies across two lines is read and written at half the speed. A line lies between one array
// and the next, so that arrays of whole pages do not meet in the same sets of the cache.
template<class S>
class Scratch {
  public:
    Scratch(std::size_t arrays, std::size_t n)
        : stride_(n == 0 ? 0 : hwy::RoundUpTo(n, k_line) + k_line) {
        const std::size_t values = arrays * stride_;
        if (values == 0) return;
        room_ = hwy::AllocateAligned<S>(values);
        std::fill_n(room_.get(), values, S(0));
    }

    S* array(std::size_t i) const { return room_.get() + i * stride_; }

  private:
    static constexpr std::size_t k_line = 64 / sizeof(S); // values

    std::size_t stride_;
    hwy::AlignedFreeUniquePtr<S[]> room_;
};

} // namespace normscope::kernels
