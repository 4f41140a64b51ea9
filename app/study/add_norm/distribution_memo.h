#pragma once
#include "app/study/add_norm/derived.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace normscope {

// Distributions of single tokens and features, kept while the tensor they are of stays the same:
// hovering to and fro computes each once.
class DistributionMemo {
  public:
    std::shared_ptr<const Distribution1D> of(const Derived& derived, Tensor which, Pool pool);

    int computed() const { return computed_; }

  private:
    struct Entry {
        std::uint64_t version;
        Tensor tensor;
        Pool pool;
        std::shared_ptr<const Distribution1D> value;
        std::uint64_t used;
    };
    std::vector<Entry> entries_;
    std::uint64_t clock_ = 0;
    int computed_ = 0;
};

} // namespace normscope
