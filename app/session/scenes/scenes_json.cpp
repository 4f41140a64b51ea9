#include "app/model/edit.h"
#include "app/session/document_json.h"

#include <array>
#include <utility>

namespace normscope {

namespace {

using Json = nlohmann::json;

constexpr std::array<std::pair<const char*, Input>, 4> k_matrices{
    {{"x", Input::x}, {"f", Input::f}, {"dy", Input::dy}, {"target", Input::target}}};

// All but the matrices, as a session has it.
Json settings_json(Document d) {
    d.scenes = {};
    return Json::parse(write_settings(d));
}

Json matrix_json(const Matrix<double>& m) {
    if (m.size() == 0) return nullptr;
    Json rows = Json::array();
    for (Index r = 0; r < m.rows(); ++r)
        rows.push_back(Json(std::vector<double>(m.row(r).begin(), m.row(r).end())));
    return rows;
}

Json document_patch(const Document& from, const Document& to) {
    Json patch = patch_of(settings_json(from), settings_json(to));
    for (const auto& [key, input] : k_matrices)
        if (!(from.input(input) == to.input(input))) patch[key] = matrix_json(*to.input(input));
    return patch;
}

Document patched(const JsonPlace& patch, const Document& from) {
    if (!patch.json.is_object()) patch.expected("an object in braces");
    if (const auto inner = patch.find("scenes"))
        inner->wrong("a scene holds no scenes: put them into the session's own list");
    Json rest = patch.json;
    InputMatrices matrices;
    for (const auto& [key, input] : k_matrices) {
        Shared<Matrix<double>>& matrix = matrices[static_cast<std::size_t>(input)];
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

Scene read_scene(const JsonPlace& place, const Document& from) {
    Scene scene;
    scene.document = from;
    scene.document.scenes = {};
    const auto read_patch = [&](const JsonPlace& at) { return patched(at, scene.document); };
    const auto read_right = [](const JsonPlace& at) {
        return std::optional(
            static_cast<std::size_t>(read_integer(at, 0, static_cast<Index>(k_most_options) - 1)));
    };
    const auto read_look = [](const JsonPlace& at) {
        if (!at.json.is_object()) at.expected("an object in braces");
        std::map<std::string, double> look;
        for (const auto& [key, value] : at.json.items()) look[key] = read_number(*at.find(key));
        return look;
    };
    read_members(place, {{"name", scene.name, read_string},
                         {"question", scene.question, read_string},
                         {"notes", scene.notes, read_string},
                         {"workspace", scene.workspace, read_string},
                         {"panel", scene.panel, read_string},
                         {"options", scene.options, list_of(read_string)},
                         {"right", scene.right, read_right},
                         {"look", scene.look, read_look},
                         {"token", scene.token, read_index},
                         {"feature", scene.feature, read_index},
                         {"document", scene.document, read_patch}});
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

Json scenes_json(const Document& document) {
    Json list = Json::array();
    const Document* before = &document;
    for (const Scene& scene : document.scenes.list()) {
        Json entry = Json::object();
        const std::pair<const char*, const std::string*> texts[] = {{"name", &scene.name},
                                                                    {"question", &scene.question},
                                                                    {"notes", &scene.notes},
                                                                    {"workspace", &scene.workspace},
                                                                    {"panel", &scene.panel}};
        for (const auto& [key, text] : texts)
            if (!text->empty()) entry[key] = *text;
        if (!scene.options.empty()) entry["options"] = scene.options;
        if (scene.right) entry["right"] = *scene.right;
        if (!scene.look.empty()) entry["look"] = scene.look;
        if (scene.token) entry["token"] = *scene.token;
        if (scene.feature) entry["feature"] = *scene.feature;
        if (Json patch = document_patch(*before, scene.document); !patch.empty())
            entry["document"] = std::move(patch);
        list.push_back(std::move(entry));
        before = &scene.document;
    }
    return list;
}

Scenes read_scenes(const JsonPlace& place, const Document& document) {
    if (!place.json.is_array()) place.expected("a list of scenes");
    std::vector<Scene> scenes;
    for (std::size_t i = 0; i < place.json.size(); ++i)
        scenes.push_back(read_scene(place.at(i), i == 0 ? document : scenes.back().document));
    return Scenes(std::move(scenes));
}

} // namespace normscope
