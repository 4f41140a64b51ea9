#include "core/check/sampled_check.h"

#include "core/base/random.h"

#include <numeric>
#include <unordered_set>

namespace normscope {

std::vector<Index> entries_to_check(Index total, Index most, std::uint64_t seed) {
    std::vector<Index> entries;
    if (total <= most) {
        entries.resize(static_cast<std::size_t>(std::max<Index>(total, 0)));
        std::iota(entries.begin(), entries.end(), Index{0});
        return entries;
    }
    // Floyd's sampling: `most` draws whatever the total.
    Random random(seed);
    std::unordered_set<Index> chosen;
    for (Index last = total - most; last < total; ++last) {
        const auto i = static_cast<Index>(random.below(static_cast<std::uint64_t>(last) + 1));
        if (!chosen.insert(i).second) chosen.insert(last);
    }
    entries.assign(chosen.begin(), chosen.end());
    std::sort(entries.begin(), entries.end());
    return entries;
}

} // namespace normscope
