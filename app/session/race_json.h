#pragma once
#include "app/model/train/race_setup.h"
#include "app/session/json_reader.h"

namespace normscope {

// {"common": {"task": "spirals", …}, "step": 640,
//  "lanes": [{"name": …, "on": true, "look": 1, "differences": {"norm": "layer", "skip": "none"},
//             "past": [{"until": 640, "config": {"task": "spirals", …}}]}],
//  "input": {"name": "sonnets", "text": "…"} or {"name": …, "points": [[1, 2], …], "classes": [0,
//            …]}}
// The settings stand under the names of their command-line options.
nlohmann::ordered_json part_json(const RaceSetup& setup);

// Reads such an object into `setup`; what is left out stays. In range when check() says so.
Result<void> read_part(const JsonPlace& place, RaceSetup& setup);

} // namespace normscope
