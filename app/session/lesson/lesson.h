#pragma once
#include "app/model/document.h"
#include "app/session/examples.h"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A lesson as its file says it. Texts hold formula terms and numbers in braces (app/lessons/
// lesson_text.h); amounts are expressions over what the program computes (app/study/lesson/
// expression.h); controls and panels are named as in app/widgets/ui.h.
namespace normscope {

struct JsonPlace;

inline constexpr int k_lesson_version = 1;

// A person's acts that neither the document nor the view tells afterwards.
inline constexpr std::string_view k_lesson_deeds[] = {
    "figure-exported", "numbers-exported", "session-saved", "script-copied",
    "numbers-copied",  "undone",           "redone",        "presented"};

// A condition on the document, on the view or on a person's deeds. `kind` is that of `subject`.
struct LessonCondition {
    enum class Kind : std::uint8_t { amount, setting, token, feature, workspace, deed };
    Kind kind = Kind::amount;
    // The expression, the setting's key, a pinned name, a workspace's id, one of k_lesson_deeds.
    std::string subject;
    std::string is;           // of an amount: an expression; empty: only below or above
    double within = 0;        // of `is`
    std::string below, above; // of an amount: expressions; empty: no bound
    nlohmann::json value;     // of a setting
};

// A claim that the lesson makes in words and the program must confirm.
struct LessonClaim {
    LessonCondition condition;
    bool at_start = false; // before the task; else once it is done
};

// A hand's act on a control: a click, or a text with Enter behind it.
struct LessonAct {
    enum class Kind : std::uint8_t { click, enter, undo };
    Kind kind = Kind::click;
    std::string target;
    std::string text;           // of enter
    std::string token, feature; // of a cell of `target`; empty: the control itself
};

struct LessonStart {
    std::string example; // its id; empty: none
    std::string weights; // the id of the example whose Transformer stands in it; empty: its own
    // With an example: a patch of the example's document (RFC 7396); without one: a whole document.
    // Null: the example, or where there is none, the document as the step before left it.
    nlohmann::json document;
    std::string workspace;              // its id; empty: the one that is open
    std::string token, feature;         // pinned names; empty: as the example says
    std::map<std::string, double> look; // how the workspace is looked at, as a scene keeps it
};

struct LessonOption {
    std::string key; // the text as the file has it: answers are kept under it in every language
    std::string text;
    bool right = false;
    std::string feedback;   // when it was chosen
    std::string not_chosen; // when it was not
};

// A line to put in its place, or a point of a curve.
struct LessonItem {
    std::string key;   // the text as the file has it
    std::string text;  // of the line; below the axis
    std::string value; // an expression: what the lines are ordered by, the least first; the height
};

// The axis of the heights of a sketched curve.
struct LessonAxis {
    double from = 0, to = 1; // of its heights
    bool log = false;
    std::string title;
};

struct LessonPrediction {
    enum class Kind : std::uint8_t { choice, number, cell, order, sketch };
    Kind kind = Kind::choice;
    std::string question;
    std::vector<LessonOption> options; // of a choice
    std::vector<LessonItem> items;     // of an order and a sketch
    LessonAxis axis;                   // of a sketch
    std::string value;                 // of a number; of a cell: it is largest in the right one
    std::string target;                // of a cell: the cells to point at
    double within = 0;        // of the number, of each height; on a logarithmic axis powers of ten
    bool relative = false;    // `within` is a share of the number
    std::string right, wrong; // feedback of all but a choice
};

struct LessonTask {
    std::string text;
    std::vector<LessonCondition> done; // all of them
    std::string now;                   // how far it is, in a few signs
    std::vector<std::string> hints;    // in order
    std::vector<LessonAct> solution;
};

struct LessonStep {
    std::string title, text;
    std::optional<LessonStart> start;
    // Names. Hidden until the prediction is made; the others as long as the step lasts. Where some
    // are shown, the rest of the workspace is dimmed.
    std::vector<std::string> ring, show, dim, lock, hide, cover;
    std::optional<LessonPrediction> predict;
    std::optional<LessonTask> task;
    std::string reveal;    // once the prediction and the task are done
    std::string principle; // the same, in one sentence
    std::vector<LessonClaim> expect;
    bool own_words = false; // a person's: their decimals are no claims about the program

    // Whether the step has a document of its own; else the document of the step before goes on.
    bool begins_anew() const {
        return start && (!start->example.empty() || !start->document.is_null());
    }
};

struct Lesson {
    std::string id, title, question, language = "en";
    int order = 0;   // in the menu
    int minutes = 0; // about
    int path = 0;    // in minutes: of that path and of the longer ones; 0: of none
    std::vector<std::string> prerequisites; // ids
    std::vector<LessonStep> steps;
    std::filesystem::path file;
    std::string letters; // all that its texts are written with, for the fonts
};

// One file's bytes; `file` is what messages call them. Errors name the place and what was expected;
// unknown keys are refused.
Result<Lesson> read_lesson(std::string_view bytes, const std::string& file);
Result<Lesson> load_lesson(const std::filesystem::path& file);

// Whether a file's bytes are meant as a lesson, and not as a session.
bool is_lesson(std::string_view bytes);

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

// The document with which step `index` begins; the step must have a start.
Result<Document> lesson_document(const Lesson& lesson, std::size_t index,
                                 const std::vector<Example>& examples);

// The session of the start's examples, of which the start's `document` is a patch.
Result<nlohmann::json> lesson_start_json(const LessonStart& start,
                                         const std::vector<Example>& examples);

// The token that the start's example says to look at first; 0 without an example.
Index lesson_token(const LessonStart& start, const std::vector<Example>& examples);

// A setting's value as a session has it: "norm", "batch.size", "flow.gain" (of the stack),
// "transformer.mask" (of the config). None: no setting has this key.
std::optional<nlohmann::json> setting_json(const Document& document, std::string_view key);

// Throws the Error that names the place `is`: no setting has this key, or it cannot be this.
void check_setting(std::string_view key, const JsonPlace& is);

} // namespace normscope
