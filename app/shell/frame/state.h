#pragma once
#include "app/lessons/panel.h"
#include "app/model/history.h"
#include "app/session/examples.h"
#include "app/shell/files/files.h"
#include "app/shell/files/user_files.h"
#include "app/shell/frame/app.h"
#include "app/shell/menus/dialog.h"
#include "app/widgets/imgui_canvas.h"
#include "app/widgets/imgui_compat.h"
#include "app/widgets/menu.h"
#include "app/widgets/ui.h"
#include "app/workspaces/shared/frame.h"
#include "app/workspaces/shared/view.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/memo.h"

#include <array>
#include <cstddef>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace normscope {

// The person's own document and how it was looked at, while an Add & Norm of its stack is in its
// place.
struct OwnDocument {
    History history;
    View view;
    std::string part; // “block 3”
};

// How far the page of a workspace is scrolled.
struct PageScroll {
    float now = 0;
    float to = 0; // where it is to be
    int passes =
        0; // in which it still goes there: in one, no further than the page was high before
};

class LessonShow;
struct HandoutWork;
struct FigureEntry;

// A lesson that is on, while the person's own document waits.
struct LessonRun {
    LessonPlayer player;
    OwnDocument before;
    std::map<std::size_t, PageScroll> scrolls_before;
    int path = 0; // the minutes of the path that it was chosen from; 0: none
    LessonPanelState panel = {};
    int into_sight = 0;     // passes in which what the step shows and rings is scrolled into sight
    std::string stamp = {}; // of its file
    std::shared_ptr<LessonShow> show = nullptr; // of the task's solution, while it goes on
    bool was_shown = false; // since keep_aside(); a lesson that the solution begins was not
};

// The button beside a message.
struct StatusAction {
    std::string label;
    Command run;
};

// The person's own, kept aside while a lesson's solution is shown: the solution gets a place for
// files, a clipboard and lists of its own (lessons.h).
struct KeptAside {
    OwnDocument before;
    std::vector<Unsaved> left_unsaved;
    RecentFiles recent;
    Preferences preferences;
    LessonProgress progress;
    View view;
    std::string language;
    Clipboard clipboard;
    std::string copied; // by the solution
    int shown_in = 0;   // ImGui's count of frames when the hand moved last
};

// A slide over the whole window, for a class. Sessions do not keep the presenter's state.
struct Presenter {
    bool on = false;
    std::size_t slide = 0;                 // a place in slides_of()
    std::optional<std::size_t> panel = {}; // a panel of the workspace, chosen in place of the slide
    std::size_t workspace = 0;             // the workspace of slide and panel
    bool of_scenes = false;                // it goes through the document's scenes
    Document began = {};                   // the document when it began
    View view_before = {};                 // how that was looked at
    bool list = false;                     // of panels, in place of the slide
    bool black = false;                    // the window is black: the class looks at the teacher
    bool spotlight = false;                // the window is dim except around the mouse
    bool notes = false;                    // the teacher's page lies over the panel
    float words_scale = 1;                 // below 1 where a slide's words have no room
    double began_at = 0;                   // by the services' clock, in seconds
    int minutes_drawn = 0;                 // minutes since then, as the timer shows them
    std::array<int, 6> hands = {};         // how many hands were raised for A, B, C, …
};

// The first minute (menus.h).
struct FirstSteps {
    std::shared_ptr<const Derived> began; // the numbers it asks about; null until they are drawn
    std::size_t workspace = 0;            // that was open then
};

// An example of a workspace's part.
struct TakenExample {
    std::size_t index;
    Document document; // when it was taken
};

// Everything the running program knows. The shell's own files share it; nothing outside does.
struct App::State {
    explicit State(Services given)
        : services(std::move(given)), textures(*services.textures),
          memory(services.threads, services.wake) {}

    Services services;
    TextureCache textures;
    Drawing drawing = Drawing::shown; // of the pass that is on
    FontSet fonts;

