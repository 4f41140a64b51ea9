#pragma once
#include <memory>

namespace normscope {

// The result that follows from an input, made in the frame that asks for it. Unchanged parts are
// shared with the result before.
// T: static of(input, before), where `before` may be null; is_of(input).
template<class T>
class Study {
  public:
    template<class Input>
    const T& of(const Input& input) {
        if (!last_ || !last_->is_of(input)) last_ = T::of(input, last_);
        return *last_;
    }
    const std::shared_ptr<const T>& last() const { return last_; } // may be null

  private:
    std::shared_ptr<const T> last_;
};

} // namespace normscope
