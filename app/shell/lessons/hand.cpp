#include "app/shell/lessons/hand.h"

#include "app/language/language.h"
#include "app/lessons/marks.h"
#include "app/shell/files/spoken.h"
#include "app/widgets/imgui_compat.h"

#include <chrono>
#include <cstdlib>
#include <imgui_internal.h>
#include <system_error>
#include <thread>
#include <utility>

namespace normscope {
namespace {

using Does = HandMove::Kind;

void press_key(std::vector<HandMove>& moves, Key key, bool ctrl) {
    for (const Does kind : {Does::key_down, Does::key_up})
        moves.push_back({.kind = kind, .key = key, .ctrl = ctrl});
}

void type(std::vector<HandMove>& moves, const std::string& text) {
    for (const char *at = text.data(), *end = at + text.size(); at != end;) {
        HandMove move{.kind = Does::letter};
        at += ImTextCharFromUtf8(&move.letter, at, end);
        moves.push_back(move);
    }
}

constexpr Size k_window{1600, 3200};
constexpr Point k_away{-1000, -1000};
constexpr auto k_patience = std::chrono::seconds(60);

// For what a task has the hands save; empty where none can be made.
std::filesystem::path fresh_folder() {
    std::error_code error;
    std::string name =
        (std::filesystem::temp_directory_path(error) / "normscope-lesson-XXXXXX").string();
    return mkdtemp(name.data()) ? std::filesystem::path(name) : std::filesystem::path();
}

} // namespace

// Of a cell: below its feature's name and beside its token's, as they stand in the target's panel
// or in one at its left.
Result<Point> act_place(const LessonAct& act, std::span<const NamedPart> parts,
                        std::span<const LoggedText> texts) {
    const NamedPart* const part = find_part(parts, act.target);
    if (!part) return fail(worded("nothing on the screen is named “{}”", act.target));
    if (!part->enabled) return fail(worded("“{}” is locked or disabled", act.target));
    const Rect seen = part->in_sight();
    if (seen.w < 1 || seen.h < 1) return fail(worded("“{}” is out of sight", act.target));
    if (act.token.empty()) return seen.center();
    std::optional<float> x, y;
    for (const LoggedText& text : texts) {
        const Point c = text.rect.center();
        if (text.text == act.feature && c.x > seen.x && c.x < seen.right() && c.y < seen.y) x = c.x;
        if (text.text == act.token && c.x < seen.right() && c.y > seen.y && c.y < seen.bottom())
            y = y.value_or(c.y);
    }
    if (!x || !y)
        return fail(worded("“{}” shows no cell of token “{}” and feature “{}”", act.target,
                           act.token, act.feature));
    return Point{*x, *y};
}

Result<std::vector<HandMove>> moves_of(const LessonAct& act, std::span<const NamedPart> parts,
                                       std::span<const LoggedText> texts) {
    std::vector<HandMove> moves;
    if (act.kind == LessonAct::Kind::undo) {
        press_key(moves, Key::z, true);
        return moves;
    }
    const auto at = act_place(act, parts, texts);
    if (!at) return tl::unexpected(at.error());
    moves.push_back({.kind = Does::go, .at = *at});
    const int clicks = opens_by_double_click(act, find_part(parts, act.target)->kind) ? 2 : 1;
    for (int i = 0; i < clicks; ++i)
        for (const Does kind : {Does::press, Does::release}) moves.push_back({.kind = kind});
    if (act.kind == LessonAct::Kind::enter) {
        type(moves, act.text);
        press_key(moves, Key::enter, false);
    }
    return moves;
}

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
    feed_modifiers(down && due->ctrl, false, false, false);
    feed_key(key_code(due->key), down);
}

LessonHands::LessonHands(std::filesystem::path assets, LessonFonts fonts,
                         std::function<void()> rest)
    : assets_(std::move(assets)), fonts_(std::move(fonts)), rest_(std::move(rest)),
      outer_(ImGui::GetCurrentContext()), home_(fresh_folder()), context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    use_fed_input();
    App::Services services;
    services.textures = &textures_;
    services.dirs.home = home_;
    app_ = std::make_unique<App>(std::move(services));
}

LessonHands::~LessonHands() {
    app_.reset();
    ImGui::DestroyContext(context_);
    ImGui::SetCurrentContext(outer_);
    std::error_code error;
    if (!home_.empty()) std::filesystem::remove_all(home_, error);
}

Result<void> LessonHands::begin(const Lesson& lesson) {
    StartOptions options;
    options.assets = assets_;
    options.persist = false;
    options.language = spoken_language().id;
    if (const auto started = app_->start(options); !started) return started;
    state().ui.parts = &parts_;
    state().ui.texts = &texts_;
    if (const auto begun = begin_lesson(state(), lesson); !begun) return begun;
    app_->set_fonts(fonts_(*ImGui::GetIO().Fonts, 1, app_->extra_text()));
    return settle();
}

void LessonHands::frame() {
    if (rest_) {
        rest_();
        ImGui::SetCurrentContext(context_);
    }
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {k_window.w, k_window.h};
    io.DeltaTime = 1.0f / 60;
    hand_.feed();
    ImGui::NewFrame();
    (void)app_->frame();
    ImGui::Render();
}

Result<void> LessonHands::settle() {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + k_patience;
    frame();
    for (int calm = 0; calm < 3;) {
        frame();
        calm = app_->animating() || app_->working() ? 0 : calm + 1;
        if (app_->working()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (Clock::now() > deadline) return fail("the program does not come to rest");
    }
    return {};
}

Result<void> LessonHands::make(std::span<const HandMove> moves) {
    // ImGui knows what is hovered one frame after the mouse came.
    for (const HandMove& move : moves) {
        hand_.make(move);
        frame();
        frame();
    }
    hand_.make({.kind = HandMove::Kind::go, .at = k_away});
    return settle();
}

Result<void> LessonHands::act(const LessonAct& act) {
    const auto moves = moves_of(act, parts_, texts_);
    if (!moves) return tl::unexpected(moves.error());
    return make(*moves);
}

} // namespace normscope
