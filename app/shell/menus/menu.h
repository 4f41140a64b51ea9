#pragma once
#include "app/shell/frame/app.h"
#include "app/widgets/keys.h"
#include "app/widgets/ui.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

using Command = std::function<void(App::State&)>;

struct MenuItem {
    std::string id; // unique among its siblings
    std::string label;
    Command run = {};
    std::vector<Chord> chords = {}; // the first one is shown
    bool enabled = true;
    bool checked = false;
    bool line_above = false;
    std::string hint = {}; // beside it while it is lit
    std::vector<MenuItem> children = {};
    bool as_typed = false;  // the label is a name that a person gave
    bool of_widget = false; // the chords are keys of the widget that has the keyboard
};

// The groups one below the other, with a line between two.
std::vector<MenuItem> in_groups(std::vector<std::vector<MenuItem>> groups);

struct Menu {
    std::string id;
    std::string label;
    std::vector<MenuItem> items;
};

// The id of the menu that has all of the bar's in it.
inline constexpr std::string_view k_all_menus = "menu";

// The menu that is open, from the bar to the deepest open level.
struct MenuState {
    std::string id;            // empty: none
    Rect anchor;               // what it hangs from
    std::vector<int> path{-1}; // the lit item of each open level; −1: none
    std::vector<float> scroll{0};
    bool keyboard = false; // the lit item follows the keyboard until the mouse moves

    bool is_open() const { return !id.empty(); }
};

void open_menu(MenuState& state, const std::string& id, Rect anchor, bool keyboard);

// A place in the bar from which a menu hangs: the mouse and the arrow keys go from one to the next.
struct MenuTitle {
    std::string id;
    Rect rect;
};

// Draws the open menu over the window and hands what was chosen to the state's commands.
void draw_menu(App::State& state, const Menu& menu, const std::vector<MenuTitle>& bar);

} // namespace normscope
