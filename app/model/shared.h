#pragma once
#include "core/base/lists.h"
#include "core/base/matrix.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>
#include <vector>

namespace normscope {

template<class T>
bool same_value(const T& a, const T& b) {
    return a == b;
}
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

// An immutable value that copies share: a copy of a document, and so an undo point, costs pointers.
template<class T>
class Shared {
  public:
    Shared() : value_(std::make_shared<const T>()) {}
    Shared(T value) : value_(std::make_shared<const T>(std::move(value))) {}

    const T& operator*() const { return *value_; }
    const T* operator->() const { return value_.get(); }

    // A copy of the value that nothing else shares, to be changed at once.
    T& own() {
        const auto copy = std::make_shared<T>(*value_);
        value_ = copy;
        return *copy;
    }

    // The very same object: what a memo asks.
    bool is(const Shared& other) const { return value_ == other.value_; }
    bool operator==(const Shared& other) const {
        return is(other) || same_value(*value_, *other.value_);
    }

  private:
    std::shared_ptr<const T> value_;
};

// The first look that none of the pinned stacks or lanes has.
template<class T>
std::size_t free_look(const std::vector<T>& things) {
    std::size_t look = 0;
    while (find_in(things, look, &T::look)) ++look;
    return look;
}

} // namespace normscope
