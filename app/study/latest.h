#pragma once
#include <memory>

namespace normscope {

// What was last derived of an input, made when it is asked for. A worker may keep it up instead:
// then what it left here is handed out, also while it is behind.
// T: static of(input, before), is_of(input).
template<class T>
class Latest {
  public:
    template<class Input>
    const T& of(const Input& input) {
        if (!last_ || (!behind_ && !last_->is_of(input))) last_ = T::of(input, last_);
        return *last_;
    }

    // As of(); null while a worker is at the first one.
    template<class Input>
    const T* find(const Input& input) {
        return behind_ && !last_ ? nullptr : &of(input);
    }

    const std::shared_ptr<const T>& last() const { return last_; }
    bool behind() const { return behind_; }

    void keep(std::shared_ptr<const T> last, bool behind) {
        last_ = std::move(last);
        behind_ = behind;
    }

  private:
    std::shared_ptr<const T> last_;
    bool behind_ = false;
};

} // namespace normscope
