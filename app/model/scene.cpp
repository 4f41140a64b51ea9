#include "app/model/edit.h"

#include "app/language/language.h"

#include <utility>

namespace normscope {

Scenes::Scenes(std::vector<Scene> list)
    : list_(list.empty() ? nullptr : std::make_shared<const std::vector<Scene>>(std::move(list))) {}

std::size_t Scenes::size() const {
    return list_ ? list_->size() : 0;
}

const Scene& Scenes::operator[](std::size_t index) const {
    return (*list_)[index];
}

const std::vector<Scene>& Scenes::list() const {
    static const std::vector<Scene> none;
    return list_ ? *list_ : none;
}

bool Scenes::operator==(const Scenes& other) const {
    return list_ == other.list_ || list() == other.list();
}

std::string scene_title(const Scenes& scenes, std::size_t index) {
    const std::string& name = scenes[index].name;
    return name.empty() ? worded("Scene {}", index + 1) : worded("Scene {}: {}", index + 1, name);
}

SetScenes keep_scene(const Document& d, std::size_t before, Scene scene) {
    scene.document.scenes = {};
    std::vector<Scene> list = d.scenes.list();
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(before), std::move(scene));
    return {Scenes(std::move(list)), wording("Keep scene {}", before + 1)};
}

SetScenes remove_scene(const Document& d, std::size_t index) {
    std::vector<Scene> list = d.scenes.list();
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(index));
    return {Scenes(std::move(list)), wording("Remove scene {}", index + 1)};
}

SetScenes move_scene(const Document& d, std::size_t from, std::size_t to) {
    std::vector<Scene> list = d.scenes.list();
    Scene moved = std::move(list[from]);
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(from));
    list.insert(list.begin() + static_cast<std::ptrdiff_t>(to), std::move(moved));
    return {Scenes(std::move(list)), wording("Scene {} becomes {}", from + 1, to + 1)};
}

SetScenes change_scene(const Document& d, std::size_t index, Scene scene) {
    scene.document.scenes = {};
    std::vector<Scene> list = d.scenes.list();
    list[index] = std::move(scene);
    return {Scenes(std::move(list)), wording("Change scene {}", index + 1)};
}

} // namespace normscope
