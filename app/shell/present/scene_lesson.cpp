#include "app/language/language.h"
#include "app/lessons/lesson_text.h"
#include "app/model/edit.h"
#include "app/session/document_json.h"
#include "app/session/session_file.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/lessons/play_lesson.h"
#include "app/shell/present/scenes.h"
#include "core/base/lists.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace normscope {
namespace {

using OrderedJson = nlohmann::ordered_json;

// The words without braces, stars and backticks, where a lesson's text could not read these.
std::string readable_words(std::string text, const LessonScope& scope) {
    if (lesson_text_problems(lesson_text(text, scope)).empty()) return text;
    std::string out;
    for (const char c : text) {
        if (c == '*' && out.ends_with('*')) continue;
        out += c == '{' ? '(' : c == '}' ? ')' : c == '`' ? '\'' : c;
    }
    return out;
}

// The patch makes the whole document of one that begins so.
nlohmann::json patch_from(const LessonStart& start, const nlohmann::json& whole,
                          const std::vector<Example>& examples) {
    const auto from = lesson_start_json(start, examples);
    return from ? patch_of(*from, whole) : whole;
}

bool has_weights(const nlohmann::json& patch) {
    return patch.contains(nlohmann::json::json_pointer("/transformer/weights"));
}

OrderedJson start_of(const Scene& scene, const std::vector<Example>& examples) {
    OrderedJson start;
    const nlohmann::json whole = nlohmann::json::parse(write_session(scene.document));
    LessonStart from;
    if (const Example* const example = find_in(examples, scene.document.title, &Example::title))
        if (const auto opened = open_example(*example); opened && opened->x == scene.document.x)
            from.example = example->id;
    nlohmann::json patch = patch_from(from, whole, examples);
    for (const Example& example : examples) {
        if (example.weights.empty() || !has_weights(patch)) continue;
        LessonStart trained = from;
        trained.weights = example.id;
        nlohmann::json shorter = patch_from(trained, whole, examples);
        if (has_weights(shorter)) continue;
        from = trained;
        patch = std::move(shorter);
    }
    if (!from.example.empty()) start["example"] = from.example;
    if (!from.weights.empty()) start["weights"] = from.weights;
    if (!patch.empty()) start["document"] = patch;
    start["workspace"] = scene.workspace;
    if (!scene.look.empty()) start["look"] = scene.look;
    const auto pin = [&](const char* key, std::optional<Index> at, const Names& names) {
        if (at && *at < std::ssize(names))
            if (const std::string& name = entry_at(names, *at); !name.empty()) start[key] = name;
    };
    pin("token", scene.token, *scene.document.tokens);
    pin("feature", scene.feature, *scene.document.features);
    return start;
}

// The question with its options; none where a lesson could not ask it.
std::optional<OrderedJson> prediction_of(const Scene& scene, const LessonScope& scope) {
    if (!scene.right || scene.question.empty()) return std::nullopt;
    OrderedJson choices = OrderedJson::array();
    std::set<std::string> texts;
    const std::string right = readable_words(scene.options[*scene.right], scope);
    for (const auto i : indices(scene.options)) {
        const std::string text = readable_words(scene.options[i], scope);
        if (text.empty() || !texts.insert(text).second) continue;
        choices.push_back({{"text", text},
                           {"right", text == right},
                           {"feedback", worded("The answer is “{}”.", right)}});
    }
    if (choices.size() < 2 || right.empty()) return std::nullopt;
    return OrderedJson{{"question", readable_words(scene.question, scope)}, {"choices", choices}};
}

} // namespace

std::string lesson_of_scenes(const Document& document, const std::string& id,
                             const std::vector<Example>& examples) {
    OrderedJson json{{"id", id}, {"version", k_lesson_version}, {"title", id}};
    const bool named =
        !document.title.empty() && !find_in(examples, document.title, &Example::title);
    json["question"] = named ? document.title : id;
    OrderedJson steps = OrderedJson::array();
    const Scenes& scenes = *document.scenes;
    for (const auto i : indices(scenes)) {
        const Scene& scene = scenes[i];
        const Quantities numbers(scene.document);
        const LessonScope scope{numbers, numbers};
        OrderedJson step;
        step["title"] =
            scene.name.empty() ? worded("Scene {}", i + 1) : readable_words(scene.name, scope);
        auto asked = prediction_of(scene, scope);
        step["text"] = asked || scene.question.empty() ? worded("Look at what is shown.")
                                                       : readable_words(scene.question, scope);
        step["own_words"] = true;
        step["start"] = start_of(scene, examples);
        if (!scene.panel.empty())
            step["show"] = {fmt::format("{}.{}", scene.workspace, scene.panel)};
        if (asked) step["predict"] = *std::move(asked);
        steps.push_back(std::move(step));
    }
    json["steps"] = std::move(steps);
    return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

void ask_export_lesson(App::State& s) {
    const auto accept = [](App::State& app, const std::filesystem::path& path, AtLink at_link) {
        const std::string id = path.stem().string();
        const std::string lesson = lesson_of_scenes(own_document(app), id, app.examples);
        write(app, {path}, at_link, [&] { return Result<std::string>(lesson); });
        if (!app.status_is_error) app.progress.set(id, {}); // of what stood in the file before
    };
    ask_to_write(s, "The scenes as a lesson", "my-lesson", {{"Lesson", ".json"}}, accept);
}

} // namespace normscope
