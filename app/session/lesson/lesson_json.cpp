#include "app/session/lesson/lesson.h"

#include "app/session/archive.h"
#include "core/base/lists.h"
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

// A text that is not empty.
std::string read_words(const JsonPlace& place) {
    std::string text = read_string(place);
    if (text.empty()) place.wrong("the text is empty: leave the key out");
    return text;
}

const auto read_texts = list_of(read_words);

// A text that a person reads, in the language that is spoken.
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

// The only one of these keys that is there, with its kind. Error: `expected`, which lists the keys.
template<class Kind, std::size_t n>
const std::pair<const char*, Kind>& only_one(const JsonPlace& place,
                                             const std::pair<const char*, Kind> (&kinds)[n],
                                             const char* expected) {
    const auto there = [&](const auto& kind) { return place.find(kind.first).has_value(); };
    if (std::ranges::count_if(kinds, there) != 1) place.wrong(expected);
    return *std::ranges::find_if(kinds, there);
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
        Reader reader(at);
        reader.need(text, out.key, read_words);
        reader.need(value, out.value, read_amount);
        reader.only();
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
    Reader reader(place);
    reader.need("points", out.items, items_of("at", "is", k_most_points));
    reader.need("from", axis.from);
    reader.need("to", axis.to);
    reader("log", axis.log);
    reader("title", axis.title, read_prose);
    reader.only();
    if (!(axis.from < axis.to)) place.wrong("expected \"from\" to be less than \"to\"");
    if (axis.log && !(axis.from > 0))
        place.wrong("a logarithmic axis begins above 0: expected \"from\" to be more");
}

} // namespace

// The parts of a lesson, each as its object says it.
static void archive(Reader& reader, LessonCondition& out) {
    using Kind = LessonCondition::Kind;
    constexpr std::pair<const char*, Kind> k_kinds[] = {
        {"value", Kind::amount},    {"setting", Kind::setting},     {"token", Kind::token},
        {"feature", Kind::feature}, {"workspace", Kind::workspace}, {"act", Kind::deed}};
    const JsonPlace& place = reader.place;
    const auto& [key, kind] = only_one(place, k_kinds,
                                       "expected one of \"value\", \"setting\", \"token\", "
                                       "\"feature\", \"workspace\" and \"act\"");
    reader(key, out.subject, read_words);
    out.kind = kind;
    if (out.kind == Kind::deed && !find_in(k_lesson_deeds, out.subject))
        place.find("act")->wrong(
            worded("“{}” is nothing that the program reports: expected one of {}", out.subject,
                   joined(k_lesson_deeds)));
    if (out.kind == Kind::setting) {
        const auto is = reader.find("is");
        if (!is) place.wrong("\"is\" is missing: what the setting is to be");
        check_setting(out.subject, *is);
        out.value = is->json;
    }
    if (out.kind != Kind::amount) return;
    reader("is", out.is, read_amount);
    reader("below", out.below, read_amount);
    reader("above", out.above, read_amount);
    reader("within", out.within, read_tolerance);
    if (out.is.empty() && out.below.empty() && out.above.empty())
        place.wrong("expected \"is\", \"below\" or \"above\" beside \"value\"");
}

static void archive(Reader& reader, LessonClaim& claim) {
    archive(reader, claim.condition);
    if (const auto at = reader.find("at")) {
        if (at->json != "start" && at->json != "end") at->expected("\"start\" or \"end\"");
        claim.at_start = at->json == "start";
    }
}

static void archive(Reader& reader, LessonStart& out) {
    const auto read_patch = [](const JsonPlace& at) {
        if (!at.json.is_object()) at.expected("an object in braces");
        return at.json;
    };
    reader("document", out.document, read_patch);
    reader("example", out.example, read_words);
    reader("weights", out.weights, read_words);
    reader("workspace", out.workspace, read_words);
    reader("token", out.token, read_words);
    reader("feature", out.feature, read_words);
    reader("look", out.look);
}

static void archive(Reader& reader, LessonAct& act) {
    using Kind = LessonAct::Kind;
    constexpr std::pair<const char*, Kind> k_kinds[] = {
        {"click", Kind::click}, {"enter", Kind::enter}, {"undo", Kind::undo}};
    act.kind =
        only_one(reader.place, k_kinds, "expected one of \"click\", \"enter\" and \"undo\"").second;
    std::vector<std::string> cell;
    if (act.kind == Kind::undo) (void)reader.find("undo");
    if (act.kind == Kind::click) reader("click", act.target, read_words);
    if (act.kind == Kind::enter) {
        reader("enter", act.text, read_words);
        reader.need("into", act.target, read_words);
    }
    if (act.kind != Kind::undo) reader("cell", cell, read_texts);
    reader.only();
    if (cell.empty()) return;
    if (cell.size() != 2) reader.place.find("cell")->expected("a token's and a feature's name");
    act.token = cell[0];
    act.feature = cell[1];
}

