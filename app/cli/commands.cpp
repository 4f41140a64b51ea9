#include "app/cli/command.h"
#include "app/cli/compute.h"

#include <array>

namespace normscope {

namespace {

constexpr std::array k_commands{
    Command{"compute", "Normalize matrices from files and write every result", define_compute},
};

} // namespace

std::span<const Command> commands() {
    return k_commands;
}

} // namespace normscope
