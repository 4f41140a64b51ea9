#pragma once
#include "app/study/gradient_flow/flow_study.h"

#include <optional>
#include <string>

namespace normscope {

// Why the gradient at the input of a stack's first seed is 0, in a sentence without its full stop:
// a setting lets nothing through, or the number ran below what its precision holds. Nothing where
// it is not 0.
std::optional<std::string> no_gradient_reason(const StackStudy& study);

} // namespace normscope
