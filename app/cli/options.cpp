#include "app/cli/options.h"

#include "app/io/text.h"
#include "app/model/flow/flow_setup.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <ostream>

namespace normscope {

namespace {

constexpr double k_most_whole = 1e15; // a double tells all whole numbers up to there apart

std::string describe(Bounds range) {
    std::string text;
    append_number(text, range.least);
    if (range.most == k_unbounded) return text + " up";
    text += " to ";
    append_number(text, range.most);
    return text;
}

constexpr double k_most_number = 1e9; // where a setting has no bounds

// Adds the option of a setting, by the kind of its value.
struct Definer {
    CLI::App& app;
    const std::string& name;
    const FieldInfo& field;
    const std::function<void(const FieldValue&)>& set;

    Bounds range() const {
        const auto [least, most] = field.bounds;
        if (field.words.command_most > 0) return {least, field.words.command_most};
        if (most == k_unbounded && least == -k_unbounded) return {-k_most_number, k_most_number};
        return field.bounds;
    }

    CLI::Option* operator()(const Chosen&) const {
        std::vector<std::string> ids;
        for (const ChoiceName& choice : field.words.choices) ids.emplace_back(choice.id);
        const auto choose = [ids, set = set](const std::string& id) {
            set(Chosen{place_in(ids, id)});
        };
        return app.add_option_function<std::string>(name, choose, std::string(field.words.help))
            ->check(CLI::IsMember(ids));
    }
    CLI::Option* operator()(std::int64_t) const {
        const auto take = [set = set](double value) { set(static_cast<std::int64_t>(value)); };
        return add_number(app, name, Numbers::whole, take, range(), std::string(field.words.help));
    }
    CLI::Option* operator()(double) const {
        return add_number(app, name, Numbers::all, set, range(), std::string(field.words.help));
    }
    CLI::Option* operator()(const auto&) const { return nullptr; } // no other kind has an option
};

} // namespace

CLI::Option* add_number(CLI::App& app, const std::string& name, Numbers numbers,
                        const std::function<void(double)>& set, Bounds range,
                        const std::string& description) {
    const bool whole = numbers == Numbers::whole;
    const auto fits = [=](double number) {
        const bool is_whole = number == std::floor(number) && number <= k_most_whole;
        return std::isfinite(number) && number >= range.least && number <= range.most &&
               (is_whole || !whole);
    };
    const auto problem = [=](const std::string& text) -> std::string {
        const Result<double> number = parse_number(text);
        if (number && fits(*number)) return {};
        if (!number && !whole) return number.error().message;
        return fmt::format("expected a {} from {}, found {}", whole ? "whole number" : "number",
                           describe(range), text);
    };
    const auto take = [set](const std::string& text) {
        if (const Result<double> number = parse_number(text)) set(*number);
    };
    return app.add_option_function<std::string>(name, take, description)
        ->check(problem)
        ->type_name(whole ? "N" : "NUMBER");
}

CommandResult check_memory(double bytes, const char* whose, const char* options) {
    constexpr int k_most = 8; // GB
    if (!(bytes > k_most * 1e9)) return {};
    return usage_error("{} would take about {} GB, and at most {} GB are used; lower {}", whose,
                       fmt::format("{:.0f}", bytes / 1e9), k_most, options);
}

void note_idle_mode(const std::string& command, NormKind norm, Mode mode, std::ostream& notes) {
    if (!norm_entry(norm).has_running && mode == Mode::eval)
        notes << "normscope: " << command
              << ": --mode eval changes nothing: only batch norm has running statistics; choose "
                 "--norm batch\n";
}

std::string option_name(const FieldInfo& field, const std::string& part) {
    std::string name = "--" + (part.empty() ? part : part + '-') + std::string(field.key);
    std::ranges::replace(name, '_', '-');
    return name;
}

CLI::Option* add_field_option(CLI::App& app, const std::string& name, const FieldInfo& field,
                              const FieldValue& usual,
                              const std::function<void(const FieldValue&)>& set) {
    return std::visit(Definer{app, name, field, set}, usual);
}

std::string option_text(const FieldInfo& field, const FieldValue& value) {
    if (const auto* chosen = std::get_if<Chosen>(&value))
        return std::string(field.words.choices[chosen->at].id);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
    return fmt::format("{}", std::get<double>(value));
}

void define_stack_options(CLI::App& app, StackOptions& options, const std::string& width,
                          int most_seeds) {
    const std::string group = "Stack";
    for (const Field<StackConfig>& field : fields<StackConfig>()) {
        if (field.words.help.empty()) continue;
        const std::string name = field.key == "width" ? width : option_name(field);
        add_field_option(app, name, field, options.said)
            ->group(group)
            ->default_str(option_text(field, field.get({})));
    }
    add_number(app, "--seeds", options.seeds, {1, static_cast<double>(most_seeds)},
               "How many seeds, from 0 up")
        ->group(group)
        ->default_str(std::to_string(k_usual_seeds));
}

void add_precision(CLI::App& app, std::string& into, const std::string& help) {
    app.add_option("--precision", into, help)
        ->check(CLI::IsMember({"float32", "float64"}))
        ->default_str("float32");
}

} // namespace normscope
