#include "app/model/edit.h"
#include "app/session/document_json.h"
#include "core/base/lists.h"

#include <array>
#include <utility>

namespace normscope {

namespace {

using Json = nlohmann::json;

constexpr std::pair<const char*, Input> k_matrices[] = {
    {"x", Input::x}, {"f", Input::f}, {"dy", Input::dy}, {"target", Input::target}};

Json document_patch(const Document& from, const Document& to) {
    Json patch = patch_of(settings_json(from), settings_json(to));
    for (const auto& [key, input] : k_matrices)
        if (!(from.input(input) == to.input(input)))
            patch[key] = to.input(input)->size() == 0 ? Json() : Json(json_of(*to.input(input)));
    return patch;
}

Document patched(const JsonPlace& patch, const Document& from) {
    if (!patch.json.is_object()) patch.expected("an object in braces");
    if (const auto inner = patch.find("scenes"))
        inner->wrong("a scene holds no scenes: put them into the session's own list");
    Json rest = patch.json;
    InputMatrices matrices;
    for (const auto& [key, input] : k_matrices) {
        Shared<Matrix<double>>& matrix = entry_at(matrices, input);
        matrix = from.input(input);
        const auto given = patch.find(key);
        if (!given) continue;
        rest.erase(key);
        matrix = given->json.is_null() ? Matrix<double>() : read_matrix(*given);
    }
    Json whole = settings_json(from);
    whole.merge_patch(rest);
    return read_document({whole, patch.file, patch.pointer}, &matrices);
}

// All but the document.
template<class A>
void archive(A& a, Scene& scene) {
    a("name", scene.name);
    a("question", scene.question);
    a("notes", scene.notes);
    a("workspace", scene.workspace);
    a("panel", scene.panel);
    a("options", scene.options);
    a("right", scene.right);
    a("look", scene.look);
    a("token", scene.token);
    a("feature", scene.feature);
}

Scene read_scene(const JsonPlace& place, const Document& from) {
    Scene scene;
    Reader reader(place);
    archive(reader, scene);
    scene.document = from;
    scene.document.scenes = {};
    reader("document", scene.document,
           [&](const JsonPlace& at) { return patched(at, scene.document); });
    reader.only();
    if (scene.options.size() > k_most_options)
        place.find("options")->wrong(worded("expected at most {} options", k_most_options));
    if (scene.right && *scene.right >= scene.options.size())
        place.find("right")->wrong("there is no such option: options count from 0");
    return scene;
}

} // namespace

Json patch_of(const Json& from, const Json& to) {
    Json patch = Json::object();
    for (const auto& [key, value] : from.items())
        if (!to.contains(key)) patch[key] = nullptr;
    for (const auto& [key, value] : to.items()) {
        const auto before = from.find(key);
        if (before == from.end()) {
            patch[key] = value;
        } else if (before->is_object() && value.is_object()) {
            if (Json inner = patch_of(*before, value); !inner.empty()) patch[key] = inner;
        } else if (before->dump() != value.dump()) { // -0.0 is another number than 0
            patch[key] = value;
        }
    }
    return patch;
}

nlohmann::ordered_json scenes_json(const Document& document) {
    auto list = nlohmann::ordered_json::array();
    const Document* before = &document;
    for (const Scene& scene : *document.scenes) {
        Writer entry;
        Scene said = scene;
        archive(entry, said);
        entry.put("document", document_patch(*before, scene.document));
        list.push_back(std::move(entry.out));
        before = &scene.document;
    }
    return list;
}

Scenes read_scenes(const JsonPlace& place, const Document& document) {
    if (!place.json.is_array()) place.expected("a list of scenes");
    Scenes scenes;
    const auto read = [&](const JsonPlace& at) {
        scenes.push_back(read_scene(at, scenes.empty() ? document : scenes.back().document));
        return true;
    };
    (void)list_of(read)(place);
    return scenes;
}

} // namespace normscope
