#include "app/platform/input_queue.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <utility>

namespace normscope {

void InputQueue::push(Kind kind, int source, std::function<void()> apply) {
    events_.push_back({kind, source, std::move(apply)});
}

void InputQueue::take_frame() {
    std::vector<int> changed;
    bool pressed = false, moved = false;
    std::size_t taken = 0;
    for (; taken < events_.size(); ++taken) {
        const Event& e = events_[taken];
        const bool again = std::ranges::find(changed, e.source) != changed.end();
        // A modifier let go after the key it modifies must still be down when the key is seen.
        if (e.kind == Kind::release && pressed) break;
        if (e.kind == Kind::press && again) break;
        // A drag ends where the button goes up: that last way must be seen with the button down.
        if (e.kind == Kind::button && moved) break;
        e.apply();
        if (e.kind == Kind::press || e.kind == Kind::release) changed.push_back(e.source);
        pressed = pressed || e.kind == Kind::press;
        moved = moved || e.kind == Kind::motion;
        if (e.kind == Kind::button) { // the pointer must stay where the button changed
            ++taken;
            break;
        }
    }
    events_.erase(events_.begin(), events_.begin() + static_cast<std::ptrdiff_t>(taken));
}

int key_on_layout(int key, int scancode) {
    if (key < GLFW_KEY_SPACE || key > GLFW_KEY_WORLD_2) return key;
    const char* name = glfwGetKeyName(key, scancode);
    if (!name || name[0] < 'a' || name[0] > 'z' || name[1] != '\0') return key;
    return GLFW_KEY_A + (name[0] - 'a');
}

int modifiers_after(int key, int action, int before) {
    constexpr std::pair<int, int> k_modifiers[] = {
        {GLFW_KEY_LEFT_CONTROL, GLFW_MOD_CONTROL}, {GLFW_KEY_RIGHT_CONTROL, GLFW_MOD_CONTROL},
        {GLFW_KEY_LEFT_SHIFT, GLFW_MOD_SHIFT},     {GLFW_KEY_RIGHT_SHIFT, GLFW_MOD_SHIFT},
        {GLFW_KEY_LEFT_ALT, GLFW_MOD_ALT},         {GLFW_KEY_RIGHT_ALT, GLFW_MOD_ALT},
        {GLFW_KEY_LEFT_SUPER, GLFW_MOD_SUPER},     {GLFW_KEY_RIGHT_SUPER, GLFW_MOD_SUPER}};
    for (const auto& [modifier, bit] : k_modifiers)
        if (modifier == key) return action == GLFW_PRESS ? before | bit : before & ~bit;
    return before;
}

} // namespace normscope
