#pragma once
#include "app/language/language.h"
#include "app/shell/frame/app.h"
#include "core/base/result.h"

#include <functional>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

// The command line's interface to its subcommands: each is one line in the table of
// command_line.cpp.
namespace normscope {

// The program's exit status: 1 when the data is at fault, 2 when the command line is.
enum class ExitStatus : int { ok = 0, data = 1, usage = 2 };

// `message` is WHAT: WHY, printed after "normscope: ". An error of what was read or written is one
// of the data.
struct CommandError {
    CommandError(const Error& error, ExitStatus at_fault = ExitStatus::data)
        : status(at_fault), message(error_text(error)) {}

    ExitStatus status;
    std::string message;
};

template<class T>
using Checked = tl::expected<T, CommandError>;
using CommandResult = Checked<void>;

// fail() for a usage error.
template<class... T>
tl::unexpected<CommandError> usage_error(fmt::format_string<const T&...> pattern,
                                         const T&... values) {
    return tl::unexpected(CommandError(error_of(pattern, values...), ExitStatus::usage));
}

struct WindowSize {
    int width = 0; // pixels
    int height = 0;
    bool operator==(const WindowSize&) const = default;
};

inline constexpr int k_max_window_side = 16384; // what graphics drivers agree on

// "1600x1000" as a size in pixels; nothing when it is not one, or not one a window can have.
std::optional<WindowSize> parse_size(std::string_view text);

// The window that the command line asks for.
struct WindowRequest {
    StartOptions start;
    std::optional<WindowSize> size;
    std::string screenshot;   // a .png to draw off screen; empty: open the window and stay
    std::string trace_frames; // a file that gets one line a drawn frame, for tests; empty: none
};

// Opens the program's window, or takes its picture, and returns the exit status.
// The error (no display, no OpenGL, a file that cannot be read or written) is WHAT: WHY and says
// what can be done.
using WindowRunner = std::function<Result<int>(const WindowRequest&)>;

// The streams and the window that a command may use.
struct CommandContext {
    std::ostream& out;   // what it prints
    std::ostream& notes; // what it says besides: one line each, after "normscope: "
    const WindowRunner& open_window;
};

// Does the command's work once the command line is read.
using CommandAction = std::function<CommandResult(const CommandContext&)>;

// Each adds a subcommand's options and returns the action on them. The purpose of a subcommand
// stands in the table of command_line.cpp.
CommandAction define_check(CLI::App& app);
CommandAction define_compute(CLI::App& app);
CommandAction define_examples(CLI::App& app);
CommandAction define_explain(CLI::App& app);
CommandAction define_export(CLI::App& app);
CommandAction define_flow(CLI::App& app);
CommandAction define_lesson(CLI::App& app);
CommandAction define_lessons(CLI::App& app);
CommandAction define_link(CLI::App& app);
CommandAction define_screenshot(CLI::App& app);
CommandAction define_train(CLI::App& app);
CommandAction define_transformer(CLI::App& app);

// Runs the subcommand the arguments name, or the window where they name none. Returns the exit
// status: 0, 1 (data) or 2 (usage). Errors go to `err` as `normscope: WHAT: WHY`.
int run_command_line(int argc, const char* const* argv, const WindowRunner& open_window,
                     std::ostream& out = std::cout, std::ostream& err = std::cerr);

} // namespace normscope
