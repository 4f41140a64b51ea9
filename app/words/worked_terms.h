#pragma once
#include "app/words/worked_decimals.h"
#include "app/words/worked_steps.h"

namespace normscope::worked {

// "= (3.16 + 0.61 + …) / 6": the values that are added for the mean, in so many decimals, as far as
// a line goes, and all of them.
WorkedLine mean_terms(const Group& group, int decimals);

// "= (1.28² + (−1.27)² + …) / 6": the squares that are added for the variance around the printed
// mean.
WorkedLine square_terms(const Group& group, int decimals, double mean, int mean_decimals);

} // namespace normscope::worked
