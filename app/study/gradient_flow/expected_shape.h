#pragma once
#include "app/study/gradient_flow/flow_study.h"
#include "core/base/choice.h"

#include <cstdint>
#include <optional>
#include <span>

namespace normscope {

// What is expected of a curve before it is shown: from the top of the stack down to its input.
enum class ExpectedShape : std::uint8_t { flat, shrinks_slowly, vanishes, grows, explodes };

// What a curve did, by the gradient at the input over that at the top, q (geometric means over the
// seeds): below 1/1000 it vanished, below 2/3 it shrank slowly, up to 3/2 it was flat, up to 1000
// it grew, beyond that it exploded. Nothing where q is not a number.
std::optional<ExpectedShape> measured_shape(const StackStudy& study);
std::span<const Choice<ExpectedShape>> choices(ExpectedShape);

} // namespace normscope
