#pragma once
#include "app/cli/command.h"
#include "app/model/choices.h"
#include "app/model/field.h"
#include "core/base/lists.h"
#include "core/flow/stack_config.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <thread>
#include <vector>

// Options that several subcommands have.
namespace normscope {

enum class Numbers : std::uint8_t { all, whole };

// An option that takes a finite number within `range`, or a whole one, and hands it to `set`. The
// library's own reading of a whole number takes 010 for 8.
CLI::Option* add_number(CLI::App& app, const std::string& name, Numbers numbers,
                        const std::function<void(double)>& set, Bounds range,
                        const std::string& description);

// add_number() into `value`, a number or an optional one, which must outlive the parsing.
template<class T>
CLI::Option* add_number(CLI::App& app, const std::string& name, T& value, Bounds range,
                        const std::string& description) {
    constexpr bool whole = std::is_integral_v<typename decltype(std::optional(T()))::value_type>;
    const auto set = [&value](double said) { value = static_cast<T>(said); };
    return add_number(app, name, whole ? Numbers::whole : Numbers::all, set, range, description);
}

inline int all_threads() {
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

// The ids that an option of a choice takes.
template<class E>
std::vector<std::string> ids_of() {
    std::vector<std::string> ids;
    for (const auto& choice : choices(E{})) ids.emplace_back(choice.id);
    return ids;
}

// The value of one of ids_of().
template<class E>
E from_id(const std::string& id) {
    return find_in(choices(E{}), id, [](const auto& c) { return c.id; })->value;
}

// An option that chooses a value of an enumeration, or an optional one.
template<class E, class Into>
CLI::Option* add_choice(CLI::App& app, const std::string& name, Into& into,
                        const std::string& description) {
    const auto choose = [&into](const std::string& id) { into = from_id<E>(id); };
    return app.add_option_function<std::string>(name, choose, description)
        ->check(CLI::IsMember(ids_of<E>()));
}

// Says where `command`'s --mode does nothing, and the way out: only batch norm has two modes.
void note_idle_mode(const std::string& command, NormKind norm, Mode mode, std::ostream& notes);

// Options from the rows of a table of settings: "--ffn-mult"; of a part of the document
// "--batch-momentum".
std::string option_name(const FieldInfo& field, const std::string& part = {});

// A value of the kind of `usual` for `set`. How the help text writes it: option_text().
CLI::Option* add_field_option(CLI::App& app, const std::string& name, const FieldInfo& field,
                              const FieldValue& usual,
                              const std::function<void(const FieldValue&)>& set);
std::string option_text(const FieldInfo& field, const FieldValue& value);

// The settings of S that the command line sets, in its order.
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

// Adds those of all settings with a help text, which tells the values of `usual`.
template<class S>
void add_field_options(CLI::App& app, Said<S>& said, const std::optional<S>& usual = {}) {
    for (const Field<S>& field : fields<S>()) {
        if (field.words.help.empty()) continue;
        CLI::Option* const option = add_field_option(app, option_name(field), field, said);
        if (usual) option->default_str(option_text(field, field.get(*usual)));
    }
}

// A stack's settings and seeds on the command line. Empty where nothing was said.
struct StackOptions {
    Said<StackConfig> said;
    std::optional<int> seeds;
};

// Seeds that are run where --seeds is not said.
inline constexpr int k_usual_seeds = 10;

// Error: `whose`, "flow: this stack", would take more memory than a drawn model may; `options` make
// it smaller.
CommandResult check_memory(double bytes, const char* whose, const char* options);

// Adds --blocks, --width, … --vocab and --seeds. `options` must outlive the parsing. `width`: the
// name of the stack's; a command that draws has another width.
void define_stack_options(CLI::App& app, StackOptions& options,
                          const std::string& width = "--width", int most_seeds = 1000);

// --precision, float32 where nothing is said.
void add_precision(CLI::App& app, std::string& into, const std::string& help = "Computed in");

// --language of what is said on the screen, into `id`.
void add_language(CLI::App& app, std::string& id);

// FILE, --workspace, --example, --language, --theme, --scale, --size and --trace-frames (hidden),
// read into `request`, which must outlive the parse.
void define_window_options(CLI::App& app, WindowRequest& request);

// Error: there is no FILE. One that is there and cannot be read is told in the window instead.
CommandResult file_is_there(const WindowRequest& request);

} // namespace normscope
