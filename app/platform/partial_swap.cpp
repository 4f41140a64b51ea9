#include "app/platform/partial_swap.h"

#include "app/platform/gl_function.h"

#include <GL/glx.h>
#include <GL/glxext.h>
#include <string_view>

namespace normscope {

bool can_swap_parts() {
    const auto* name = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    const std::string_view renderer = name ? name : "";
    const bool software = renderer.starts_with("llvmpipe") || renderer.starts_with("softpipe") ||
                          renderer.starts_with("Software Rasterizer");
    return software && glx_has("GLX_MESA_copy_sub_buffer") &&
           gl_function<PFNGLXCOPYSUBBUFFERMESAPROC>("glXCopySubBufferMESA");
}

void swap_part(const PixelRect& rect, int height) {
    gl_function<PFNGLXCOPYSUBBUFFERMESAPROC>("glXCopySubBufferMESA")(
        glXGetCurrentDisplay(), glXGetCurrentDrawable(), rect.x0, height - rect.y1,
        rect.x1 - rect.x0, rect.y1 - rect.y0);
}

} // namespace normscope
