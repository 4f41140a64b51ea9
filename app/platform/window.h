#pragma once
#include "app/platform/clipboard.h"
#include "app/platform/input_queue.h"
#include "app/platform/textures.h"
#include "core/base/result.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cfloat>
#include <functional>
#include <imgui.h>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace normscope {

// The one window with its OpenGL 3.3 context and ImGui's context and backends. ImGui's coordinates
// are framebuffer pixels, whatever the window system counts in. All calls but wake() belong to the
// thread that opened it.
class Window {
  public:
    // In pixels, made to fit the monitor; not `visible`: only the OpenGL context is wanted.
    // `glyphs` is asked for when the window is there, for the atlas that ImGui takes; it must live
    // longer than the window.
    // Error: there is no display, or it has no OpenGL 3.3; says what can be done without.
    static Result<std::unique_ptr<Window>> open(int width, int height, bool visible,
                                                const std::function<ImFontAtlas&()>& glyphs);
    ~Window();

    TextureService& textures() { return *textures_; }
    float content_scale() const; // what the desktop asks text to be enlarged by; 1 at 96 dpi
    Size size() const;           // in pixels
    void set_title(const std::string& title);
    bool minimized() const;

    // The close button and dropped files; called from within poll() and wait().
    std::function<void()> on_close;
    std::function<void(std::vector<std::string>)> on_drop;
    // Something happened that a frame could show: take_activity() is true.
    std::function<void()> on_activity = [] {};
    // Whoever has the clipboard does not answer; called from within a frame.
    std::function<void()> on_silent_clipboard;

    void wake(); // thread-safe: ends wait()
    void poll();
    // Sleeps until an event or wake() comes, or for so many seconds.
    void wait(std::optional<double> seconds = std::nullopt);
    // The mouse goes away from what it holds, without a click; `then` is called in that frame.
    void let_go(std::function<void()> then);
    void resize(int width, int height);
    void set_full_screen(bool on); // on the monitor that it is on most
    // True if anything happened since the last call that a frame could show.
    bool take_activity() { return active_.exchange(false); }
    // True while a mouse button is down or events wait for the next frame.
    bool input_held() const { return drags() || !queue_.empty(); }

    // For a second window beside it: where this one is, whose keys that one's are, and that OpenGL
    // draws here again.
    GLFWwindow* glfw() const { return glfw_; }
    void take_key(int key, int scancode, int action, int mods); // as GLFW tells it
    void make_current();

    void fonts_changed(); // the atlas was filled anew
    void begin_frame();   // up to and including ImGui::NewFrame()
    void end_frame();     // ImGui::Render(), OpenGL, swap

  private:
    Window() = default;
    void listen();
    const char* pasted();
    ImVec2 framebuffer() const;
    void note_activity() {
        active_ = true;
        on_activity();
    }
    bool drags() const { return std::ranges::find(buttons_, true) != buttons_.end(); }
    void move_mouse(double x, double y);

    GLFWwindow* glfw_ = nullptr;
    std::string title_;
    SystemClipboard clipboard_;
    std::string pasted_;
    bool backends_ready_ = false;
    bool device_ready_ = false;          // OpenGL has the backend's shaders and the glyphs
    std::optional<GlTextures> textures_; // as long as the OpenGL context
    bool draws_again_ = false;           // the last swap was refused
    InputQueue queue_;
    std::atomic<bool> active_{true};
    ImVec2 mouse_{-FLT_MAX, -FLT_MAX};
    std::array<int, 4> windowed_{}; // left, top, width and height before it was full screen
    std::array<bool, 3> buttons_{};
};

// Ends ImGui's frame and draws it, of `size` pixels, on what OpenGL draws on now.
void draw_ui(ImVec2 size);

} // namespace normscope
