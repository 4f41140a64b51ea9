#pragma once
#include "core/flow/gradient_flow.h"
#include "core/flow/path_lengths.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace normscope {

// What one seed gave.
struct SeedFlow {
    std::uint64_t seed = 0;
    GradientFlow flow;
    std::optional<PathLengths> paths;
};

enum class Paths : std::uint8_t { leave_out, split };

// The same stack for the seeds config.seed, config.seed + 1, …, one after the other.
// Errors: those of check_config and run_forward; a stop.
template<class S>
Result<std::vector<SeedFlow>> flow_over_seeds(const StackConfig& config, int seeds,
                                              Paths paths = Paths::leave_out, int threads = 1,
                                              const Progress& progress = {});

} // namespace normscope
