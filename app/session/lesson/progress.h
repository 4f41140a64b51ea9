#pragma once
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace normscope {

// A person's work on one step of a lesson.
struct StepAnswer {
    std::vector<std::string> tries; // the checked answers, in order; another try adds to them
    bool right = false;             // the last of them
    bool first_right = false;
    std::size_t hints = 0; // hints that the person asked for
    bool done = false;     // the task is complete
    bool operator==(const StepAnswer&) const = default;
};

struct LessonRecord {
    std::size_t step = 0; // where the person left the lesson
    bool finished = false;
    std::map<std::size_t, StepAnswer> answers; // by step
    bool operator==(const LessonRecord&) const = default;
};

// The answers of all lessons, kept in lessons.json. A file that is missing or is something else
// counts as empty.
class LessonProgress {
  public:
    // Reads `folder`/lessons.json. With an empty `folder` the answers are neither read nor kept.
    void load(const std::filesystem::path& folder);

    LessonRecord of(const std::string& lesson) const;
    void set(const std::string& lesson, LessonRecord record); // writes the file too
    void forget();                                            // empties the file too
    bool empty() const { return records_.empty(); }

  private:
    void keep() const;

    std::filesystem::path file_; // lessons.json
    std::map<std::string, LessonRecord> records_;
};

} // namespace normscope
