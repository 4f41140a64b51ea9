#pragma once
#include "core/base/progress.h"
#include "core/base/result.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace normscope {

// Work that is shorter than this shows no progress.
inline constexpr auto k_silent = std::chrono::milliseconds(100);

// A slice of a task that can be cut takes about so long.
inline constexpr auto k_slice = std::chrono::milliseconds(4);

// Work that takes longer than a frame. It is done in slices, by one thread at a time. The task
// itself guards the results that others read.
class LabTask {
  public:
    // The part that tells that a task goes on for long, and why it failed: the shell, or the panel
    // that shows the result.
    enum class Told : std::uint8_t { by_the_shell, by_its_panel };

    LabTask(std::string name, Told told) : name_(std::move(name)), told_(told) {}
    virtual ~LabTask() = default;

    // May be called on any thread.
    bool is_over() const { return !running_ && (failed_ || is_done()); }
    bool is_running() const { return running_; } // a thread is at it
    double share() const { return share_; }      // that is done, as the work says

    // Why the task failed; a failed task is not tried again.
    std::optional<Error> error() const { return failed_ ? std::optional(error_) : std::nullopt; }

  protected:
    virtual bool is_done() const = 0; // on any thread
    // The next slice: some milliseconds of the work, or a piece that cannot be cut. Error: the work
    // cannot be done, or it was stopped, and goes on later from where it was.
    virtual Result<void> advance(const Progress& progress) = 0;

  private:
    friend class Lab;
    std::string name_; // of the work, for an error
    Told told_;
    std::atomic<bool> running_ = false, failed_ = false;
    std::atomic<double> share_ = 0;
    Error error_; // written before failed_
};

// Runs the tasks that are wanted, in the order in which they are wanted, on threads of its own or
// inside end_frame(). All calls come from one thread, except those of finish().
class Lab {
  public:
    static int usual_threads();

    // `threads` 0: no thread is started. `wake` may be called on any thread: a task is over, or has
    // got on, which is said some ten times a second at most.
    explicit Lab(
        int threads = usual_threads(), std::function<void()> wake = [] {});
    ~Lab(); // stops everything
    Lab(const Lab&) = delete;
    Lab& operator=(const Lab&) = delete;

    // Wants a task in this frame, after those wanted before. A task that is over is not begun
    // again.
    void want(std::shared_ptr<LabTask> task);
    // Stops the tasks that were not wanted since the last call. Without threads: does slices for
    // some milliseconds.
    void end_frame();
    // Returns when a task is over; a slice that no thread is at is done here. On any thread.
    void finish(const std::shared_ptr<LabTask>& task);

    // Whether the task was wanted in this frame or in the last one.
    bool wants(const std::shared_ptr<LabTask>& task) const;
    bool computing() const; // some task wanted there is not over
    // A task that the shell tells of has been wanted for so long that a person asks why nothing
    // happens; or not yet.
    bool slow() const { return slow_; }
    bool just_begun() const { return began_ && !slow_; }
    // Why a task that the shell tells of failed, once.
    std::optional<Error> take_error();

  private:
    using Clock = std::chrono::steady_clock;
    using Tasks = std::vector<std::shared_ptr<LabTask>>;
    struct Slice {
        std::shared_ptr<LabTask> task;
        std::stop_source stop;
    };

    void set_going();                      // mutex_ is locked, as in the next two
    std::shared_ptr<LabTask> next() const; // null: nothing is left that no thread is at
    void take_slice(std::unique_lock<std::mutex>& lock, const std::shared_ptr<LabTask>& task);
    void run(const std::stop_token& stop);
    void wake_now_and_then();

    std::atomic<int> most_threads_;
    std::function<void()> wake_;
    Tasks asked_; // since the last end_frame()
    bool slow_ = false;
    std::optional<Clock::time_point> began_; // when one that the shell tells of was wanted first

    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    // Guarded by mutex_.
    Tasks wanted_;
    std::vector<Slice> running_;
    std::optional<Error> error_;
    Clock::time_point told_;
    std::vector<std::jthread> threads_; // last: joined before what they use goes
};

} // namespace normscope
