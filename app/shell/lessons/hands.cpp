#include "app/shell/lessons/hands.h"

#include "app/language/language.h"
#include "app/shell/files/spoken.h"
#include "app/shell/frame/state.h"
#include "app/shell/lessons/lessons.h"
#include "app/widgets/imgui_compat.h"

#include <chrono>
#include <cstdlib>
#include <system_error>
#include <thread>

namespace normscope {

namespace {

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

struct LessonHands::NoTextures final : TextureService {
    ImTextureID upload(int, int, const std::uint32_t*, ImTextureID reuse) override {
        return reuse != ImTextureID{} ? reuse : (ImTextureID)++last;
    }
    void release(ImTextureID) override {}
    std::uintptr_t last = 1;
};

LessonHands::LessonHands(std::filesystem::path assets, LessonFonts fonts,
                         std::function<void()> rest)
    : assets_(std::move(assets)), fonts_(std::move(fonts)), rest_(std::move(rest)),
      outer_(ImGui::GetCurrentContext()), home_(fresh_folder()), context_(ImGui::CreateContext()),
      textures_(std::make_unique<NoTextures>()) {
    ImGui::SetCurrentContext(context_);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    use_fed_input();
    App::Services services;
    services.textures = textures_.get();
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

bool LessonHands::plays() const {
    return state().lesson != nullptr;
}

LessonLook LessonHands::look() const {
    return lesson_look(state());
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
