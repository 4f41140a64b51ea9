#pragma once
#include "app/cli/command.h"
#include "app/model/document.h"

#include <string>

namespace normscope {

// Empty, or that no example is called `id` and which there are.
std::string unknown_example(const std::string& id);

// The document of the example called `id`. An id that no example has is a usage error.
Checked<Document> load_example(const std::string& id);

// The token it says to look at first; 0 where there is no such example.
Index example_token(const std::string& id);

} // namespace normscope
