#include "app/session/lesson/lesson.h"

#include "app/session/json_reader.h"
#include "core/base/printable.h"

#include <algorithm>
#include <fmt/ranges.h>
#include <iterator>
#include <string_view>
#include <utility>

namespace normscope {

namespace {

constexpr std::size_t k_most_lines = 8, k_most_points = 12; // that have room in the panel

// JSON takes the β of "\beta" for a backspace and "eta".
void check_texts(const JsonPlace& place) {
    if (place.json.is_string()) {
        std::string text = place.json.get<std::string>();
        std::erase(text, '\n');
        if (has_control_characters(text))
            place.wrong(
                worded("“{}” has a control character: in JSON a backslash is written twice, "
                       "as in \"\\\\beta\"",
                       printable(text)));
    } else if (place.json.is_structured()) {
        for (const auto& [key, value] : place.json.items())
            if (value.is_string() || value.is_structured())
                check_texts({value, place.file, place.pointer + "/" + key});
    }
}

// Not empty.
std::string read_words(const JsonPlace& place) {
    std::string text = read_string(place);
    if (text.empty()) place.wrong("the text is empty: leave the key out");
    return text;
}

const auto read_texts = list_of(read_words);

// What is read to a person, in the language that is spoken.
std::string read_prose(const JsonPlace& place) {
    return std::string(tr(read_words(place)));
}

// An expression, or a number that stands for one.
std::string read_amount(const JsonPlace& place) {
    if (place.json.is_number()) return fmt::format("{}", place.json.get<double>());
    if (!place.json.is_string()) place.expected("a number or an expression in quotation marks");
    return read_words(place);
}

double read_tolerance(const JsonPlace& place) {
    const double value = read_number(place);
    if (!(value >= 0)) place.expected("a number from 0 on");
    return value;
}

void need(const JsonPlace& place, const char* key) {
    if (!place.find(key)) place.wrong(fmt::format("\"{}\" is missing", key));
}

// What the only one of these keys stands for that is there, and the key; `expected` lists them.
template<class Kind, std::size_t n>
const std::pair<const char*, Kind>& only_one(const JsonPlace& place,
                                             const std::pair<const char*, Kind> (&kinds)[n],
                                             const char* expected) {
    const auto there = [&](const auto& kind) { return place.find(kind.first).has_value(); };
    if (std::ranges::count_if(kinds, there) != 1) place.wrong(expected);
    return *std::ranges::find_if(kinds, there);
}

LessonCondition read_condition(const JsonPlace& place, std::vector<std::string_view> known) {
    using Kind = LessonCondition::Kind;
    constexpr std::pair<const char*, Kind> k_kinds[] = {
        {"value", Kind::amount},    {"setting", Kind::setting},     {"token", Kind::token},
        {"feature", Kind::feature}, {"workspace", Kind::workspace}, {"act", Kind::deed}};
    LessonCondition out;
    const auto& [key, kind] = only_one(place, k_kinds,
                                       "expected one of \"value\", \"setting\", \"token\", "
                                       "\"feature\", \"workspace\" and \"act\"");
    known.push_back(key);
    if (kind == Kind::amount) known.insert(known.end(), {"is", "within", "below", "above"});
    if (kind == Kind::setting) known.push_back("is");
    check_keys(place, known);
    out.subject = read_words(*place.find(key));
    out.kind = kind;
    if (out.kind == Kind::deed &&
        std::ranges::find(k_lesson_deeds, out.subject) == std::end(k_lesson_deeds))
        place.find("act")->wrong(
            worded("“{}” is nothing that the program reports: expected one of {}", out.subject,
                   fmt::format("{}", fmt::join(k_lesson_deeds, ", "))));
    if (out.kind == Kind::setting) {
        const auto is = place.find("is");
        if (!is) place.wrong("\"is\" is missing: what the setting is to be");
        check_setting(out.subject, *is);
        out.value = is->json;
    }
    if (out.kind != Kind::amount) return out;
    read_some(place, {{"is", out.is, read_amount},
                      {"below", out.below, read_amount},
                      {"above", out.above, read_amount},
                      {"within", out.within, read_tolerance}});
    if (out.is.empty() && out.below.empty() && out.above.empty())
        place.wrong("expected \"is\", \"below\" or \"above\" beside \"value\"");
    return out;
}

LessonClaim read_claim(const JsonPlace& place) {
    LessonClaim claim{read_condition(place, {"at"}), false};
    if (const auto at = place.find("at")) {
        if (at->json != "start" && at->json != "end") at->expected("\"start\" or \"end\"");
        claim.at_start = at->json == "start";
    }
    return claim;
}

LessonStart read_start(const JsonPlace& place) {
    LessonStart out;
    const auto read_patch = [](const JsonPlace& at) {
        if (!at.json.is_object()) at.expected("an object in braces");
        return at.json;
    };
    read_members(place, {{"document", out.document, read_patch},
                         {"example", out.example, read_words},
                         {"workspace", out.workspace, read_words},
                         {"token", out.token, read_words},
                         {"feature", out.feature, read_words}});
    return out;
}

LessonAct read_act(const JsonPlace& place) {
    using Kind = LessonAct::Kind;
    constexpr std::pair<const char*, Kind> k_kinds[] = {
        {"click", Kind::click}, {"enter", Kind::enter}, {"undo", Kind::undo}};
    check_keys(place, {"click", "enter", "into", "cell", "undo"});
    LessonAct act;
    act.kind = only_one(place, k_kinds, "expected one of \"click\", \"enter\" and \"undo\"").second;
    if (act.kind == Kind::undo) return act;
    const bool enter = act.kind == Kind::enter;
    if (enter) need(place, "into");
    std::vector<std::string> cell;
    read_some(place, {{enter ? "into" : "click", act.target, read_words},
                      {"enter", act.text, read_words},
                      {"cell", cell, read_texts}});
    if (cell.empty()) return act;
    if (cell.size() != 2) place.find("cell")->expected("a token's and a feature's name");
    act.token = cell[0];
    act.feature = cell[1];
    return act;
}

LessonTask read_task(const JsonPlace& place) {
    LessonTask out;
    const auto condition = [](const JsonPlace& at) { return read_condition(at, {}); };
    read_members(place, {needed("text", out.text, read_prose),
                         needed("done", out.done, list_of(condition)),
                         {"now", out.now, read_prose},
                         {"hints", out.hints, list_of(read_prose)},
                         needed("solution", out.solution, list_of(read_act))});
    if (out.done.empty()) place.find("done")->wrong("the list is empty: what completes the task?");
    return out;
}

LessonOption read_option(const JsonPlace& place) {
    LessonOption out;
    read_members(place, {needed("text", out.key, read_words),
                         {"right", out.right, read_flag},
                         needed("feedback", out.feedback, read_prose),
                         {"not_chosen", out.not_chosen, read_prose}});
    out.text = tr(out.key);
    return out;
}

template<class Line>
void check_no_twins(const JsonPlace& place, const std::vector<Line>& lines) {
    for (auto line = lines.begin(); line != lines.end(); ++line)
        if (std::ranges::find(lines.begin(), line, line->text, &Line::text) != line)
            place.at(static_cast<std::size_t>(line - lines.begin()))
                .wrong(worded("“{}” stands twice", line->text));
}

// Two or more, each told from the others by what it is called under `text`.
auto items_of(const char* text, const char* value, std::size_t most) {
    const auto read_item = [=](const JsonPlace& at) {
        LessonItem out;
        read_members(at,
                     {needed(text, out.key, read_words), needed(value, out.value, read_amount)});
        out.text = tr(out.key);
        if (out.text.find('\n') != out.text.npos) at.wrong("expected a text of one line");
        return out;
    };
    return [=](const JsonPlace& place) {
        const std::vector<LessonItem> items = list_of(read_item)(place);
        if (items.size() < 2 || items.size() > most)
            place.expected(worded("2 to {} of them", most));
        check_no_twins(place, items);
        return items;
    };
}

void read_sketch(const JsonPlace& place, LessonPrediction& out) {
    LessonAxis& axis = out.axis;
    read_members(place, {needed("points", out.items, items_of("at", "is", k_most_points)),
                         needed("from", axis.from, read_number),
                         needed("to", axis.to, read_number),
                         {"log", axis.log, read_flag},
                         {"title", axis.title, read_prose}});
    if (!(axis.from < axis.to)) place.wrong("expected \"from\" to be less than \"to\"");
    if (axis.log && !(axis.from > 0))
        place.wrong("a logarithmic axis begins above 0: expected \"from\" to be more");
}

LessonPrediction read_prediction(const JsonPlace& place) {
    using Kind = LessonPrediction::Kind;
    check_keys(place, {"question", "choices", "number", "cell", "order", "sketch", "in", "within",
                       "relative", "right", "wrong"});
    LessonPrediction out;
    constexpr std::pair<const char*, Kind> k_kinds[] = {{"choices", Kind::choice},
                                                        {"number", Kind::number},
                                                        {"cell", Kind::cell},
                                                        {"order", Kind::order},
                                                        {"sketch", Kind::sketch}};
    out.kind = only_one(place, k_kinds,
                        "expected one of \"choices\", \"number\", \"cell\", \"order\" and "
                        "\"sketch\"")
                   .second;
    const bool cell = out.kind == Kind::cell;
    read_some(place, {needed("question", out.question, read_prose),
                      {"choices", out.options, list_of(read_option)},
                      {cell ? "cell" : "number", out.value, read_amount},
                      {"order", out.items, items_of("text", "by", k_most_lines)},
                      {"in", out.target, read_words},
                      {"within", out.within, read_tolerance},
                      {"relative", out.relative, read_flag},
                      {"right", out.right, read_prose},
                      {"wrong", out.wrong, read_prose}});
    if (out.kind == Kind::choice) {
        const JsonPlace choices = *place.find("choices");
        if (out.options.size() < 2) choices.wrong("expected at least two choices");
        check_no_twins(choices, out.options);
        if (std::ranges::none_of(out.options, &LessonOption::right))
            choices.wrong("no choice is right: give one \"right\": true");
        return out;
    }
    need(place, "right");
    need(place, "wrong");
    if (cell) need(place, "in");
    if (out.kind != Kind::sketch) return out;
    need(place, "within");
    read_sketch(*place.find("sketch"), out);
    return out;
}

LessonStep read_step(const JsonPlace& place) {
    LessonStep out;
    read_members(place, {needed("title", out.title, read_prose),
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
                         {"expect", out.expect, list_of(read_claim)}});
    if (!out.hide.empty() && !out.predict)
        place.find("hide")->wrong(
            "what is hidden is shown after the prediction, but the step has no \"predict\"");
    return out;
}

} // namespace

bool is_lesson(std::string_view bytes) {
    const auto json = nlohmann::json::parse(bytes, nullptr, false);
    return json.is_object() && json.contains("steps") && !json.contains("format");
}

Result<Lesson> read_lesson(std::string_view bytes, const std::string& file) {
    const auto read_version = [](const JsonPlace& at) {
        const int version = read_small(at);
        if (version < 1 || version > k_lesson_version)
            at.wrong(worded("this program reads lessons of version {}, found {}", k_lesson_version,
                            version));
        return version;
    };
    return read_json(bytes, file, [&](const JsonPlace& place) {
        check_texts(place);
        int version = 0;
        Lesson out;
        read_members(place, {needed("version", version, read_version),
                             needed("id", out.id, read_words),
                             needed("title", out.title, read_prose),
                             needed("question", out.question, read_prose),
                             {"language", out.language, read_words},
                             {"order", out.order, read_small},
                             {"minutes", out.minutes, read_small},
                             {"path", out.path, read_small},
                             {"prerequisites", out.prerequisites, read_texts},
                             needed("steps", out.steps, list_of(read_step))});
        if (out.steps.empty()) place.find("steps")->wrong("a lesson has at least one step");
        const auto& first = out.steps.front().start;
        if (!first || (first->example.empty() && first->document.is_null()))
            place.find("steps")->at(0).wrong(
                "the first step needs a \"start\" with an \"example\" or a \"document\"");
        out.file = file;
        out.letters = place.json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        return out;
    });
}

} // namespace normscope
