#pragma once
#include <optional>
#include <string>

// Keys by meaning.
namespace normscope {

// GLFW's codes; without its header: the widgets do not know the window.
enum class Key : int {
    left = 263,
    right = 262,
    up = 265,
    down = 264,
    page_up = 266,
    page_down = 267,
    home = 268,
    end = 269,
    enter = 257,
    escape = 256,
    tab = 258,
    space = ' ',
    del = 261,
    backspace = 259,
    menu = 348,
    f1 = 290,
    f2 = 291,
    f5 = 294,
    f10 = 299,
    plus = 334, // of the number pad
    minus = '-',
    equal = '=',
    period = '.',
    n0 = '0',
    n1,
    n2,
    n3,
    n4,
    n5,
    n6,
    n7,
    n8,
    n9,
    a = 'A',
    b,
    c,
    d,
    e,
    f,
    h = 'H',
    k = 'K',
    l,
    n = 'N',
    o,
    p,
    q,
    r,
    s,
    v = 'V',
    x = 'X',
    y,
    z
};

// Whether the key went down in this frame; with `repeat` also while it is held.
bool key_pressed(Key key, bool repeat = false);

// Some key but `own` went down in this frame.
bool other_key_pressed(std::optional<Key> own);

// Takes a key whose work is done: its key_pressed() is false for the rest of this frame.
void take_key(Key key);

// The text typed in this frame, in UTF-8: a slow frame brings several letters. typed_text() leaves
// out the spaces before the first letter, which are keys of the widgets.
std::string queued_text();
std::string typed_text();

bool ctrl_down();
bool shift_down();
bool alt_down();

// For feed_key().
constexpr int key_code(Key key) {
    return static_cast<int>(key);
}

// A key with its modifiers.
struct Chord {
    Key key;
    bool ctrl = false;
    bool shift = false;
};
std::string chord_text(const Chord& chord); // "Ctrl+Shift+S"
bool chord_pressed(const Chord& chord);

} // namespace normscope
