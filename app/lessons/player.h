#pragma once
#include "app/lessons/answers.h"
#include "app/lessons/progress.h"
#include "app/session/lesson/lesson.h"
#include "app/study/lesson/expression.h"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace normscope {

// How the document is looked at, as far as a task may ask.
struct LessonLook {
    std::string workspace;                    // its id
    std::optional<Index> token, feature;      // pinned
    std::set<std::string, std::less<>> deeds; // of k_lesson_deeds, since the task was there to do
};

// Error: an expression cannot be read, or there is no such setting.
Result<bool> holds(const LessonCondition& condition, const LessonScope& scope,
                   const LessonLook& look);

// "gamma[d3] is 1.8, expected 2": what of it does not hold.
std::string unmet(const LessonCondition& condition, const LessonScope& scope);

// A lesson that is on: where it is, what was answered, and what of a task the document and the view
// say.
class LessonPlayer {
  public:
    LessonPlayer(Lesson lesson, LessonRecord record)
        : lesson_(std::move(lesson)), record_(std::move(record)) {}

    const Lesson& lesson() const { return lesson_; }
    const LessonStep& step() const { return lesson_.steps[at_]; }
    std::size_t at() const { return at_; }
    bool last() const { return at_ + 1 == lesson_.steps.size(); }
    const LessonRecord& record() const { return record_; }

    // Its file has changed.
    void take(Lesson lesson);

    // The step begins with this document.
    void go(std::size_t step, const Document& begins);

    // One of k_lesson_deeds was done.
    void note(std::string_view deed);
    const std::set<std::string, std::less<>>& deeds() const { return deeds_; }

    // Before each frame.
    void look_at(const Document& document, LessonLook look);
    LessonScope scope() const { return {*now_, *start_}; }

    // The prediction of this step is not made yet, or before a class not revealed.
    bool asks() const {
        return step().predict && (before_class_ ? !revealed_ : answer().tries.empty());
    }
    // What was answered before is hidden again, and nothing of it is changed.
    void face_class(bool on) {
        before_class_ = on;
        revealed_ = false;
    }
    void reveal() { revealed_ = true; }
    // An answer waits for check().
    bool can_check() const;
    void check();
    bool task_done() const { return !step().task || answer().done; }
    bool complete() const { return !asks() && task_done(); }
    // The same of any step, by what was answered; one that asks nothing counts once it was passed.
    bool complete(std::size_t step) const;
    const StepAnswer& answer() const;
    // The text of the answer that was checked last; empty: none was.
    std::string checked() const { return answer().tries.empty() ? "" : answer().tries.back(); }

    // What is being answered.
    std::optional<std::size_t> option;
    std::optional<double> number;
    LineOrder order;                      // of the lines, as they stand
    std::vector<double> heights;          // of the curve; NaN: not drawn yet
    std::size_t key_column = 0;           // of them, the one that keys move
    std::optional<std::size_t> shown_act; // of the solution, while it is being shown
    std::string cell() const;             // the pinned one, "studying, d3"; empty: none is

    // The next hint; after the last one the solution is shown on the page.
    void show_hint();
    bool shows_solution() const {
        return !asks() && !task_done() && answer().hints > step().task->hints.size();
    }
    void finish(); // with a ✓ where every step is complete
    bool take_changed() { return std::exchange(changed_, false); } // the record is to be kept

    // Right at the first try, of the predictions that were made.
    std::pair<std::size_t, std::size_t> score() const;

  private:
    void clear_answer();
    void answer_again(); // as it was checked last
    StepAnswer& own_answer() { return record_.answers[at_]; }
    std::string right_cell() const;

    Lesson lesson_;
    LessonRecord record_;
    std::size_t at_ = 0;
    std::shared_ptr<const Quantities> now_, start_;
    LessonLook look_;
    std::set<std::string, std::less<>> deeds_;
    bool changed_ = false;
    bool before_class_ = false, revealed_ = false;
};

} // namespace normscope
