#pragma once
#include "app/model/batch_setup.h"
#include "app/session/json_reader.h"

namespace normscope {

// A setup as one JSON object; settings that have their default are left out.
nlohmann::json batch_settings(const BatchSetup& setup);

// Reads such an object. Its numbers are in range when check() of the setup says so.
Result<BatchSetup> read_batch_settings(const JsonPlace& place);

} // namespace normscope
