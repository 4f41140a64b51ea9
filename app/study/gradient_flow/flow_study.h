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

// Measurements of a document's stacks, by real forward and backward passes.

// The study of one stack. The coarse study has the first seed only, without paths; the refined one
// has all seeds, and the first seed's paths and block gains.
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

// The mean over seeds of values that are not negative, such as norms: the geometric mean, so that
// one loud seed does not drown the others, or the arithmetic one where a value is 0.
double mean_over_seeds(std::span<const double> values);

struct FlowPoint {
    int block;
    double mean, lo, hi; // mean_over_seeds(), least and most
};
// The points of a curve; empty where the stack lacks the parameters or nothing is measured.
std::vector<FlowPoint> flow_points(const StackStudy& study, FlowQuantity quantity);

// The shape of the measured curve, by q, the gradient at the input over that at the top (each by
// mean_over_seeds()): below 1/1000 it vanished, below 2/3 it shrank slowly, up to 3/2 it was flat,
// up to 1000 it grew, beyond that it exploded. None where q is not a number.
std::optional<ExpectedShape> measured_shape(const StackStudy& study);

// The studies of a document's stacks, as far as they are known.
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

// The time of the coarse pass, about, in floating-point operations that take as long, to tell what
// a frame can wait for. Drawing the weights is included.
double coarse_work(const StackConfig& stack, Weights weights);
// Operations, in the same measure, that a stack with so many seeds still needs after its coarse
// pass. `known` may be null: only the coarse pass is done.
struct MissingWork {
    double seeds = 0, gains = 0, paths = 0;
    double all() const { return seeds + gains + paths; }
};
MissingWork missing_work(const StackConfig& stack, const StackStudy* known, int seeds);

// The study of a stack that cannot be measured: refined, for nothing is missing.
StackStudy failed_study(const StackConfig& stack, Error error);

// Measures the first seed. A stack that cannot be measured gives a refined study that says why.
// Errors: a stop.
Result<StackStudy> coarse_study(const StackConfig& stack, int seeds, DrawnWeights& weights,
                                const Progress& progress = {});

// Makes one slice of what is missing: drops seeds too many, or measures a seed, a block's gain or
// some of the paths. Does nothing to a refined study that has the seeds that it wants. Returns
// whether the study has changed or is refined. `progress` is told the share of the seed, of all
// gains or of all paths. Errors: a stop.
Result<bool> refine(StackStudy& study, DrawnWeights& weights, const Progress& progress = {});

// Measures all stacks at once, on this thread: for figures and tests.
FlowStudies study_flow(const FlowSetup& setup);

} // namespace normscope
