#pragma once
#include "app/model/flow/flow_setup.h"
#include "app/study/gradient_flow/flow_quantity.h"
#include "core/base/choice.h"
#include "core/flow/gradient_flow.h"

#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace normscope {

// What is shown of the stacks of a document: measured by real forward and backward passes.

// Of one stack. Coarse: the first seed only, without paths; then all seeds, and the first one's
// paths and block gains.
struct StackStudy {
    StackConfig stack;
    int seeds_wanted = 1;
    std::vector<SeedFlow> seeds =
        {}; // as many as are done; the first has the paths once they are split
    // ‖∂x_{l+1}/∂x_l‖_F/√(T·D) per block, first seed; empty if coarse.
    std::vector<double> block_gain = {};
    std::optional<Error> error = {}; // why nothing could be measured
    // The split by path length, which grows as the depth squared, would take minutes.
    bool paths_left_out = false;
    // In float64: what float32 gave ran out of its range.
    bool in_float64 = false;
    bool refined = false;
};

// Of norms and other values that are not negative, one a seed: the geometric mean, so that one loud
// seed does not drown the others; the arithmetic one where a value is 0.
double mean_over_seeds(std::span<const double> values);

struct FlowPoint {
    int block;
    double mean, lo, hi; // mean_over_seeds(), least and most
};
// Empty where the stack has no such parameters, or nothing has been measured.
std::vector<FlowPoint> flow_points(const StackStudy& study, FlowQuantity quantity);

// What a curve did, by the gradient at the input over that at the top, q (geometric means over the
// seeds): below 1/1000 it vanished, below 2/3 it shrank slowly, up to 3/2 it was flat, up to 1000
// it grew, beyond that it exploded. Nothing where q is not a number.
std::optional<ExpectedShape> measured_shape(const StackStudy& study);

// As far as they are known.
struct FlowStudies {
    std::shared_ptr<const StackStudy> present;             // null: not even coarse yet
    std::vector<std::shared_ptr<const StackStudy>> pinned; // as the document's; null: not yet
    bool computing = false;
    std::optional<double> progress; // 0 to 1, of work that takes longer than 100 ms
    bool takes_long = false;        // it has been going on so long that one may want to stop it
    bool stopped = false;           // by hand: what is known is not all that was wanted
};

enum class Weights : std::uint8_t { drawn_already, to_draw };
class DrawnWeights;

// Floating-point operations that the coarse pass takes as long as, about: to tell what a frame can
// wait for. Drawing a weight counts as many.
double coarse_work(const StackConfig& stack, Weights weights);
// As many that are missing of a stack with so many seeds, after its coarse pass; `known` may be
// null: nothing but that.
struct MissingWork {
    double seeds = 0, gains = 0, paths = 0;
    double all() const { return seeds + gains + paths; }
};
MissingWork missing_work(const StackConfig& stack, const StackStudy* known, int seeds);

// Of a stack that cannot be measured: nothing is missing.
StackStudy failed_study(const StackConfig& stack, Error error);

// The first seed. A stack that cannot be measured gives a refined study that says why.
// Errors: a stop.
Result<StackStudy> coarse_study(const StackConfig& stack, int seeds, DrawnWeights& weights,
                                const Progress& progress = {});

// A slice of what is missing: seeds too many, a seed, a block's gain, some of the paths; nothing of
// a refined study that has the seeds that it wants. Returns whether the study has changed.
// `progress` is told the share of the seed, of all gains or of all paths. Errors: a stop.
Result<bool> refine(StackStudy& study, DrawnWeights& weights, const Progress& progress = {});

// All of it at once, on this thread: for figures and tests.
FlowStudies study_flow(const FlowSetup& setup);

} // namespace normscope
