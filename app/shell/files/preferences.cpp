#include "app/shell/files/preferences.h"

#include "app/io/file.h"
#include "app/session/json_reader.h"

#include <nlohmann/json.hpp>
#include <system_error>

namespace normscope {

namespace {

constexpr const char* k_reduce_motion = "reduce-motion";
constexpr const char* k_first_steps_shown = "first-steps-shown";
constexpr const char* k_language = "language";

} // namespace

void Preferences::load(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    file_ = folder / "preferences.json";
    std::error_code error;
    if (!std::filesystem::exists(file_, error)) return;
    const auto bytes = read_file(file_);
    if (!bytes) return;
    const auto json = parse_json(*bytes, file_.string());
    if (!json || !json->is_object()) return;
    const auto read = [&](const char* key, bool& value) {
        if (const auto at = json->find(key); at != json->end() && at->is_boolean())
            value = at->get<bool>();
    };
    read(k_reduce_motion, reduce_motion);
    read(k_first_steps_shown, first_steps_shown);
    if (const auto at = json->find(k_language); at != json->end() && at->is_string())
        language = at->get<std::string>();
}

void Preferences::keep() const {
    if (file_.empty()) return;
    const nlohmann::json json{{k_reduce_motion, reduce_motion},
                              {k_first_steps_shown, first_steps_shown},
                              {k_language, language}};
    std::error_code error;
    std::filesystem::create_directories(file_.parent_path(), error);
    // A choice that cannot be kept is no reason to interrupt anyone. It may be a link of the
    // user's.
    (void)write_file_atomically(std::filesystem::weakly_canonical(file_, error), json.dump(2));
}

} // namespace normscope
