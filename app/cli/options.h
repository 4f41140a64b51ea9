#pragma once
#include "app/model/choices.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <limits>
#include <string>
#include <thread>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

// Options that several subcommands have.
namespace normscope {

struct NumberRange {
    double lo = 0;
    double hi = std::numeric_limits<double>::infinity(); // itself left out: numbers are finite
};

// An option that takes a number within `range` and hands it to `set`.
CLI::Option* add_number(CLI::App& app, const std::string& name,
                        const std::function<void(double)>& set, NumberRange range,
                        const std::string& description);

// The same of a whole number. The library's own reading of one takes 010 for 8.
CLI::Option* add_whole(CLI::App& app, const std::string& name,
                       const std::function<void(std::int64_t)>& set, NumberRange range,
                       const std::string& description);

inline int all_threads() {
    return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

// What an option that chooses takes.
template<class E>
std::vector<std::string> ids_of() {
    std::vector<std::string> ids;
    for (const auto& choice : choices(E{})) ids.emplace_back(choice.id);
    return ids;
}

// The value of one of ids_of().
template<class E>
E from_id(const std::string& id) {
    return std::ranges::find(choices(E{}), id, [](const auto& c) { return c.id; })->value;
}

// Says where `command`'s --mode does nothing, and the way out: only batch norm has two modes.
void note_idle_mode(const std::string& command, NormKind norm, const std::string& mode,
                    std::ostream& notes);

} // namespace normscope
