#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace normscope {

// What was done in one step.
struct StepAnswer {
    std::vector<std::string> tries; // answers that were checked, in order; kept on another try
    bool right = false;             // the last one
    bool first_right = false;
    std::size_t hints = 0; // that were asked for
    bool done = false;     // the task
    bool operator==(const StepAnswer&) const = default;
};

struct LessonRecord {
    std::size_t step = 0; // where it was left
    bool finished = false;
    std::map<std::size_t, StepAnswer> answers; // by step
    bool operator==(const LessonRecord&) const = default;
};

// What was answered in all lessons, kept in lessons.json; a file that is missing or is something
// else counts as empty.
class LessonProgress {
  public:
    // Reads `folder`/lessons.json; with an empty folder nothing is read or kept.
    void load(const std::filesystem::path& folder);

    LessonRecord of(const std::string& lesson) const;
    void set(const std::string& lesson, LessonRecord record); // and keeps it
    void forget();                                            // all of them, and keeps that
    bool empty() const { return records_.empty(); }

  private:
    void keep() const;

    std::filesystem::path file_; // lessons.json
    std::map<std::string, LessonRecord> records_;
};

} // namespace normscope
