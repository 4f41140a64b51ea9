#pragma once
#include "app/study/add_norm/derived.h"

#include <string>
#include <vector>

namespace normscope {

// One line of arithmetic, and the place along the group it is about (−1: the whole group).
struct WorkedLine {
    std::string text;
    Index place = -1;
    bool elision = false; // "… 762 more"
    std::string all = {}; // where `text` leaves some of its terms out: the line with all of them
};

enum class WorkedKind : std::uint8_t { add, mean, variance, normalize, scale_and_shift };
inline constexpr int k_worked_steps = 5;

struct WorkedStep {
    WorkedKind kind;
    std::string heading; // "2 Mean"
    std::vector<WorkedLine> lines;
};

// The arithmetic of one of the document's StatisticSets with its own numbers. Every
// line follows from the numbers printed before it: whoever recomputes from the page gets the page's
// numbers. `decimals` is chosen as small as that allows (2 to 6) while the results also agree with
// the program's unrounded ones.
struct WorkedSteps {
    std::string subject; // the set's name
    int decimals = 2;
    std::string unit; // of X, F(X), Z, μ and the root if they are tiny or huge ("1e-15"), or empty
    bool exact = true;       // the printed results are the program's results, rounded
    bool finite = true;      // none of these is ∞ or NaN
    bool close = true;       // where not exact, no more than rounding or the last digit differs
    double off = 0;          // where not exact, the largest finite difference
    bool x_hat_lost = false; // all of x̂ is too small for the decimals there are: ε is far above σ²
    std::vector<WorkedStep> steps;
};

inline constexpr Index k_long_row = 8; // longer ones are elided in the middle, not at the end

struct WorkedOptions {
    int decimals = 0;               // 0: chosen; else that many
    Index most_lines = 3;           // of a step that has a line a value, beside "… n more"
    std::vector<Index> always = {}; // places that are shown even then (a hovered cell)
};

WorkedSteps worked_steps(const Derived& derived, Index group, const WorkedOptions& options = {});

} // namespace normscope
