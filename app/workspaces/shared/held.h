#pragma once
#include "app/charts/distribution_chart.h"
#include "app/charts/held_scale.h"
#include "app/workspaces/shared/frame.h"

#include <span>
#include <string_view>

// Scales that stand still while a hand edits, each by a name of its own, which is a literal.
namespace normscope {

// The ends to draw with now; see HeldScale::followed().
Extent held(const Turn& turn, std::string_view name, Extent needed, Extent nice);

// The limit of colours of values up to `reach` in magnitude.
double held_limit(const Turn& turn, std::string_view name, double reach);

// The axis of these distributions.
Extent held_axis(const Turn& turn, std::string_view name, std::span<const SampleExtent> samples);

} // namespace normscope
