#include "app/shell/lessons/hands.h"

#include "app/language/language.h"
#include "app/shell/files/spoken.h"
#include "app/shell/frame/state.h"
#include "app/shell/frame/undo.h"
#include "app/shell/lessons/lessons.h"
#include "app/widgets/imgui_compat.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <chrono>
#include <imgui_internal.h>
#include <thread>

namespace normscope {

namespace {

constexpr Size k_window{1600, 3200};
constexpr auto k_patience = std::chrono::seconds(60);

} // namespace

struct LessonHands::NoTextures final : TextureService {
    ImTextureID upload(int, int, const std::uint32_t*, ImTextureID reuse) override {
        return reuse != ImTextureID{} ? reuse : (ImTextureID)++last;
    }
    void release(ImTextureID) override {}
    std::uintptr_t last = 1;
};

LessonHands::LessonHands(std::filesystem::path assets, LessonFonts fonts)
    : assets_(std::move(assets)), fonts_(std::move(fonts)), outer_(ImGui::GetCurrentContext()),
      context_(ImGui::CreateContext()), textures_(std::make_unique<NoTextures>()) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    use_fed_input();
    App::Services services;
    services.textures = textures_.get();
    services.dirs = {};
    app_ = std::make_unique<App>(std::move(services));
}

LessonHands::~LessonHands() {
    app_.reset();
    ImGui::DestroyContext(context_);
    ImGui::SetCurrentContext(outer_);
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

bool LessonHands::plays() const {
    return state().lesson != nullptr;
}

LessonLook LessonHands::look() const {
    return {std::string(workspace_table()[state().view.workspace].id), state().view.pinned_token,
            state().view.pinned_feature};
}

void LessonHands::frame() {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {k_window.w, k_window.h};
    io.DeltaTime = 1.0f / 60;
    feed_mouse({mouse_.x, mouse_.y}, {&button_, 1});
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

void LessonHands::click(Point at, int times) {
    mouse_ = at;
    frame();
    frame(); // ImGui knows what is hovered one frame after the mouse came
    for (int i = 0; i < times; ++i) {
        button_ = true;
        frame();
        button_ = false;
        frame();
    }
    frame();
}

void LessonHands::key(Key key, bool ctrl) {
    feed_modifiers(ctrl, false, false, false);
    feed_key(key_code(key), true);
    frame();
    feed_key(key_code(key), false);
    feed_modifiers(false, false, false, false);
    frame();
}

// Of a cell: below its feature's name and beside its token's, as they stand in the target's panel
// or in one at its left.
Result<Point> LessonHands::place(const LessonAct& act) const {
    const NamedPart* const part = find_part(parts_, act.target);
    if (!part) return fail(worded("nothing on the screen is named “{}”", act.target));
    if (!part->enabled) return fail(worded("“{}” is locked or disabled", act.target));
    const Rect seen = part->in_sight();
    if (seen.w < 1 || seen.h < 1) return fail(worded("“{}” is out of sight", act.target));
    if (act.token.empty()) return seen.center();
    std::optional<float> x, y;
    for (const LoggedText& text : texts_) {
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

Result<void> LessonHands::act(const LessonAct& act) {
    if (act.kind == LessonAct::Kind::undo) {
        key(Key::z, true);
        return settle();
    }
    const auto at = place(act);
    if (!at) return tl::unexpected(at.error());
    const PartKind kind = find_part(parts_, act.target)->kind;
    const bool opens =
        act.kind == LessonAct::Kind::enter && (kind == PartKind::fader || kind == PartKind::slider);
    click(*at, opens ? 2 : 1);
    if (act.kind == LessonAct::Kind::enter) {
        for (const char c : act.text) {
            ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(c));
            frame();
            frame();
        }
        key(Key::enter, false);
    }
    mouse_ = {-1000, -1000};
    return settle();
}

} // namespace normscope
