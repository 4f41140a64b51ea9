#include "app/charts/point_labels.h"

#include <algorithm>
#include <array>

namespace normscope {

void PointLabels::put(Point at, std::string_view text, TextRole role, Color color, float gap) {
    wanted_.push_back({at, std::string(text), role, color, gap});
}

void PointLabels::draw() {
    const auto free = [&](const Rect& r) {
        return bounds_.encloses(r) &&
               std::ranges::none_of(taken_, [&](const Rect& other) { return r.overlaps(other); });
    };
    for (const Wanted& w : wanted_) {
        const Size size = canvas_.text_size(w.text, w.role);
        const std::array<Rect, 4> sides = {
            Rect{w.at.x + w.gap, w.at.y - size.h / 2, size.w, size.h},
            Rect{w.at.x - w.gap - size.w, w.at.y - size.h / 2, size.w, size.h},
            Rect{w.at.x - size.w / 2, w.at.y - w.gap - size.h, size.w, size.h},
            Rect{w.at.x - size.w / 2, w.at.y + w.gap, size.w, size.h}};
        const auto found = std::ranges::find_if(sides, free);
        if (found == sides.end()) continue;
        canvas_.text({found->x, found->y}, w.text, w.role, w.color);
        taken_.push_back(*found);
    }
    wanted_.clear();
}

} // namespace normscope
