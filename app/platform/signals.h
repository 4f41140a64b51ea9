#pragma once
#include <functional>
#include <thread>

namespace normscope {

// SIGTERM, SIGINT and SIGHUP ask the program to leave: `on_signal` is called once, and the loop
// ends after the frame that runs, so that a file being written is finished. A second signal, or the
// end of the X server, ends the process at once after `last_words`. Both calls come from any
// thread.
class LeaveOnSignal {
  public:
    LeaveOnSignal(std::function<void()> on_signal, std::function<void()> last_words);
    ~LeaveOnSignal();

    // The signal that came, 0 if none did.
    static int received();

  private:
    std::thread listener_;
};

} // namespace normscope
