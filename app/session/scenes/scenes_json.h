#pragma once
#include "app/model/scene.h"
#include "app/session/json_reader.h"

namespace normscope {

// What merge_patch() makes `to` of `from` with (RFC 7396). Neither has a null in it.
nlohmann::json patch_of(const nlohmann::json& from, const nlohmann::json& to);

// A list of
//   {"name": …, "question": …, "notes": …, "workspace": …, "panel": …, "token": 0, "feature": 1,
//    "document": {…}}
// where the document is what differs from that of the scene before, the first one's from the
// session's own, so that a matrix that they share stands there once.
nlohmann::json scenes_json(const Document& document);

// Reads such a list; `document` is the session's own.
Result<Scenes> read_scenes(const JsonPlace& place, const Document& document);

} // namespace normscope
