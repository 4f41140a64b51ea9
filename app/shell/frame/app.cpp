#include "app/shell/frame/app.h"

#include "app/io/file.h"
#include "app/io/text.h"
#include "app/language/language.h"
#include "app/model/edit.h"
#include "app/session/link.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/frame/live_text.h"
#include "app/shell/frame/state.h"
#include "app/shell/frame/window_frame.h"
#include "app/shell/lessons/lessons.h"
#include "app/shell/menus/menus.h"
#include "app/shell/present/notes.h"
#include "app/shell/present/present.h"
#include "app/shell/present/scenes.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/caught.h"
#include "core/base/lists.h"
#include "core/base/printable.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <ranges>
#include <sstream>
#include <utility>

namespace normscope {
namespace {

constexpr int k_most_passes = 4;
constexpr double k_longest_frame = 0.1; // seconds; what was drawn after a rest came later
constexpr float k_tooltip_delay = 0.6f; // seconds; a little more than a tooltip waits

Result<std::size_t> find_workspace(const std::string& id) {
    if (const auto found = workspace_index(id)) return *found;
    return fail("workspace “{}”: there is none of this name: expected one of {}", id,
                joined(workspace_table(), &Workspace::id));
}

// The panels that the names say, for a page of somebody else.
Result<void> show_alone(App::State& s, const std::string& names) {
    std::istringstream list(names);
    for (std::string name; std::getline(list, name, ',');) {
        const std::size_t dot = std::min(name.find('.'), name.size());
        s.view.workspace = TRY(find_workspace(name.substr(0, dot)));
        const auto figures = workspace_table()[s.view.workspace].figures;
        const auto panel = std::ranges::find(figures, name.substr(std::min(dot + 1, name.size())),
                                             &FigureEntry::id);
        if (panel == figures.end()) {
            const auto ids = figures | std::views::transform(&FigureEntry::id);
            return fail("panel “{}”: there is none of this name: expected one of {}", name,
                        fmt::format("{}", fmt::join(ids, ", ")));
        }
        s.alone.push_back(&*panel);
    }
    return {};
}

// The mouse pulls at something: as a rule that is an edit.
bool drags() {
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    return ImGui::IsAnyItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left) &&
           (moved.x != 0 || moved.y != 0);
}

// Every document with unsaved changes, in the middle of a gesture too. While a lesson's solution is
// shown the person's own stays as it was noted.
void note_work(App::State& s) {
    if (s.kept_aside) return;
    std::vector<Work> all;
    for (const Unsaved& work : unsaved_work(s)) {
        // A name that JSON cannot hold would come back as another one.
        const std::string file = work.kept->path.string();
        const bool can_be_said = find_invalid_utf8(file) == std::string_view::npos;
        all.push_back({work.kept, {work.document, can_be_said ? file : "", work.kept->stamp}});
    }
    s.files.autosave.note(std::move(all));
}

// Applies the edit that is due in a run; a refused edit ends the run.
void run_on(App::State& s) {
    if (!s.view.running) return;
    const double passed = std::min(static_cast<double>(ImGui::GetIO().DeltaTime), k_longest_frame);
    const Workspace& workspace = s.workspace();
    if (const auto due = workspace.run_on(s.view, s.document(), passed))
        if (!s.apply_edits({*due})) s.view.running = false;
}

void draw_frame(App::State& s) {
    s.frames_wanted = std::max(0, s.frames_wanted - 1);
    do_waiting(s);
    run_on(s);
    if (ImGui::IsAnyItemActive() && ImGui::IsMouseDown(ImGuiMouseButton_Left) &&
        key_pressed(Key::escape) && s.history.take_back()) { // what is being dragged
        take_key(Key::escape);
        ImGui::ClearActiveID();
    }
    bool changed = true;
    for (int pass = 1; changed && pass <= k_most_passes; ++pass) {
        if (pass > 1) {
            // A second pass at the same instant shows the input's effect in this frame already.
            ImGui::EndFrame();
            ImGui::GetIO().DeltaTime = 1e-5f;
            ImGui::NewFrame();
        }
        apply_style(theme(s.view.theme), s.fonts);
        // The first pass of a drag only takes the input; the second one is always drawn.
        s.drawing = pass == 1 && drags() ? Drawing::discarded : Drawing::shown;
        s.ui.unsettled = false;
        changed = draw_window(s) || s.ui.unsettled || s.drawing == Drawing::discarded;
    }
    if (changed) s.frames_wanted = std::max(s.frames_wanted, 1);
    if (s.services.tell) s.services.tell(live_text(s));
    // A run is one step to undo, as a drag is.
    const bool interacting = ImGui::IsAnyItemActive() || s.view.running;
    s.history.settle(interacting);
    note_work(s);
    if (interacting) return;
    // A gesture's next edit would clear the complaint.
    if (auto complaint = s.files.autosave.take_complaint()) s.complain(std::move(*complaint));
    // The next frame refines the numbers that were coarse during the gesture.
    if (!s.ghost) return;
    s.frames_wanted = std::max(s.frames_wanted, 1);
    s.end_gesture();
}

// After an exception in the middle of a frame: what may have been its cause goes, the document
// stays.
void break_off(App::State& s) {
    ImGui::ClearActiveID();
    s.dialogs.clear();
    s.menu = {};
    s.ui.next_order.clear();
    s.dialog_ui = {};
    s.commands.clear();
    s.view.running = false;
    s.ghost.reset();
    s.history.settle(false);
    note_work(s);
    s.frames_wanted = 2;
}

} // namespace

