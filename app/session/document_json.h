#pragma once
#include "app/io/safetensors/safetensors.h"
#include "app/model/document.h"
#include "app/model/field.h"
#include "app/session/json_reader.h"
#include "app/session/session_file.h"

// A document, its settings and its parts to and from JSON. What is read is in range when check()
// says so.
namespace normscope {

// Settings to and from one JSON object, by the rows of their struct. Null: there is no value.
nlohmann::json json_of(const FieldInfo& field, const FieldValue& value);

// A value of the kind of `like`, in its range. Whole numbers are as many as there.
FieldValue read_value(const JsonPlace& place, const FieldInfo& field, const FieldValue& like);

// All settings, or those that differ from `usual`.
template<class Json, class S>
void write_fields(Json& object, const S& setup, const S* usual = nullptr) {
    for (const Field<S>& field : fields<S>()) {
        const FieldValue value = field.get(setup);
        const bool unsaid = field.unsaid && field.unsaid(setup);
        if (!unsaid && !(usual && field.get(*usual) == value))
            object[std::string(field.key)] = json_of(field, value);
    }
}

// What is left out stays. Errors name the place and what was expected.
template<class S>
void read_fields(const JsonPlace& place, S& setup) {
    for (const Field<S>& field : fields<S>())
        if (const auto found = place.find(std::string(field.key)))
            field.set(setup, read_value(*found, field, field.get(setup)));
}

// The settings' keys and others.
template<class S>
std::vector<std::string_view> keys_with(std::vector<std::string_view> others) {
    for (const Field<S>& field : fields<S>()) others.push_back(field.key);
    return others;
}

// read_fields(), then the others, where no other keys may be.
template<class S>
void read_object(const JsonPlace& place, S& setup, std::initializer_list<Member> others = {}) {
    std::vector<std::string_view> keys;
    for (const Member& member : others) keys.push_back(member.key);
    check_keys(place, keys_with<S>(std::move(keys)));
    read_fields(place, setup);
    read_some(place, others);
}

template<class S>
S read_new(const JsonPlace& place) {
    S setup;
    read_object(place, setup);
    return setup;
}

// A part of the document: the settings that are not as in a new one. Parts that hold more have
// overloads.
template<class S>
nlohmann::ordered_json part_json(const S& setup) {
    nlohmann::ordered_json json;
    const S usual;
    write_fields(json, setup, &usual);
    return json;
}
template<class S>
void read_part(const JsonPlace& place, S& setup) {
    read_object(place, setup);
}

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
//    "options": ["μ", "σ"], "right": 1, "look": {"curves": 2}, "document": {…}}
// where the document is what differs from that of the scene before, the first one's from
// `document`, the session's own, so that a matrix that they share stands there once.
nlohmann::json scenes_json(const Document& document);
Scenes read_scenes(const JsonPlace& place, const Document& document);

} // namespace normscope
