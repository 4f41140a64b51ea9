#pragma once
#include "app/model/train/race_setup.h"
#include "app/study/train/lane_run.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace normscope {

// The state of a lane, as the screen knows it.
struct LaneState {
    LaneTrace trace;
    std::shared_ptr<const LaneShot> shot; // the last one; null: none yet
    std::optional<Error> error;
};

struct RaceState {
    std::vector<std::shared_ptr<const LaneState>> lanes; // by lane; null: off, or not begun
    // By a lane's look: the run that it branched from, else that of its settings before, if begun.
    std::map<std::size_t, std::shared_ptr<const LaneState>> before;
    std::shared_ptr<const TrainData<float>> data; // null: not yet drawn
    Index head = 0;                               // steps that all lanes that go on have taken
    bool behind = false; // steps up to the one that is looked at are still to be taken
    double bytes = 0;    // that its runs take, about

    // Whether the race takes too much memory: then nothing of it is trained.
    bool too_large() const { return bytes > k_most_race_bytes; }
};

// A race as CSV, as far as it is known: a line for each step of each lane, with the loss of its
// batch, the accuracy on the test where it was looked at, and of every layer the mean and σ of what
// its activation function read, its gradient norm and log10 of its update : data ratio. The cell of
// a value that is missing or not finite is empty.
std::string race_csv(const RaceSetup& setup, const RaceState& state);

// Keeps the runs of a document's race. The lab takes all lanes forward side by side, up to the step
// that is looked at or as far as a running race has come, and looks at each there; at rest it takes
// the runs that lanes branched from as far as these have come. Runs are kept by what they train, so
// that one that an edit takes away is there again when it comes back, and a lane that changes
// leaves the others be.
class RaceRunner {
  public:
    // The state of the race, as far as it is known. `ahead`: how many steps may be taken beyond the
    // one that is looked at, while the race runs. Valid until the next call.
    const RaceState& update(Lab& lab, const RaceSetup& setup, Index ahead);
    // The complete state, computed here and now, for a picture.
    const RaceState& compute(Lab& lab, const RaceSetup& setup);
    const RaceState& state() const { return state_; }

  private:
    // A run and its state as others know it.
    struct Kept {
        std::shared_ptr<LaneRun> run;
        std::shared_ptr<LaneState> state;
        double bytes = 0;
    };

    void keep(const std::vector<RunPhase>& phases, const Shared<RaceInput>& input);
    Kept* find(const std::vector<RunPhase>& phases, const Shared<RaceInput>& input);
    void take_lanes(const RaceSetup& setup);
    void collect();
    void report(const RaceSetup& setup);
    void remember_before(const RaceSetup& setup);
    std::vector<std::shared_ptr<LaneRun>> due(const RaceSetup& setup, Index ahead) const;
    std::vector<std::shared_ptr<LaneRun>> due_ghosts() const;

    RaceState state_;
    std::vector<Kept> known_;           // the ones used last at the end
    std::map<std::size_t, Kept> shown_; // by a lane's look, in the last frame
    RaceSetup seen_;                    // there
    std::vector<Kept*> of_lane_;        // in known_, of the setup's lanes; null: it is off
    std::vector<Kept*> ghost_of_;       // of a lane that branched: the run it left
};

} // namespace normscope