bool App::State::apply_edits(const std::vector<Edit>& edits, const std::string& said) {
    bool changed = false;
    for (const Edit& edit : edits) {
        auto next = normscope::apply(document(), edit);
        if (!next) {
            refuse(sentence(next.error()));
            continue;
        }
        if (!ghost) ghost = derived; // a file may be the hand
        history.change(std::move(*next), edit, view.workspace);
        // An accepted edit clears an older error, not one of this frame.
        if (ImGui::GetFrameCount() - complained_at > k_most_passes) status.clear();
        changed = true;
    }
    if (changed && !said.empty()) say(said);
    return changed;
}

void App::State::end_gesture() {
    before = std::exchange(ghost, nullptr);
    before_led_to = document();
}

void App::State::complain(std::string what) {
    say(std::move(what));
    status_is_error = true;
    status_of_edit = false;
    complained_at = ImGui::GetFrameCount();
}

void App::State::refuse(std::string what) {
    complain(std::move(what));
    status_of_edit = true;
}

void App::State::say(std::string what, std::optional<StatusAction> action) {
    status = std::move(what);
    said_at = mouse_at(fonts.scale);
    status_is_error = false;
    status_action = std::move(action);
}

void App::State::defer_after_typing(Command command) {
    if (ui.text_edit == 0) return defer(std::move(command));
    ui.text_take = true;
    defer([later = std::move(command)](State& s) { s.defer(later); });
}

void App::State::show(std::unique_ptr<Dialog> dialog) {
    dialogs.push_back(std::move(dialog));
    frames_wanted = 2;
}

double steady_seconds() {
    const std::chrono::duration<double> since = std::chrono::steady_clock::now().time_since_epoch();
    return since.count();
}

App::App(Services services) : state_(std::make_unique<State>(std::move(services))) {}

App::~App() {
    // Without a decision about them, changes stay in the copies, and the next start offers them.
    state_->files.autosave.end(!wants_quit());
}

Result<void> App::start(const StartOptions& options) {
    State& s = *state_;
    s.assets =
        TRY(options.assets.empty() ? find_assets() : Result<std::filesystem::path>(options.assets));
    if (options.persist) {
        s.preferences.load(s.services.dirs.config);
        // A page's files are gone with it.
        s.files.recent.load(s.services.page.empty() ? s.services.dirs.config
                                                    : std::filesystem::path());
    }
    s.language = !options.language.empty() ? options.language
                 : options.persist         ? s.preferences.language
                                           : std::string(languages().front().id);
    use_language(s);
    s.examples = TRY(load_examples(s.assets / "examples"));
    s.view.reduce_motion = s.preferences.reduce_motion || options.reduce_motion;
    // In an empty home, and with nothing asked for.
    const bool first_start = s.preferences.kept() && !s.preferences.first_steps_shown &&
                             s.files.recent.paths().empty() && options.example.empty() &&
                             options.workspace.empty() && options.lesson.empty() &&
                             options.file.empty() && options.panels.empty();
    const std::string wanted = !options.example.empty()
                                   ? options.example
                                   : std::string(first_start ? k_first_example : k_default_example);
    const auto example = TRY(find_example(s.examples, wanted));
    s.history = History(TRY(options.example.empty() ? first_document(s.examples, wanted)
                                                    : normscope::open_example(example)));
    look_at_example(s.view, example);
    if (options.persist && !options.example.empty()) s.say(example.about); // as from the menu

    const std::string& open = options.workspace.empty() ? example.workspace : options.workspace;
    if (!open.empty()) s.view.workspace = TRY(find_workspace(open));
    TRY(show_alone(s, options.panels));
    for (const ThemeKind kind : k_themes)
        if (theme(kind).id == s.preferences.theme) s.view.theme = kind;
    s.view.theme = options.theme.value_or(s.view.theme);
    s.view.ui_scale = std::clamp(options.ui_scale.value_or(1), k_least_ui_scale, k_most_ui_scale);
    if (options.persist) {
        s.progress.load(s.services.dirs.state);
        s.files.autosave.begin(s.services.dirs.state, s.services.wake);
        const auto left = Autosave::left_behind(s.services.dirs.state);
        offer_recovery(s, left);
        tell_of_unknown_copies(s, left);
    }
    if (first_start) {
        s.first_steps.emplace();
        s.preferences.first_steps_shown = true;
        s.preferences.keep();
    }
    if (!options.file.empty())
        open_request(s, {is_link(options.file.native()) ? options.file
                                                        : std::filesystem::absolute(options.file),
                         OpenAs::ask, true, !options.workspace.empty() || !s.alone.empty()});
    if (options.small_screen)
        s.show(ask(
            "This screen is small",
            worded("NormScope can show one panel after the other: ◂ and ▸ below turn them, ☰ lists "
                   "them."),
            {{"page", "The whole page", {}},
             {"panels", "One panel after the other", begin_presenting}}));
    load_lesson_menu(s);
    return options.lesson.empty() ? Result<void>() : begin_lesson(s, options.lesson);
}

