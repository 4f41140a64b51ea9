#pragma once
#include "app/model/train/race_setup.h"
#include "app/study/lab/lab.h"
#include "app/study/train/race_runner.h"
#include "core/base/memo.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace normscope {

// A lane's row in the table of lanes at the end of the race.
struct LaneResult {
    std::string name;
    double loss = 0;          // the mean of the last batches; NaN: it stopped being numbers
    double accuracy = 0;      // of the test, at the last look; NaN: as above
    std::optional<Index> hit; // the first look that reaches the mark
    Index steps = 0;          // taken before it stopped being numbers; else all of them
};
using RaceResults = std::shared_ptr<const std::vector<LaneResult>>; // of the lanes that are on

// Races at their last step, for lessons, which ask before a person has run them. The lab trains a
// race as long as every frame asks for it.
class RaceEnds {
  public:
    // The results of a race; null while it is trained. Errors: it takes too much memory; those of
    // training.
    Result<RaceResults> find(Lab& lab, const RaceSetup& setup);

    bool at_once = false; // find() returns when the race is trained: for who has no frames

  private:
    struct End {
        RaceRunner runner; // until it is made
        RaceResults made;
    };
    Memo<RaceSetup, End, 4> ends_;
};

} // namespace normscope
