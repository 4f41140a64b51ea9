#pragma once
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

namespace normscope {

// Long work with ImGui, which one thread may use at a time: it is cut into turns, and in each the
// thread that asks for it waits.
class Turns {
  public:
    using Rest = std::function<void()>; // ends the turn; throws where the work is given up
    explicit Turns(const std::function<void(const Rest&)>& work);
    ~Turns(); // the work is given up
    Turns(const Turns&) = delete;
    Turns& operator=(const Turns&) = delete;

    // Returns at the next rest, or false at the work's end.
    bool take_one();

  private:
    struct GivenUp {};
    void rest();

    std::mutex mutex_;
    std::condition_variable changed_;
    bool at_work_ = false, over_ = false, given_up_ = false; // guarded by mutex_
    std::thread thread_;
};

} // namespace normscope
