#pragma once
#include "core/train/run.h"

#include <optional>
#include <string>
#include <vector>

// What `normscope train` prints.
namespace normscope {

// The runs of one learning rate.
struct RateRuns {
    double lr = 0;
    std::vector<SeedRun> seeds;
};

struct TrainReport {
    TrainConfig config;
    std::string file; // of the task; empty: there is none
    Index every = 25;
    std::vector<RateRuns> rates; // one; with a sweep, one a rate
    bool sweeps = false;
};

// Whether a run has learned its task at its end: its test is a hit, or, of a text, it is there.
bool has_trained(const TrainConfig& config, const SeedRun& run);

// The largest rate of a sweep at which at least four runs of five train; none: there is no such.
std::optional<double> largest_rate(const TrainReport& report);

std::string train_json(const TrainReport& report);
std::string train_table(const TrainReport& report);

} // namespace normscope
