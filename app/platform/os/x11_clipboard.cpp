#include "app/platform/clipboard.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
// After GLFW, because X11 takes common words for macros.
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <algorithm>
#include <chrono>
#include <climits>
#include <functional>
#include <poll.h>
#include <string_view>

// As in x11_errors.cpp.
extern "C" {
[[gnu::weak]] Display* glfwGetX11Display();
}

namespace normscope {
namespace {

using Clock = std::chrono::steady_clock;

Atom clipboard_of(Display* display) {
    return XInternAtom(display, "CLIPBOARD", 0);
}

// Text of the selection as a property of the window that asked for it. ICCCM 2.4, 2.7.2
class Asking {
  public:
    Asking(Display* display, ::Window asker, const std::string& property)
        : display_(display), asker_(asker), property_(XInternAtom(display, property.c_str(), 0)) {}

    // None: nobody answered in time. Empty: the owner has no such text.
    std::optional<std::string> text(Atom type) {
        XConvertSelection(display_, clipboard_of(display_), type, property_, asker_, CurrentTime);
        const auto answers = [&](const XEvent& event) {
            const XSelectionEvent& answer = event.xselection;
            return answer.target == type && (answer.property == property_ || !answer.property);
        };
        const auto answer = await(SelectionNotify, answers);
        if (!answer) return std::nullopt;
        if (!answer->xselection.property) return "";
        XEvent of_before;
        while (XCheckTypedWindowEvent(display_, asker_, PropertyNotify, &of_before)) {
        }
        Atom kind = None;
        std::string whole = take(kind);
        if (kind != XInternAtom(display_, "INCR", 0)) return whole;
        whole.clear(); // it said how long the text is; its parts come one after the other
        const auto is_part = [&](const XEvent& event) {
            return event.xproperty.atom == property_ && event.xproperty.state == PropertyNewValue;
        };
        while (await(PropertyNotify, is_part)) {
            const std::string part = take(kind);
            if (part.empty()) return whole;
            whole += part;
        }
        return std::nullopt;
    }

  private:
    std::optional<XEvent> await(int type, const std::function<bool(const XEvent&)>& fits) {
        using std::chrono::milliseconds;
        constexpr milliseconds k_look_again(50); // what a driver's thread reads wakes nobody
        XEvent event;
        for (;;) {
            while (XCheckTypedWindowEvent(display_, asker_, type, &event))
                if (fits(event)) return event;
            const auto left = std::chrono::ceil<milliseconds>(until_ - Clock::now());
            if (left.count() <= 0) return std::nullopt;
            pollfd server{ConnectionNumber(display_), POLLIN, 0};
            ::poll(&server, 1, static_cast<int>(std::min(left, k_look_again).count()));
        }
    }

    // The property's bytes; it is not there any more.
    std::string take(Atom& kind) {
        int bits = 0;
        unsigned long count = 0, more = 0;
        unsigned char* data = nullptr;
        XGetWindowProperty(display_, asker_, property_, 0, LONG_MAX, 1, AnyPropertyType, &kind,
                           &bits, &count, &more, &data);
        std::string bytes;
        if (data && bits == 8) bytes.assign(reinterpret_cast<const char*>(data), count);
        if (data) XFree(data);
        return bytes;
    }

    Display* display_;
    ::Window asker_;
    Atom property_;
    Clock::time_point until_ =
        Clock::now() +
        std::chrono::milliseconds(static_cast<int>(SystemClipboard::k_seconds * 1000));
};

std::string utf8_of_latin1(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto code = static_cast<unsigned char>(c);
        if (code >= 0x80) out += static_cast<char>(0xC0 | code >> 6);
        out += code < 0x80 ? c : static_cast<char>(0x80 | (code & 0x3F));
    }
    return out;
}

} // namespace

void SystemClipboard::set(GLFWwindow* window, const char* text) {
    glfwSetClipboardString(window, text);
    Display* const display = glfwGetX11Display ? glfwGetX11Display() : nullptr;
    if (display) own_ = XGetSelectionOwner(display, clipboard_of(display));
}

std::optional<std::string> SystemClipboard::text(GLFWwindow* window) {
    Display* const display = glfwGetX11Display ? glfwGetX11Display() : nullptr;
    const ::Window owner =
        display ? XGetSelectionOwner(display, clipboard_of(display)) : ::Window{None};
    if (!display || (owner && owner == own_)) {
        const char* const text = glfwGetClipboardString(window);
        return text ? text : "";
    }
    if (!owner) return "";
    if (!asker_) {
        asker_ = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
        XSelectInput(display, asker_, PropertyChangeMask);
    }
    Asking asking(display, asker_, "NORMSCOPE_PASTE_" + std::to_string(given_up_));
    auto text = asking.text(XInternAtom(display, "UTF8_STRING", 0));
    if (text && text->empty()) {
        text = asking.text(XA_STRING);
        if (text) text = utf8_of_latin1(*text);
    }
    if (!text) ++given_up_;
    return text;
}

} // namespace normscope
