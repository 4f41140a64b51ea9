#include "app/workspaces/gradient_flow/path_bins.h"

#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace normscope {

namespace {

int sublayers_of(const StackConfig& stack) {
    return stack.blocks * sublayers_per_block(stack.sublayer);
}

} // namespace

std::vector<PathBin> path_bins(const StackConfig& stack, const PathLengths& lengths, int most) {
    const int k = sublayers_of(stack);
    const int others = std::max(1, most - 1);
    const int width = std::max(1, (k + others - 1) / others);
    std::vector<PathBin> bins;
    // The path along the skips alone has its own.
    for (int first = 0, last = 0; first <= k; first = last + 1) {
        last = first == 0 ? 0 : std::min(k, first + width - 1);
        PathBin bin{first, last};
        for (int length = bin.first; length <= bin.last; ++length) {
            if (stack.skip == Residual::no_skip)
                bin.paths += length == k ? 1 : 0;
            else
                bin.paths += path_count(k, length) * std::exp2(-k);
            const auto at = static_cast<std::size_t>(length);
            if (at < lengths.energy_share.size()) bin.energy += lengths.energy_share[at];
            if (at < lengths.signed_share.size()) bin.signed_share += lengths.signed_share[at];
        }
        bins.push_back(bin);
    }
    return bins;
}

std::string bin_name(const PathBin& bin) {
    if (bin.first == bin.last) return std::to_string(bin.first);
    return std::to_string(bin.first) + "–" + std::to_string(bin.last);
}

std::vector<std::uint8_t> typical_route(const StackConfig& stack, int length, std::uint64_t seed) {
    const int k = sublayers_of(stack);
    const bool one_path = stack.skip == Residual::no_skip; // through all
    if (length < 0 || length > k || (one_path && length != k)) return {};
    const int per_block = sublayers_per_block(stack.sublayer);
    std::vector<int> order(static_cast<std::size_t>(k));
    std::iota(order.begin(), order.end(), 0);
    Random random(seed);
    std::vector<std::uint8_t> crossed(static_cast<std::size_t>(stack.blocks), 0);
    for (int i = 0; i < length; ++i) { // Fisher and Yates, as far as needed
        const auto left = static_cast<std::uint64_t>(k - i);
        const auto at = static_cast<std::size_t>(i) + random.below(left);
        std::swap(order[static_cast<std::size_t>(i)], order[at]);
        crossed[static_cast<std::size_t>(order[static_cast<std::size_t>(i)] / per_block)] = 1;
    }
    return crossed;
}

} // namespace normscope
