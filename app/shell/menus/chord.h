#pragma once
#include "app/widgets/keys.h"

#include <string>

namespace normscope {

// A key with its modifiers.
struct Chord {
    Key key;
    bool ctrl = false;
    bool shift = false;
};
std::string chord_text(const Chord& chord); // "Ctrl+Shift+S"
bool chord_pressed(const Chord& chord);

} // namespace normscope
