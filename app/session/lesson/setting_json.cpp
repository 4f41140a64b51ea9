#include "app/session/lesson/lesson_json.h"
#include "app/session/settings_json.h"

#include <string_view>
#include <type_traits>

namespace normscope {

namespace {

nlohmann::json json_or_null(const FieldInfo& field, const FieldValue& value) {
    const bool none = std::visit(
        [](const auto& v) {
            if constexpr (requires { v.has_value(); }) return !v.has_value();
            return false;
        },
        value);
    return none ? nlohmann::json() : json_of(field, value);
}

} // namespace

std::optional<nlohmann::json> setting_json(const Document& document, std::string_view key) {
    const std::size_t dot = key.find('.');
    const std::string_view part = dot == key.npos ? std::string_view() : key.substr(0, dot);
    const std::string_view name = dot == key.npos ? key : key.substr(dot + 1);
    std::optional<nlohmann::json> found;
    const auto look_in = [&](const auto& setup) {
        using S = std::remove_cvref_t<decltype(setup)>;
        for (const Field<S>& field : fields<S>())
            if (field.key == name) found = json_or_null(field, field.get(setup));
    };
    if (part.empty()) {
        look_in(document);
        return found;
    }
    for_each_part([&](const auto& p) {
        if (p.key != part) return;
        const auto& setup = document.*p.member;
        if constexpr (k_has_fields<std::remove_cvref_t<decltype(setup)>>) look_in(setup);
        if constexpr (requires { setup.stack; }) look_in(setup.stack);
        if constexpr (requires { setup.config; }) look_in(setup.config);
        if constexpr (requires { setup.common; }) look_in(setup.common);
    });
    return found;
}

} // namespace normscope
