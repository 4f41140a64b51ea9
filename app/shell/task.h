#pragma once
#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace normscope {

// Work that is shorter shows no progress.
inline constexpr auto k_silent = std::chrono::milliseconds(100);

// One piece of work on a thread of its own, so that the screen never waits for it. start(), take()
// and busy() belong to one thread. The destructor waits for the work.
template<class T>
class Task {
  public:
    // `done` is called on the worker when the result is there. Only while not busy().
    void start(std::function<T()> work, std::function<void()> done) {
        busy_ = true;
        worker_ = std::jthread([this, work = std::move(work), done = std::move(done)] {
            T value = work();
            {
                const std::lock_guard lock(mutex_);
                result_ = std::move(value);
            }
            done();
        });
    }

    // The result, once.
    std::optional<T> take() {
        if (!busy_) return std::nullopt;
        std::optional<T> value;
        {
            const std::lock_guard lock(mutex_);
            value.swap(result_);
        }
        if (value) busy_ = false;
        return value;
    }

    bool busy() const { return busy_; }

  private:
    bool busy_ = false;
    std::mutex mutex_;
    std::optional<T> result_; // guarded by mutex_
    std::jthread worker_;     // last: joined before what it writes to goes
};

} // namespace normscope
