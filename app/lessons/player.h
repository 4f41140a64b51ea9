#pragma once
#include "app/lessons/answers.h"
#include "app/session/lesson/lesson.h"
#include "app/session/lesson/progress.h"
#include "app/study/lesson/expression.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace normscope {

// How the person looks at the document, as far as a task may ask.
struct LessonLook {
    std::string workspace;                    // the id of the open one
    std::optional<Index> token, feature;      // pinned
    std::set<std::string, std::less<>> deeds; // of k_lesson_deeds, done since the task was set
};

struct LessonCell {
    Index token = 0, feature = 0;
};

// Error: an expression cannot be read, or there is no such setting.
Result<bool> holds(const LessonCondition& condition, const LessonScope& scope,
                   const LessonLook& look);

// "gamma[d3] is 1.8, expected 2": the part of the condition that does not hold.
std::string unmet(const LessonCondition& condition, const LessonScope& scope);

// A lesson that is on: its step, its answers, and whether the document and the view complete the
// step's task.
class LessonPlayer {
  public:
    LessonPlayer(Lesson lesson, LessonRecord record, AskRace ask_race)
        : lesson_(std::move(lesson)), record_(std::move(record)), ask_race_(std::move(ask_race)) {}

    const Lesson& lesson() const { return lesson_; }
    const LessonStep& step() const { return lesson_.steps[at_]; }
    std::size_t at() const { return at_; }
    bool last() const { return at_ + 1 == lesson_.steps.size(); }
    const LessonRecord& record() const { return record_; }

    // The lesson's file has changed, and reads so now.
    void take(Lesson lesson);

    // The step begins with this document.
    void go(std::size_t step, const Document& begins);

    // The person has done one of k_lesson_deeds.
    void note(std::string_view deed);
    const std::set<std::string, std::less<>>& deeds() const { return deeds_; }

    // Takes what each frame shows, before the frame is drawn.
    void look_at(const Document& document, LessonLook look);
    LessonScope scope() const { return {*now_, *start_}; }

    // Whether the step's prediction waits: for an answer, or before a class for being revealed.
    bool asks() const {
        return step().predict && (before_class_ ? !revealed_ : answer().tries.empty());
    }
    // Before a class earlier answers are hidden; they stay in the record.
    void face_class(bool on) {
        before_class_ = on;
        revealed_ = false;
    }
    void reveal() { revealed_ = true; }
    // Whether an answer waits for check().
    bool can_check() const;
    void check();
    bool task_done() const { return !step().task || answer().done; }
    // Whether the document is as the task asks: the step reveals the numbers of such a document. A
    // task that was done may be undone, or the step opened anew.
    bool task_holds() const;
    bool complete() const { return !asks() && task_done(); }
    // Whether a step is complete, by the record: a step that asks nothing is, once it was passed.
    bool complete(std::size_t step) const;
    bool answered(std::size_t step) const; // its prediction is made, if it asks for one
    const StepAnswer& answer() const;
    // The answer that was checked last; empty: no answer was checked.
    std::string checked() const { return answer().tries.empty() ? "" : answer().tries.back(); }

    // The answer that the person is making.
    std::optional<std::size_t> option;
    std::optional<double> number;
    LineOrder order;                      // the lines, as they stand
    std::vector<double> heights;          // the curve; NaN: this point is not drawn yet
    std::size_t key_column = 0;           // the point of the curve that keys move
    std::optional<std::size_t> shown_act; // the act of the solution that is being shown
    std::string cell() const { // the pinned cell, "studying, d3"; empty: no cell is pinned
        return cell_name(pointed_cell());
    }
    // The cells of a prediction of a cell: the pinned, the checked and the right one.
    std::optional<LessonCell> pointed_cell() const;
    std::optional<LessonCell> checked_cell() const; // that was checked last
    std::optional<LessonCell> right_cell() const;

    // The next hint; after the last one the solution is shown on the page.
    void show_hint();
    bool shows_solution() const {
        return !asks() && !task_done() && answer().hints > step().task->hints.size();
    }
    void finish(); // the lesson gets its ✓ where every step is complete
    bool take_changed() { return std::exchange(changed_, false); } // the record is to be kept

    // How many predictions were right at the first try, and how many were made.
    std::pair<std::size_t, std::size_t> score() const;

  private:
    void clear_answer();
    void answer_again(); // shows the answer that was checked last
    StepAnswer& own_answer() { return record_.answers[at_]; }
    std::string cell_name(const std::optional<LessonCell>& cell) const;
    std::string made_answer() const; // as the record keeps it; empty: it is not made yet
    bool is_right() const;           // the answer that is made

    Lesson lesson_;
    LessonRecord record_;
    AskRace ask_race_;
    std::size_t at_ = 0;
    std::shared_ptr<const Quantities> now_, start_;
    LessonLook look_;
    std::set<std::string, std::less<>> deeds_;
    bool changed_ = false;
    bool before_class_ = false, revealed_ = false;
};

} // namespace normscope
