#include "app/platform/loop.h"

#include "app/platform/app_fonts.h"
#include "app/platform/notes_window.h"
#include "app/platform/signals.h"
#include "app/platform/window.h"
#include "app/shell/frame/app.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>
#include <thread>

namespace normscope {
namespace {

using Clock = std::chrono::steady_clock;

// Immediate-mode widgets need a frame to notice and one to settle after an event.
constexpr int k_frames_after_event = 3;

// Where the swap does not wait for the display (software OpenGL), frames would fill a processor.
constexpr auto k_shortest_frame = std::chrono::microseconds(1'000'000 / 120);

// One line a drawn frame: its number and the monotonic clock, in seconds, when it was on the
// screen.
class FrameTrace {
  public:
    explicit FrameTrace(const std::string& path)
        : file_(path.empty() ? nullptr : std::fopen(path.c_str(), "w"), &std::fclose) {}

    void drawn() {
        if (!file_) return;
        const std::chrono::duration<double> now = Clock::now().time_since_epoch();
        std::fprintf(file_.get(), "%d %.6f\n", ++count_, now.count());
        std::fflush(file_.get());
    }

  private:
    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
    int count_ = 0;
};

} // namespace

int run_loop(App& app, Window& window, AppFonts& fonts, const std::string& trace_frames) {
    const LeaveOnSignal signals([&window] { window.wake(); }, [&app] { app.keep_unsaved_work(); });
    window.on_close = [&app] { app.request_quit(); };
    window.on_drop = [&app](std::vector<std::string> paths) {
        app.files_dropped(std::move(paths));
    };

    NotesWindow notes(window);
    FrameTrace trace(trace_frames);
    int frames_due = k_frames_after_event;
    int status = 0;
    while (!app.wants_quit() && LeaveOnSignal::received() == 0) {
        const bool busy = frames_due > 0 || window.input_held() || app.animating();
        if (busy && !window.minimized())
            window.poll();
        else
            window.wait(app.next_frame_in());
        if (window.take_activity()) frames_due = k_frames_after_event;
        if (app.next_frame_in().value_or(1) <= 0) frames_due = std::max(frames_due, 1);
        if (window.input_held() || app.animating()) frames_due = std::max(frames_due, 1);
        if (frames_due == 0 || window.minimized()) continue;

        const auto start = Clock::now();
        fonts.update(app, window, window.content_scale());
        window.set_title(app.window_title());
        window.begin_frame();
        const Result<void> drawn = app.frame();
        window.end_frame();
        if (!drawn) {
            std::fprintf(stderr, "normscope: %s\n", drawn.error().message.c_str());
            status = 1;
            break;
        }
        notes.keep_up(app);
        trace.drawn();
        --frames_due;
        std::this_thread::sleep_until(start + k_shortest_frame);
    }
    window.on_close = nullptr;
    window.on_drop = nullptr;
    const int signal = LeaveOnSignal::received();
    if (signal != 0) app.keep_unsaved_work(); // while a second one still waits for that
    return signal == 0 ? status : 128 + signal;
}

} // namespace normscope
