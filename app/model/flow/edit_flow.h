#pragma once
#include "app/model/document.h"

#include <string>

// What a person can do to the stacks of a document.
namespace normscope {

struct SetStack { // describe() names the setting that differs: "Blocks → 24"
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

// As apply() and describe() of edit.h. SetStack forgets what a block that is no longer there had of
// its own γ and β.
Result<Document> apply(const Document& document, const SetStack& edit);
Result<Document> apply(const Document& document, const PinStack& edit);
Result<Document> apply(const Document& document, const RestorePin& edit);
Result<Document> apply(const Document& document, const RenamePin& edit);
Result<Document> apply(const Document& document, const RemovePin& edit);
Result<Document> apply(const Document& document, const ShowPin& edit);
Result<Document> apply(const Document& document, const TellStory& edit);
std::string describe(const SetStack& edit, const Document& before);
std::string describe(const PinStack& edit, const Document& before);
std::string describe(const RestorePin& edit, const Document& before);
std::string describe(const RenamePin& edit, const Document& before);
std::string describe(const RemovePin& edit, const Document& before);
std::string describe(const ShowPin& edit, const Document& before);
std::string describe(const TellStory& edit, const Document& before);

} // namespace normscope
