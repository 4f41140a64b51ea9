#pragma once
#include "app/study/batch_vs_layer/batch_sequences.h"
#include "app/study/batch_vs_layer/batch_study.h"
#include "core/norm/small_batches.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace normscope {

inline constexpr std::array<Index, 7> k_small_batch_sizes = {2, 4, 8, 16, 32, 64, 128};
inline constexpr Index k_small_batch_features = 4096;

// The experiment with small batches of one seed.
struct SmallBatches {
    std::uint64_t seed = 0;
    std::vector<SmallBatch> sizes; // as k_small_batch_sizes

    static std::shared_ptr<const SmallBatches>
    of(std::uint64_t seed, const std::shared_ptr<const SmallBatches>& before = nullptr);
    bool is_of(std::uint64_t wanted) const { return seed == wanted; }
    bool fits(std::uint64_t) const { return true; }
};

// The last value that was made, and what it was made of.
template<class Key, class Value>
class LastMade {
  public:
    // The value for `key`: the last one, or make().
    template<class Make>
    const Value& of(const Key& key, Make&& make) {
        if (!made_ || !(made_->first == key)) made_.emplace(key, make());
        return made_->second;
    }

  private:
    std::optional<std::pair<Key, Value>> made_;
};

// What of the comparison of batch and layer norm follows the mouse or a seed: quickly made, when it
// is asked for, and kept as long as it stands.
class BatchMemo {
  public:
    // What the study says moved since, where it says it; else what +1 on the cell would move.
    enum class Moving : std::uint8_t { since, probe };
    const Touch& touch(const BatchStudy& study, Moving moving, Index token, Index feature,
                       NormResult result);
    const Sequences& sentences(const Document& document);

  private:
    struct TouchKey {
        std::uint64_t study = 0;
        Moving moving = Moving::probe;
        Index token = 0, feature = 0;
        NormResult result = NormResult::x_hat;
        bool operator==(const TouchKey&) const = default;
    };
    struct SentencesKey {
        BatchSetup setup;
        double eps = 0;
        bool operator==(const SentencesKey&) const = default;
    };

    LastMade<TouchKey, Touch> touch_;
    LastMade<SentencesKey, Sequences> sentences_;
};

} // namespace normscope
