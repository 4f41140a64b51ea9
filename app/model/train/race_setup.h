#pragma once
#include "app/model/choices.h"
#include "app/model/field.h"
#include "app/model/shared.h"
#include "core/flow/stack_config.h"
#include "core/train/train_config.h"
#include "core/train/train_data.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

// The race of a document: runs that start alike, read the same batches, and differ in what their
// lanes say.
namespace normscope {

// A setting in which a lane differs from the common ones.
struct LaneDifference {
    const Field<TrainConfig>* field = nullptr;
    FieldValue value;
    bool operator==(const LaneDifference&) const = default;
};

// The config that a lane was trained with up to a step.
struct LanePast {
    Index until = 0;
    TrainConfig config;
    bool operator==(const LanePast&) const = default;
};

struct Lane {
    std::string name; // empty: lane_name() makes one of the differences
    bool on = true;   // it runs and is drawn
    // The lane's colour, dash and marker, as long as the lane is there.
    std::size_t look = 0;
    std::vector<LaneDifference> differences; // in the order of lane_fields(), each once
    // The steps at which the lane branched: it goes on by its settings from the last of them.
    std::vector<LanePast> past = {};
    bool operator==(const Lane&) const = default;
};

inline constexpr std::size_t k_most_lanes = 6;
inline constexpr int k_most_train_layers = 64;
inline constexpr Index k_most_race_steps = 10000;
inline constexpr Index k_most_train_ffn = 1024;

// The data that Task::text and Task::own are trained on.
struct RaceInput {
    std::string name; // of its file
    TrainInput given;
};
bool same_value(const RaceInput& a, const RaceInput& b);

inline constexpr std::size_t k_longest_race_text = 200000; // bytes
inline constexpr Index k_most_own_points = 20000;

struct RaceSetup {
    TrainConfig common; // its steps are those of the race
    Shared<std::vector<Lane>> lanes;
    Shared<RaceInput> input; // empty: the task needs none
    // The step that is looked at: so many have been taken. Looking changes no document.
    Index step = 0;
    bool operator==(const RaceSetup& other) const {
        return common == other.common && lanes == other.lanes && input == other.input;
    }
};

template<>
std::span<const Field<RaceSetup>> fields();

// The settings that a lane may have of its own: not the task, the batches, the seed and the number
// of steps, which make it one race.
const std::vector<const Field<TrainConfig>*>& lane_fields();

// Two spirals and an MLP of 24 layers: with a norm and skips it learns, without either of them it
// does not (tests/published/train_table.py).
RaceSetup default_race();

// The lanes that a task is usually raced with.
std::vector<Lane> usual_lanes(Task task);

// The config that a lane trains by after its past.
TrainConfig config_of(const RaceSetup& setup, const Lane& lane);

// The config that a lane trains by from a step on, as long as it does not branch later.
TrainConfig config_at(const RaceSetup& setup, const Lane& lane, Index step);
// The common settings there, by which lanes without settings of their own trained.
TrainConfig common_at(const RaceSetup& setup, Index step);
// Whether a lane branches after the step that is looked at.
bool branches_later(const RaceSetup& setup);

// A run goes on by a config from a step on.
struct RunPhase {
    Index first = 0;
    TrainConfig config;
    bool operator==(const RunPhase&) const = default;
};
std::vector<RunPhase> run_of(const RaceSetup& setup, const Lane& lane);

// Whether a setting that is changed now branches: some steps are taken, and some are left.
bool can_branch(const RaceSetup& setup);

// The last step that a lane branched at; none: no lane did.
std::optional<Index> last_branch(const RaceSetup& setup);

// The lane with the settings of `config`, as far as a lane may have them. A setting that keeps its
// value stays a difference or none.
Lane with_config(const RaceSetup& setup, Lane lane, const TrainConfig& config);

// The lane's name, else its settings that tell it from the others: "Layer norm, no skip", "Pre-LN,
// lr 0.03".
std::string lane_name(const RaceSetup& setup, const Lane& lane);

// Every lane is one that can be trained, in the screen's own bounds.
Result<void> check(const RaceSetup& setup);

template<>
std::span<const Field<TrainConfig>> fields();

// "Reverse, Pre-LN encoder and decoder of 2 layers": what a run trains, in a line.
std::string train_name(const TrainConfig& config);

} // namespace normscope
