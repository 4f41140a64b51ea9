#pragma once
#include "app/model/batch_training.h"
#include "app/study/batch_vs_layer/batch_norms.h"
#include "app/study/lab/node.h"
#include "core/base/lists.h"
#include "core/base/memo.h"
#include "core/norm/small_batches.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace normscope {

// A document, and the earlier one of the same shape against which moves are measured, or none.
struct BatchInput {
    Document document;
    std::optional<Document> since;
    bool operator==(const BatchInput&) const = default;
};

// The comparison of the norms on one document. Unchanged parts are shared with the study before.
class BatchStudy {
  public:
    // `before` may be null. Never fails: what a norm refuses is told with its result.
    static std::shared_ptr<const BatchStudy> of(const BatchInput& input,
                                                std::shared_ptr<const BatchStudy> before = nullptr);

    bool is_of(const BatchInput& input) const;

    const NormsOfZ& norms() const { return *norms_; }
    const Affine<double>& affine() const { return affine_; }
    // x̂ or Y of a norm, T×D; `norm` counts in the order of k_compared_norms.
    const Matrix<double>& result(std::size_t norm, NormResult which) const {
        return which == NormResult::y ? (*y_)[norm] : norms_->norms[norm].cache.x_hat;
    }
    const Influences& influence(NormResult which) const { return *entry_at(influence_, which); }
    const TrainAndEval& training() const { return *training_; }
    const Halves& training_result(NormResult which) const {
        return which == NormResult::y ? *training_y_ : *training_;
    }
    // The moves in x̂ since the input's earlier document; null where there is none.
    const Touch* touch_since() const { return touch_.get(); }

    // Versions name the content: of all, of Z and x̂, of result() and influence(), of
    // training_result().
    std::uint64_t version() const { return version_; }
    std::uint64_t norms_version() const { return norms_version_; }
    std::uint64_t result_version(NormResult which) const {
        return result_version_ * 2 + static_cast<std::uint64_t>(which);
    }
    std::uint64_t training_version(NormResult which) const {
        return training_version_ * 2 + static_cast<std::uint64_t>(which);
    }

  private:
    using Results = std::array<Matrix<double>, k_compared_count>;

    Document document_;
    std::optional<Document> since_;
    Affine<double> affine_;
    std::shared_ptr<const NormsOfZ> norms_;
    std::shared_ptr<const Results> y_;
    std::array<std::shared_ptr<const Influences>, 2> influence_; // by NormResult
    std::shared_ptr<const TrainAndEval> training_;
    std::shared_ptr<const Halves> training_y_;
    std::shared_ptr<const Touch> touch_;
    std::uint64_t version_ = 1, norms_version_ = 1, result_version_ = 1, training_version_ = 1;

    friend struct BatchDerivation;
};

// The input's `since` is `earlier` where `earlier` has the same shape and another Z. `earlier` may
// be null.
BatchInput batch_input(const Document& document, const Document* earlier);

// Whether Z and its norms are the same in both, as far as can be told without a look at values.
bool same_z(const Document& a, const Document& b);

// The moves in a result, given the moves in x̂.
Touch touch_in(NormResult result, const BatchStudy& study, const Touch& in_x_hat);

inline constexpr Index k_small_batch_sizes[] = {2, 4, 8, 16, 32, 64, 128};
inline constexpr Index k_small_batch_features = 4096;

// The experiment with small batches of one seed. It has a panel of its own, which waits for it.
struct SmallBatches {
    std::uint64_t seed = 0;
    std::vector<SmallBatch> sizes; // as k_small_batch_sizes

    static std::shared_ptr<const SmallBatches> of(std::uint64_t seed,
                                                  const std::shared_ptr<const SmallBatches>& before,
                                                  const Progress& progress = {});
    static bool fits_in_a_frame(std::uint64_t) { return false; }
    bool is_of(std::uint64_t wanted) const { return seed == wanted; }
};

} // namespace normscope
