#pragma once
#include "app/charts/canvas.h"

#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// Names of points that keep out of one another's way, and of what else is drawn.
class PointLabels {
  public:
    PointLabels(Canvas& canvas, Rect bounds) : canvas_(canvas), bounds_(bounds) {}

    void keep_free(Rect r) { taken_.push_back(r); }

    // Beside `at`, a gap away, on the first side with room: right, left, above, below.
    void put(Point at, std::string_view text, TextRole role, Color color, float gap);

    // Writes all texts, the first ones first; one that has no room is left out.
    void draw();

  private:
    struct Wanted {
        Point at;
        std::string text;
        TextRole role;
        Color color;
        float gap;
    };
    Canvas& canvas_;
    Rect bounds_;
    std::vector<Rect> taken_;
    std::vector<Wanted> wanted_;
};

} // namespace normscope
