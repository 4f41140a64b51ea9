#pragma once

// Which of Highway's targets the kernels are compiled for. Without the scalable ones (SVE, RVV):
// their vectors cannot be captured or held in arrays. Without SSSE3: what has it and no SSE4 is
// older than what Debian 12 runs well on, and every target costs compile time and size.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
