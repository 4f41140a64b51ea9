#pragma once
#include "app/model/field.h"

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

// Options of a command from the rows of a table of settings.
namespace normscope {

// "--ffn-mult"; of a part of the document "--batch-momentum".
std::string option_name(const FieldInfo& field, const std::string& part = {});

// A value of the kind of `usual` for `set`. How the help text writes it: option_text().
CLI::Option* add_field_option(CLI::App& app, const std::string& name, const FieldInfo& field,
                              const FieldValue& usual,
                              const std::function<void(const FieldValue&)>& set);
std::string option_text(const FieldInfo& field, const FieldValue& value);

// What the command line says of the settings of S, in the order in which it was said.
template<class S>
using Said = std::vector<SetField<S>>;

template<class S>
S applied(const Said<S>& said, S setup) {
    for (const SetField<S>& change : said) change.field->set(setup, change.value);
    return setup;
}

// Adds the option of a setting. `said` must outlive the parsing.
template<class S>
CLI::Option* add_field_option(CLI::App& app, const std::string& name, const Field<S>& field,
                              Said<S>& said) {
    return add_field_option(app, name, field, field.get(S{}), [&](const FieldValue& value) {
        said.push_back({&field, value});
    });
}

} // namespace normscope
