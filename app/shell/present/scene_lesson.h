#pragma once
#include "app/model/document.h"
#include "app/session/examples.h"

#include <string>
#include <vector>

namespace normscope {

// The document's scenes as a lesson's file, a step each: its question is the text, its notes are
// what is revealed, its state is where the step starts, as what differs from the example that it
// was made of or as a whole. What its words say in decimals is claimed of the number that it is.
struct SceneLesson {
    std::string bytes;
    std::vector<std::string> unproved; // "scene 2 says 3.17": `lesson check` refuses these
};
SceneLesson lesson_of_scenes(const Document& document, const std::string& id,
                             const std::vector<Example>& examples);

} // namespace normscope
