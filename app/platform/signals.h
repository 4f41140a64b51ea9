#pragma once
#include <functional>
#include <thread>

namespace normscope {

// SIGTERM, SIGINT and SIGHUP ask the program to leave: `on_signal` is called once, on a thread of
// its own, and the loop ends after the frame that runs, so that a file being written is finished. A
// second signal ends the process at once.
class LeaveOnSignal {
  public:
    explicit LeaveOnSignal(std::function<void()> on_signal);
    ~LeaveOnSignal();
    LeaveOnSignal(const LeaveOnSignal&) = delete;
    LeaveOnSignal& operator=(const LeaveOnSignal&) = delete;

    // The signal that came, 0 if none did.
    static int received();

  private:
    std::thread listener_;
};

} // namespace normscope
