#pragma once

namespace normscope {

// An error of X11 no longer ends the program: software OpenGL puts pictures into a window that may
// have got another size meanwhile (X_ShmPutImage). Errors are told on stderr, once. GLFW forgets
// this whenever it makes a window.
void outlive_x_errors();

// Whether there was one since this was asked last.
bool took_x_error();

} // namespace normscope
