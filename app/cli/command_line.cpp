#include "app/cli/command.h"

#include "app/cli/options.h"
#include "core/base/printable.h"

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace normscope {

namespace {

// Every subcommand, in the order of the help text.
constexpr struct {
    const char* name;
    const char* summary;
    CommandAction (*define)(CLI::App& app);
} k_commands[] = {
    {"compute", "Normalize matrices from files and write every result", define_compute},
    {"check", "Compare the backward pass with central differences", define_check},
    {"explain", "Print the arithmetic of one token step by step", define_explain},
    {"flow", "Follow the gradient through a stack of residual blocks", define_flow},
    {"transformer", "Measure a Transformer, or run a sentence through its weights",
     define_transformer},
    {"train", "Train an MLP or a Transformer and say how it goes", define_train},
    {"export", "Draw a figure into a PNG, SVG or PDF file", define_export},
    {"screenshot", "Draw the whole window into a PNG file; needs a display, a virtual one will do",
     define_screenshot},
    {"link", "Print the address of a page that opens a session", define_link},
    {"examples", "List the examples", define_examples},
    {"lessons", "List the lessons", define_lessons},
    {"lesson", "Check a lesson that you write", define_lesson},
};

int print_error(std::ostream& err, ExitStatus status, std::string_view message) {
    err << "normscope: " << printable(brief(message)) << '\n';
    return static_cast<int>(status);
}

// Help and version are not errors, though CLI11 reports them as such.
int report_parse_error(const CLI::App& app, const CLI::ParseError& error, std::ostream& out,
                       std::ostream& err) {
    if (error.get_exit_code() == 0) return app.exit(error, out, err);
    const std::vector<CLI::App*> chosen = app.get_subcommands();
    const std::string what = chosen.empty() ? "command line" : chosen.front()->get_name();
    const std::string help = chosen.empty() ? "normscope --help" : "normscope " + what + " --help";
    std::string reason = error.what();
    if (dynamic_cast<const CLI::ExtrasError*>(&error)) { // whose text has them backwards
        const CLI::App& taker = chosen.empty() ? app : *chosen.front();
        reason = "not understood:";
        for (const std::string& argument : taker.remaining()) reason += " " + argument;
    }
    return print_error(err, ExitStatus::usage, what + ": " + reason + " (see " + help + ")");
}

// Exit status of what was asked for, and what it prints.
int run_commands(int argc, const char* const* argv, const WindowRunner& open_window,
                 std::ostream& out, std::ostream& err) {
    CLI::App app("See, touch and check the Transformer's Add & Norm.", "normscope");
    app.set_version_flag("--version", "NormScope " NORMSCOPE_VERSION);
    app.require_subcommand(0, 1);
    app.fallthrough(false);
    WindowRequest request;
    define_window_options(app, request);

    std::vector<std::pair<CLI::App*, CommandAction>> actions;
    for (const auto& command : k_commands) {
        if (!NORMSCOPE_COMMANDS) break;
        CLI::App* const sub = app.add_subcommand(command.name, command.summary);
        actions.emplace_back(sub, command.define(*sub));
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return report_parse_error(app, error, out, err);
    }
    for (const auto& [sub, action] : actions) {
        if (!sub->parsed()) continue;
        if (app.count_all() > 1 + sub->count_all())
            return print_error(err, ExitStatus::usage,
                               std::string(sub->get_name()) +
                                   ": FILE and window options do not go with a subcommand");
        const CommandResult done = action(CommandContext{out, err, open_window});
        if (!done) return print_error(err, done.error().status, done.error().message);
        return static_cast<int>(ExitStatus::ok);
    }
    if (const CommandResult there = file_is_there(request); !there) {
        // A mistyped command looks like a file.
        if (request.start.file.has_extension() || request.start.file.has_parent_path())
            return print_error(err, there.error().status, there.error().message);
        return print_error(err, ExitStatus::usage,
                           there.error().message + " and no such command (see normscope --help)");
    }
    const Result<int> status = open_window(request);
    if (status) return *status;
    return print_error(err, ExitStatus::data, status.error().message);
}

} // namespace

int run_command_line(int argc, const char* const* argv, const WindowRunner& open_window,
                     std::ostream& out, std::ostream& err) {
    const int status = run_commands(argc, argv, open_window, out, err);
    if (out.flush()) return status;
    const int unwritten =
        print_error(err, ExitStatus::data,
                    "the output could not be written: is the disk full, or is it closed?");
    return status == 0 ? unwritten : status;
}

} // namespace normscope
