#pragma once
#include "app/model/flow/flow_setup.h"

#include "core/base/result.h"

#include <span>
#include <string_view>

namespace normscope {

// A comparison worth seeing: one card.
struct FlowStory {
    std::string_view id;       // "post-against-pre"
    std::string_view label;    // the card
    std::string_view promise;  // what one will see, in a line of the card
    std::string_view says;     // one or two sentences: what to look at and why
    std::string_view question; // "How large is its gradient at the input, against that at the top?"
    FlowSetup (*setup)();      // the present stack is the one that is asked about
    // The axis of the answers: powers of ten, up and down from the gradient at the top. There are
    // two axes, for gradients that may vanish or explode and for others: an axis of a story's own
    // would give the answer away.
    double answer_decades;
    bool may_vanish = false;   // or explode: some of its gradients are 0 beside others
    bool moves_affine = false; // invites to move γ and β: it is the same story with others
};
std::span<const FlowStory> flow_stories();

// The story called `id`, or an error that lists the ids.
Result<const FlowStory*> find_story(std::string_view id);

// A story told to a person who has `before`. Stacks that the person has pinned stay pinned behind
// the story's stacks, as far as there is room, and with their looks. None stays under one γ and β
// for all: that would change stacks which are no part of the story.
struct ToldStory {
    FlowSetup setup;
    std::size_t left_out = 0; // of their own
};
ToldStory tell(const FlowStory& story, const FlowSetup& before);

// Whether a story has pinned the stack, and nobody has made it their own by another name.
bool is_of_a_story(const PinnedStack& pin);

// The story that the present stack of `setup` and some of the pinned ones are those of; null: none.
// Seeds, names and what is shown make no other story of it, nor do stacks that are pinned besides.
const FlowStory* told_story(const FlowSetup& setup);

} // namespace normscope
