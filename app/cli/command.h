#pragma once
#include "app/cli/window_request.h"
#include "core/base/result.h"

#include <functional>
#include <iosfwd>
#include <span>
#include <string>

namespace CLI {
class App;
}

// What a subcommand is to the command line: one line in the table of commands().
namespace normscope {

// The program's exit status: 1 when the data is at fault, 2 when the command line is.
enum class ExitStatus : int { ok = 0, data = 1, usage = 2 };

// `message` is WHAT: WHY, printed after "normscope: ".
struct CommandError {
    ExitStatus status = ExitStatus::data;
    std::string message;
};

using CommandResult = tl::expected<void, CommandError>;

inline tl::unexpected<CommandError> data_error(std::string message) {
    return tl::unexpected(CommandError{ExitStatus::data, std::move(message)});
}
inline tl::unexpected<CommandError> usage_error(std::string message) {
    return tl::unexpected(CommandError{ExitStatus::usage, std::move(message)});
}

// What a command may use of the world.
struct CommandContext {
    std::ostream& out;   // what it prints
    std::ostream& notes; // what it says besides: one line each, after "normscope: "
    const WindowRunner& open_window;
};

// Does the command's work once the command line is read.
using CommandAction = std::function<CommandResult(const CommandContext&)>;

struct Command {
    const char* name;
    const char* summary;
    CommandAction (*define)(CLI::App& app); // adds the options, returns what to do with them
};

// Every subcommand, in the order of the help text.
std::span<const Command> commands();

} // namespace normscope
