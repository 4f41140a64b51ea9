#pragma once
#include "app/model/document.h"

#include <string>
#include <variant>

// What a person can do to the stacks of a document.
namespace normscope {

// describe() names the setting that differs: "Blocks → 24". A block that is no longer there loses
// its own γ and β.
struct SetStack {
    StackConfig stack;
};
struct PinStack { // a copy of the present stack, named by pin_name() unless `name` is given
    std::string name;
};
struct RestorePin { // the pinned stack becomes the present one; it stays pinned
    std::size_t index;
};
struct RenamePin {
    std::size_t index;
    std::string name;
};
struct RemovePin {
    std::size_t index;
};
struct ShowPin { // or hide its curve
    std::size_t index;
    bool shown;
};
struct TellStory { // as tell() of flow_stories.h
    std::string id;
};

using FlowEdit =
    std::variant<SetStack, PinStack, RestorePin, RenamePin, RemovePin, ShowPin, TellStory>;

} // namespace normscope
