#include "app/session/lesson/lesson_json.h"

#include "app/io/file.h"
#include "app/language/language.h"
#include "app/session/lesson/lesson_reader.h"

#include <algorithm>
#include <charconv>
#include <fmt/ranges.h>
#include <ranges>
#include <utility>

namespace normscope {

namespace {

namespace fs = std::filesystem;

Result<LessonStep> read_step(const JsonPlace& place) {
    LessonStep out;
    if (auto ok = read_members(place, {needed("title", out.title, read_prose),
                                       needed("text", out.text, read_prose),
                                       {"start", out.start, read_start},
                                       {"ring", out.ring, read_texts},
                                       {"show", out.show, read_texts},
                                       {"dim", out.dim, read_texts},
                                       {"lock", out.lock, read_texts},
                                       {"hide", out.hide, read_texts},
                                       {"predict", out.predict, read_prediction},
                                       {"task", out.task, read_task},
                                       {"reveal", out.reveal, read_prose},
                                       {"principle", out.principle, read_prose},
                                       {"expect", out.expect, list_of<LessonClaim>(read_claim)}});
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
    const auto read_version = [](const JsonPlace& at) -> Result<int> {
        const auto version = read_small(at);
        if (version && (*version < 1 || *version > k_lesson_version))
            return at.wrong(worded("this program reads lessons of version {}, found {}",
                                   k_lesson_version, *version));
        return version;
    };
    int version = 0;
    Lesson out;
    if (auto ok = read_members(place, {needed("version", version, read_version),
                                       needed("id", out.id, read_words),
                                       needed("title", out.title, read_prose),
                                       needed("question", out.question, read_prose),
                                       {"language", out.language, read_words},
                                       {"order", out.order, read_small},
                                       {"minutes", out.minutes, read_small},
                                       {"prerequisites", out.prerequisites, read_texts},
                                       needed("steps", out.steps, list_of<LessonStep>(read_step))});
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
    for (const fs::path& path : json_files(folder, code)) {
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
    const auto found = std::ranges::find(lessons, id, &Lesson::id);
    if (found != lessons.end()) return *found;
    const auto ids =
        fmt::format("{}", fmt::join(std::views::transform(lessons, &Lesson::id), ", "));
    return fail(worded("there is no lesson \"{}\"; there are {}", id, ids));
}

} // namespace normscope
