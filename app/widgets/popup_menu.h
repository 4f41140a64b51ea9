#pragma once
#include "app/widgets/ui.h"

#include <functional>
#include <optional>
#include <string>

// Menus and notes beside what they are about, in ImGui's popups.
namespace normscope {

// `items` in the popup `name`, which `asked` opens, at `at` or else at the mouse. The arrow keys
// and Enter work in it and, as everything else has keys of its own, only there. Returns whether it
// is open; `was_open`: in the last frame.
bool popup_menu(Ui& ui, const char* name, bool asked, bool was_open, std::optional<Point> at,
                const std::function<void()>& items);

// By mouse, Space, or Enter, which ImGui keeps for typing into an item.
bool menu_item(Ui& ui, NamePart part, const std::string& label, const char* shortcut = nullptr,
               bool enabled = true);

// Lines below `r`, over everything, for as long as this is called.
void note_below(const Ui& ui, Rect r, const std::string& lines);

// The menu on a fader or slider at `r`: by right-click, the menu key or Shift+F10. `value`: what is
// copied; none: it stands for several.
enum class ValueCommand { reset, type };
std::optional<ValueCommand> value_menu(Ui& ui, const Hit& hit, Rect r, double reset,
                                       std::optional<double> value);

} // namespace normscope
