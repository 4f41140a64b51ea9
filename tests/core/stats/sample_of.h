#pragma once
#include "core/stats/sample.h"

#include <vector>

namespace normscope {

// All of these values, which must outlive it.
template<class S>
Sample<S> sample_of(const std::vector<S>& values) {
    return {values.data(), static_cast<Index>(values.size()), 1};
}

} // namespace normscope
