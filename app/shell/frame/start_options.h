#pragma once
#include "app/charts/palette.h"

#include <filesystem>
#include <optional>
#include <string>

namespace normscope {

// The smallest window, in pixels: below it there is no room for words.
inline constexpr int k_min_window_width = 480, k_min_window_height = 320;

// What the program starts with; empty where nothing was said.
struct StartOptions {
    std::filesystem::path file; // opened after the example
    std::string example;        // an id; empty: k_default_example
    std::string workspace;      // an id; empty: the first
    std::string lesson;         // an id, with ":3" behind it at that step, or a file; empty: none
    std::optional<ThemeKind> theme;
    std::optional<float> ui_scale; // 0.75 to 2.5
    std::string language; // an id; empty: as it was chosen, or for pictures and tests English
    std::filesystem::path assets; // the folder with examples/; empty: find_assets()
    // Recent files, and the copy of unsaved work that survives a crash. Off for pictures and tests
    // that must not see what other runs left behind.
    bool persist = true;
};

} // namespace normscope
