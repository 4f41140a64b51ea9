#pragma once
#include "app/shell/frame/state.h"

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
};
std::span<const MenuHead> menu_heads();

// What the menus hold now: every command of the program with its shortcut, in one table.
std::vector<Menu> menu_bar(const App::State& state);

// The menu called `id`: one of the bar, the whole bar in one ("menu"), the examples ("example") or
// the workspaces ("workspace").
std::optional<Menu> find_menu(const App::State& state, const std::string& id);

// Runs the command whose keys went down in this frame, and opens menus by F10 and Alt+letter.
void run_shortcuts(App::State& state);

// The keys that choose a workspace, after it had its chance to take the digit as typing.
void run_workspace_keys(App::State& state);

// The UI scales of the menu and of Ctrl++ and Ctrl+−.
inline constexpr float k_ui_scales[] = {0.75f, 0.9f, 1.0f, 1.1f, 1.25f, 1.5f, 1.75f, 2.0f, 2.5f};

} // namespace normscope
