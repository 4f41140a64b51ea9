#include "core/train/skip.h"

#include <array>

namespace normscope {
namespace {

constexpr std::array<Choice<Skip>, 3> k_skips{{
    {Skip::add, "add", "Add"},
    {Skip::none, "none", "None"},
    {Skip::rezero, "rezero", "ReZero"},
}};

} // namespace

std::span<const Choice<Skip>> choices(Skip) {
    return k_skips;
}

} // namespace normscope
