#include "app/session/lesson/lesson_json.h"

#include "app/io/file.h"
#include "app/language/language.h"
#include "app/session/document_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace normscope {

namespace {

namespace fs = std::filesystem;

using Texts = std::vector<std::string>;

Result<void> need(const JsonPlace& place, std::initializer_list<const char*> keys) {
    for (const char* key : keys)
        if (!place.find(key)) return place.wrong(fmt::format("\"{}\" is missing", key));
    return {};
}

// The first that failed.
Result<void> all_of(std::initializer_list<Result<void>> results) {
    for (const Result<void>& one : results)
        if (!one) return one;
    return {};
}

Result<std::string> read_words(const JsonPlace& place) {
    auto text = read_string(place);
    if (text && text->empty()) return place.wrong("the text is empty: leave the key out");
    return text;
}

// What is read to a person, in the language that is spoken.
Result<std::string> read_prose(const JsonPlace& place) {
    return read_words(place).map(
        [](const std::string& english) { return std::string(tr(english)); });
}

Result<Texts> read_prose_list(const JsonPlace& place) {
    return list_of<std::string>([](const JsonPlace& at, std::size_t) { return read_prose(at); })(
        place);
}

Result<Texts> read_texts(const JsonPlace& place) {
    return list_of<std::string>([](const JsonPlace& at, std::size_t) { return read_words(at); })(
        place);
}

// An expression, or a number that stands for one.
Result<std::string> read_amount(const JsonPlace& place) {
    if (place.json.is_number()) return fmt::format("{}", place.json.get<double>());
    if (place.json.is_string()) return read_words(place);
    return place.expected("a number or an expression in quotation marks");
}

Result<double> read_tolerance(const JsonPlace& place) {
    auto value = read_number(place);
    if (value && !(*value >= 0)) return place.expected("a number from 0 on");
    return value;
}

Result<LessonCondition> read_condition(const JsonPlace& place,
                                       std::vector<std::string_view> others = {}) {
    using Kind = LessonCondition::Kind;
    constexpr std::pair<const char*, Kind> k_kinds[] = {{"value", Kind::amount},
                                                        {"setting", Kind::setting},
                                                        {"token", Kind::token},
                                                        {"feature", Kind::feature},
                                                        {"workspace", Kind::workspace}};
    std::vector<std::string_view> known = std::move(others);
    known.insert(known.end(), {"value", "setting", "token", "feature", "workspace", "is", "within",
                               "below", "above"});
    if (auto ok = check_keys(place, known); !ok) return tl::unexpected(ok.error());
    LessonCondition out;
    int kinds = 0;
    for (const auto& [key, kind] : k_kinds) {
        const auto at = place.find(key);
        if (!at) continue;
        auto subject = read_words(*at);
        if (!subject) return tl::unexpected(subject.error());
        out.kind = kind;
        out.subject = std::move(*subject);
        ++kinds;
    }
    if (kinds != 1)
        return place.wrong("expected one of \"value\", \"setting\", \"token\", \"feature\" and "
                           "\"workspace\"");
    const auto is = place.find("is");
    if (out.kind == Kind::setting) {
        if (!is) return place.wrong("\"is\" is missing: what the setting is to be");
        out.value = is->json;
        return out;
    }
    if (out.kind != Kind::amount) return out;
    if (auto ok = all_of({read_optional(place, "is", out.is, read_amount),
                          read_optional(place, "below", out.below, read_amount),
                          read_optional(place, "above", out.above, read_amount),
                          read_optional(place, "within", out.within, read_tolerance)});
        !ok)
        return tl::unexpected(ok.error());
    if (out.is.empty() && out.below.empty() && out.above.empty())
        return place.wrong("expected \"is\", \"below\" or \"above\" beside \"value\"");
    return out;
}

Result<LessonClaim> read_claim(const JsonPlace& place) {
    auto condition = read_condition(place, {"at"});
    if (!condition) return tl::unexpected(condition.error());
    LessonClaim claim{std::move(*condition), false};
    if (const auto at = place.find("at")) {
        if (at->json != "start" && at->json != "end") return at->expected("\"start\" or \"end\"");
        claim.at_start = at->json == "start";
    }
    return claim;
}

Result<LessonAct> read_act(const JsonPlace& place) {
    if (auto ok = check_keys(place, {"click", "enter", "into", "cell", "undo"}); !ok)
        return tl::unexpected(ok.error());
    LessonAct act;
    const auto click = place.find("click"), enter = place.find("enter"), undo = place.find("undo");
    if ((click ? 1 : 0) + (enter ? 1 : 0) + (undo ? 1 : 0) != 1)
        return place.wrong("expected one of \"click\", \"enter\" and \"undo\"");
    if (undo) {
        act.kind = LessonAct::Kind::undo;
        return act;
    }
    if (enter) {
        act.kind = LessonAct::Kind::enter;
        if (auto ok = need(place, {"into"}); !ok) return tl::unexpected(ok.error());
    }
    Texts cell;
    if (auto ok = all_of({read_optional(place, enter ? "into" : "click", act.target, read_words),
                          read_optional(place, "enter", act.text, read_words),
                          read_optional(place, "cell", cell, read_texts)});
        !ok)
        return tl::unexpected(ok.error());
    if (!cell.empty()) {
        if (cell.size() != 2) return place.find("cell")->expected("a token's and a feature's name");
        act.token = cell[0];
        act.feature = cell[1];
    }
    return act;
}

Result<LessonStart> read_start(const JsonPlace& place) {
    if (auto ok = check_keys(place, {"example", "document", "workspace", "token", "feature"}); !ok)
        return tl::unexpected(ok.error());
    LessonStart out;
    if (const auto document = place.find("document")) {
        if (!document->json.is_object()) return document->expected("an object in braces");
        out.document = document->json;
    }
    if (auto ok = all_of({read_optional(place, "example", out.example, read_words),
                          read_optional(place, "workspace", out.workspace, read_words),
                          read_optional(place, "token", out.token, read_words),
                          read_optional(place, "feature", out.feature, read_words)});
        !ok)
        return tl::unexpected(ok.error());
    return out;
}

Result<LessonOption> read_option(const JsonPlace& place, std::size_t) {
    if (auto ok = check_keys(place, {"text", "right", "feedback", "not_chosen"}); !ok)
        return tl::unexpected(ok.error());
    LessonOption out;
    if (auto ok = all_of({need(place, {"text", "feedback"}),
                          read_optional(place, "text", out.key, read_words),
                          read_optional(place, "right", out.right, read_flag),
                          read_optional(place, "feedback", out.feedback, read_prose),
                          read_optional(place, "not_chosen", out.not_chosen, read_prose)});
        !ok)
        return tl::unexpected(ok.error());
    out.text = tr(out.key);
    return out;
}

Result<LessonPrediction> read_prediction(const JsonPlace& place) {
    if (auto ok = check_keys(place, {"question", "choices", "number", "cell", "in", "within",
                                     "relative", "right", "wrong"});
        !ok)
        return tl::unexpected(ok.error());
    LessonPrediction out;
    const auto choices = place.find("choices");
    const bool number = place.find("number").has_value(), cell = place.find("cell").has_value();
    if ((choices ? 1 : 0) + number + cell != 1)
        return place.wrong("expected one of \"choices\", \"number\" and \"cell\"");
    if (auto ok = all_of(
            {need(place, {"question"}), read_optional(place, "question", out.question, read_prose),
             read_optional(place, "choices", out.options, list_of<LessonOption>(read_option)),
             read_optional(place, number ? "number" : "cell", out.value, read_amount),
             read_optional(place, "in", out.target, read_words),
             read_optional(place, "within", out.within, read_tolerance),
             read_optional(place, "relative", out.relative, read_flag),
             read_optional(place, "right", out.right, read_prose),
             read_optional(place, "wrong", out.wrong, read_prose)});
        !ok)
        return tl::unexpected(ok.error());
    if (choices) {
        if (out.options.size() < 2) return choices->wrong("expected at least two choices");
        if (std::ranges::none_of(out.options, &LessonOption::right))
            return choices->wrong("no choice is right: give one \"right\": true");
        return out;
    }
    out.kind = number ? LessonPrediction::Kind::number : LessonPrediction::Kind::cell;
    if (auto ok = need(place, {"right", "wrong"}); !ok) return tl::unexpected(ok.error());
    if (cell)
        if (auto ok = need(place, {"in"}); !ok) return tl::unexpected(ok.error());
    return out;
}

Result<LessonTask> read_task(const JsonPlace& place) {
    if (auto ok = check_keys(place, {"text", "done", "now", "hints", "solution"}); !ok)
        return tl::unexpected(ok.error());
    LessonTask out;
    const auto condition = [](const JsonPlace& at, std::size_t) { return read_condition(at); };
    const auto act = [](const JsonPlace& at, std::size_t) { return read_act(at); };
    if (auto ok =
            all_of({need(place, {"text", "done", "solution"}),
                    read_optional(place, "text", out.text, read_prose),
                    read_optional(place, "done", out.done, list_of<LessonCondition>(condition)),
                    read_optional(place, "now", out.now, read_prose),
                    read_optional(place, "hints", out.hints, read_prose_list),
                    read_optional(place, "solution", out.solution, list_of<LessonAct>(act))});
        !ok)
        return tl::unexpected(ok.error());
    if (out.done.empty())
        return place.find("done")->wrong("the list is empty: what completes the task?");
    return out;
}

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
            shelf.problems.push_back(lesson.error().message);
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

Result<Lesson> find_lesson(const std::vector<Lesson>& lessons, std::string_view id) {
    std::string ids;
    for (const Lesson& lesson : lessons) {
        if (lesson.id == id) return lesson;
        ids += (ids.empty() ? "" : ", ") + lesson.id;
    }
    return fail(worded("there is no lesson \"{}\"; there are {}", id, ids));
}

Result<Document> lesson_document(const Lesson& lesson, std::size_t index,
                                 const std::vector<Example>& examples) {
    const LessonStart& start = *lesson.steps[index].start;
    const std::string file = lesson.file.string();
    const std::string pointer = fmt::format("/steps/{}/start/document", index);
    if (start.example.empty()) {
        auto document = read_document({start.document, file, pointer});
        if (document && document->title.empty()) document->title = lesson.title;
        return document;
    }
    const auto example = find_example(examples, start.example);
    auto document = example ? open_example(*example) : tl::unexpected(example.error());
    if (!document)
        return fail(
            worded("{}: at /steps/{}/start/example: {}", file, index, document.error().message));
    if (start.document.is_null()) return document;
    auto json = parse_json(write_session(*document), file);
    if (!json) return tl::unexpected(json.error());
    json->merge_patch(start.document);
    return read_document({*json, file, pointer});
}

Index lesson_token(const LessonStart& start, const std::vector<Example>& examples) {
    const auto example = find_example(examples, start.example);
    return example ? example->token : 0;
}

} // namespace normscope
