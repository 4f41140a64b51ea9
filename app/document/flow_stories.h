#pragma once
#include "app/document/flow_setup.h"
#include "app/document/flow_study.h"

#include <span>
#include <string_view>

namespace normscope {

// What is expected of a curve before it is shown: from the top of the stack down to its input.
enum class ExpectedShape : std::uint8_t { flat, shrinks_slowly, vanishes, grows, explodes };

// A comparison worth seeing: one button.
struct FlowStory {
    std::string_view id;       // "post-against-pre"
    std::string_view label;    // the button
    std::string_view says;     // one or two sentences: what to look at and why
    std::string_view question; // "How large is the gradient at the input, against that at the top?"
    FlowSetup (*setup)();      // the present stack is the one that is asked about
    bool moves_affine = false; // invites to move γ and β: it is the same story with others
};
std::span<const FlowStory> flow_stories();

// The story called `id`, or an error that lists the ids.
Result<const FlowStory*> find_story(std::string_view id);

// The story that the stacks of `setup`, the pinned ones included, are those of; null: none. Seeds,
// names and what is shown make no other story of it.
const FlowStory* told_story(const FlowSetup& setup);

// What a curve did, by the gradient at the input over that at the top, q (geometric means over the
// seeds): below 1/1000 it vanished, below 2/3 it shrank slowly, up to 3/2 it was flat, up to 1000
// it grew, beyond that it exploded. Nothing where q is not a number.
std::optional<ExpectedShape> measured_shape(const StackStudy& study);
std::string_view shape_label(ExpectedShape shape); // "Shrinks slowly"

} // namespace normscope
