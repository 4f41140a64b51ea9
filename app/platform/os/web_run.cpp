// The program in a browser: frames are asked for one at a time, and none at rest.
#include "app/platform/loop.h"
#include "app/platform/os/os.h"

#include <algorithm>
#include <cstdlib>
#include <emscripten.h>
#include <emscripten/html5.h>
#include <imgui.h>
#include <utility>

// clang-format off
EM_JS(void, web_clipboard_set, (const char* text), {
    Module.clip = UTF8ToString(text);
    if (navigator.clipboard) return navigator.clipboard.writeText(Module.clip).catch(() => {});
    const copied = Module.clip; // without https only this event writes
    addEventListener("copy", event => {
        event.clipboardData.setData("text/plain", copied);
        event.preventDefault();
    }, { once: true });
    document.execCommand("copy");
});
// Null: only Ctrl+V tells what it holds.
EM_JS(char*, web_clipboard_text, (), { return Module.clip == null ? 0 : stringToNewUTF8(Module.clip); });
EM_JS(void, web_tell, (const char* text), { Module.tell(UTF8ToString(text)); });
EM_JS(char*, web_address, (), { return stringToNewUTF8(location.href.split(/[?#]/)[0]); });
EM_JS(void, web_choose_file, (), { Module.choose(); });
EM_JS(void, web_keep_files, (), { Module.keepFiles(); });
// ImGui asks in each frame for what OpenGL has set, and gives that back after it. WebGL answers when
// all that was drawn is drawn; what it has set is always as in the beginning.
EM_JS(void, web_answer_at_once, (), {
    const ask = GLctx.getParameter.bind(GLctx);
    const answers = new Map();
    GLctx.getParameter = name => {
        if (!answers.has(name)) answers.set(name, ask(name));
        return answers.get(name);
    };
});
// GLFW counts the mouse in the page's pixels, and everything else in those of the display.
EM_JS(void, web_place_mouse, (), {
    Browser.calculateMouseCoords = (pageX, pageY) => {
        const box = Module.canvas.getBoundingClientRect();
        const by = Module.canvas.width / box.width;
        return { x: (pageX - scrollX - box.left) * by, y: (pageY - scrollY - box.top) * by };
    };
});
EM_JS(void, web_type, (bool on), { Module.type(on); });
EM_JS(void, web_ready, (), { if (Module.onready) Module.onready(); });
// clang-format on

namespace normscope {
namespace {

// A page has one, which lives as long as the page.
struct WebTurns {
    std::unique_ptr<WindowProgram> program;
    std::unique_ptr<Loop> loop;
    bool asked = false; // for a frame
    bool shown = false; // the first one

    void ask() {
        if (!std::exchange(asked, true)) emscripten_request_animation_frame(draw, this);
    }
    static bool draw(double, void* self) {
        static_cast<WebTurns*>(self)->turn();
        return false;
    }
    void turn() {
        asked = false;
        const std::optional<double> next = loop->tick();
        if (!std::exchange(shown, true)) web_ready();
        web_keep_files();
        web_type(ImGui::GetIO().WantTextInput);
        if (loop->over()) return;
        if (next == 0.0) return ask();
        if (next)
            emscripten_async_call([](void* self) { static_cast<WebTurns*>(self)->ask(); }, this,
                                  static_cast<int>(*next * 1000) + 1);
    }
};

std::string taken(char* text) {
    std::string copy = text;
    std::free(text);
    return copy;
}

WebTurns* the_page = nullptr;
std::function<void(std::filesystem::path)> take_chosen;

} // namespace

const char* const k_shader_version = "#version 300 es";

void NotesWindow::keep_up(const App&) {} // the page has one window

void NotesWindow::close() {}

void before_windows() {}

void after_window() {
    web_answer_at_once();
    web_place_mouse();
}

bool picture_was_lost() {
    return false;
}

float own_content_scale() {
    return static_cast<float>(emscripten_get_device_pixel_ratio());
}

std::string help_without_window() {
    return "this browser has no WebGL 2";
}

ChooseFile file_chooser() {
    return [](std::function<void(std::filesystem::path)> take) {
        take_chosen = std::move(take);
        web_choose_file();
    };
}

void SystemClipboard::set(GLFWwindow*, const char* text) {
    web_clipboard_set(text);
}

std::optional<std::string> SystemClipboard::text(GLFWwindow*) {
    char* const text = web_clipboard_text();
    return text ? std::optional(taken(text)) : std::nullopt;
}

std::function<void(const std::string&)> screen_reader() {
    return [last = std::string()](const std::string& text) mutable {
        if (std::exchange(last, text) != text) web_tell(text.c_str());
    };
}

std::string page_address() {
    return taken(web_address());
}

Result<void> save_screenshot(App&, Window&, AppFonts&, int, int, const std::string&) {
    return fail("a page takes no screenshot of itself: use the browser's");
}

int run_window(std::unique_ptr<WindowProgram> program, const std::string& trace_frames) {
    auto* page = new WebTurns;
    page->loop =
        std::make_unique<Loop>(*program->app, *program->window, program->fonts, trace_frames);
    page->program = std::move(program);
    page->program->window->on_activity = [page] { page->ask(); };
    the_page = page;
    page->ask();
    return 0;
}

} // namespace normscope

extern "C" {

// The page has another size, in pixels of the display.
EMSCRIPTEN_KEEPALIVE void normscope_resized(int width, int height) {
    using namespace normscope;
    if (!the_page) return;
    the_page->program->window->resize(width, height);
    the_page->ask();
}

// The first of two fingers was no mouse.
EMSCRIPTEN_KEEPALIVE void normscope_let_go() {
    using namespace normscope;
    if (!the_page) return;
    WindowProgram& program = *the_page->program;
    program.window->let_go([&program] { program.app->let_go(); });
}

EMSCRIPTEN_KEEPALIVE void normscope_chosen(const char* path) {
    normscope::take_chosen(path);
}

// Files of the page's file system, separated by new lines.
EMSCRIPTEN_KEEPALIVE void normscope_opened(const char* paths) {
    using namespace normscope;
    if (!the_page) return;
    std::vector<std::string> files;
    std::string rest = paths;
    for (std::size_t end = 0; !rest.empty(); rest.erase(0, end + 1)) {
        end = std::min(rest.find('\n'), rest.size());
        files.push_back(rest.substr(0, end));
    }
    the_page->program->app->files_dropped(std::move(files));
    the_page->ask();
}
}
