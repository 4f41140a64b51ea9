#pragma once
#include "core/norm/norm.h"

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <limits>
#include <string>
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

std::vector<std::string> norm_ids(); // what --norm takes

// Says where `command`'s --mode does nothing, and the way out: only batch norm has two modes.
void note_idle_mode(const std::string& command, NormKind norm, const std::string& mode,
                    std::ostream& notes);

// What --affine takes, and its meaning.
std::vector<std::string> affine_ids();
AffinePer affine_per(const std::string& id);
std::string affine_id(AffinePer per);

} // namespace normscope
