#pragma once
#include "app/cli/inputs.h"
#include "core/train/run.h"

#include <filesystem>
#include <string>
#include <vector>

// The tasks, files and tables of `normscope train`.
namespace normscope {

// The task that --task names: one made by code, the sonnets of the program, or a file.
struct TaskSource {
    Task task = Task::spirals;
    TrainInput input; // of a file and of the sonnets
    std::string file; // its name; empty: there is none
};

// A task by its id, or from a file: text from .txt, points from any other, with their classes in
// `class_column` (load_points()). Errors: a name that is neither, with those that there are; a
// class column of what is no table; those of the file, by its name.
Checked<TaskSource> load_task(const std::string& name, const std::string& class_column);

// Writes the weights of a trained Transformer as a .safetensors file, with all that
// `normscope transformer` and the window need to know of them and its words: the start <s> and
// letters, or the characters of a text, spaces and line ends as ␣ and ⏎.
CommandResult save_weights(const Trainer<float>& trainer, const std::filesystem::path& path);

// Errors: a model or positions that no such file holds.
CommandResult check_save(const TrainConfig& config, const std::string& path);

// The runs of one learning rate.
struct RateRuns {
    double lr = 0;
    std::vector<SeedRun> seeds;
};

struct TrainReport {
    TrainConfig config;
    std::string file; // of the task; empty: there is none
    PointNames names; // of its points
    Index every = 25;
    std::vector<RateRuns> rates; // one; with a sweep, one a rate
    bool sweeps = false;
};

std::string train_json(const TrainReport& report);
std::string train_table(const TrainReport& report);

} // namespace normscope
