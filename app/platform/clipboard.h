#pragma once
#include <optional>
#include <string>

struct GLFWwindow;

namespace normscope {

// The clipboard of the window system. GLFW waits for ever for an owner under X11 that does not
// answer; here nobody waits longer than k_seconds.
class SystemClipboard {
  public:
    static constexpr double k_seconds = 2;

    void set(GLFWwindow* window, const char* text);
    // Empty: there is no text. None: whoever has it does not answer.
    std::optional<std::string> text(GLFWwindow* window);

  private:
    unsigned long asker_ = 0; // windows of X11: the one that asks for the text,
    unsigned long own_ = 0;   // and the one that GLFW gives the text out by
    int given_up_ = 0;        // how often nobody answered: an answer may still come
};

} // namespace normscope
