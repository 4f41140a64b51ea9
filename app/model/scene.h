#pragma once
#include "app/model/edit.h"

#include <optional>
#include <string>

// The edits of a document's scenes. A scene shares its matrices with the document that it was kept
// of.
namespace normscope {

struct Scene {
    std::string name;                    // empty: only its number
    std::string question;                // empty: none is asked
    std::string notes;                   // for the teacher alone
    std::string workspace;               // its id
    std::string panel;                   // that is presented: the id of a figure; empty: the first
    std::optional<Index> token, feature; // pinned
    Document document;                   // has no scenes of its own
    bool operator==(const Scene&) const = default;
};

// "Scene 3: twice as large", or the number alone.
std::string scene_title(const Scenes& scenes, std::size_t index);

// In each the index is in range.
SetScenes keep_scene(const Document& document, std::size_t before, Scene scene);
SetScenes remove_scene(const Document& document, std::size_t index);
SetScenes move_scene(const Document& document, std::size_t from, std::size_t to);
SetScenes change_scene(const Document& document, std::size_t index, Scene scene);

} // namespace normscope
