#include "app/shell/files/user_files.h"

#include "app/session/archive.h"

#include <cstdlib>
#include <fstream>
#include <system_error>
#include <utility>

namespace normscope {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_most = 10;

fs::path from_environment(const char* name) {
    const char* value = std::getenv(name);
    const fs::path path = value ? value : "";
    return path.is_absolute() ? path : fs::path(); // relative ones are to be ignored
}

} // namespace

void RecentFiles::load(const fs::path& folder) {
    file_ = load_kept(folder, "recent.json", *this);
    for (Paths* paths : {&paths_, &lessons_}) {
        std::erase_if(*paths, [](const fs::path& path) { return !path.is_absolute(); });
        if (paths->size() > k_most) paths->resize(k_most);
    }
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
    normscope::keep(file_, *this);
}

void Preferences::load(const fs::path& folder) {
    file_ = load_kept(folder, "preferences.json", *this);
}

void Preferences::keep() const {
    normscope::keep(file_, *this);
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
