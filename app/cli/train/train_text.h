#pragma once
#include "core/train/run.h"

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

std::string train_json(const TrainReport& report);
std::string train_table(const TrainReport& report);

} // namespace normscope
