#include "tests/app/shell/harness.h"

#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/widgets/imgui_compat.h"
#include "tests/app/widgets/imgui_versions.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace normscope::testing {

namespace {

std::filesystem::path fresh_dir() {
    std::string name = (std::filesystem::temp_directory_path() / "normscope-ui-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw std::runtime_error("no temporary folder");
    return name;
}

// The fonts of every app in this process. Most tests ask for those that are there.
struct SharedFonts {
    ImFontAtlas atlas;
    FontLoader loader;
    FontSet set;
    float scale = 0, bar = 0;
    int loads = 0;
};

SharedFonts& shared_fonts() {
    static SharedFonts fonts;
    return fonts;
}

// FNV-1a.
void digest(std::uint64_t& hash, const void* bytes, std::size_t size) {
    const auto* p = static_cast<const unsigned char*>(bytes);
    for (std::size_t i = 0; i < size; ++i) hash = (hash ^ p[i]) * 0x100000001b3ull;
}

} // namespace

Harness::Harness(Setup setup)
    : dir_(setup.dir), context_(ImGui::CreateContext(&shared_fonts().atlas)),
      window_(setup.window) {
    if (dir_.empty()) {
        dir_ = fresh_dir();
        own_dir_ = true;
    }
    ImGui::SetCurrentContext(context_);
    // Allows lists of more than 65536 vertices, as a window does.
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;
    use_fed_input();

    App::Services services;
    services.textures = &textures_;
    services.dirs = {dir_, dir_ / "config", dir_ / "state"};
    services.fonts = [this](ImFontAtlas& atlas, float scale, const std::string& text) {
        return handout_fonts_.load(atlas, scale, text);
    };
    app_ = std::make_unique<App>(std::move(services));
    StartOptions options;
    options.example = setup.example;
    options.theme = setup.theme;
    options.ui_scale = setup.scale;
    options.assets = NORMSCOPE_ASSET_DIR;
    options.persist = setup.persist;
    options.language = setup.language;
    options.file = setup.file;
    if (const auto started = app_->start(options); !started)
        throw std::runtime_error(started.error().message);
    if (setup.log) {
        state().ui.parts = &log_.parts;
        state().ui.texts = &log_.texts;
    }
    auto& cards = state().view.of<AddNormView>();
    cards.more = cards.tries = setup.unfolded;
    settle();
}

Harness::~Harness() {
    app_.reset();
    speak(nullptr);
    ImGui::DestroyContext(context_);
    std::error_code error;
    if (own_dir_) std::filesystem::remove_all(dir_, error);
}

void Harness::take_fonts() {
    SharedFonts& shared = shared_fonts();
    const std::string text = app_->extra_text();
    const float scale = app_->wanted_scale(), bar = app_->wanted_bar();
    if (scale != shared.scale || bar != shared.bar || shared.loader.lacks(text)) {
        shared.set = shared.loader.load(shared.atlas, scale, text, bar);
        shared.scale = scale;
        shared.bar = bar;
        ++shared.loads;
    }
    if (std::exchange(fonts_, shared.loads) != shared.loads) app_->set_fonts(shared.set);
}

void Harness::frame() {
    ImGuiIO& io = ImGui::GetIO();
    take_fonts();
    io.DisplaySize = {window_.w, window_.h};
    io.DeltaTime = 1.0f / 60;
    feed_mouse({mouse_.x, mouse_.y}, buttons_);
    ImGui::NewFrame();
    drawn_ = app_->frame();
    ImGui::Render();
    if (state().frame_failed && !faults_expected_) throw std::runtime_error(state().status);
}

void Harness::frames(int n) {
    for (int i = 0; i < n; ++i) frame();
}

void Harness::settle(std::chrono::seconds patience) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + patience;
    for (int calm = 0; calm < 3;) { // as the window draws three frames after an event
        frame();
        calm = app_->animating() || app_->working() ? 0 : calm + 1;
        if (app_->working()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (Clock::now() > deadline) throw std::runtime_error("the app does not come to rest");
    }
}

void Harness::save_to(const std::filesystem::path& path) {
    normscope::save_to(state(), {document(), state().history.kept()}, path);
}

void Harness::resize(Size window) {
    window_ = window;
    settle();
}

void Harness::set_scale(float scale) {
    state().view.ui_scale = scale;
    settle();
}

void Harness::move(Point to) {
    mouse_ = to;
    frame();
}

void Harness::press(int button) {
    buttons_[button] = true;
    frame();
}

void Harness::release(int button) {
    buttons_[button] = false;
    frame();
    frame();
}

void Harness::click(Point at, int button) {
    move(at);
    frame(); // ImGui knows what is hovered one frame after the mouse came
    press(button);
    release(button);
}

void Harness::double_click(Point at) {
    click(at);
    press();
    release();
}

void Harness::drag(Point from, Point to, int steps) {
    move(from);
    frame();
    press();
    for (int i = 1; i <= steps; ++i) {
        const float t = static_cast<float>(i) / static_cast<float>(steps);
        move({from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t});
    }
    release();
}

void Harness::set_key(Key key, bool down) {
    feed_key(key_code(key), down);
}

void Harness::key(Key key, bool ctrl, bool shift, bool alt) {
    feed_modifiers(ctrl, shift, alt, false);
    set_key(key, true);
    frame();
    set_key(key, false);
    feed_modifiers(false, false, false, false);
    frame();
}

void Harness::type(const std::string& text) {
    for (const char *at = text.data(), *end = at + text.size(); at != end;) {
        unsigned letter = 0;
        at += ImTextCharFromUtf8(&letter, at, end);
        ImGui::GetIO().AddInputCharacter(letter);
        frame();
    }
}

const NamedPart& Harness::named(const std::string& name) const {
    const NamedPart* const part = find_part(log_.parts, name);
    if (!part) throw std::runtime_error("nothing is named " + name);
    return *part;
}

std::string Harness::focused() const {
    const auto at = std::ranges::find(log_.parts, state().ui.focus, &NamedPart::id);
    return at != log_.parts.end() ? at->name : std::string();
}

std::vector<NamedPart> Harness::all_of(const std::string& beginning) const {
    std::vector<NamedPart> found;
    for (const NamedPart& part : log_.parts)
        if (part.name.starts_with(beginning)) found.push_back(part);
    return found;
}

std::vector<std::string> Harness::texts_in(const std::string& name) const {
    const Rect within = named(name).rect.inset(-2);
    std::vector<std::string> out;
    for (const LoggedText& text : log_.texts)
        if (within.contains(text.rect.center())) out.push_back(text.text);
    return out;
}

bool Harness::has_text(const std::string& part) const {
    std::string said; // the lines of one paragraph: where they break depends on measured numbers
    Rect above{};
    for (const LoggedText& t : log_.texts) {
        const bool goes_on = !said.empty() && std::abs(t.rect.x - above.x) < 0.5f &&
                             std::abs(t.rect.y - above.bottom()) < above.h;
        said = goes_on ? said + " " + t.text : t.text;
        above = t.rect;
        if (said.find(part) != std::string::npos) return true;
    }
    return false;
}

std::vector<Point> Harness::vertices(Color color, Rect in) const {
    std::vector<Point> out;
    const ImDrawData* data = ImGui::GetDrawData();
    for (const ImDrawList* list : lists_of(*data))
        for (const ImDrawVert& v : list->VtxBuffer)
            if (const Point at{v.pos.x, v.pos.y}; v.col == to_imgui(color) && in.contains(at))
                out.push_back(at);
    return out;
}

std::uint64_t Harness::draw_digest() const {
    std::uint64_t hash = 0xcbf29ce484222325ull;
    const ImDrawData* data = ImGui::GetDrawData();
    for (const ImDrawList* list : lists_of(*data)) {
        digest(hash, list->VtxBuffer.Data,
               static_cast<std::size_t>(list->VtxBuffer.Size) * sizeof(ImDrawVert));
        digest(hash, list->IdxBuffer.Data,
               static_cast<std::size_t>(list->IdxBuffer.Size) * sizeof(ImDrawIdx));
        for (const ImDrawCmd& command : list->CmdBuffer)
            digest(hash, &command.ClipRect, sizeof command.ClipRect);
    }
    return hash;
}

} // namespace normscope::testing
