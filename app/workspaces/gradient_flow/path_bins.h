#pragma once
#include "core/flow/path_lengths.h"

#include <cstdint>
#include <string>
#include <vector>

namespace normscope {

// Path lengths `first` to `last`, how many of all paths have one, their share of the energy
// (‖g_k‖²/Σ_j‖g_j‖², summed) and of the gradient itself (⟨g_k, g⟩/‖g‖², summed; may be negative).
struct PathBin {
    int first = 0, last = 0;
    double paths = 0;
    double energy = 0;
    double signed_share = 0;
};

// Lengths 0 … K of a stack's paths in at most `most` bins: 0 alone, the others of one width.
// Without a skip there is one path, through all K. Shares of `lengths` that are not there count as
// 0.
std::vector<PathBin> path_bins(const StackConfig& stack, const PathLengths& lengths, int most);

// "3", or "4–7".
std::string bin_name(const PathBin& bin);

// One path of `length` sublayers, drawn evenly among all of that length: a 1 for each block of
// which it crosses a sublayer. Empty where there is no such path.
std::vector<std::uint8_t> typical_route(const StackConfig& stack, int length, std::uint64_t seed);

} // namespace normscope
