#include "app/platform/signals.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <unistd.h>
#include <utility>

namespace normscope {
namespace {

constexpr std::array k_signals{SIGTERM, SIGINT, SIGHUP};

// A signal handler can reach nothing but globals.
std::atomic<int> g_received{0};
std::array<int, 2> g_pipe{-1, -1};

extern "C" void normscope_on_signal(int signal) {
    const int saved_errno = errno;
    if (g_received.exchange(signal) != 0) _exit(128 + signal);
    const char byte = 's';
    [[maybe_unused]] const auto written = write(g_pipe[1], &byte, 1);
    errno = saved_errno;
}

void set_handlers(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    for (const int signal : k_signals) sigaction(signal, &action, nullptr);
}

} // namespace

LeaveOnSignal::LeaveOnSignal(std::function<void()> on_signal) {
    if (pipe(g_pipe.data()) != 0) return; // the default action stays: the process ends
    // Waking the window's loop is not allowed in a handler, so a thread does it.
    listener_ = std::thread([call = std::move(on_signal)] {
        char byte = 0;
        while (read(g_pipe[0], &byte, 1) < 0 && errno == EINTR) {
        }
        if (byte == 's') call();
    });
    set_handlers(normscope_on_signal);
}

LeaveOnSignal::~LeaveOnSignal() {
    if (!listener_.joinable()) return;
    set_handlers(SIG_DFL);
    const char byte = 'q';
    [[maybe_unused]] const auto written = write(g_pipe[1], &byte, 1);
    listener_.join();
    for (int& fd : g_pipe) close(std::exchange(fd, -1));
}

int LeaveOnSignal::received() {
    return g_received;
}

} // namespace normscope
