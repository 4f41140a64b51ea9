#pragma once
#include "app/charts/palette.h"
#include "app/shell/files/user_files.h"
#include "app/study/lab/lab.h"
#include "app/widgets/fonts.h"
#include "core/base/result.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct ImFontAtlas;

namespace normscope {

struct NotesPage;
class TextureService;

// The smallest window, in pixels: below it there is no room for words.
inline constexpr int k_min_window_width = 480, k_min_window_height = 320;

// The interface is laid out for text and controls of these scales.
inline constexpr float k_least_ui_scale = 0.75f, k_most_ui_scale = 2.5f;

// The choices for the program's start; an empty one was not made.
struct StartOptions {
    std::filesystem::path file; // opened after the example; a link is one
    std::string example;        // an id; empty: k_default_example
    std::string workspace;      // an id; empty: the first
    std::string panels;         // of one workspace, alone: "add-norm.card-y,add-norm.faders"
    std::string lesson;         // an id, with ":3" behind it at that step, or a file; empty: none
    std::optional<ThemeKind> theme; // none: as it was chosen
    bool reduce_motion = false;     // as the system asks for it
    bool small_screen = false;      // a telephone's: panels are offered one after the other
    std::optional<float> ui_scale;  // k_least_ui_scale to k_most_ui_scale
    std::string language; // an id; empty: as it was chosen, or for pictures and tests English
    std::filesystem::path assets; // the folder with examples/; empty: find_assets()
    // Recent files, and the copy of unsaved work that survives a crash. Off for pictures and tests
    // that must not see what other runs left behind.
    bool persist = true;
};

// Has the system ask for a file. Hands over where it lies, some time later, or does nothing.
using ChooseFile = std::function<void(std::function<void(std::filesystem::path)>)>;

double steady_seconds(); // since some moment

// The program without its window: owns the document, its history and the view, and turns one frame
// of input into one frame of drawing. Knows ImGui, knows neither GLFW nor OpenGL, so that tests and
// the figure export run it without a display.
class App {
  public:
    struct Services {
        TextureService* textures = nullptr; // not owned, outlives the app
        int threads = Lab::usual_threads(); // that compute; 0: the frames do it
        std::function<void()> wake = [] {}; // thread-safe: have another frame drawn soon
        std::function<double()> clock = steady_seconds;      // goes on while nothing is drawn
        std::function<void(bool)> full_screen = [](bool) {}; // from the next frame on
        UserDirs dirs = user_dirs();
        std::string page = {}; // its address, in a browser
        // For those who do not see: what has the keyboard, and what an edit did.
        std::function<void(const std::string&)> tell = {};
        ChooseFile choose_file = {}; // empty: the app's own dialog asks
        // Rasterizes the fonts of a picture for a scale, with the letters of a text.
        std::function<FontSet(ImFontAtlas&, float scale, const std::string& text)> fonts = {};
    };

    explicit App(Services services);
    ~App();

    // Once, before the first frame. Error: there is no such example or workspace, or the examples
    // cannot be read. A file that cannot be opened is told on the screen instead.
    Result<void> start(const StartOptions& options);

    // Fonts rasterized for a scale; the app asks for another one through wanted_scale() and is
    // given the fonts before the next frame. `pixels`: of the screen for one of its own at scale 1,
    // taken within the same bounds, so that fonts fit into their texture whatever a display says.
    // extra_text() holds names whose letters they must have.
    void set_fonts(const FontSet& fonts);
    // `growth`: of text in a large window (text_growth()).
    float wanted_scale(float pixels = 1, float growth = 1) const;
    float wanted_bar() const; // the scale of TextRole::bar; 0: that of the others
    std::string extra_text() const;
    void tell_of_missing_letters(); // more different ones were drawn than fonts may have

    // Between ImGui::NewFrame() and ImGui::Render(). When an input changed the document, the frame
    // is built a second time within this call, so that what is rendered shows the change. An
    // exception in the middle of it is told on the screen, and a copy of unsaved work is kept.
    // Error: that happened in the frame before as well, so that there is no going on.
    Result<void> frame();

    bool animating() const; // wants the next frame without an event
    // Seconds until a frame without an event is due; none: never.
    std::optional<double> next_frame_in() const;
    // The teacher's page of a presentation, for a window of its own; none without a presentation.
    std::optional<NotesPage> notes() const;
    bool working() const;     // computes something; wakes when a frame has more of it to show
    bool wants_quit() const;  // the loop may end
    void keep_unsaved_work(); // returns when it is on the disk; on any thread
    void request_quit();      // the window's close button: asks about unsaved changes
    void files_dropped(std::vector<std::string> paths);
    void let_go();              // of what the mouse holds: a drag is taken back
    void clipboard_is_silent(); // in a frame that asked for its text: who has it gives no answer
    std::string window_title() const;
    std::string complaint() const; // what went wrong and is on the screen, or empty

    struct State;
    State& state() { return *state_; } // for the shell's own files and its tests

  private:
    std::unique_ptr<State> state_;
};

using Command = std::function<void(App::State&)>;

// A command that is given all but the state; for an item of a menu also that.
auto given(auto command, auto... values) {
    return [=](App::State& state) { command(state, values...); };
}
auto does(App::State& state, auto command, auto... values) {
    return [=, &state] { command(state, values...); };
}

} // namespace normscope
