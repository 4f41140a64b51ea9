#include "app/cli/options.h"

#include "app/io/number.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <ostream>

namespace normscope {

namespace {

constexpr double k_most_whole = 1e15; // a double tells all whole numbers up to there apart

std::string describe(NumberRange range) {
    std::string text;
    append_number(text, range.lo);
    if (!std::isfinite(range.hi)) return text + " up";
    text += " to ";
    append_number(text, range.hi);
    return text;
}

CLI::Option* add_parsed(CLI::App& app, const std::string& name,
                        const std::function<void(double)>& set,
                        const std::function<std::string(const std::string&)>& problem,
                        const std::string& description) {
    return app
        .add_option_function<std::string>(
            name,
            [set](const std::string& text) {
                if (const Result<double> number = parse_number(text)) set(*number);
            },
            description)
        ->check(problem);
}

} // namespace

CLI::Option* add_number(CLI::App& app, const std::string& name,
                        const std::function<void(double)>& set, NumberRange range,
                        const std::string& description) {
    const auto problem = [range](const std::string& text) -> std::string {
        const Result<double> number = parse_number(text);
        if (!number) return number.error().message;
        if (std::isfinite(*number) && *number >= range.lo && *number <= range.hi) return {};
        return "expected a number from " + describe(range) + ", found " + text;
    };
    return add_parsed(app, name, set, problem, description)->type_name("NUMBER");
}

CLI::Option* add_whole(CLI::App& app, const std::string& name,
                       const std::function<void(std::int64_t)>& set, NumberRange range,
                       const std::string& description) {
    const auto problem = [range](const std::string& text) -> std::string {
        const Result<double> value = parse_number(text);
        if (value && *value == std::floor(*value) && *value >= range.lo &&
            *value <= std::min(range.hi, k_most_whole))
            return {};
        return "expected a whole number from " + describe(range) + ", found " + text;
    };
    const auto set_whole = [set](double value) { set(static_cast<std::int64_t>(value)); };
    return add_parsed(app, name, set_whole, problem, description)->type_name("N");
}

void note_idle_mode(const std::string& command, NormKind norm, const std::string& mode,
                    std::ostream& notes) {
    if (!norm_entry(norm).has_running && mode == "eval")
        notes << "normscope: " << command
              << ": --mode eval changes nothing: only batch norm has running statistics; choose "
                 "--norm batch\n";
}

} // namespace normscope
