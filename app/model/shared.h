#pragma once
#include "core/base/matrix.h"

#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace normscope {

// Equal bit for bit, so that a NaN equals itself and −0 differs from 0.
inline bool same_value(const Matrix<double>& a, const Matrix<double>& b) {
    if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
    const std::size_t bytes = static_cast<std::size_t>(a.size()) * sizeof(double);
    return bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0; // an empty one's data is null
}
inline bool same_value(const std::vector<double>& a, const std::vector<double>& b) {
    if (a.size() != b.size()) return false;
    return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}
inline bool same_value(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return a == b;
}

// An immutable value that copies share: a copy of a document, and so an undo point, costs pointers.
template<class T>
class Shared {
  public:
    Shared() : value_(std::make_shared<const T>()) {}
    Shared(T value) : value_(std::make_shared<const T>(std::move(value))) {}

    const T& operator*() const { return *value_; }
    const T* operator->() const { return value_.get(); }

    // The very same object: what a memo asks.
    bool is(const Shared& other) const { return value_ == other.value_; }
    bool operator==(const Shared& other) const {
        return is(other) || same_value(*value_, *other.value_);
    }

  private:
    std::shared_ptr<const T> value_;
};

} // namespace normscope
