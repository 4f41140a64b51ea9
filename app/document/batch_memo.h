#pragma once
#include "app/document/batch_norms.h"
#include "app/document/batch_sequences.h"
#include "app/document/batch_training.h"
#include "core/norm/small_batches.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace normscope {

// The last value that was made, and what it was made of.
template<class Key, class Value>
class LastMade {
  public:
    // The value for `key`: the last one, or make().
    template<class Make>
    const Value& of(const Key& key, Make&& make) {
        if (!made_ || !(made_->first == key)) {
            made_.emplace(key, make());
            ++count_;
        }
        return made_->second;
    }
    std::uint64_t count() const { return count_; } // names the content

  private:
    std::optional<std::pair<Key, Value>> made_;
    std::uint64_t count_ = 0;
};

// What of a document Z and its norms follow from.
struct ZKey {
    Shared<Matrix<double>> x, f;
    Residual residual = Residual::add;
    double eps = 0;
    bool operator==(const ZKey&) const = default;
};
ZKey z_key(const Document& document);

inline constexpr std::array<Index, 7> k_small_batch_sizes = {2, 4, 8, 16, 32, 64, 128};
inline constexpr Index k_small_batch_features = 4096;

// What the comparison of batch and layer norm shows, made when it is asked for and kept as long as
// it stands.
class BatchMemo {
  public:
    const NormsOfZ& norms(const Document& document);
    const Influences& influence(const Document& document);
    // What moved since `before`, if its Z is another; else what +1 on the cell would move.
    const Touch& touch(const Document& document, const Document* before, Index token,
                       Index feature);
    const TrainAndEval& training(const Document& document);
    const std::vector<SmallBatch>& small(std::uint64_t seed);
    const Sequences& sentences(const Document& document);

    // Name the content of norms() and of training().
    std::uint64_t norms_version() const { return norms_.count(); }
    std::uint64_t training_version() const { return training_.count(); }

  private:
    struct TouchKey {
        ZKey now;
        std::optional<ZKey> before;
        Index token = 0, feature = 0;
        bool operator==(const TouchKey&) const = default;
    };
    struct TrainingKey {
        ZKey z;
        Index batch = 0;
        double momentum = 0;
        int updates = 0, nan_update = 0;
        bool operator==(const TrainingKey&) const = default;
    };
    struct SentencesKey {
        BatchSetup setup;
        double eps = 0;
        bool operator==(const SentencesKey&) const = default;
    };

    LastMade<ZKey, NormsOfZ> norms_, norms_before_;
    LastMade<ZKey, Influences> influence_;
    LastMade<TouchKey, Touch> touch_;
    LastMade<TrainingKey, TrainAndEval> training_;
    LastMade<std::uint64_t, std::vector<SmallBatch>> small_;
    LastMade<SentencesKey, Sequences> sentences_;
};

} // namespace normscope
