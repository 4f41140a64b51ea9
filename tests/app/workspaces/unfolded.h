#pragma once
#include "app/shell/frame/state.h"

namespace normscope::testing {

// From now on the pages show what they fold away at first.
inline void unfold_pages(App::State& state) {
    BatchView& batch = state.view.of<BatchView>();
    batch.more_norms = batch.numbers_shown = true;
    batch.folds.ids = {"influence", "running", "small-batches", "sequences"};
    state.view.of<BackwardView>().folds.ids = {"checks",  "learn",       "faders",   "jacobian",
                                               "see-saw", "conventions", "published"};
    state.view.of<FlowView>().more_stack = true;
    TrainView& train = state.view.of<TrainView>();
    train.more_setup = train.more_lanes = true;
    train.folds.ids = {"inside", "train-gradient", "sweep", "phases"};
    state.view.of<TransformerView>().more_model = true;
}

} // namespace normscope::testing