    History history{blank_document(4, 6)};
    std::optional<OwnDocument> own; // none: `history` is that of the person's own document
    std::vector<Lesson> lessons;    // of the menu
    std::filesystem::path assets;   // the folder with them and examples/
    std::string language;           // the id that was asked for; empty: the system's
    LessonProgress progress;
    std::shared_ptr<HandoutWork> handout; // null: none is being written
    std::unique_ptr<LessonRun> lesson;    // null: none is on
    std::optional<KeptAside> kept_aside;  // none: no solution is shown
    DrawMemory memory;
    std::shared_ptr<const Derived> derived; // as shown, never null in a frame
    std::shared_ptr<const Derived> ghost;   // while a gesture is open
    std::shared_ptr<const Derived> before;  // of the last gesture, while nothing else has changed
    std::optional<Document> before_led_to;  // the document that it made
    // The workspace's words for an edit's effect, by the numbers before and after the edit.
    Memo<std::tuple<const Derived*, const Derived*, std::size_t>, std::optional<std::string>>
        effect;
    std::vector<Example> examples;
    std::map<std::size_t, TakenExample> taken_examples; // by the workspace
    Outside outside;
    Files files;
    Preferences preferences;
    std::optional<FirstSteps> first_steps; // none: not shown

    View view;
    UiState ui;
    UiState dialog_ui;                           // of the dialog in front
    UiState pictures_ui;                         // of the presenter's list of panels
    std::map<std::size_t, float> content_height; // of each workspace, in its last frame
    std::map<std::size_t, PageScroll> scrolls;   // of each workspace
    std::optional<float> scroll_by;              // how far the page is to go down
    std::vector<NamedPart> parts;  // of the last frame, where nobody else asks for them
    std::vector<LoggedText> texts; // of it, while they are told
    std::string told;              // at the bottom of the window, in the last frame
    Presenter present;
    std::vector<const FigureEntry*> alone; // shown in place of the workspace; empty: it is there
    std::optional<std::size_t> scene;      // that was kept or shown last
    std::optional<bool> scene_strip;       // none: shown where there are scenes
    MenuState menu;
    std::vector<MenuTitle> menu_titles; // as drawn in this pass
    std::deque<std::unique_ptr<Dialog>> dialogs;
    std::vector<Command> commands; // what was chosen in this pass; run at its end

    std::string status; // one sentence at the bottom of the window
    bool status_is_error = false;
    std::optional<StatusAction> status_action; // of this message
    Point said_at;                             // of the mouse
    int complained_at = 0;                     // ImGui's count of frames
    bool status_of_edit = false;               // an error that is about one
    int frames_wanted = 0;     // a few more without an event, until what opened has settled
    bool frame_failed = false; // the last one broke off
    bool quit = false;

    const Document& document() const { return history.document(); }
    const Workspace& workspace() const { return workspace_table()[view.workspace]; }

    // Applies edits in order; what is refused goes to the status line. `said` is said once they are
    // applied. True if the document changed.
    bool apply_edits(const std::vector<Edit>& edits, const std::string& said = {});
    void end_gesture(); // what it changed is compared with what was before, until the next edit
    void complain(std::string what);
    bool complains_of(const auto& result) { // of its error, if it is one
        if (!result) complain(error_text(result.error()));
        return !result;
    }
    void refuse(std::string what); // the same of an edit: undo and redo take it away
    void say(std::string what, std::optional<StatusAction> action = {});
    void unsay() { // clears the message, but an error that no edit caused stays
        if (!status_is_error || status_of_edit) status.clear();
    }
    // Until the end of this pass, or of the next one.
    void defer(Command command) { commands.push_back(std::move(command)); }
    void defer_after_typing(Command command); // what is being typed is taken first
    void show(std::unique_ptr<Dialog> dialog);
};

// The canvas of a list of ImGui's, as a rule its current window's, in the app's fonts. Notes its
// texts where somebody asks for them.
class ScreenCanvas final : public ImGuiCanvas {
  public:
    explicit ScreenCanvas(App::State& s, ImDrawList& list = *ImGui::GetWindowDrawList())
        : ImGuiCanvas(list, s.fonts, &s.textures, s.drawing, s.ui.texts) {}
};

} // namespace normscope
