#pragma once
#include "app/platform/fonts.h"
#include "app/shell/frame/app.h"
#include "app/shell/frame/state.h"

#include <chrono>
#include <filesystem>
#include <imgui.h>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace normscope::testing {

// Hands out numbers in place of textures. While `broken` it throws, in the middle of a drawing.
class NoTextures final : public TextureService {
  public:
    bool broken = false;

    ImTextureID upload(const Pixels&) override {
        if (broken) throw std::runtime_error("no texture");
        return (ImTextureID)++last_;
    }
    void release(ImTextureID) override {}

  private:
    std::uintptr_t last_ = 1;
};

// The named parts and the texts of the last frame.
struct DrawLog {
    std::vector<NamedPart> parts;
    std::vector<LoggedText> texts;
};

struct Setup {
    Size window{1600, 1000};
    float scale = 1;
    ThemeKind theme = ThemeKind::light;
    std::string example = "studying";
    std::string language = {}; // empty: as it is kept, or English
    bool persist = false;
    bool log = true;
    bool unfolded = true;           // what "More" and "Try" bring in Add & Norm is there
    std::filesystem::path dir = {}; // for the program's own files; empty: a fresh one
    std::filesystem::path file = {};
};

// The app without a window: feeds mouse and keys frame by frame and finds what was drawn.
class Harness {
  public:
    explicit Harness(Setup setup = {});
    ~Harness();
    Harness(const Harness&) = delete;
    Harness& operator=(const Harness&) = delete;

    App& app() { return *app_; }
    App::State& state() { return app_->state(); }
    const App::State& state() const { return app_->state(); }
    const Document& document() { return state().document(); }
    // The document by an edit, whose name does not matter.
    void become(Document next) { state().history.change(std::move(next), ResetParams{}); }
    void save_to(const std::filesystem::path& path); // as a session, as the menu does
    bool working() const { return app_->working(); }
    float content_height() { return state().content_height[state().view.workspace]; }
    const DrawLog& log() const { return log_; }
    const std::filesystem::path& dir() const { return dir_; }

    void frame(); // throws where the app could not be drawn, unless faults are expected
    void frames(int n);
    // Draws until nothing moves and no file is read or written; throws after `patience`.
    void settle(std::chrono::seconds patience = std::chrono::seconds(60));
    // From now on the app may fail to be drawn: what its last frame() returned.
    const Result<void>& expect_faults() {
        faults_expected_ = true;
        return drawn_;
    }
    NoTextures& textures() { return textures_; }

    void resize(Size window);
    void set_scale(float scale);

    void move(Point to);
    void press(int button = 0);
    void release(int button = 0);
    void click(Point at, int button = 0);
    void double_click(Point at);
    void drag(Point from, Point to, int steps = 8);

    void key(Key key, bool ctrl = false, bool shift = false, bool alt = false);
    void type(const std::string& text);

    // The part of the last frame with this name: "add-norm.gamma.d3".
    const NamedPart& named(const std::string& name) const; // throws where there is none
    bool has(const std::string& name) const { return find_part(log_.parts, name) != nullptr; }
    Point center_of(const std::string& name) const { return named(name).rect.center(); }
    void click(const std::string& name) { click(center_of(name)); }

    // The inputs above, each followed by settle().
    void click_and_settle(Point at, int button = 0) {
        click(at, button);
        settle();
    }
    void click_and_settle(const std::string& name) { click_and_settle(center_of(name)); }
    void key_and_settle(Key pressed, bool ctrl = false, bool shift = false, bool alt = false) {
        key(pressed, ctrl, shift, alt);
        settle();
    }
    std::string focused() const; // the name of what has the keyboard, or ""
    // All whose names begin so, in drawing order: "backward.terms.".
    std::vector<NamedPart> all_of(const std::string& beginning) const;
    // The texts within what stands under this name, in drawing order.
    std::vector<std::string> texts_in(const std::string& name) const;
    bool has_text(const std::string& part) const; // in one text, or over the lines of a paragraph

    // The vertices of a colour in the last frame, within `in`.
    std::vector<Point> vertices(Color color, Rect in) const;

    // A digest of every vertex, index and clip rectangle of the last frame.
    std::uint64_t draw_digest() const;

  private:
    void set_key(Key key, bool down);
    void take_fonts();

    std::filesystem::path dir_;
    bool own_dir_ = false;
    ImGuiContext* context_;
    NoTextures textures_;
    FontLoader handout_fonts_;
    int fonts_ = 0; // the number of the load that the app's fonts are from
    DrawLog log_;
    Size window_;
    Point mouse_{-1000, -1000};
    bool buttons_[3] = {};
    bool faults_expected_ = false;
    Result<void> drawn_;
    std::unique_ptr<App> app_;
};

} // namespace normscope::testing
