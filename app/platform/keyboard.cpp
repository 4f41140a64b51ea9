#include "app/platform/keyboard.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

namespace normscope {

int key_on_layout(int key, int scancode) {
    if (key < GLFW_KEY_SPACE || key > GLFW_KEY_WORLD_2) return key;
    const char* name = glfwGetKeyName(key, scancode);
    if (!name || name[0] < 'a' || name[0] > 'z' || name[1] != '\0') return key;
    return GLFW_KEY_A + (name[0] - 'a');
}

int modifiers_after(int key, int action, int before) {
    const auto of_key = [key] {
        switch (key) {
        case GLFW_KEY_LEFT_CONTROL:
        case GLFW_KEY_RIGHT_CONTROL:
            return GLFW_MOD_CONTROL;
        case GLFW_KEY_LEFT_SHIFT:
        case GLFW_KEY_RIGHT_SHIFT:
            return GLFW_MOD_SHIFT;
        case GLFW_KEY_LEFT_ALT:
        case GLFW_KEY_RIGHT_ALT:
            return GLFW_MOD_ALT;
        case GLFW_KEY_LEFT_SUPER:
        case GLFW_KEY_RIGHT_SUPER:
            return GLFW_MOD_SUPER;
        default:
            return 0;
        }
    }();
    return action == GLFW_PRESS ? before | of_key : before & ~of_key;
}

} // namespace normscope
