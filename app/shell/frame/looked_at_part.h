#pragma once
#include "app/shell/frame/state.h"

// An Add & Norm of a stack that is looked at, while the person's own document waits.
namespace normscope {

// Puts its numbers in the place of the document, which waits with its undo history. `part`: what it
// is called, “block 3”.
void look_at_part(App::State& state, const std::string& part, Document document);

// The person's own document is there again, as it was left; nothing where none is looked at.
// Changes that were made to it are kept as a document that another took the place of.
void leave_part(App::State& state);

// As leave_part(), back in the workspace of the stack.
void lead_back(App::State& state);

} // namespace normscope
