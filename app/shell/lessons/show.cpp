#include "app/shell/lessons/hand.h"

#include "app/language/language.h"
#include "app/shell/frame/screen_canvas.h"
#include "app/shell/frame/state.h"

#include <algorithm>
#include <imgui_internal.h>
#include <utility>

namespace normscope {
namespace {

// Seconds.
constexpr float k_longest_step = 0.05f; // the first one after a rest takes as long as the rest
constexpr float k_glide = 0.7f, k_before_act = 0.5f, k_before_press = 0.25f, k_held = 0.07f,
                k_letter = 0.15f, k_before_enter = 0.5f;
constexpr int k_into_sight = 4; // passes

// How long the hand waits before a move, or takes for one.
float seconds_for(const HandMove& move, bool double_click) {
    using Kind = HandMove::Kind;
    if (move.kind == Kind::go) return k_glide;
    if (move.kind == Kind::press && !double_click) return k_before_press;
    if (move.kind == Kind::letter) return k_letter;
    return move.kind == Kind::key_down ? k_before_enter : k_held;
}

// The program is at something that the next act may need.
bool works(const App::State& s) {
    return s.memory.computing() || s.view.running || s.edit_runner.waits_for() || s.files.busy();
}

} // namespace

LessonShow::LessonShow(std::vector<LessonAct> acts)
    : acts_(std::move(acts)), context_(ImGui::GetCurrentContext()) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    from_ = {display.x / 2, display.y / 2};
    ImGuiContextHook feed;
    feed.Type = ImGuiContextHookType_NewFramePre; // the window's own mouse has been fed then
    feed.UserData = &hand_;
    feed.Callback = [](ImGuiContext*, ImGuiContextHook* hook) {
        static_cast<Hand*>(hook->UserData)->feed();
    };
    hook_ = ImGui::AddContextHook(context_, &feed);
}

LessonShow::~LessonShow() {
    ImGui::RemoveContextHook(context_, hook_);
}

bool LessonShow::go_on(App::State& s) {
    if (std::exchange(frame_, ImGui::GetFrameCount()) == ImGui::GetFrameCount()) return true;
    s.frames_wanted = std::max(s.frames_wanted, 2);
    if (!s.ui.texts) {
        s.ui.texts = &texts_;
        reads_texts_ = true;
    }
    if (s.present.on || at_ == acts_.size() || !s.lesson->player.shows_solution()) {
        end(s);
        return false;
    }
    s.lesson->player.shown_act = at_;
    const float seconds = s.view.reduce_motion
                              ? k_before_act + k_glide + k_before_enter // longer than any wait
                              : std::min(ImGui::GetIO().DeltaTime, k_longest_step);
    if (works(s)) return true;
    waited_ += seconds;
    if (!begun_) {
        s.lesson->into_sight = k_into_sight;
        begun_ = true;
        waited_ = 0;
        return true;
    }
    if (s.lesson->into_sight > 0) return true;
    if (moves_.empty()) {
        if (waited_ < k_before_act) return true;
        if (begin_act(s)) return true;
        end(s);
        return false;
    }
    make_next();
    return true;
}

bool LessonShow::begin_act(App::State& s) {
    auto moves = moves_of(acts_[at_], *s.ui.parts, *s.ui.texts);
    if (!moves) {
        s.complain(worded("“Show me” ends here: ") + error_text(moves.error()));
        return false;
    }
    moves_.assign(moves->begin(), moves->end());
    if (hand_.mouse()) from_ = *hand_.mouse();
    waited_ = 0;
    return true;
}

void LessonShow::make_next() {
    HandMove move = moves_.front();
    const bool second_click = move.kind == HandMove::Kind::press && made_press_;
    const float needed = seconds_for(move, second_click);
    // Over other lines of a menu it would open theirs.
    const bool glides = move.kind == HandMove::Kind::go && !target().starts_with("menu.");
    if (glides && waited_ < needed) {
        const float t = waited_ / needed;
        const float share = t * t * (3 - 2 * t); // starts and ends slowly
        hand_.make({.kind = move.kind,
                    .at = {from_.x + share * (move.at.x - from_.x),
                           from_.y + share * (move.at.y - from_.y)}});
        return;
    }
    if (waited_ < needed) return;
    hand_.make(move);
    made_press_ = move.kind == HandMove::Kind::press || move.kind == HandMove::Kind::release;
    moves_.pop_front();
    waited_ = 0;
    if (!moves_.empty()) return;
    ++at_;
    begun_ = made_press_ = false;
}

void LessonShow::end(App::State& s) {
    hand_.leave();
    s.lesson->player.shown_act.reset();
    if (reads_texts_) s.ui.texts = nullptr;
}

void LessonShow::draw(App::State& s) const {
    if (!hand_.mouse()) return;
    ScreenCanvas canvas(s, *ImGui::GetForegroundDrawList());
    const Theme& look = theme(s.view.theme);
    const float px = canvas.scale();
    const Point at = *hand_.mouse();
    if (hand_.pressing()) canvas.stroke_circle(at, 14 * px, look.accent, 3 * px);
    const auto arrow = [&](float more, Color color) {
        const Point tip{at.x - more, at.y - 1.6f * more};
        canvas.fill_triangle(tip, {at.x - more, at.y + 20 * px + 2 * more},
                             {at.x + 14 * px + 2 * more, at.y + 14 * px + more}, color);
    };
    arrow(2 * px, look.panel);
    arrow(0, look.ink);
}

} // namespace normscope
