#pragma once
#include "app/model/flow/flow_setup.h"
#include "app/session/json_reader.h"

namespace normscope {

// Every setting of a stack under the name of its command-line option ("ffn_mult", "trunk_scale").
nlohmann::ordered_json stack_settings(const StackConfig& stack);

// {"stack": {…}, "seeds": 5, "linked_affine": true,
//  "pinned": [{"name": …, "shown": …, "look": …, "stack": {…}}]}
nlohmann::ordered_json part_json(const FlowSetup& setup);

// Reads such an object into `setup`; what is left out stays. Its numbers are in range when check()
// of the setup says so.
Result<void> read_part(const JsonPlace& place, FlowSetup& setup);

} // namespace normscope
