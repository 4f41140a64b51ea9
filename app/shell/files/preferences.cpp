#include "app/shell/files/preferences.h"

#include "app/session/json_reader.h"

namespace normscope {

namespace {

constexpr const char* k_reduce_motion = "reduce-motion";
constexpr const char* k_first_steps_shown = "first-steps-shown";
constexpr const char* k_language = "language";

} // namespace

void Preferences::load(const std::filesystem::path& folder) {
    if (folder.empty()) return;
    file_ = folder / "preferences.json";
    const nlohmann::json json = load_kept(file_);
    const auto read = [&](const char* key, bool& value) {
        if (const auto at = json.find(key); at != json.end() && at->is_boolean())
            value = at->get<bool>();
    };
    read(k_reduce_motion, reduce_motion);
    read(k_first_steps_shown, first_steps_shown);
    if (const auto at = json.find(k_language); at != json.end() && at->is_string())
        language = at->get<std::string>();
}

void Preferences::keep() const {
    keep_json(file_, {{k_reduce_motion, reduce_motion},
                      {k_first_steps_shown, first_steps_shown},
                      {k_language, language}});
}

} // namespace normscope
