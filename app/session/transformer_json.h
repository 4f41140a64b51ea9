#pragma once
#include "app/model/transformer/transformer_setup.h"
#include "app/session/json_reader.h"

namespace normscope {

// {"layers": 3, …, "source": ["I", …], "target": […]}: every setting under the name of its
// command-line option.
nlohmann::ordered_json part_json(const TransformerSetup& setup);

// Reads such an object into `setup`; what is left out stays. In range when check() says so.
Result<void> read_part(const JsonPlace& place, TransformerSetup& setup);

} // namespace normscope
