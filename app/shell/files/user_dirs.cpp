#include "app/shell/files/user_dirs.h"

#include <cstdlib>

namespace normscope {

namespace {

std::filesystem::path from_environment(const char* name) {
    const char* value = std::getenv(name);
    std::filesystem::path path = value ? value : "";
    return path.is_absolute() ? path : std::filesystem::path(); // relative ones are to be ignored
}

} // namespace

UserDirs user_dirs() {
    UserDirs dirs;
    dirs.home = from_environment("HOME");
    std::filesystem::path config = from_environment("XDG_CONFIG_HOME");
    std::filesystem::path state = from_environment("XDG_STATE_HOME");
    if (config.empty() && !dirs.home.empty()) config = dirs.home / ".config";
    if (state.empty() && !dirs.home.empty()) state = dirs.home / ".local" / "state";
    if (!config.empty()) dirs.config = config / "normscope";
    if (!state.empty()) dirs.state = state / "normscope";
    return dirs;
}

} // namespace normscope
