#include "app/platform/loop.h"

#include "app/charts/cairo_canvas.h"
#include "app/io/file.h"
#include "app/platform/window.h"
#include "app/shell/frame/app.h"
#include "app/widgets/ui.h"

#define GLFW_INCLUDE_NONE
#include <GL/gl.h>
#include <GL/glext.h>
#include <GLFW/glfw3.h>
#include <algorithm>
#include <backends/imgui_impl_opengl3.h>
#include <cfloat>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

namespace normscope {
namespace {

// A function of OpenGL that is looked up at run time.
template<class Function>
Function gl_function(const char* name) {
    return reinterpret_cast<Function>(glfwGetProcAddress(name));
}

void draw_into(GLuint buffer) {
    gl_function<PFNGLBINDFRAMEBUFFERPROC>("glBindFramebuffer")(GL_FRAMEBUFFER, buffer);
}

void draw_frame(App& app, ImVec2 size) {
    ImGui_ImplOpenGL3_NewFrame();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = size;
    io.DisplayFramebufferScale = {1, 1};
    io.DeltaTime = 1.0f / 60; // the same picture however fast the machine is
    io.MousePos = {-FLT_MAX, -FLT_MAX};
    ImGui::NewFrame();
    app.frame();
    draw_ui(size);
}

Result<void> write_png(int width, int height, const std::string& path) {
    const auto w = static_cast<std::size_t>(width), h = static_cast<std::size_t>(height);
    std::vector<std::uint32_t> pixels(w * h);
    glPixelStorei(GL_PACK_ALIGNMENT, 4);
    glReadPixels(0, 0, width, height, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV, pixels.data());
    for (std::size_t y = 0; y < h / 2; ++y) // OpenGL's first row is the lowest
        std::swap_ranges(pixels.begin() + static_cast<std::ptrdiff_t>(y * w),
                         pixels.begin() + static_cast<std::ptrdiff_t>((y + 1) * w),
                         pixels.begin() + static_cast<std::ptrdiff_t>((h - 1 - y) * w));
    const auto bytes = TRY(png_of(pixels, width, height));
    return write_file_atomically(path, bytes);
}

} // namespace

Result<void> save_screenshot(App& app, Window& window, AppFonts& fonts, int width, int height,
                             const std::string& path) {
    GLint largest = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest);
    GLuint texture = 0, buffer = 0; // drawn into instead of the window
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV,
                 nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl_function<PFNGLGENFRAMEBUFFERSPROC>("glGenFramebuffers")(1, &buffer);
    draw_into(buffer);
    gl_function<PFNGLFRAMEBUFFERTEXTURE2DPROC>("glFramebufferTexture2D")(
        GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    const AtEnd end([&] {
        draw_into(0);
        gl_function<PFNGLDELETEFRAMEBUFFERSPROC>("glDeleteFramebuffers")(1, &buffer);
        glDeleteTextures(1, &texture);
    });
    const auto status = gl_function<PFNGLCHECKFRAMEBUFFERSTATUSPROC>("glCheckFramebufferStatus");
    if (width > largest || height > largest || status(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
        return fail("a picture of {}x{} pixels cannot be drawn: this OpenGL goes up to {} each way",
                    width, height, largest);

    const ImVec2 size(static_cast<float>(width), static_cast<float>(height));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    constexpr int k_frames_to_settle = 4;
    for (int calm = 0; calm < k_frames_to_settle && std::chrono::steady_clock::now() < deadline;) {
        fonts.update(app, window, 1, {size.x, size.y});
        draw_frame(app, size);
        const bool moving =
            app.animating() || app.working() || window.take_activity(); // a worker's result wakes
        calm = moving ? 0 : calm + 1;
        if (moving) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    if (const std::string complaint = app.complaint(); !complaint.empty()) return fail(complaint);
    return write_png(width, height, path);
}

} // namespace normscope
