#pragma once
#include "app/study/job.h"

#include <any>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace normscope {

enum class Where : std::uint8_t { here, on_a_worker };

// What is kept up with the document from frame to frame.
class KeptUp {
  public:
    virtual ~KeptUp() = default;

    // begin_frame() comes before a frame's keep_up() calls, end_frame() after them. A node that
    // nobody has kept up in this frame drops what its worker has finished.
    virtual void begin_frame() = 0;
    virtual void end_frame() = 0;

    virtual bool computing() const = 0;
    // Work that is told of in its own panels keeps these three as they are.
    // It has run for so long, at the last frame, that a person asks why nothing happens; or not
    // yet.
    virtual bool slow() const { return false; }
    virtual bool just_begun() const { return false; }
    // Why the work for an input failed, once.
    virtual std::optional<Error> take_error() { return std::nullopt; }
};

// What follows from an input, made when it is asked for or kept up with it. Where T says that it
// takes longer than a frame, it is made on a worker with a copy of the input, one at a time, while
// the last one stays. An input whose work fails is not tried again.
// T: static of(input, before), where `before` may be null; static where(input); is_of(input);
// fits(input): may be shown while the input's own is made.
template<class T>
class Node final : public KeptUp {
  public:
    // `wake` is called on the worker when a result is there.
    explicit Node(std::function<void()> wake = [] {}) : job_(std::move(wake)) {}

    // Brings it up with `input`, as far as can be done at once. False: there is nothing to show.
    template<class Input>
    bool keep_up(const Input& input) {
        following_ = true;
        // An older result of the same shape is shown too, but not in place of the input's own.
        if (auto finished = job_.take()) {
            if (!*finished) {
                failed_ = std::move(working_on_);
                error_ = finished->error();
            } else if ((**finished)->fits(input) && !(last_ && last_->is_of(input))) {
                last_ = std::move(**finished);
            }
        }
        const Input* failed = std::any_cast<Input>(&failed_);
        if ((last_ && last_->is_of(input)) || (failed && *failed == input)) {
            began_.reset();
        } else if (T::where(input) == Where::here) {
            began_.reset();
            last_ = T::of(input, last_);
        } else {
            if (!began_) began_ = Clock::now();
            if (!job_.busy()) {
                working_on_ = input;
                job_.start("Computing", [input, before = last_](const Progress&) {
                    return T::of(input, before);
                });
            }
        }
        slow_ = began_ && Clock::now() - *began_ >= k_silent;
        behind_ = !last_ || !last_->is_of(input);
        return last_ && last_->fits(input);
    }

    // What follows from `input`. While a worker catches up: the last result, even of an earlier
    // input. Else the result of `input`, made now where need be.
    template<class Input>
    const T& of(const Input& input) {
        if (!last_ || (!behind_ && !last_->is_of(input))) last_ = T::of(input, last_);
        return *last_;
    }

    // The same as of() gives; null while a worker makes the first one.
    template<class Input>
    const T* find(const Input& input) {
        return behind_ && !last_ ? nullptr : &of(input);
    }

    const std::shared_ptr<const T>& last() const { return last_; } // may be null

    void begin_frame() override { following_ = false; }
    void end_frame() override {
        if (following_) return;
        began_.reset();
        slow_ = false;
        (void)job_.take();
    }

    bool computing() const override { return following_ && job_.busy(); }
    bool slow() const override { return computing() && slow_; }
    bool just_begun() const override { return computing() && !slow_; }
    std::optional<Error> take_error() override { return std::exchange(error_, std::nullopt); }

  private:
    using Clock = std::chrono::steady_clock;
    using Made = std::shared_ptr<const T>;

    Made last_;
    bool behind_ = false, following_ = false, slow_ = false;
    std::optional<Clock::time_point> began_; // when what is shown fell behind
    std::any working_on_, failed_;           // inputs
    std::optional<Error> error_;
    Job<Made> job_; // last: joined before what it uses goes
};

} // namespace normscope
