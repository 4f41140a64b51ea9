#include "app/study/lab/lab.h"

#include "core/base/caught.h"
#include "core/base/lists.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <system_error>

namespace normscope {

namespace {

constexpr auto k_between_wakes = std::chrono::milliseconds(100);

} // namespace

int Lab::usual_threads() {
    return has_threads() ? processor_threads() : 0;
}

Lab::Lab(int threads, std::function<void()> wake)
    : most_threads_(threads), wake_(std::move(wake)) {}

Lab::~Lab() {
    const std::lock_guard lock(mutex_);
    wanted_.clear();
    for (Slice& slice : running_) slice.stop.request_stop();
}

void Lab::want(std::shared_ptr<LabTask> task) {
    if (!find_in(asked_, task)) asked_.push_back(std::move(task));
}

void Lab::set_going() {
    const auto most = std::min(static_cast<std::size_t>(most_threads_), wanted_.size());
    try {
        while (threads_.size() < most)
            threads_.emplace_back([this](const std::stop_token& stop) { run(stop); });
    } catch (const std::system_error&) { // the system gives no more
        most_threads_ = static_cast<int>(threads_.size());
    }
    changed_.notify_all();
}

void Lab::end_frame() {
    std::unique_lock lock(mutex_);
    wanted_ = std::exchange(asked_, {});
    for (Slice& slice : running_)
        if (!find_in(wanted_, slice.task)) slice.stop.request_stop();
    set_going();
    const bool told = std::ranges::any_of(wanted_, [](const auto& task) {
        return task->told_ == LabTask::Told::by_the_shell && !task->is_over();
    });
    if (!told) began_.reset();
    if (told && !began_) began_ = Clock::now();
    slow_ = began_ && Clock::now() - *began_ >= k_silent;
    if (most_threads_ > 0) return;
    const auto until = Clock::now() + k_slice;
    while (const auto task = Clock::now() < until ? next() : nullptr) take_slice(lock, task);
}

void Lab::finish(const std::shared_ptr<LabTask>& task) {
    std::unique_lock lock(mutex_);
    while (!task->is_over())
        if (task->is_running())
            changed_.wait(lock);
        else
            take_slice(lock, task);
}

bool Lab::wants(const std::shared_ptr<LabTask>& task) const {
    if (find_in(asked_, task)) return true;
    const std::lock_guard lock(mutex_);
    return find_in(wanted_, task) != nullptr;
}

bool Lab::computing() const {
    const auto goes_on = [](const auto& task) { return !task->is_over(); };
    if (std::ranges::any_of(asked_, goes_on)) return true;
    const std::lock_guard lock(mutex_);
    return std::ranges::any_of(wanted_, goes_on);
}

std::optional<Error> Lab::take_error() {
    const std::lock_guard lock(mutex_);
    return std::exchange(error_, std::nullopt);
}

void Lab::run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    std::shared_ptr<LabTask> task; // asked for once: a task may be over a moment later
    while (changed_.wait(lock, stop, [&] { return (task = next()) != nullptr; }))
        take_slice(lock, task);
}

std::shared_ptr<LabTask> Lab::next() const {
    const auto at = std::ranges::find_if(
        wanted_, [](const auto& task) { return !task->is_running() && !task->is_over(); });
    return at == wanted_.end() ? nullptr : *at;
}

void Lab::take_slice(std::unique_lock<std::mutex>& lock, const std::shared_ptr<LabTask>& task) {
    task->running_ = true;
    const std::stop_token stop = running_.emplace_back(task).stop.get_token();
    lock.unlock();
    const auto report = [&](double share) {
        task->share_ = std::max<double>(task->share_, share);
        wake_now_and_then();
    };
    const Result<void> done = caught(task->name_, [&] { return task->advance({stop, report}); });
    lock.lock();
    std::erase_if(running_, [&](const Slice& slice) { return slice.task == task; });
    if (!done && !stop.stop_requested()) {
        task->error_ = done.error();
        task->failed_ = true;
        if (task->told_ == LabTask::Told::by_the_shell) error_ = done.error();
    }
    task->running_ = false;
    changed_.notify_all();
    lock.unlock();
    if (task->is_over() || most_threads_ == 0)
        wake_();
    else
        wake_now_and_then();
    lock.lock();
}

void Lab::wake_now_and_then() {
    {
        const std::lock_guard lock(mutex_);
        const auto now = Clock::now();
        if (now - told_ < k_between_wakes) return;
        told_ = now;
    }
    wake_();
}

} // namespace normscope
