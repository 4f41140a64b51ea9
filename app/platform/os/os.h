#pragma once
#include "app/shell/frame/app.h"

#include <string>

namespace normscope {

// The tasks that each system does in its own way; a file of this folder says how.

// Called before GLFW begins, and once a window with its OpenGL context is there.
void before_windows();
void after_window();
// True if the last picture did not come to the screen.
bool picture_was_lost();

// The display's factor, where the window system's answer is not it; 0: it is.
float own_content_scale();

// The advice to a person who has no window, as the end of a sentence.
std::string help_without_window();

// The voice for those who do not see; empty: there is none.
std::function<void(const std::string&)> screen_reader();

// The address of the page that the program runs in; empty: it runs in none.
std::string page_address();

// Empty: the system asks for no file in a way of its own.
ChooseFile file_chooser();

// The first line of a shader of OpenGL 3.3 core, or ES 3.
extern const char* const k_shader_version;

} // namespace normscope
