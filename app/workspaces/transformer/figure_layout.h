#pragma once
#include "app/charts/geometry.h"
#include "app/study/transformer/transformer_study.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace normscope {

// A box of the figure as it is drawn: its words left of its heat map.
struct PlacedBox {
    Box box;
    Rect rect, name, map;
};

// A skip leaves the trunk below its sublayer and comes back at the Add, ⊕.
struct PlacedSkip {
    int block = 0;
    float leaves = 0; // y
    Point add;
    float branch_from = 0; // y: the sublayer's upper edge
    // The norms before the sublayer and behind it, where the placement has them.
    std::optional<Rect> norm_before = std::nullopt, norm_after = std::nullopt;
};

struct StackPlan {
    StackSide side = StackSide::encoder;
    Rect column;
    Rect layer;        // the frame around the drawn layer
    float trunk = 0;   // x of what goes up through the boxes
    float outside = 0; // x where the skips go around
    int drawn = 0;     // the layer
    std::vector<PlacedBox> boxes;
    std::vector<PlacedSkip> skips;
    Rect below, above; // names of the layers below and above the drawn one
    Rect words;        // of the tokens, under the embedding
    float top = 0;     // y, of all of it
};

struct FigurePlan {
    std::vector<StackPlan> stacks; // from left to right
    float widest = 0;              // of a band
    Rect overview;                 // left over, for all Add & Norms at once
    Rect sight;                    // no lens lies over it
    float needed = 0;              // the least height that all of it has room in
};

// The stacks side by side, each with one layer drawn: `layer`, by StackSide.
FigurePlan plan_figure(Rect area, const TransformerStudy& study, const std::array<int, 2>& layer);

// A path whose corners are arcs.
std::vector<Point> rounded_path(std::span<const Point> corners, float radius);

} // namespace normscope
