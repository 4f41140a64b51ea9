#pragma once
#include "core/base/matrix.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace normscope {

// The state that a run goes on from at a step: all values one after the other, and the counts of
// the optimizer and the running statistics.
template<class S>
struct Checkpoint {
    Index step = 0;
    Vector<S> values;
    std::int64_t optimizer_steps = 0;
    std::vector<std::int64_t> updates; // of each running statistics
};

// Most bytes to keep, and the steps between two new checkpoints.
struct CheckpointOptions {
    std::size_t budget = std::size_t{64} << 20;
    Index every = 10;
};

// Checkpoints of a run by their steps. When they take more than the budget, those that leave the
// smallest hole for their age go first, so that they stand close by the present and further apart
// in the past; the first and the last stay.
template<class S>
class Checkpoints {
  public:
    explicit Checkpoints(const CheckpointOptions& options = {}) : options_(options) {}

    // Whether a checkpoint of this step is to be added.
    bool wants(Index step) const;
    // Adds a checkpoint of a later step than all others; any other checkpoint is ignored.
    void add(Checkpoint<S> checkpoint);
    // The last checkpoint at or before the step; null where there is none.
    const Checkpoint<S>* before(Index step) const;
    // Forgets the checkpoints after the step.
    void cut(Index step);

    std::size_t bytes() const;
    const std::vector<Checkpoint<S>>& all() const { return kept_; }

  private:
    void thin();

    CheckpointOptions options_;
    std::vector<Checkpoint<S>> kept_;
};

} // namespace normscope
