#pragma once
#include "app/shell/frame/state.h"
#include "app/shell/frame/window_frame.h"
#include "app/widgets/menu.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace normscope {

// The menus of the bar, from left to right; `mnemonic` opens one with Alt.
struct MenuHead {
    const char* id;
    const char* label;
    Key mnemonic;
    std::vector<MenuItem> (*items)(App::State&);
};
std::span<const MenuHead> menu_heads();

// The menu that has all of the bar's in it: every command of the program with its shortcut.
inline constexpr const char* k_all_menus = "menu";

// And keeps it for the next run.
void choose_theme(App::State& state, ThemeKind kind);

// The files that were opened last.
MenuItem recent_menu(App::State& state, const std::vector<std::filesystem::path>& paths);

// The menu called `id`: one of the bar, the whole bar in one (k_all_menus), the examples
// ("example") or the workspaces ("workspace").
std::optional<Menu> find_menu(App::State& state, const std::string& id);

// Opens a menu at the end of the pass, hanging from `anchor`.
void open_later(App::State& state, std::string id, Rect anchor, bool by_key = false);

// Draws the menu that hangs from the bar, where one is open, over the window.
void draw_open_menu(Ui& ui, App::State& state);

// Runs the command whose keys went down in this frame, and opens menus by F10 and Alt+letter.
void run_shortcuts(App::State& state);

// The keys that choose a workspace, after it had its chance to take the digit as typing.
void run_workspace_keys(App::State& state);

// The UI scales of the menu and of Ctrl++ and Ctrl+−.
inline constexpr float k_ui_scales[] = {0.75f, 0.9f, 1.0f, 1.1f, 1.25f, 1.5f, 1.75f, 2.0f, 2.5f};

void show_help_sheet(App::State& state); // every key and gesture
void show_about_sheet(App::State& state);

// Speaks the language of the state. The faults of its catalogue are told on the screen.
void use_language(App::State& state);

// Cuts the bar off the top of `window`: the program's name, menus, one tab a workspace, the example
// picker, the theme. Where one line has no room for the tabs, they stand on a line below; where
// that has none either, one menu holds all menus, and another one the workspaces.
void draw_top_bar(Ui& ui, Rect& window, App::State& state);

// The panels of the page that is shown below `top`.
struct PageOutline {
    std::span<const OutlinedPanel> panels;
    float top;
    bool is_long; // longer than its window
};

// The line at the bottom of the window, always there so that a message that comes moves nothing:
// the document's scenes, the panels of a long page, and the last message or else the values of the
// cell under the mouse in every tensor.
inline constexpr float k_bottom_line_h = 32;
void draw_bottom_line(Ui& ui, Rect line, App::State& state, const PageOutline& page);

// A note over the lower right corner while a long computation goes on in the background.
void draw_busy_note(Ui& ui, Rect window, App::State& state);

// The first minute: one question about the text's own token, one thing to drag that answers it, and
// ways on. A strip between the bar and the page, in the workspace where it began; not in a lesson,
// which asks its own question, and no more once another document is open.
//
// Shows the example with the strip above it, from the Help menu.
void show_first_steps(App::State& state);

// Draws the strip, cut off the top of `window`; nothing where it does not belong.
void draw_first_steps(Ui& ui, Rect& window, App::State& state);

} // namespace normscope
