#include "app/shell/lessons/turns.h"

namespace normscope {

Turns::Turns(const std::function<void(const Rest&)>& work) {
    thread_ = std::thread([this, work] {
        try {
            rest();
            work([this] { rest(); });
        } catch (const GivenUp&) {
        }
        const std::lock_guard lock(mutex_);
        over_ = true;
        at_work_ = false;
        changed_.notify_all();
    });
}

Turns::~Turns() {
    {
        const std::lock_guard lock(mutex_);
        given_up_ = true;
        at_work_ = true;
        changed_.notify_all();
    }
    thread_.join();
}

void Turns::rest() {
    std::unique_lock lock(mutex_);
    at_work_ = false;
    changed_.notify_all();
    changed_.wait(lock, [this] { return at_work_; });
    if (given_up_) throw GivenUp();
}

bool Turns::take_one() {
    std::unique_lock lock(mutex_);
    if (over_) return false;
    at_work_ = true;
    changed_.notify_all();
    changed_.wait(lock, [this] { return !at_work_; });
    return !over_;
}

} // namespace normscope