static void archive(Reader& reader, LessonTask& out) {
    reader.need("text", out.text, read_prose);
    reader.need("done", out.done);
    reader("now", out.now, read_prose);
    reader("hints", out.hints, list_of(read_prose));
    reader.need("solution", out.solution);
    reader.only();
    if (out.done.empty())
        reader.place.find("done")->wrong("the list is empty: what completes the task?");
}

static void archive(Reader& reader, LessonOption& out) {
    reader.need("text", out.key, read_words);
    reader("right", out.right);
    reader.need("feedback", out.feedback, read_prose);
    reader("not_chosen", out.not_chosen, read_prose);
    out.text = tr(out.key);
}

static void archive(Reader& reader, LessonPrediction& out) {
    using Kind = LessonPrediction::Kind;
    const JsonPlace& place = reader.place;
    constexpr std::pair<const char*, Kind> k_kinds[] = {{"choices", Kind::choice},
                                                        {"number", Kind::number},
                                                        {"cell", Kind::cell},
                                                        {"order", Kind::order},
                                                        {"sketch", Kind::sketch}};
    out.kind = only_one(place, k_kinds,
                        "expected one of \"choices\", \"number\", \"cell\", \"order\" and "
                        "\"sketch\"")
                   .second;
    const bool written = out.kind != Kind::choice; // feedback for all answers
    reader.need("question", out.question, read_prose);
    reader("choices", out.options);
    reader("number", out.value, read_amount);
    reader("cell", out.value, read_amount);
    reader("order", out.items, items_of("text", "by", k_most_lines));
    const auto needed = [&](bool is, const char* key, auto& into, const auto& read) {
        is ? reader.need(key, into, read) : void(reader(key, into, read));
    };
    needed(out.kind == Kind::cell, "in", out.target, read_words);
    needed(out.kind == Kind::sketch, "within", out.within, read_tolerance);
    reader("relative", out.relative);
    needed(written, "right", out.right, read_prose);
    needed(written, "wrong", out.wrong, read_prose);
    const auto sketch = reader.find("sketch");
    reader.only();
    if (sketch) read_sketch(*sketch, out);
    if (out.kind == Kind::choice) {
        const JsonPlace choices = *place.find("choices");
        if (out.options.size() < 2) choices.wrong("expected at least two choices");
        check_no_twins(choices, out.options);
        if (std::ranges::none_of(out.options, &LessonOption::right))
            choices.wrong("no choice is right: give one \"right\": true");
    }
}

static void archive(Reader& reader, LessonStep& out) {
    reader.need("title", out.title, read_prose);
    reader.need("text", out.text, read_prose);
    reader("start", out.start);
    reader("ring", out.ring, read_texts);
    reader("show", out.show, read_texts);
    reader("dim", out.dim, read_texts);
    reader("lock", out.lock, read_texts);
    reader("hide", out.hide, read_texts);
    reader("cover", out.cover, read_texts);
    reader("predict", out.predict);
    reader("task", out.task);
    reader("reveal", out.reveal, read_prose);
    reader("principle", out.principle, read_prose);
    reader("expect", out.expect);
    reader("own_words", out.own_words);
    reader.only();
    if (!out.hide.empty() && !out.predict)
        reader.place.find("hide")->wrong(
            "what is hidden is shown after the prediction, but the step has no \"predict\"");
}

bool is_lesson(std::string_view bytes) {
    const auto json = nlohmann::json::parse(bytes, nullptr, false);
    return json.is_object() && json.contains("steps") && !json.contains("format");
}

Result<Lesson> read_lesson(std::string_view bytes, const std::string& file) {
    const auto read_version = [](const JsonPlace& at) {
        const Index version = read_index(at);
        if (version < 1 || version > k_lesson_version)
            at.wrong(worded("this program reads lessons of version {}, found {}", k_lesson_version,
                            version));
        return version;
    };
    return read_json(bytes, file, [&](const JsonPlace& place) {
        check_texts(place);
        Index version = 0;
        Lesson out;
        Reader reader(place);
        reader.need("version", version, read_version);
        reader.need("id", out.id, read_words);
        reader.need("title", out.title, read_prose);
        reader.need("question", out.question, read_prose);
        reader("language", out.language, read_words);
        reader("order", out.order);
        reader("minutes", out.minutes);
        reader("path", out.path);
        reader("prerequisites", out.prerequisites, read_texts);
        reader.need("steps", out.steps);
        reader.only();
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
