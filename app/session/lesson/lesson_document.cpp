#include "app/io/file.h"
#include "app/session/document_json.h"
#include "app/session/lesson/lesson.h"
#include "core/base/lists.h"

#include <algorithm>
#include <charconv>
#include <fmt/ranges.h>
#include <ranges>
#include <type_traits>
#include <utility>

namespace normscope {

namespace fs = std::filesystem;

Result<Lesson> load_lesson(const fs::path& file) {
    return read_file(file).and_then(
        [&](const std::string& bytes) { return read_lesson(bytes, file.string()); });
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
    const char* const end = text.data() + text.size();
    if (colon == text.npos || std::from_chars(text.data() + colon + 1, end, number).ptr != end ||
        number == 0)
        return {std::string(text)};
    return {std::string(text.substr(0, colon)), number - 1};
}

Result<Lesson> find_lesson(const std::vector<Lesson>& lessons, std::string_view id) {
    if (const Lesson* const found = find_in(lessons, id, &Lesson::id)) return *found;
    return fail("there is no lesson \"{}\"; there are {}", std::string(id),
                joined(lessons, &Lesson::id));
}

Result<Document> lesson_document(const Lesson& lesson, std::size_t index,
                                 const std::vector<Example>& examples) {
    const LessonStart& start = *lesson.steps[index].start;
    const std::string file = lesson.file.string();
    const std::string pointer = fmt::format("/steps/{}/start/document", index);
    const auto read = [&](const nlohmann::json& json) {
        return reading([&] { return read_document({json, file, pointer}); });
    };
    if (start.example.empty() && start.weights.empty()) {
        auto document = read(start.document);
        if (document && document->title.empty()) document->title = lesson.title;
        return document;
    }
    const auto wrong_start = [&](const Error& error) -> Result<Document> {
        return fail("{}: at /steps/{}/start/example: {}", file, index, error);
    };
    if (start.weights.empty() && start.document.is_null())
        return find_example(examples, start.example).and_then(open_example).or_else(wrong_start);
    auto json = lesson_start_json(start, examples);
    if (!json) return wrong_start(json.error());
    if (!start.document.is_null()) json->merge_patch(start.document);
    return read(*json);
}

Result<nlohmann::json> lesson_start_json(const LessonStart& start,
                                         const std::vector<Example>& examples) {
    const auto session_of = [&](const std::string& id) {
        return find_example(examples, id).and_then(open_example).and_then([&](const Document& d) {
            return parse_json(write_session(d), id);
        });
    };
    nlohmann::json json = nlohmann::json::object();
    if (!start.example.empty()) json = TRY(session_of(start.example));
    if (!start.weights.empty()) json["transformer"] = TRY(session_of(start.weights))["transformer"];
    return json;
}

Index lesson_token(const LessonStart& start, const std::vector<Example>& examples) {
    const auto example = find_example(examples, start.example);
    return example ? example->token : 0;
}

namespace {

// `use` is called with the setting's row and the struct that has it.
template<class Use>
void with_setting(const Document& document, std::string_view key, Use&& use) {
    const std::size_t dot = key.find('.');
    const std::string_view part = dot == key.npos ? std::string_view() : key.substr(0, dot);
    const std::string_view name = dot == key.npos ? key : key.substr(dot + 1);
    const auto look_in = [&](const auto& setup) {
        using S = std::remove_cvref_t<decltype(setup)>;
        for (const Field<S>& field : fields<S>())
            if (field.key == name) use(field, setup);
    };
    if (part.empty()) return look_in(document);
    for_each_part([&](const auto& p) {
        if (p.key != part) return;
        const auto& setup = document.*p.member;
        if constexpr (k_has_fields<std::remove_cvref_t<decltype(setup)>>) look_in(setup);
        if constexpr (requires { setup.stack; }) look_in(setup.stack);
        if constexpr (requires { setup.config; }) look_in(setup.config);
        if constexpr (requires { setup.common; }) look_in(setup.common);
    });
}

} // namespace

std::optional<nlohmann::json> setting_json(const Document& document, std::string_view key) {
    std::optional<nlohmann::json> found;
    with_setting(document, key, [&](const auto& field, const auto& setup) {
        found = json_of(field, field.get(setup));
    });
    return found;
}

void check_setting(std::string_view key, const JsonPlace& is) {
    bool there = false;
    with_setting(Document(), key, [&](const auto& field, const auto& setup) {
        there = true;
        if (!is.json.is_null()) (void)read_value(is, field, field.get(setup));
    });
    if (!there) is.wrong(worded("there is no setting “{}”", std::string(key)));
}

} // namespace normscope
