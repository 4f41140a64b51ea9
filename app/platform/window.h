#pragma once
#include "app/widgets/textures.h"
#include "core/base/result.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

struct ImDrawData;
struct ImFontAtlas;
struct GLFWwindow;

namespace normscope {

struct WindowOptions {
    int width = 1600, height = 1000; // pixels; made to fit the monitor
    bool visible = true;             // false: only the OpenGL context is wanted
};

// The one window with its OpenGL 3 context and ImGui's context and backends. ImGui's coordinates
// are framebuffer pixels, whatever the window system counts in. All calls but wake() belong to the
// thread that opened it.
class Window {
  public:
    // Error: there is no display, or it has no OpenGL 3.0; says what can be done without.
    // `glyphs` is asked for when the window is there, for the atlas that ImGui takes; it must live
    // longer than the window.
    static Result<std::unique_ptr<Window>> open(const WindowOptions& options,
                                                const std::function<ImFontAtlas&()>& glyphs);
    ~Window();
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;

    TextureService& textures();
    float content_scale() const; // what the desktop asks text to be enlarged by; 1 at 96 dpi
    void set_title(const std::string& title);
    bool minimized() const;

    // The close button and dropped files; called from within poll() and wait().
    std::function<void()> on_close;
    std::function<void(std::vector<std::string>)> on_drop;

    void wake(); // thread-safe: ends wait()
    void poll();
    // Sleeps until an event or wake() comes, or for so many seconds.
    void wait(std::optional<double> seconds = std::nullopt);
    void set_full_screen(bool on); // on the monitor that it is on most
    // True if anything happened since the last call that a frame could show.
    bool take_activity();
    // True while a mouse button is down or events wait for the next frame.
    bool input_held() const;

    // For a second window beside it: where this one is, whose keys that one's are, and that OpenGL
    // draws here again.
    GLFWwindow* glfw() const;
    void take_key(int key, int scancode, int action, int mods); // as GLFW tells it
    void make_current();

    void fonts_changed();        // the atlas was filled anew
    void begin_frame();          // up to and including ImGui::NewFrame()
    void end_frame();            // ImGui::Render(), OpenGL, swap
    void draw(ImDrawData& data); // with OpenGL, where it draws now

  private:
    struct State;
    explicit Window(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

} // namespace normscope
