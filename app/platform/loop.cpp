#include "app/platform/loop.h"

#include "app/platform/notes_window.h"
#include "app/platform/signals.h"
#include "app/platform/window.h"
#include "app/shell/frame/app.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <thread>
#include <utility>

namespace normscope {
namespace {

using Clock = std::chrono::steady_clock;

// Immediate-mode widgets need a frame to notice and one to settle after an event.
constexpr int k_frames_after_event = 3;

// Where the swap does not wait for the display (software OpenGL), frames would fill a processor.
constexpr auto k_shortest_frame = std::chrono::microseconds(1'000'000 / 120);

} // namespace

int run_loop(App& app, Window& window, AppFonts& fonts, const std::string& trace_frames) {
    const LeaveOnSignal signals([&window] { window.wake(); }, [&app] { app.keep_unsaved_work(); });
    window.on_close = [&app] { app.request_quit(); };
    window.on_drop = [&app](std::vector<std::string> paths) {
        app.files_dropped(std::move(paths));
    };

    window.on_silent_clipboard = [&app] { app.clipboard_is_silent(); };

    NotesWindow notes(window);
    std::ofstream trace; // a frame's number and the monotonic clock, in seconds, once it is seen
    if (!trace_frames.empty()) trace.open(trace_frames);
    int frames_drawn = 0;
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
        fonts.update(app, window, window.content_scale(), window.size());
        window.set_title(app.window_title());
        window.begin_frame();
        const Result<void> drawn = app.frame();
        window.end_frame();
        if (!drawn) {
            std::fprintf(stderr, "normscope: %s\n", drawn.error().message.c_str());
            status = 1;
            break;
        }
        if (fonts.note_drawn()) frames_due = std::max(frames_due, 2);
        notes.keep_up(app);
        if (trace.is_open()) {
            const std::chrono::duration<double> now = Clock::now().time_since_epoch();
            trace << fmt::format("{} {:.6f}\n", ++frames_drawn, now.count()) << std::flush;
        }
        --frames_due;
        std::this_thread::sleep_until(start + k_shortest_frame);
    }
    window.on_close = nullptr;
    window.on_drop = nullptr;
    window.on_silent_clipboard = nullptr;
    const int signal = LeaveOnSignal::received();
    if (signal != 0) app.keep_unsaved_work(); // while a second one still waits for that
    return signal == 0 ? status : 128 + signal;
}

AppFonts::AppFonts(float expected_scale)
    : first_(std::async(std::launch::async,
                        [this, expected_scale] { return loader_.load(atlas_, expected_scale); })) {}

ImFontAtlas& AppFonts::atlas() {
    if (first_.valid()) loaded_ = first_.get();
    return atlas_;
}

void AppFonts::update(App& app, Window& window, float pixel_scale, Size size) {
    ImFontAtlas& atlas = this->atlas();
    const float scale = app.wanted_scale(pixel_scale, text_growth(size, pixel_scale));
    const float bar = app.wanted_bar();
    const std::string names = app.extra_text();
    const bool fits =
        scale == loaded_.scale && (bar > 0 ? bar : scale) == loaded_.bar && !loader_.lacks(names);
    if (loader_.full() && !std::exchange(told_, true)) app.tell_of_missing_letters();
    if (fits && in_use_) return;
    if (!fits) loaded_ = loader_.load(atlas, scale, names, bar);
    app.set_fonts(loaded_);
    window.fonts_changed();
    if (!in_use_ && !loader_.warning().empty())
        std::fprintf(stderr, "normscope: fonts: %s\n", loader_.warning().c_str());
    in_use_ = true;
}

} // namespace normscope
