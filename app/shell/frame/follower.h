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

// Keeps what is derived of an input up with it. What takes less than a frame is made here; larger
// work is done on a worker with a copy of the input, one at a time, while the last result stays.
// An input whose work fails is not tried again.
// T: static of(input, before); is_of(input); fits(input): may be shown while the input's own is
// made.
template<class T>
class Follower {
  public:
    using Made = std::shared_ptr<const T>;

    // `wake` is called on the worker when a result is there.
    explicit Follower(std::function<void()> wake) : job_(std::move(wake)) {}

    // What to show for `input`: its own, or the last that was made, or `shown`, the one before; it
    // may be null.
    template<class Input>
    Made update(const Input& input, Made shown, Where where) {
        following_ = true;
        // One that is behind still shows how far the work has come.
        if (auto finished = job_.take()) {
            if (!*finished) {
                failed_ = std::move(working_on_);
                error_ = finished->error();
            } else if ((**finished)->fits(input)) {
                shown = std::move(**finished);
            }
        }
        const Input* failed = std::any_cast<Input>(&failed_);
        if ((shown && shown->is_of(input)) || (failed && *failed == input)) {
            keeps_up();
            return shown;
        }
        if (where == Where::here) {
            keeps_up();
            return T::of(input, std::move(shown));
        }
        if (!began_) began_ = Clock::now();
        slow_ = Clock::now() - *began_ >= k_silent;
        if (!job_.busy()) {
            working_on_ = input;
            job_.start("Computing",
                       [input, shown](const Progress&) { return T::of(input, shown); });
        }
        return shown;
    }

    // Nobody looks: what is made meanwhile is dropped.
    void rest() {
        following_ = false;
        keeps_up();
        (void)job_.take();
    }

    bool computing() const { return following_ && job_.busy(); }

    // Why the work for an input failed, once.
    std::optional<Error> take_error() { return std::exchange(error_, std::nullopt); }

    // For so long, at the last update, that a person asks why nothing happens; or not yet.
    bool slow() const { return computing() && slow_; }
    bool just_begun() const { return computing() && !slow_; }

  private:
    using Clock = std::chrono::steady_clock;

    void keeps_up() {
        began_.reset();
        slow_ = false;
    }

    bool following_ = false;
    bool slow_ = false;
    std::optional<Clock::time_point> began_; // when what is shown fell behind
    std::any working_on_, failed_;           // inputs
    std::optional<Error> error_;
    Job<Made> job_; // last: joined before what it uses goes
};

} // namespace normscope
