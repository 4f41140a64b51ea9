#pragma once
#include "app/cli/command.h"

#include <string>

namespace normscope {

// `normscope lessons`: id and question of every lesson, one a line.
CommandAction define_lessons(CLI::App& app);

// Why --lesson cannot name this one: there is none, or it has fewer steps; empty: it can.
std::string unknown_lesson(const std::string& wanted);

// `normscope lesson check FILE…`: plays each and prints what is wrong; 1 where anything is.
CommandAction define_lesson(CLI::App& app);

} // namespace normscope
