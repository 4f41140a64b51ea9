#pragma once
#include "app/model/document.h"
#include "app/session/json_reader.h"
#include "app/session/session_file.h"

// A document and its parts to and from JSON. What is read is in range when check() says so.
namespace normscope {

// The document that an object holds: a session file, or the "document" of an example (`place` says
// which). "format" and "version" are the caller's to check. Matrices that are kept `apart` are not
// looked for in it.
Document read_document(const JsonPlace& place, const InputMatrices* apart = nullptr);

// The rows must be lists of one length before anything is allocated.
Matrix<double> read_matrix(const JsonPlace& place);

// Every setting of a stack under the name of its command-line option ("ffn_mult", "trunk_scale").
nlohmann::ordered_json stack_settings(const StackConfig& stack);

// The parts that hold more than settings, which stand under the names of their command-line
// options; what is left out of what is read stays.
// {"stack": {…}, "seeds": 5, "linked_affine": true,
//  "pinned": [{"name": …, "shown": …, "look": …, "stack": {…}}]}
nlohmann::ordered_json part_json(const FlowSetup& setup);
void read_part(const JsonPlace& place, FlowSetup& setup);

// {"layers": 3, …, "source": ["I", …], "target": […]}
nlohmann::ordered_json part_json(const TransformerSetup& setup);
void read_part(const JsonPlace& place, TransformerSetup& setup);

// {"common": {"task": "spirals", …}, "step": 640,
//  "lanes": [{"name": …, "on": true, "look": 1, "differences": {"norm": "layer", "skip": "none"},
//             "past": [{"until": 640, "config": {"task": "spirals", …}}]}],
//  "input": {"name": "sonnets", "text": "…"} or {"name": …, "points": [[1, 2], …], "classes": [0,
//            …]}}
nlohmann::ordered_json part_json(const RaceSetup& setup);
void read_part(const JsonPlace& place, RaceSetup& setup);

// What merge_patch() makes `to` of `from` with (RFC 7396). Neither has a null in it.
nlohmann::json patch_of(const nlohmann::json& from, const nlohmann::json& to);

// A list of
//   {"name": …, "question": …, "notes": …, "workspace": …, "panel": …, "token": 0, "feature": 1,
//    "document": {…}}
// where the document is what differs from that of the scene before, the first one's from
// `document`, the session's own, so that a matrix that they share stands there once.
nlohmann::json scenes_json(const Document& document);
Scenes read_scenes(const JsonPlace& place, const Document& document);

} // namespace normscope
