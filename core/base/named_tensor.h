#pragma once
#include "core/base/matrix.h"

#include <functional>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

namespace normscope {

// A tensor where it lies, row-major, with its name and shape.
template<class T>
struct NamedTensor {
    std::string name;
    std::vector<Index> shape;
    T* data = nullptr;

    Index size() const {
        return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>());
    }
    Eigen::Map<const Vector<std::remove_const_t<T>>> values() const { return {data, size()}; }
};

// Values of all tensors together.
template<class T>
Index total_size(const std::vector<NamedTensor<T>>& tensors) {
    Index n = 0;
    for (const NamedTensor<T>& tensor : tensors) n += tensor.size();
    return n;
}

} // namespace normscope
