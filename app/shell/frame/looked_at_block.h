#pragma once
#include "app/shell/frame/state.h"

// A block of the stack whose Add & Norm is looked at, while the person's own document waits.
namespace normscope {

// Puts the block's numbers in the place of the document, which waits with its undo history.
void look_at_block(App::State& state, int block, Document document);

// The person's own document is there again, as it was left; nothing where no block is looked at.
// Changes that were made to the block are kept as a document that another took the place of.
void leave_block(App::State& state);

// As leave_block(), back in the workspace of the stack.
void lead_back(App::State& state);

} // namespace normscope
