#pragma once
#include "app/model/document.h"
#include "app/session/examples.h"
#include "app/session/lesson/lesson.h"

#include <optional>
#include <string>
#include <string_view>

namespace normscope {

// One file's bytes; `file` is what messages call them. Errors name the place and what was expected;
// unknown keys are refused.
Result<Lesson> read_lesson(std::string_view bytes, const std::string& file);
Result<Lesson> load_lesson(const std::filesystem::path& file);

// Every *.json of a folder that is a lesson, by "order", then by id, and what is wrong with the
// others. No folder: no lesson.
struct LessonShelf {
    std::vector<Lesson> lessons;
    std::vector<std::string> problems;
};
LessonShelf load_lessons(const std::filesystem::path& folder);

// The lesson called `id`, or an error that lists the ids.
Result<Lesson> find_lesson(const std::vector<Lesson>& lessons, std::string_view id);

// "shortcut", "shortcut:3" (a step, from 1) or a path that ends in .json.
struct WantedLesson {
    std::string id;                       // or the path
    std::optional<std::size_t> step = {}; // from 0
    bool is_file() const { return id.ends_with(".json"); }
};
WantedLesson wanted_lesson(std::string_view text);

// Where step `index` begins, if it says so.
Result<Document> lesson_document(const Lesson& lesson, std::size_t index,
                                 const std::vector<Example>& examples);

// The token that step's example says to look at first.
Index lesson_token(const LessonStart& start, const std::vector<Example>& examples);

// A setting's value as a session has it: "norm", "batch.size", "flow.gain" (of the stack),
// "transformer.mask" (of the config). None: no setting has this key.
std::optional<nlohmann::json> setting_json(const Document& document, std::string_view key);

} // namespace normscope
