#pragma once
#include "app/study/train/lane_run.h"
#include "core/base/progress.h"

#include <functional>
#include <memory>
#include <span>

namespace normscope {

// Takes runs to so many steps, several at a time: a thread that is free takes a stretch of the run
// that is furthest behind, so that none waits for another. `failed` is told why a run did not get
// on; the others go on. Error: a stop that is asked for.
Result<void> train_side_by_side(std::span<const std::shared_ptr<LaneRun>> runs, Index target,
                                const Progress& progress,
                                const std::function<void(std::size_t run, const Error&)>& failed);

} // namespace normscope
