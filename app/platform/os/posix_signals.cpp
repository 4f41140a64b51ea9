#include "app/platform/signals.h"

#include <X11/Xlib.h>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <unistd.h>
#include <utility>

namespace normscope {
namespace {

constexpr std::array k_signals{SIGTERM, SIGINT, SIGHUP};
constexpr char k_signal = 's', k_quit = 'q';

// A signal handler can reach nothing but globals, and neither can Xlib's.
std::atomic<int> g_received{0};
std::array<int, 2> g_pipe{-1, -1};
std::function<void()> g_last_words;

extern "C" void normscope_on_signal(int signal) {
    const int saved_errno = errno;
    int none = 0;
    g_received.compare_exchange_strong(none, signal);
    [[maybe_unused]] const auto written = write(g_pipe[1], &k_signal, 1);
    errno = saved_errno;
}

extern "C" int normscope_on_display_end(Display*) {
    g_last_words();
    std::fputs("normscope: the display is gone\n", stderr);
    _exit(1);
}

void set_handlers(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    for (const int signal : k_signals) sigaction(signal, &action, nullptr);
}

char next_byte() {
    char byte = k_quit;
    while (read(g_pipe[0], &byte, 1) < 0 && errno == EINTR) {
    }
    return byte;
}

} // namespace

LeaveOnSignal::LeaveOnSignal(std::function<void()> on_signal, std::function<void()> last_words) {
    g_last_words = std::move(last_words);
    XSetIOErrorHandler(normscope_on_display_end);
    if (pipe(g_pipe.data()) != 0) return; // the default action stays: the process ends
    // Waking the window's loop is not allowed in a handler, so a thread does it.
    listener_ = std::thread([call = std::move(on_signal)] {
        if (next_byte() != k_signal) return;
        call();
        if (next_byte() != k_signal) return;
        g_last_words();
        _exit(128 + g_received);
    });
    set_handlers(normscope_on_signal);
}

LeaveOnSignal::~LeaveOnSignal() {
    XSetIOErrorHandler(nullptr);
    if (!listener_.joinable()) return;
    set_handlers(SIG_DFL);
    [[maybe_unused]] const auto written = write(g_pipe[1], &k_quit, 1);
    listener_.join();
    for (int& fd : g_pipe) close(std::exchange(fd, -1));
}

int LeaveOnSignal::received() {
    return g_received;
}

} // namespace normscope
