#pragma once
#include "app/widgets/ui.h"

#include <functional>
#include <optional>
#include <string>

// Menus and notes in ImGui's popups, beside the control that they are about.
namespace normscope {

// Draws `items` in the popup `name`. `asked` opens the popup, at `at` or else at the mouse. ImGui's
// arrow keys and Enter work in the popup and nowhere else. Returns whether the popup is open;
// `was_open`: it was in the last frame.
bool popup_menu(Ui& ui, const char* name, bool asked, bool was_open, std::optional<Point> at,
                const std::function<void()>& items);

// True where a click, Space or Enter chose the item.
bool menu_item(Ui& ui, NamePart part, const std::string& label, const char* shortcut = nullptr,
               bool enabled = true);

// Draws lines below `r`, over everything else in this frame.
void note_below(const Ui& ui, Rect r, const std::string& lines);

// The menu of a fader or slider at `r`, which a right-click, the menu key or Shift+F10 opens.
// `value`: the number that Copy takes; none: the fader stands for several numbers.
enum class ValueCommand { reset, type };
std::optional<ValueCommand> value_menu(Ui& ui, const Hit& hit, Rect r, double reset,
                                       std::optional<double> value);

} // namespace normscope
