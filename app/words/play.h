#pragma once
#include "app/study/add_norm/play.h"

#include <string>

namespace normscope {

// What is happening in a frame of "Play the five steps", with its numbers: "μ = Σ z / 3 = 5.64 / 3
// = 1.88".
std::string played_words(const Derived& derived, Index set, const PlayedFrame& frame);

} // namespace normscope
