#pragma once

namespace normscope {

// The key that bears this letter. Only letters move: digits and signs stay where they are, because
// on some layouts they need Shift.
int key_on_layout(int key, int scancode);

// X11 tells which modifiers were held before the key, which may be one of them.
int modifiers_after(int key, int action, int before);

} // namespace normscope
