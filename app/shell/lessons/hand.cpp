#include "app/shell/lessons/hand.h"

#include "app/language/language.h"
#include "app/shell/files/spoken.h"
#include "app/shell/frame/state.h"
#include "app/widgets/imgui_compat.h"
#include "core/base/lists.h"
#include "core/base/printable.h"

#include <algorithm>
#include <imgui_internal.h>
#include <utility>

namespace normscope {
namespace {

using Does = HandMove::Kind;

void press_key(std::vector<HandMove>& moves, Key key, bool ctrl) {
    for (const Does kind : {Does::key_down, Does::key_up})
        moves.push_back({.kind = kind, .key = key, .ctrl = ctrl});
}

void type(std::vector<HandMove>& moves, std::string_view text) {
    while (!text.empty()) moves.push_back({.kind = Does::letter, .letter = next_code_point(text)});
}

// The point where the mouse does an act: the middle of the target's visible part, or of its cell.
Result<Point> act_place(const LessonAct& act, std::span<const NamedPart> parts,
                        const Document& document) {
    const NamedPart* const part = find_part(parts, act.target);
    if (!part) return fail("nothing on the screen is named “{}”", act.target);
    if (!part->enabled) return fail("“{}” is locked or disabled", act.target);
    const Rect seen = part->in_sight();
    if (seen.w < 1 || seen.h < 1) return fail("“{}” is out of sight", act.target);
    if (act.token.empty()) return seen.center();
    const auto place = [](const Names& names, const std::string& name) {
        return std::ranges::find(names, name) - names.begin();
    };
    const Rect cell =
        part->cell(place(*document.tokens, act.token), place(*document.features, act.feature));
    if (!seen.contains(cell.center()))
        return fail("“{}” shows no cell of token “{}” and feature “{}”", act.target, act.token,
                    act.feature);
    return cell.center();
}

// An act as moves: to its place, pressing there, typing. Errors: nothing has this name, it is
// locked or out of sight, there is no such cell.
Result<std::vector<HandMove>> moves_of(const LessonAct& act, std::span<const NamedPart> parts,
                                       const Document& document) {
    std::vector<HandMove> moves;
    if (act.kind == LessonAct::Kind::undo) {
        press_key(moves, Key::z, true);
        return moves;
    }
    const auto at = TRY(act_place(act, parts, document));
    moves.push_back({.kind = Does::go, .at = at});
    const int clicks = opens_by_double_click(act, find_part(parts, act.target)->kind) ? 2 : 1;
    for (int i = 0; i < clicks; ++i)
        for (const Does kind : {Does::press, Does::release}) moves.push_back({.kind = kind});
    if (act.kind == LessonAct::Kind::enter) {
        type(moves, act.text);
        press_key(moves, Key::enter, false);
    }
    return moves;
}

constexpr Size k_window{1600, 3200};
constexpr Point k_away{-1000, -1000};
constexpr int k_patience = 100000; // frames

constexpr const char* k_home = "/home"; // the hands' own, which is imagined

// Times of a shown solution, in seconds.
constexpr float k_longest_shown =
    0.05f; // seconds a frame; the first after a rest takes as long as the rest
constexpr float k_glide = 0.7f, k_before_act = 0.5f, k_before_press = 0.25f, k_held = 0.07f,
                k_letter = 0.15f, k_before_enter = 0.5f;
constexpr int k_into_sight = 4; // passes

// How long the hand waits before a move, or takes for one.
float seconds_for(const HandMove& move, bool double_click) {
    if (move.kind == Does::go) return k_glide;
    if (move.kind == Does::press && !double_click) return k_before_press;
    if (move.kind == Does::letter) return k_letter;
    return move.kind == Does::key_down ? k_before_enter : k_held;
}

// The program is at something that the next act may need.
bool works(const App::State& s) {
    return s.memory.lab.computing() || s.view.running || !s.files.waiting.empty() ||
           !s.commands.empty();
}

} // namespace

std::vector<HandMove> drag_along(std::span<const Point> way) {
    std::vector<HandMove> moves;
    for (const Point at : way) {
        moves.push_back({.kind = Does::go, .at = at});
        if (moves.size() == 1) moves.push_back({.kind = Does::press});
    }
    moves.push_back({.kind = Does::release});
    return moves;
}

void Hand::make(const HandMove& move) {
    if (move.kind == Does::go)
        mouse_ = move.at;
    else if (move.kind == Does::press || move.kind == Does::release)
        button_ = move.kind == Does::press;
    else
        due_ = move;
}

void Hand::feed() {
    if (mouse_) feed_mouse({mouse_->x, mouse_->y}, {&button_, 1});
    const auto due = std::exchange(due_, std::nullopt);
    if (!due) return;
    if (due->kind == Does::letter) return ImGui::GetIO().AddInputCharacter(due->letter);
    const bool down = due->kind == Does::key_down;
    key_ = down ? std::optional(due->key) : std::nullopt;
    feed_modifiers(down && due->ctrl, false, false, false);
    feed_key(key_code(due->key), down);
}

void Hand::leave() {
    mouse_.reset();
    const auto key = std::exchange(key_, std::nullopt);
    if (!key) return;
    feed_modifiers(false, false, false, false);
    feed_key(key_code(*key), false);
}

LessonHands::LessonHands(std::filesystem::path assets, LessonFonts fonts)
    : assets_(std::move(assets)), fonts_(std::move(fonts)) {
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    use_fed_input();
    App::Services services;
    services.textures = &textures_;
    services.threads = 0; // a frame does its work: how many frames a lesson takes is no chance
    services.dirs.home = k_home;
    app_ = std::make_unique<App>(std::move(services));
    state().outside = Outside::imagined(k_home);
    state().memory.race_ends.at_once = true;
}

Turns LessonHands::begin(const Lesson& lesson) {
    done_ = start(lesson);
    if (done_) co_await settle();
}

Result<void> LessonHands::start(const Lesson& lesson) {
    StartOptions options;
    options.assets = assets_;
    options.persist = false;
    options.language = spoken_language().id;
    TRY(app_->start(options));
    state().ui.parts = &parts_;
    lesson_id_ = lesson.id;
    TRY(begin_lesson(state(), lesson));
    app_->set_fonts(fonts_(*ImGui::GetIO().Fonts, 1, app_->extra_text()));
    return {};
}

bool LessonHands::plays() const {
    const auto& on = state().lesson;
    return on && on->player.lesson().id == lesson_id_ && !state().quit;
}

void LessonHands::frame() {
    context_.use();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {k_window.w, k_window.h};
    io.DeltaTime = 1.0f / 60;
    hand_.feed();
    ImGui::NewFrame();
    (void)app_->frame();
    ImGui::Render();
}

Turns LessonHands::settle() {
    for (int calm = 0, frames = 0; calm < 3; ++frames) {
        co_await k_rest;
        frame();
        calm = frames == 0 || app_->animating() || app_->working() ? 0 : calm + 1;
        if (frames < k_patience) continue;
        done_ = fail("the program does not come to rest");
        co_return;
    }
}

Turns LessonHands::make(std::vector<HandMove> moves) {
    done_ = {};
    // ImGui knows what is hovered one frame after the mouse came.
    for (const HandMove& move : moves) {
        hand_.make(move);
        for (int i = 0; i < 2; ++i) {
            co_await k_rest;
            frame();
        }
    }
    hand_.make({.kind = Does::go, .at = k_away});
    co_await settle();
}

Turns LessonHands::act(LessonAct act) {
    auto moves = moves_of(act, parts_, state().document());
    if (moves)
        co_await make(std::move(*moves));
    else
        done_ = tl::unexpected(moves.error());
}

LessonShow::LessonShow(std::vector<LessonAct> acts)
    : acts_(std::move(acts)), context_(ImGui::GetCurrentContext()) {
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    from_ = {display.x / 2, display.y / 2};
    ImGuiContextHook feed;
    feed.Type = ImGuiContextHookType_NewFramePre; // the window's own mouse has been fed then
    feed.UserData = this;
    feed.Callback = [](ImGuiContext*, ImGuiContextHook* hook) {
        static_cast<LessonShow*>(hook->UserData)->feed();
    };
    hook_ = ImGui::AddContextHook(context_, &feed);
}

LessonShow::~LessonShow() {
    ImGui::RemoveContextHook(context_, hook_);
}

// A click of the person's goes on as it is.
void LessonShow::feed() {
    clicked_ |= mouse_button_fed() && !pressed_;
    if (clicked_) return;
    hand_.feed();
    pressed_ = hand_.pressing();
}

bool LessonShow::is_disturbed() const {
    return clicked_ || other_key_pressed(hand_.key());
}

bool LessonShow::go_on(App::State& s) {
    if (std::exchange(frame_, ImGui::GetFrameCount()) == ImGui::GetFrameCount()) return true;
    s.frames_wanted = 2;
    if (s.kept_aside) s.kept_aside->shown_in = frame_;
    if (s.present.on || !s.lesson->player.shows_solution()) return false;
    if (std::exchange(s.quit, false))
        return break_off(s, worded("a lesson's solution does not quit the program"));
    if (at_ < acts_.size()) s.lesson->player.shown_act = at_;
    const float seconds = s.view.reduce_motion
                              ? k_before_act + k_glide + k_before_enter // longer than any wait
                              : std::min(ImGui::GetIO().DeltaTime, k_longest_shown);
    if (at_ == acts_.size()) // the last move is heard in this frame
        return !std::exchange(begun_, true) || !s.files.waiting.empty() || !s.commands.empty();
    if (works(s)) return true;
    keep_aside(s);
    waited_ += seconds;
    if (!begun_) {
        s.lesson->into_sight = k_into_sight;
        begun_ = true;
        waited_ = 0;
        return true;
    }
    if (s.lesson->into_sight > 0) return true;
    if (!moves_.empty()) {
        make_next();
        return true;
    }
    if (waited_ < k_before_act) return true;
    const auto moves = moves_of(acts_[at_], *s.ui.parts, s.document());
    if (!moves) return break_off(s, error_text(moves.error()));
    moves_.assign(moves->begin(), moves->end());
    if (hand_.mouse()) from_ = *hand_.mouse();
    waited_ = 0;
    return true;
}

bool LessonShow::break_off(App::State& s, const std::string& why) {
    s.complain(worded("“Show me” ends here: {}", why));
    return false;
}

void LessonShow::make_next() {
    HandMove move = moves_.front();
    const bool second_click = move.kind == Does::press && made_press_;
    const float needed = seconds_for(move, second_click);
    // Over other lines of a menu it would open theirs.
    const bool glides = move.kind == Does::go && !target().starts_with("menu.");
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
    made_press_ = move.kind == Does::press || move.kind == Does::release;
    moves_.pop_front();
    waited_ = 0;
    if (!moves_.empty()) return;
    ++at_;
    begun_ = made_press_ = false;
}

void LessonShow::end(App::State& s) {
    hand_.leave();
    s.lesson->player.shown_act.reset();
}

void LessonShow::draw(App::State& s) const {
    if (!hand_.mouse()) return;
    ScreenCanvas canvas(s, *ImGui::GetForegroundDrawList());
    const Theme& look = theme(s.view.theme);
    const Point at = hand_.mouse()->times(1 / canvas.scale());
    if (hand_.pressing()) canvas.stroke_circle(at, 14, look.accent, 3);
    const auto arrow = [&](float more, Color color) {
        const Point tip{at.x - more, at.y - 1.6f * more};
        canvas.fill_triangle(tip, {at.x - more, at.y + 20 + 2 * more},
                             {at.x + 14 + 2 * more, at.y + 14 + more}, color);
    };
    arrow(2, look.panel);
    arrow(0, look.ink);
}

} // namespace normscope
