#pragma once
#include "core/flow/gradient_flow.h"

#include <string>
#include <vector>

// What `normscope flow` prints.
namespace normscope {

// {"config": {…}, "seeds": [{"seed": 0, "loss": …, "input": {…}, "blocks": [{…}, …], "paths": …}]}
// with every digit. What is not a number is null there.
std::string flow_json(const StackConfig& config, const std::string& precision,
                      const std::vector<SeedFlow>& seeds);

// Whether an activation or a gradient of a seed is beyond what its precision holds.
bool overflows(const std::vector<SeedFlow>& seeds);

// A line a block from the top down to the input, means over the seeds; the paths below, if there
// are any.
std::string flow_table(const StackConfig& config, const std::vector<SeedFlow>& seeds);

} // namespace normscope
