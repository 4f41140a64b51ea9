#include "app/workspaces/shared/held.h"

#include <algorithm>
#include <imgui.h>

namespace normscope {

namespace {

HandNow hand_of(const Turn& turn) {
    constexpr double k_longest_frame = 0.1; // the first one after a rest counts as no more
    constexpr double k_same_instant = 1e-4; // less passed: the same frame, drawn again
    const Frame& f = turn.frame;
    const auto passed = static_cast<double>(ImGui::GetIO().DeltaTime);
    return {f.ghost || ImGui::IsAnyItemActive() || turn.state.text_edit != 0,
            passed < k_same_instant ? 0 : std::min(passed, k_longest_frame), f.view.reduce_motion};
}

} // namespace

Extent held(const Turn& turn, std::string_view name, Extent needed, Extent nice) {
    const auto& scales = turn.frame.view.scales;
    const auto found = scales.find(name);
    const HeldScale before = found != scales.end() ? found->second : HeldScale{};
    const HeldScale scale = before.followed(needed, nice, hand_of(turn));
    if (turn.state.picture) return scale.to;
    turn.actions.view.scales.insert_or_assign(name, scale);
    turn.actions.view.scales_move |= scale.moves();
    return *scale.now;
}

double held_limit(const Turn& turn, std::string_view name, double reach) {
    return held(turn, name, about_zero(reach), about_zero(nice_limit(reach))).hi;
}

Extent held_axis(const Turn& turn, std::string_view name, std::span<const SampleExtent> samples) {
    return held(turn, name, reach_of(samples), common_extent(samples));
}

} // namespace normscope
