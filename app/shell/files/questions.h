#pragma once
#include "app/shell/files/files.h"
#include "app/shell/menus/dialog.h"
#include "app/shell/menus/menu.h"

#include <memory>
#include <string>
#include <vector>

namespace normscope {

// A sentence or two, and a row of answers; Enter takes the last one, Esc none of them.
struct Answer {
    std::string id;
    std::string label;
    Command run; // may be empty: only closes
};
std::unique_ptr<Dialog> ask(std::string title, std::string text, std::vector<Answer> answers);

// Which matrix a file becomes, and which slice of a stack it is.
std::unique_ptr<Dialog> ask_matrix(OpenedFile file);

// Applies a matrix from a file.
void set_input(App::State& state, const OpenRequest& from, Table table, Input input);

} // namespace normscope
