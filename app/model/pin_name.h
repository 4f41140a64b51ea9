#pragma once
#include "app/model/flow/flow_setup.h"

#include <string>
#include <vector>

namespace normscope {

// What a stack is called beside those that are pinned: its norm and what makes it another than the
// default stack ("Pre-LN, β 0.5, L 24"); of many such settings those that not all of the pinned
// have alike, where that tells it from them. A number stands behind it ("(2)") where one of the
// pinned is the same stack and is called that already.
std::string pin_name(const StackConfig& stack, const std::vector<PinnedStack>& pins);

// The name of a pinned stack as it is shown. Sessions keep the names that the program gives, by a
// story or by pin_name(), in English: those are said in the language that is spoken. A name that a
// person typed stays as it was typed.
std::string spoken_name(const PinnedStack& pin);

// The name of a pinned stack whose γ and β have become those of `after`: where it says them, as
// pin_name() does, they follow.
std::string moved_name(const std::string& name, const StackConfig& before,
                       const StackConfig& after);

// spoken_name() in the comparison: where one γ and β is shared by all, with them, unless the name
// says them already.
std::string listed_name(const PinnedStack& pin, bool linked_affine);

// What stack_name() leaves out: "width 64, 32 tokens, weights Xavier normal, seed 0".
std::string stack_details(const StackConfig& stack);

} // namespace normscope
