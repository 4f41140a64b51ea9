#pragma once
#include <functional>
#include <iosfwd>
#include <iostream>
#include <optional>
#include <string>

namespace normscope {

// What `normscope [FILE] [options]` asks of the window. Empty where nothing was said.
struct WindowRequest {
    struct Size {
        int width = 0;
        int height = 0;
        bool operator==(const Size&) const = default;
    };
    std::string file;
    std::string workspace;
    std::string example;
    std::string theme; // "light", "dark" or "contrast"
    std::optional<double> scale;
    std::optional<Size> size; // pixels
    bool operator==(const WindowRequest&) const = default;
};

// Opens the program's window and returns its exit status.
using WindowRunner = std::function<int(const WindowRequest&)>;

// Runs the subcommand the arguments name, or the window where they name none. Returns the exit
// status: 0, 1 (data) or 2 (usage). Errors go to `err` as `normscope: WHAT: WHY`.
int run_command_line(int argc, const char* const* argv, const WindowRunner& open_window,
                     std::ostream& out = std::cout, std::ostream& err = std::cerr);

} // namespace normscope
