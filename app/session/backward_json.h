#pragma once
#include "app/model/backward_setup.h"
#include "app/session/json_reader.h"

namespace normscope {

// The settings of a setup as one JSON object, without dy and target; those that have their default
// are left out.
nlohmann::json backward_settings(const BackwardSetup& setup);

// Reads such an object into `setup`. Its numbers are in range when check() of the setup says so.
Result<void> read_backward_settings(const JsonPlace& place, BackwardSetup& setup);

} // namespace normscope
