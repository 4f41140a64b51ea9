#pragma once
#include "app/study/lab/lab.h"

#include <atomic>
#include <memory>
#include <utility>

namespace normscope {

// A result that follows from an input and is kept up with it. Where T says that it takes longer
// than a frame, the lab makes it, one at a time, while the last one stays. An input whose work
// fails is not tried again. T: static of(input, before, progress) gives a shared T, or null after a
// stop; `before` may be null. static fits_in_a_frame(input); is_of(input).
template<class T, class Input>
class Node {
  public:
    // Brings the result up with `input` as far as can be done at once. False: there is none to
    // show.
    bool keep_up(Lab& lab, const Input& input) {
        // An older result is shown too, but not in place of the input's own.
        if (making_ && making_->done) {
            if (!is_of(input)) last_ = making_->made;
            making_.reset();
        }
        behind_ = !is_of(input) && !T::fits_in_a_frame(input);
        if (!behind_) (void)of(input);
        const bool at_work = making_ && making_->is_running();
        if (behind_ && !at_work && !(making_ && making_->input == input))
            making_ = std::make_shared<Making>(input, last_);
        if (behind_) lab.want(making_);
        return last_ != nullptr;
    }

    // The result of `input`. While the lab catches up: the last result, even of an earlier
    // input. Else the result of `input`, made now where need be.
    const T& of(const Input& input) {
        if (!last_ || (!behind_ && !is_of(input))) last_ = T::of(input, last_, {});
        return *last_;
    }

    // The result that of() gives; null while the first one is made.
    const T* find(const Input& input) { return behind_ && !last_ ? nullptr : &of(input); }

    const std::shared_ptr<const T>& last() const { return last_; } // may be null

  private:
    using Made = std::shared_ptr<const T>;
    struct Making final : LabTask {
        Making(Input of, Made last)
            : LabTask("Computing", Told::by_the_shell), input(std::move(of)),
              before(std::move(last)) {}
        bool is_done() const override { return done; }
        Result<void> advance(const Progress& progress) override {
            made = T::of(input, before, progress);
            done = made != nullptr;
            return {};
        }
        Input input;
        Made before, made; // `made` is there once it is done
        std::atomic<bool> done = false;
    };

    bool is_of(const Input& input) const { return last_ && last_->is_of(input); }

    Made last_;
    bool behind_ = false;
    std::shared_ptr<Making> making_;
};

} // namespace normscope
