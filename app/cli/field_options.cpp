#include "app/cli/field_options.h"

#include "app/cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr double k_most_number = 1e9; // where a setting has no bounds

// By the kind of the value.
struct Definer {
    CLI::App& app;
    const std::string& name;
    const FieldInfo& field;
    const std::function<void(const FieldValue&)>& set;

    NumberRange range() const {
        const auto [least, most] = field.bounds;
        if (field.words.command_most > 0) return {least, field.words.command_most};
        if (most < k_unbounded) return {least, most};
        if (least > -k_unbounded) return {.lo = least};
        return {-k_most_number, k_most_number};
    }

    CLI::Option* operator()(const Chosen&) const {
        std::vector<std::string> ids;
        for (const ChoiceName& choice : field.words.choices) ids.emplace_back(choice.id);
        const auto choose = [ids, set = set](const std::string& id) {
            set(Chosen{static_cast<std::size_t>(std::ranges::find(ids, id) - ids.begin())});
        };
        return app.add_option_function<std::string>(name, choose, std::string(field.words.help))
            ->check(CLI::IsMember(ids));
    }
    CLI::Option* operator()(std::int64_t) const {
        return add_whole(app, name, set, range(), std::string(field.words.help));
    }
    CLI::Option* operator()(double) const {
        return add_number(app, name, set, range(), std::string(field.words.help));
    }
    CLI::Option* operator()(const auto&) const { return nullptr; } // no other kind has an option
};

} // namespace

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

} // namespace normscope
