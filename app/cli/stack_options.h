#pragma once
#include "app/cli/options.h"
#include "core/flow/stack_config.h"

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace normscope {

// What the command line says of a stack. Empty where nothing was said.
struct StackOptions {
    Said<StackConfig> said;
    std::optional<int> seeds;

    bool any() const { return !said.empty() || seeds.has_value(); }
};

// Seeds that are run where --seeds is not said.
inline constexpr int k_usual_seeds = 10;

// Memory that a model of drawn weights may take.
inline constexpr double k_most_bytes = 8e9;

// How a command names and bounds what it takes.
struct StackOptionsSpec {
    std::string width = "--width"; // of the stack; a command that draws has another width
    int most_seeds = 1000;
    std::optional<StackConfig> defaults = std::nullopt; // told by the help text
};

// Adds --blocks, --width, … --vocab and --seeds. `options` must outlive the parsing.
void define_stack_options(CLI::App& app, StackOptions& options, const StackOptionsSpec& spec);

} // namespace normscope
