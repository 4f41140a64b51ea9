#include "app/workspaces/transformer/figure_layout.h"

#include "core/base/lists.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

// Pixels at scale 1.
constexpr float k_words = 18, k_layer_name = 20, k_frame = 10;
constexpr float k_add = 11;     // from there to the middle of ⊕
constexpr float k_to_add = 28;  // from a sublayer to its Add & Norm: ⊕ is there
constexpr float k_between = 16; // from there to the next sublayer
constexpr float k_apart = 6;    // of boxes outside the layer
constexpr float k_lowest_box = 20, k_highest_box = 84;
constexpr float k_norm_h = 17, k_norm_w = 52; // of a norm beside its sublayer
constexpr float k_band = 18, k_side = 46;     // the widest skip, and the room it goes around in
constexpr float k_name_w = 124, k_most_column = 560;
constexpr float k_overview_w = 200;

// Norms beside a sublayer: before it (pre), before and behind it (peri).
int norms_beside(const TransformerStudy& study) {
    const TransformerConfig& config = study.setup().config;
    if (!norm_entry(config.norm).normalizes()) return 0;
    return config.placement == Placement::pre ? 1 : config.placement == Placement::peri ? 2 : 0;
}

StackPlan plan_stack(Rect column, float box_h, const TransformerStudy& study, StackSide side,
                     int layer) {
    StackPlan plan;
    plan.side = side;
    plan.column = column;
    plan.drawn = std::clamp(layer, 0, study.layers(side) - 1);
    // The skips go around on the outer side.
    const bool left = side == StackSide::encoder;
    Rect boxes = column;
    (left ? cut_left : cut_right)(boxes, k_side, 0);
    boxes = boxes.inset(k_frame, 0);
    float y = boxes.bottom(); // everything is stacked upwards
    const auto up = [&](float h) {
        y -= h;
        return Rect{boxes.x, y, boxes.w, h};
    };
    const auto place = [&](const Box& box) {
        const Rect rect = up(box_h);
        Rect inside = rect.inset(4);
        const Rect name = cut_left(inside, std::min(k_name_w, inside.w * 0.56f));
        plan.boxes.push_back({box, rect, name, inside});
    };
    plan.words = up(k_words);
    place({Box::Kind::embedding, side});
    plan.trunk = plan.boxes.front().map.center().x;
    plan.outside = left ? column.x + k_side * 0.45f : column.right() - k_side * 0.45f;
    plan.below = up(k_layer_name);
    const float bottom = y;
    const int norms = norms_beside(study);
    y -= k_frame;
    for (const auto b : indices(study.blocks(side))) {
        PlacedSkip skip{b, y - k_between / 2, {}, 0};
        y -= k_between;
        const auto norm = [&] {
            const float w = k_norm_w;
            const Rect row = up(k_norm_h);
            return Rect{plan.trunk - w / 2, row.y + 1, w, row.h - 2};
        };
        if (norms >= 1) skip.norm_before = norm();
        place({Box::Kind::sublayer, side, plan.drawn, b});
        skip.branch_from = y;
        if (norms >= 2) skip.norm_after = norm();
        y -= k_to_add;
        skip.add = {plan.trunk, y + k_add};
        place({Box::Kind::add_norm, side, plan.drawn, b});
        plan.skips.push_back(skip);
    }
    y -= k_frame;
    plan.layer = {column.x, y, column.w, bottom - y};
    plan.above = up(k_layer_name);
    for (const Box::Kind kind : {Box::Kind::final_norm, Box::Kind::linear, Box::Kind::softmax})
        if (study.has({kind, side})) {
            place({kind, side});
            y -= k_apart;
        }
    plan.top = y;
    return plan;
}

} // namespace

std::vector<Point> rounded_path(std::span<const Point> corners, float radius) {
    std::vector<Point> path{corners.front()};
    for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
        const Point a = corners[i - 1], b = corners[i], c = corners[i + 1];
        const auto towards = [&](Point to) {
            const float dx = to.x - b.x, dy = to.y - b.y, length = std::hypot(dx, dy);
            const float r = std::min(radius, length / 2);
            return length > 0 ? Point{b.x + dx / length * r, b.y + dy / length * r} : b;
        };
        const Point in = towards(a), out = towards(c);
        constexpr int k_steps = 8;
        for (int s = 0; s <= k_steps; ++s) { // a quadratic curve with its corner as control point
            const float t = static_cast<float>(s) / k_steps;
            const float u = 1 - t;
            path.push_back({u * u * in.x + 2 * u * t * b.x + t * t * out.x,
                            u * u * in.y + 2 * u * t * b.y + t * t * out.y});
        }
    }
    path.push_back(corners.back());
    return path;
}

FigurePlan plan_figure(Rect area, const TransformerStudy& study, const std::array<int, 2>& layer) {
    FigurePlan plan;
    plan.widest = k_band;
    const std::vector<StackSide> sides = study.sides();
    // Every box is as high as those of the fullest stack can be.
    float box_h = k_highest_box;
    for (const StackSide side : sides) {
        const StackPlan bare = plan_stack({}, 0, study, side, 0);
        const float between = k_words - bare.top;
        const auto boxes = static_cast<float>(bare.boxes.size());
        box_h = std::min(box_h, (area.h - between) / boxes);
        plan.needed = std::max(plan.needed, between + boxes * k_lowest_box);
    }
    box_h = std::max(std::floor(box_h), k_lowest_box);
    const bool both = sides.size() == 2;
    const float gap = both ? 56 : 0;
    const float room = both ? (area.w - gap) / 2 : area.w - (k_overview_w + 24);
    const float w = std::floor(std::min(room, k_most_column));
    float x = both ? area.x + std::floor((area.w - 2 * w - gap) / 2) : area.x;
    if (!both) {
        plan.overview = {area.x, area.y, k_overview_w, area.h};
        x = area.x + k_overview_w + 24 + std::floor((room - w) / 2);
    }
    for (const StackSide side : sides) {
        plan.stacks.push_back(
            plan_stack({x, area.y, w, area.h}, box_h, study, side, entry_at(layer, side)));
        x += w + gap;
    }
    // Over the encoder, which is lower than the decoder.
    if (both) {
        const StackPlan& encoder = plan.stacks.front();
        plan.overview = {area.x, area.y, w + gap / 2, encoder.above.y - area.y - 44};
    }
    return plan;
}

} // namespace normscope
