#pragma once
#include "core/base/caught.h"
#include "core/base/progress.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>

namespace normscope {

// Work that is shorter shows no progress.
inline constexpr auto k_silent = std::chrono::milliseconds(100);

// One piece of work on a thread of its own. All calls are of one thread. The destructor stops the
// work and waits for its end.
template<class T>
class Job {
  public:
    using Work = std::function<Result<T>(const Progress&)>;

    // `wake` is called on the worker: the result is there, or the work has got on (not too often).
    explicit Job(std::function<void()> wake) : wake_(std::move(wake)) {}
    ~Job() { stop(); }

    // Only while not busy(). An exception of `work` arrives as its error, in the name of the work.
    void start(std::string name, Work work) {
        name_ = std::move(name);
        told_ = Clock::now();
        share_ = 0;
        stop_ = std::stop_source();
        const auto run = [this, work = std::move(work), stop = stop_.get_token()] {
            const Progress progress{stop, [this](double share) { report(share); }};
            deliver(caught(name_, [&] { return work(progress); }));
            wake_();
        };
        const auto begun = caught(name_, [&]() -> Result<void> {
            worker_ = std::jthread(run);
            return {};
        });
        if (!begun) deliver(tl::unexpected(begun.error()));
        busy_ = true;
    }

    // The result, once. After stop() the work may still deliver one: it looks for a stop now and
    // then.
    std::optional<Result<T>> take() {
        if (!busy_) return std::nullopt;
        const std::lock_guard lock(mutex_);
        busy_ = !result_;
        return std::exchange(result_, std::nullopt);
    }

    void stop() { stop_.request_stop(); }

    bool busy() const { return busy_; }
    bool stopped() const { return stop_.stop_requested(); } // since start()
    // The largest share that the work said it has done, 0 to 1.
    double share() const {
        const std::lock_guard lock(mutex_);
        return share_;
    }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr auto k_between_wakes = std::chrono::milliseconds(100);

    void deliver(Result<T> result) {
        const std::lock_guard lock(mutex_);
        result_ = std::move(result);
    }

    void report(double share) {
        {
            const std::lock_guard lock(mutex_);
            share_ = std::max(share_, share);
            const auto now = Clock::now();
            if (now - told_ < k_between_wakes) return;
            told_ = now;
        }
        wake_();
    }

    std::function<void()> wake_;
    std::string name_;
    std::stop_source stop_;
    bool busy_ = false;
    mutable std::mutex mutex_;
    std::optional<Result<T>> result_; // guarded by mutex_, as are the next two
    double share_ = 0;
    Clock::time_point told_;
    std::jthread worker_; // last: joined before what it writes to goes
};

} // namespace normscope
