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
    // Powers of ten, up and down from the gradient at the top, that an answer is drawn on. Of what
    // may vanish or explode and of what does not: with a story's own it would give the answer away.
    double answer_decades;
    bool may_vanish = false;   // or explode: some of its gradients are 0 beside others
    bool moves_affine = false; // invites to move γ and β: it is the same story with others
};
std::span<const FlowStory> flow_stories();

// The story called `id`, or an error that lists the ids.
Result<const FlowStory*> find_story(std::string_view id);

// A story told to one who has `before`. What they have pinned themselves stays pinned behind the
// story's stacks, as far as there is room, and with its look. Not under one γ and β for all: that
// would change stacks which are no part of the story.
struct ToldStory {
    FlowSetup setup;
    std::size_t left_out = 0; // of their own
};
ToldStory tell(const FlowStory& story, const FlowSetup& before);

// Whether a story has pinned it, and nobody has made it their own by another name.
bool is_of_a_story(const PinnedStack& pin);

// The story that the present stack of `setup` and some of the pinned ones are those of; null: none.
// Seeds, names and what is shown make no other story of it, nor do stacks that are pinned besides.
const FlowStory* told_story(const FlowSetup& setup);

} // namespace normscope
