#include "app/shell/files/user_files.h"

#include "app/session/json_reader.h"

#include <cstdlib>
#include <fstream>
#include <system_error>
#include <utility>

namespace normscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::size_t k_most = 10;
constexpr const char* k_reduce_motion = "reduce-motion";
constexpr const char* k_first_steps_shown = "first-steps-shown";
constexpr const char* k_language = "language";

fs::path from_environment(const char* name) {
    const char* value = std::getenv(name);
    const fs::path path = value ? value : "";
    return path.is_absolute() ? path : fs::path(); // relative ones are to be ignored
}

} // namespace

void RecentFiles::load(const fs::path& folder) {
    if (folder.empty()) return;
    file_ = folder / "recent.json";
    const Json json = load_kept(file_);
    for (const auto& [key, paths] : {std::pair("files", &paths_), {"lessons", &lessons_}})
        if (const auto files = json.find(key); files != json.end() && files->is_array())
            for (const Json& entry : *files)
                if (entry.is_string() && paths->size() < k_most &&
                    fs::path(entry.get_ref<const std::string&>()).is_absolute())
                    paths->emplace_back(entry.get_ref<const std::string&>());
    std::string last;
    take_kept(json, "folder", last);
    last_folder_ = last;
    std::error_code error;
    if (!fs::is_directory(last_folder_, error)) last_folder_.clear();
}

void RecentFiles::add(Paths& paths, const fs::path& file) {
    std::error_code error;
    const fs::path whole = fs::absolute(file, error).lexically_normal();
    if (error) return;
    std::erase(paths, whole);
    paths.insert(paths.begin(), whole);
    if (paths.size() > k_most) paths.pop_back();
    last_folder_ = whole.parent_path();
    keep();
}

void RecentFiles::remove(const fs::path& file) {
    if (std::erase(paths_, file) + std::erase(lessons_, file) > 0) keep();
}

void RecentFiles::visited(const fs::path& folder) {
    last_folder_ = folder;
    keep();
}

void RecentFiles::keep() const {
    Json json{
        {"files", Json::array()}, {"lessons", Json::array()}, {"folder", last_folder_.string()}};
    for (const fs::path& path : paths_) json["files"].push_back(path.string());
    for (const fs::path& path : lessons_) json["lessons"].push_back(path.string());
    keep_json(file_, json);
}

void Preferences::load(const fs::path& folder) {
    if (folder.empty()) return;
    file_ = folder / "preferences.json";
    const Json json = load_kept(file_);
    take_kept(json, k_reduce_motion, reduce_motion);
    take_kept(json, k_first_steps_shown, first_steps_shown);
    take_kept(json, k_language, language);
}

void Preferences::keep() const {
    keep_json(file_, {{k_reduce_motion, reduce_motion},
                      {k_first_steps_shown, first_steps_shown},
                      {k_language, language}});
}

UserDirs user_dirs() {
    const fs::path home = from_environment("HOME");
    const auto own = [&](const char* name, const char* usual) {
        fs::path folder = from_environment(name);
        if (folder.empty() && !home.empty()) folder = home / usual;
        return folder.empty() ? folder : folder / "normscope";
    };
    return {home, own("XDG_CONFIG_HOME", ".config"), own("XDG_STATE_HOME", ".local/state")};
}

std::optional<fs::path> user_folder(const UserDirs& dirs, std::string_view key) {
    constexpr std::string_view k_home = "$HOME";
    if (dirs.config.empty()) return std::nullopt;
    std::ifstream file(dirs.config.parent_path() / "user-dirs.dirs");
    std::optional<fs::path> folder;
    for (std::string line; std::getline(file, line);) { // XDG_DESKTOP_DIR="$HOME/Desktop"
        const auto equals = line.find('='), end = line.rfind('"');
        if (line.substr(0, equals) != key || end < equals + 2 || end == line.npos) continue;
        std::string value = line.substr(equals + 2, end - equals - 2);
        for (std::size_t at = 0; (at = value.find('\\', at)) != value.npos; ++at)
            value.erase(at, 1);
        while (value.size() > 1 && value.ends_with('/')) value.pop_back();
        if (value.starts_with(k_home)) value.replace(0, k_home.size(), dirs.home.string());
        if (value.starts_with('/')) folder = value;
    }
    return folder;
}

} // namespace normscope
