#pragma once
#include "app/charts/geometry.h"
#include "app/widgets/keys.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace normscope {

class Ui;

struct MenuItem {
    std::string id; // unique among its siblings
    std::string label;
    std::function<void()> run = {};
    std::vector<Chord> chords = {}; // the first one is shown
    bool enabled = true;
    bool checked = false;
    bool line_above = false;
    std::string heading = {}; // above it
    std::string hint = {};    // beside it while it is lit
    std::vector<MenuItem> children = {};
    bool as_typed = false;  // the label is a name that a person gave
    bool of_widget = false; // the chords are keys of the widget that has the keyboard
    std::string scope = {}; // of the children's names; empty: the id
};

// The groups one below the other, with a line between two.
std::vector<MenuItem> in_groups(std::vector<std::vector<MenuItem>> groups);

struct Menu {
    std::string scope; // of the items' names
    std::vector<MenuItem> items;
};

// The menu that is open, from what it hangs from to the deepest open level.
struct MenuState {
    std::string id; // empty: none
    Rect anchor;
    std::vector<int> path{-1}; // the lit item of each open level; −1: none
    std::vector<float> scroll{0};
    bool keyboard = false; // the lit item follows the keyboard until the mouse moves
    std::string words;     // of the deepest lit item, as drawn: "Save Ctrl+S"

    bool is_open() const { return !id.empty(); }
};

void open_menu(MenuState& state, const std::string& id, Rect anchor, bool keyboard);

// A place in the bar from which a menu hangs: the mouse and the arrow keys go from one to the next.
struct MenuTitle {
    std::string id;
    Rect rect;
};

// Draws the open menu over the window and takes its input. Returns the command that was chosen.
std::function<void()> draw_menu(Ui& page, MenuState& state, const Menu& menu,
                                const std::vector<MenuTitle>& bar = {});

// The menu of a control or of cells, in ui.state. `asked` opens it, at `at` or else at the mouse.
// The command that is chosen runs at once. Returns whether the menu is open.
bool page_menu(Ui& ui, const std::string& id, bool asked, std::optional<Point> at,
               std::vector<MenuItem> items);

} // namespace normscope
