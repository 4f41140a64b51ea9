#pragma once
#include "app/model/document.h"
#include "app/session/examples.h"

#include <string>
#include <vector>

namespace normscope {

// The document's scenes as a lesson's file. A scene becomes a step: the scene's question is the
// step's text, its notes are revealed, and the step starts with its document, written as what
// differs from an example or as a whole. A decimal in its words becomes a claim about the number
// of the document that is written so.
struct SceneLesson {
    std::string bytes;
    std::vector<std::string> unproved; // "scene 2 says 3.17": `lesson check` refuses these
};
SceneLesson lesson_of_scenes(const Document& document, const std::string& id,
                             const std::vector<Example>& examples);

} // namespace normscope
