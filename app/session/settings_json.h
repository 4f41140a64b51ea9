#pragma once
#include "app/model/field.h"
#include "app/session/json_reader.h"

// Settings to and from one JSON object, by the rows of their struct.
namespace normscope {

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

} // namespace normscope
