#pragma once
#include "app/study/gradient_flow/flow_study.h"
#include "core/flow/residual_stack.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <variant>
#include <vector>

namespace normscope {

// A closer look at one stack, as far as it has come.
template<class S>
struct CloserLook {
    ResidualStack<S> stack;
    StackRun<S> run;
    std::vector<double> block_gain = {}; // of its first blocks
    PathSplit<S> split = {};
};

// Weights that have been drawn, so that a drag of γ, β, λ, α or the depth draws none anew, and the
// closer look that was begun last, to go on with. Weights that do not fit into 100 MB are drawn
// again.
class DrawnWeights {
  public:
    template<class S>
    Result<ResidualStack<S>> make(const StackConfig& config, const Progress& progress);
    // Whether make() would have to draw the weights in float32, or has them already.
    Weights needed(const StackConfig& config) const;
    // Keeps the weights of a used stack for the next stack of its seed.
    template<class S>
    void keep(ResidualStack<S> stack);

    // The closer look at the stack of `config`, begun before or now. Valid until the next call.
    template<class S>
    Result<CloserLook<S>*> closer_look(const StackConfig& config, const Progress& progress);
    // Ends the closer look and keeps its stack.
    template<class S>
    void end_closer_look();
    void forget_large_look();

  private:
    template<class S>
    using BySeed = std::map<std::uint64_t, ResidualStack<S>>;

    std::tuple<BySeed<float>, BySeed<double>> kept_;
    double bytes_ = 0;
    std::variant<std::monostate, CloserLook<float>, CloserLook<double>> look_;
};

} // namespace normscope
