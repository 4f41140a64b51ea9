#pragma once
#include "app/study/batch_vs_layer/batch_sequences.h"
#include "app/study/batch_vs_layer/batch_study.h"
#include "core/base/memo.h"
#include "core/norm/small_batches.h"

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace normscope {

inline constexpr std::array<Index, 7> k_small_batch_sizes = {2, 4, 8, 16, 32, 64, 128};
inline constexpr Index k_small_batch_features = 4096;

// The experiment with small batches of one seed. It has a panel of its own, which waits for it.
struct SmallBatches {
    std::uint64_t seed = 0;
    std::vector<SmallBatch> sizes; // as k_small_batch_sizes

    static std::shared_ptr<const SmallBatches>
    of(std::uint64_t seed, const std::shared_ptr<const SmallBatches>& before = nullptr);
    static Where where(std::uint64_t, const SmallBatches*) { return Where::on_a_worker; }
    bool is_of(std::uint64_t wanted) const { return seed == wanted; }
    bool fits(std::uint64_t) const { return true; }
};

// The cells that the study says have moved; without such, what +1 on the cell would move.
enum class Moving : std::uint8_t { since, probe };
struct TouchKey {
    std::uint64_t study = 0; // its version
    Moving moving = Moving::probe;
    Index token = 0, feature = 0; // of the cell that is probed
    NormResult result = NormResult::x_hat;
    bool operator==(const TouchKey&) const = default;
};
using TouchMemo = Memo<TouchKey, Touch>;
const Touch& touch(TouchMemo& memo, const BatchStudy& study, Moving moving, Index token,
                   Index feature, NormResult result);

// Of the setup and ε.
using SequencesMemo = Memo<std::pair<BatchSetup, double>, Sequences>;
const Sequences& sentences(SequencesMemo& memo, const Document& document);

} // namespace normscope
