#include "app/platform/input_queue.h"

#include <algorithm>
#include <iterator>
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
        const bool again = std::find(changed.begin(), changed.end(), e.source) != changed.end();
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
    events_.erase(events_.begin(), std::next(events_.begin(), static_cast<std::ptrdiff_t>(taken)));
}

} // namespace normscope
