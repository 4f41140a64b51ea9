#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/lessons/lesson_text.h"
#include "app/model/edit.h"
#include "app/session/document_json.h"
#include "app/session/session_file.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/lessons/play_lesson.h"
#include "app/shell/present/scenes.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace normscope {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr Index k_most_searched = 4096; // larger matrices are not searched for a number

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

// The claim about the scene's number that is written so: {"value": "z[0, 2]", "is": 3.16, "within":
// 0.005}.
std::optional<OrderedJson> claim_of(const std::string& decimal, const Quantities& numbers) {
    const auto decimals = static_cast<int>(decimal.size() - decimal.find('.') - 1);
    for (const char* name :
         {"x", "f", "z", "x_hat", "y", "mean", "var", "sigma", "gamma", "beta", "dy", "dz"}) {
        const auto found = numbers.find(name);
        if (!found || found->values.size() > k_most_searched) continue;
        for (Index r = 0; r < found->values.rows(); ++r)
            for (Index c = 0; c < found->values.cols(); ++c) {
                const double value = found->values(r, c);
                if (fixed_text(std::abs(value), decimals) != decimal) continue;
                return OrderedJson{{"value", worded("{}[{}, {}]", name, r, c)},
                                   {"is", std::copysign(std::stod(decimal), value)},
                                   {"within", 0.5 * std::pow(10.0, -decimals)}};
            }
    }
    return std::nullopt;
}

OrderedJson start_of(const Scene& scene, const std::vector<Example>& examples) {
    OrderedJson start;
    const nlohmann::json whole = nlohmann::json::parse(write_session(scene.document));
    const auto example = std::ranges::find(examples, scene.document.title, &Example::title);
    const auto from =
        example == examples.end() ? Result<Document>(Document()) : open_example(*example);
    if (from && from->x == scene.document.x) {
        start["example"] = example->id;
        const nlohmann::json patch = patch_of(nlohmann::json::parse(write_session(*from)), whole);
        if (!patch.empty()) start["document"] = patch;
    } else {
        start["document"] = whole;
    }
    start["workspace"] = scene.workspace;
    const auto pin = [&](const char* key, std::optional<Index> at, const Names& names) {
        if (at && *at < static_cast<Index>(names.size()))
            if (const std::string& name = names[static_cast<std::size_t>(*at)]; !name.empty())
                start[key] = name;
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
    for (std::size_t i = 0; i < scene.options.size(); ++i) {
        const std::string text = readable_words(scene.options[i], scope);
        if (text.empty() || !texts.insert(text).second) continue;
        const bool is_right = text == right;
        choices.push_back({{"text", text},
                           {"right", is_right},
                           {"feedback", is_right ? worded("That is right.")
                                                 : worded("The right answer is “{}”.", right)}});
    }
    if (choices.size() < 2 || right.empty()) return std::nullopt;
    return OrderedJson{{"question", readable_words(scene.question, scope)}, {"choices", choices}};
}

// The step's texts, whose numbers the program must confirm.
std::vector<std::string> prose_of(const OrderedJson& step) {
    std::vector<std::string> all{step["title"], step["text"]};
    if (!step.contains("predict")) return all;
    all.push_back(step["predict"]["question"]);
    for (const OrderedJson& choice : step["predict"]["choices"]) {
        all.push_back(choice["text"]);
        all.push_back(choice["feedback"]);
    }
    return all;
}

// A lesson's file takes no empty text: the second words stand in for the first.
const std::string& first_words(const std::string& a, const std::string& b) {
    return a.empty() ? b : a;
}

} // namespace

SceneLesson lesson_of_scenes(const Document& document, const std::string& id,
                             const std::vector<Example>& examples) {
    SceneLesson lesson;
    OrderedJson json{{"id", id}, {"version", k_lesson_version}, {"title", id}, {"question", id}};
    OrderedJson steps = OrderedJson::array();
    const Scenes& scenes = document.scenes;
    for (std::size_t i = 0; i < scenes.size(); ++i) {
        const Scene& scene = scenes[i];
        const Quantities numbers(scene.document);
        const LessonScope scope{numbers, numbers};
        OrderedJson step;
        step["title"] = readable_words(first_words(scene.name, worded("Scene {}", i + 1)), scope);
        // A prediction asks the question itself.
        const std::string& text = scene.options.empty() ? scene.question : scene.name;
        step["text"] = readable_words(
            first_words(first_words(text, scene.name), "Look at what is shown."), scope);
        step["start"] = start_of(scene, examples);
        if (!scene.panel.empty())
            step["show"] = {fmt::format("{}.{}", scene.workspace, scene.panel)};
        if (auto asked = prediction_of(scene, scope)) step["predict"] = *std::move(asked);
        OrderedJson claims = OrderedJson::array();
        for (const std::string& prose : prose_of(step))
            for (const std::string& decimal : decimals_of(lesson_text(prose, scope))) {
                if (auto claim = claim_of(decimal, numbers))
                    claims.push_back(std::move(*claim));
                else
                    lesson.unproved.push_back(worded("scene {} says {}", i + 1, decimal));
            }
        if (!claims.empty()) step["expect"] = std::move(claims);
        if (json["question"] == json["title"] && !scene.question.empty())
            json["question"] = readable_words(scene.question, scope);
        steps.push_back(std::move(step));
    }
    json["steps"] = std::move(steps);
    lesson.bytes = json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
    return lesson;
}

void ask_export_lesson(App::State& s) {
    const auto accept = [](App::State& app, const std::filesystem::path& path, AtLink at_link) {
        const SceneLesson lesson =
            lesson_of_scenes(own_document(app), path.stem().string(), app.examples);
        write(app, {path}, at_link, [&] { return Result<std::string>(lesson.bytes); });
        if (!lesson.unproved.empty())
            app.complain(worded("The lesson is written, but {}, which none of its numbers "
                                "is: `normscope lesson check` refuses it until the words "
                                "or the scene are changed",
                                lesson.unproved.front()));
    };
    ask_to_write(s, "The scenes as a lesson", "my-lesson", {{"Lesson", ".json"}}, accept);
}

} // namespace normscope
