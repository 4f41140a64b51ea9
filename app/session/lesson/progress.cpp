#include "app/session/lesson/progress.h"

#include "app/session/archive.h"

namespace normscope {

template<class A>
void archive(A& a, StepAnswer& answer) {
    a("tries", answer.tries);
    a("right", answer.right);
    a("first_right", answer.first_right);
    a("hints", answer.hints);
    a("done", answer.done);
}

template<class A>
void archive(A& a, LessonRecord& record) {
    a("step", record.step);
    a("finished", record.finished);
    a("answers", record.answers);
}

void LessonProgress::load(const std::filesystem::path& folder) {
    file_ = load_kept(folder, "lessons.json", records_);
}

LessonRecord LessonProgress::of(const std::string& lesson) const {
    const auto at = records_.find(lesson);
    return at == records_.end() ? LessonRecord() : at->second;
}

void LessonProgress::set(const std::string& lesson, LessonRecord record) {
    records_[lesson] = std::move(record);
    keep();
}

void LessonProgress::forget() {
    records_.clear();
    keep();
}

void LessonProgress::keep() const {
    normscope::keep(file_, records_);
}

} // namespace normscope
