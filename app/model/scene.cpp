#include "app/model/edit.h"

#include "app/language/language.h"

#include <utility>

namespace normscope {

std::string scene_title(const Scenes& scenes, std::size_t index) {
    const std::string& name = scenes[index].name;
    return name.empty() ? worded("Scene {}", index + 1) : worded("Scene {}: {}", index + 1, name);
}

SetScenes keep_scene(const Document& d, std::size_t before, Scene scene) {
    scene.document.scenes = {};
    Scenes list = *d.scenes;
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(before), std::move(scene));
    return {std::move(list), wording("Keep scene {}", before + 1)};
}

SetScenes remove_scene(const Document& d, std::size_t index) {
    Scenes list = *d.scenes;
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
    return {std::move(list), wording("Remove scene {}", index + 1)};
}

SetScenes move_scene(const Document& d, std::size_t from, std::size_t to) {
    Scenes list = *d.scenes;
    Scene moved = std::move(list[from]);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(from));
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(to), std::move(moved));
    return {std::move(list), wording("Scene {} becomes {}", from + 1, to + 1)};
}

SetScenes change_scene(const Document& d, std::size_t index, Scene scene) {
    scene.document.scenes = {};
    Scenes list = *d.scenes;
    list[index] = std::move(scene);
    return {std::move(list), wording("Change scene {}", index + 1)};
}

} // namespace normscope
