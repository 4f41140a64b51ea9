#pragma once
#include "app/cli/inputs.h"
#include "core/train/train_data.h"

#include <string>

namespace normscope {

// What --task names: a task that is made by code, the sonnets of the program, or a file.
struct TaskSource {
    Task task = Task::spirals;
    TrainInput input; // of a file and of the sonnets
    std::string file; // its name; empty: there is none
};

// A task by its id, or a file: text from .txt, points with classes from another one. Errors: a name
// that is neither, with those that there are; those of the file, by its name.
Checked<TaskSource> load_task(const std::string& name);

} // namespace normscope
