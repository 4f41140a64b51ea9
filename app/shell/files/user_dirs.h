#pragma once
#include <filesystem>

namespace normscope {

// Where the desktop wants a program's own files (XDG Base Directory Specification 0.8). Empty paths
// where there is no home: nothing is kept then.
struct UserDirs {
    std::filesystem::path home;
    std::filesystem::path config; // $XDG_CONFIG_HOME/normscope
    std::filesystem::path state;  // $XDG_STATE_HOME/normscope
};

UserDirs user_dirs();

} // namespace normscope
