#include "app/platform/loop.h"

#include "core/base/parallel.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <utility>

namespace normscope {
namespace {

using Clock = std::chrono::steady_clock;

// Immediate-mode widgets need a frame to notice and one to settle after an event.
constexpr int k_frames_after_event = 3;

} // namespace

Loop::Loop(App& app, Window& window, AppFonts& fonts, const std::string& trace_frames)
    : app_(app), window_(window), fonts_(fonts), notes_(window), frames_due_(k_frames_after_event) {
    window_.on_close = [&app] { app.request_quit(); };
    window_.on_drop = [&app](std::vector<std::string> paths) {
        app.files_dropped(std::move(paths));
    };
    window_.on_silent_clipboard = [&app] { app.clipboard_is_silent(); };
    if (!trace_frames.empty()) trace_.open(trace_frames);
}

Loop::~Loop() {
    close();
}

void Loop::close() {
    window_.on_close = nullptr;
    window_.on_drop = nullptr;
    window_.on_silent_clipboard = nullptr;
}

bool Loop::over() const {
    return app_.wants_quit() || status_ != 0;
}

std::optional<double> Loop::tick() {
    if (window_.take_activity()) frames_due_ = k_frames_after_event;
    const bool moves = window_.input_held() || app_.animating();
    if (moves || app_.next_frame_in().value_or(1) <= 0) frames_due_ = std::max(frames_due_, 1);
    if (window_.minimized()) return app_.next_frame_in();
    if (frames_due_ > 0) {
        fonts_.update(app_, window_, window_.content_scale(), window_.size());
        window_.set_title(app_.window_title());
        window_.begin_frame();
        const Result<void> drawn = app_.frame();
        window_.end_frame();
        if (!drawn) {
            std::fprintf(stderr, "normscope: %s\n", drawn.error().message.c_str());
            status_ = 1;
            return 0;
        }
        if (fonts_.note_drawn()) frames_due_ = std::max(frames_due_, 2);
        notes_.keep_up(app_);
        if (trace_.is_open()) {
            const std::chrono::duration<double> now = Clock::now().time_since_epoch();
            trace_ << fmt::format("{} {:.6f}\n", ++frames_drawn_, now.count()) << std::flush;
        }
        --frames_due_;
    }
    const bool busy = frames_due_ > 0 || window_.input_held() || app_.animating();
    return busy ? std::optional(0.0) : app_.next_frame_in();
}

// Fonts are rasterized while the window opens, where there are threads.
AppFonts::AppFonts(float expected_scale)
    : first_(std::async(has_threads() ? std::launch::async : std::launch::deferred,
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
