#include "app/session/lesson/lesson_json.h"

#include "app/io/file.h"
#include "app/language/language.h"
#include "app/session/lesson/lesson_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace normscope {

namespace {

namespace fs = std::filesystem;

Result<LessonStep> read_step(const JsonPlace& place, std::size_t) {
    if (auto ok = check_keys(place, {"title", "text", "start", "ring", "show", "dim", "lock",
                                     "hide", "predict", "task", "reveal", "principle", "expect"});
        !ok)
        return tl::unexpected(ok.error());
    LessonStep out;
    const auto claim = [](const JsonPlace& at, std::size_t) { return read_claim(at); };
    if (auto ok = all_of({need(place, {"title", "text"}),
                          read_optional(place, "title", out.title, read_prose),
                          read_optional(place, "text", out.text, read_prose),
                          read_optional(place, "start", out.start, read_start),
                          read_optional(place, "ring", out.ring, read_texts),
                          read_optional(place, "show", out.show, read_texts),
                          read_optional(place, "dim", out.dim, read_texts),
                          read_optional(place, "lock", out.lock, read_texts),
                          read_optional(place, "hide", out.hide, read_texts),
                          read_optional(place, "predict", out.predict, read_prediction),
                          read_optional(place, "task", out.task, read_task),
                          read_optional(place, "reveal", out.reveal, read_prose),
                          read_optional(place, "principle", out.principle, read_prose),
                          read_optional(place, "expect", out.expect, list_of<LessonClaim>(claim))});
        !ok)
        return tl::unexpected(ok.error());
    if (!out.hide.empty() && !out.predict)
        return place.find("hide")->wrong(
            "what is hidden is shown after the prediction, but the step has no \"predict\"");
    return out;
}

} // namespace

Result<Lesson> read_lesson(std::string_view bytes, const std::string& file) {
    const auto json = parse_json(bytes, file);
    if (!json) return tl::unexpected(json.error());
    const JsonPlace place{*json, file};
    if (auto ok = check_keys(place, {"id", "version", "title", "question", "language", "order",
                                     "minutes", "prerequisites", "steps"});
        !ok)
        return tl::unexpected(ok.error());
    const auto small = [](const JsonPlace& at) {
        return read_integer(at, 0, 1'000'000).map([](std::int64_t v) {
            return static_cast<int>(v);
        });
    };
    int version = 0;
    Lesson out;
    if (auto ok = all_of({need(place, {"id", "version", "title", "question", "steps"}),
                          read_optional(place, "version", version, small)});
        !ok)
        return tl::unexpected(ok.error());
    if (version < 1 || version > k_lesson_version)
        return place.find("version")->wrong(worded(
            "this program reads lessons of version {}, found {}", k_lesson_version, version));
    if (auto ok =
            all_of({read_optional(place, "id", out.id, read_words),
                    read_optional(place, "title", out.title, read_prose),
                    read_optional(place, "question", out.question, read_prose),
                    read_optional(place, "language", out.language, read_words),
                    read_optional(place, "order", out.order, small),
                    read_optional(place, "minutes", out.minutes, small),
                    read_optional(place, "prerequisites", out.prerequisites, read_texts),
                    read_optional(place, "steps", out.steps, list_of<LessonStep>(read_step))});
        !ok)
        return tl::unexpected(ok.error());
    if (out.steps.empty()) return place.find("steps")->wrong("a lesson has at least one step");
    const auto& first = out.steps.front().start;
    if (!first || (first->example.empty() && first->document.is_null()))
        return place.find("steps")->at(0).wrong(
            "the first step needs a \"start\" with an \"example\" or a \"document\"");
    out.file = file;
    out.letters = json->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return out;
}

Result<Lesson> load_lesson(const fs::path& file) {
    const auto bytes = read_file(file);
    if (!bytes) return tl::unexpected(bytes.error());
    return read_lesson(*bytes, file.string());
}

LessonShelf load_lessons(const fs::path& folder) {
    LessonShelf shelf;
    std::error_code code;
    std::vector<fs::path> paths;
    for (fs::directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
        if (it->path().extension() == ".json") paths.push_back(it->path());
    std::ranges::sort(paths);
    for (const fs::path& path : paths) {
        auto lesson = load_lesson(path);
        if (!lesson)
            shelf.problems.push_back(error_text(lesson.error()));
        else if (find_lesson(shelf.lessons, lesson->id))
            shelf.problems.push_back(
                worded("{}: the id \"{}\" is taken by another file of this folder; give it "
                       "one of its own",
                       path.string(), lesson->id));
        else
            shelf.lessons.push_back(std::move(*lesson));
    }
    std::ranges::stable_sort(
        shelf.lessons, {}, [](const Lesson& lesson) { return std::pair(lesson.order, lesson.id); });
    return shelf;
}

WantedLesson wanted_lesson(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    std::size_t number = 0;
    if (colon == text.npos) return {std::string(text)};
    const char* const end = text.data() + text.size();
    const bool counts =
        std::from_chars(text.data() + colon + 1, end, number).ptr == end && number > 0;
    if (!counts) return {std::string(text)};
    return {std::string(text.substr(0, colon)), number - 1};
}

Result<Lesson> find_lesson(const std::vector<Lesson>& lessons, std::string_view id) {
    std::string ids;
    for (const Lesson& lesson : lessons) {
        if (lesson.id == id) return lesson;
        ids += (ids.empty() ? "" : ", ") + lesson.id;
    }
    return fail(worded("there is no lesson \"{}\"; there are {}", id, ids));
}

} // namespace normscope
