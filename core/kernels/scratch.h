#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <hwy/aligned_allocator.h>
#include <hwy/base.h>

namespace normscope::kernels {

// What lies between one array of a Scratch and the next, at least. A line: so that arrays of whole
// pages do not meet in the same sets of the cache. A page: for arrays of several threads, as a
// processor that walks through one array asks for the lines behind it, to the end of the page, and
// would take them from the thread that writes there (two threads were no faster than one).
enum class Gap : std::uint16_t { line = 64, page = 4096 }; // bytes

// Room for a few arrays of n values each, zeros at first, each beginning on a cache line: a vector
// that lies across two lines is read and written at half the speed. Four kilobytes lie in the
// object.
template<class S>
class Scratch {
  public:
    Scratch(std::size_t arrays, std::size_t n, Gap gap = Gap::line)
        : stride_(n == 0 ? 0
                         : hwy::RoundUpTo(n, k_line) + static_cast<std::size_t>(gap) / sizeof(S)) {
        const std::size_t values = arrays * stride_;
        if (values == 0) return;
        if (values > k_near) room_ = hwy::AllocateAligned<S>(values);
        std::fill_n(begin(), values, S(0));
    }

    // Null where n is 0.
    S* array(std::size_t i) const { return stride_ == 0 ? nullptr : begin() + i * stride_; }

  private:
    static constexpr std::size_t k_line = 64 / sizeof(S);   // values
    static constexpr std::size_t k_near = 4096 / sizeof(S); // that need no memory of their own

    S* begin() const { return room_ ? room_.get() : near_; }

    std::size_t stride_;
    alignas(64) mutable S near_[k_near];
    hwy::AlignedFreeUniquePtr<S[]> room_;
};

} // namespace normscope::kernels
