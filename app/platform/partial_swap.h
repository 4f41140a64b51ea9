#pragma once
#include "app/platform/repaint.h"

namespace normscope {

// Showing a part of what was drawn while the rest of the window, and all of the buffer that is
// drawn on, stay as they are. Both need the current OpenGL context.

// True where OpenGL is software and its window system can (GLX_MESA_copy_sub_buffer). Hardware
// draws a whole window in less time than a part could be told, and would tear.
bool can_swap_parts();

// `height` is the window's, in pixels. Only where can_swap_parts().
void swap_part(const PixelRect& rect, int height);

} // namespace normscope
