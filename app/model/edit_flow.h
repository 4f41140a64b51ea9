#pragma once
#include "app/model/document.h"

#include <string>
#include <variant>

// What a person can do to the stacks of a document.
namespace normscope {

struct SetStack { // describe() names the setting that differs: "Blocks → 24"
    StackConfig stack;
};
struct SetFlowSeeds {
    int seeds;
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
struct LinkAffine { // one γ and β for the present stack and the pinned ones, or each its own
    bool linked;
};
struct TellStory { // as tell() of flow_stories.h
    std::string id;
};

using FlowChange = std::variant<SetStack, SetFlowSeeds, PinStack, RestorePin, RenamePin, RemovePin,
                                ShowPin, LinkAffine, TellStory>;

struct EditFlow {
    FlowChange change;
};

// As apply() and describe() of edit.h. SetStack forgets what a block that is no longer there had of
// its own γ and β.
Result<Document> apply(const Document& document, const EditFlow& edit);
std::string describe(const EditFlow& edit, const Document& before);

} // namespace normscope
