#pragma once
#include "app/cli/command.h"

#include <string>

namespace normscope {

// `normscope lessons`: id and question of every lesson, one a line.
CommandAction define_lessons(CLI::App& app);

// `normscope lesson check FILE…`: plays each and prints what is wrong; 1 where anything is.
CommandAction define_lesson(CLI::App& app);

} // namespace normscope
