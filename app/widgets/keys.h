#pragma once
#include <string>

// Keys by meaning.
namespace normscope {

enum class Key {
    left,
    right,
    up,
    down,
    page_up,
    page_down,
    home,
    end,
    enter,
    escape,
    tab,
    space,
    del,
    backspace,
    f2,
    f10,
    a,
    c,
    d,
    n,
    o,
    p,
    q,
    s,
    v,
    x,
    y,
    z,
    n0,
    n1,
    n2,
    n3,
    n4,
    n5,
    n6,
    n7,
    n8,
    n9,
    plus,
    minus,
    equal,
    e, // with Alt: menus
    f,
    h,
    l,
    f1,
    menu,
    b,
    f5,
    period,
    k,
    r,
    count
};

// Went down in this frame; with `repeat` also while it is held.
bool key_pressed(Key key, bool repeat = false);

// What the key was pressed for is done: key_pressed() is false for the rest of this frame.
void take_key(Key key);

// What was typed in this frame, in UTF-8: a slow frame brings several letters. Spaces before the
// first letter are keys of the widgets.
std::string typed_text();

bool ctrl_down();
bool shift_down();
bool alt_down();

// GLFW's code of a key, for feed_key().
int key_code(Key key);

} // namespace normscope
