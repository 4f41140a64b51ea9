#pragma once
#include "app/study/add_norm/derived.h"
#include "core/base/memo.h"

#include <cstdint>
#include <memory>

namespace normscope {

// Distributions of single tokens and features, kept while the tensor they are of stays the same:
// hovering to and fro computes each once.
struct DistributionKey {
    std::uint64_t version; // of the tensor's content
    Tensor tensor;
    Pool pool;
    bool operator==(const DistributionKey&) const = default;
};
using DistributionMemo = Memo<DistributionKey, std::shared_ptr<const Distribution1D>, 32>;

inline std::shared_ptr<const Distribution1D>
distribution(DistributionMemo& memo, const Derived& derived, Tensor which, Pool pool) {
    return memo.of({derived.version(which), which, pool}, [&] {
        return std::make_shared<const Distribution1D>(derived.distribution(which, pool));
    });
}

} // namespace normscope
