#pragma once

namespace normscope {

using AnyFunction = void (*)();

// A function of OpenGL or of its window system that is looked up at run time. Needs the current
// context; null where there is none of that name.
AnyFunction gl_address(const char* name);

template<class Function>
Function gl_function(const char* name) {
    return reinterpret_cast<Function>(gl_address(name));
}

// True if X11's part of OpenGL has this extension on the display of the current context. False
// where the window system is not X11.
bool glx_has(const char* extension);

} // namespace normscope
