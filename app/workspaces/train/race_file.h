#pragma once
#include "app/model/edit.h"

#include <string>

// Data that a race is run on, of a file or of the program.
namespace normscope {

// A task as it is usually trained, where it needs another kind of model than the one there is.
TrainConfig with_task(const TrainConfig& now, Task task);

// The input with a text: three sonnets, where there is none. Error: the program's data is not
// found.
Result<Shared<RaceInput>> with_text(const Shared<RaceInput>& now);

// The race on a file: a text (.txt), or a table with a column of classes. Errors: those of
// read_class_csv(); a race that cannot be run on it.
Result<Edit> race_on_file(const Document& document, const std::string& name, std::string bytes);

} // namespace normscope
