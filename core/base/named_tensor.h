#pragma once
#include "core/base/matrix.h"

#include <string>
#include <vector>

namespace normscope {

// A tensor where it lies, row-major, with its name and shape.
template<class T>
struct NamedTensor {
    std::string name;
    std::vector<Index> shape;
    T* data = nullptr;

    Index size() const {
        Index n = 1;
        for (const Index length : shape) n *= length;
        return n;
    }
};

} // namespace normscope