void App::set_fonts(const FontSet& fonts) {
    state_->fonts = fonts;
    apply_style(theme(state_->view.theme), fonts);
}

float App::wanted_bar() const {
    return state_->present.on ? presenter_bar_scale() : 0;
}

float App::wanted_scale(float pixels, float growth) const {
    if (state_->present.on) return presented_scale(*state_);
    const float of_display = std::clamp(pixels, k_least_ui_scale, k_most_ui_scale) * growth;
    return std::clamp(state_->view.ui_scale * of_display, k_least_ui_scale, 2 * k_most_ui_scale);
}

void App::tell_of_missing_letters() {
    state_->say(
        "These names have more different letters than the fonts have room for: the rest are □");
}

std::optional<double> App::next_frame_in() const {
    const Presenter& present = state_->present;
    if (!present.on) return std::nullopt;
    const double since = state_->services.clock() - present.began_at;
    return 60.0 * (present.minutes_drawn + 1) - since; // a minute more
}

std::optional<NotesPage> App::notes() const {
    return notes_page(*state_);
}

std::string App::extra_text() const {
    const Document& d = state_->document();
    // The text that is being typed may become a name.
    std::string text = d.title + document_name(*state_) + state_->ui.text;
    const Scenes& scenes = *own_document(*state_).scenes;
    for (const auto i : indices(scenes))
        text += scenes[i].name + scenes[i].question + scenes[i].notes;
    for (const std::string& name : *d.tokens) text += name;
    for (const std::string& name : *d.features) text += name;
    for (const Workspace& workspace : workspace_table()) text += workspace.names(d);
    if (state_->lesson) text += state_->lesson->player.lesson().letters;
    return text;
}

Result<void> App::frame() {
    State& s = *state_;
    const auto drawn = caught("The window could not be drawn", [&]() -> Result<void> {
        draw_frame(s);
        return {};
    });
    const bool again = std::exchange(s.frame_failed, !drawn);
    if (drawn) return {};
    break_off(s);
    const std::string why = error_text(drawn.error());
    s.complain(s.history.saved() ? why : worded("{}. Unsaved work is copied; save it.", why));
    return again ? drawn : Result<void>();
}

bool App::animating() const {
    const State& s = *state_;
    if (s.frames_wanted > 0 || !s.commands.empty()) return true;
    if (s.view.running || (s.dialogs.empty() && !s.files.waiting.empty())) return true;
    if (s.view.scales_move) return true;
    // Until it is clear whether the work takes long enough to say so.
    if (s.memory.lab.just_begun()) return true;
    if (s.workspace().animates(s.view)) return true;
    const ImGuiContext* g = ImGui::GetCurrentContext();
    return g && g->HoveredId != 0 && g->HoveredIdTimer < k_tooltip_delay;
}

bool App::working() const {
    return state_->memory.lab.computing();
}

void App::keep_unsaved_work() {
    state_->files.autosave.flush();
}

bool App::wants_quit() const {
    return state_->quit && !state_->kept_aside; // a lesson's solution only shows it
}

void App::request_quit() {
    end_show(*state_);
    give_back(*state_);
    state_->defer_after_typing(ask_quit);
    state_->services.wake();
}

void App::files_dropped(std::vector<std::string> paths) {
    end_show(*state_);
    give_back(*state_);
    for (std::string& path : paths)
        state_->defer_after_typing([file = std::filesystem::path(std::move(path))](State& s) {
            if (!s.dialogs.empty())
                s.say(worded("{} is opened once the question is answered",
                             quoted(file.filename().string())));
            open_path(s, file);
        });
    state_->services.wake();
}

void App::let_go() {
    if (ImGui::IsAnyItemActive() && !ImGui::GetIO().WantTextInput && !state_->view.running)
        state_->defer([](State& s) { s.history.take_back(); });
}

void App::clipboard_is_silent() {
    state_->defer([](State& s) { // after what is said of an empty clipboard
        s.complain(
            s.services.page.empty()
                ? "Nothing was pasted: the program that holds the clipboard does not answer. "
                  "Copy the text again"
                : "Nothing was pasted: a browser gives its clipboard to Ctrl+V alone");
    });
}

std::string App::complaint() const {
    return state_->status_is_error ? state_->status : std::string();
}

std::string App::window_title() const {
    const std::string mark = state_->history.saved() ? "" : "• ";
    return mark + worded("{} — NormScope", printable(document_name(*state_)));
}

} // namespace normscope
