#pragma once
#include "app/session/json_reader.h"
#include "app/session/lesson/lesson.h"

#include <initializer_list>
#include <string>
#include <vector>

// What the sources that read a lesson share. Errors name the place.
namespace normscope {

Result<void> need(const JsonPlace& place, std::initializer_list<const char*> keys);

Result<std::string> read_words(const JsonPlace& place); // not empty
Result<std::vector<std::string>> read_texts(const JsonPlace& place);
// What is read to a person, in the language that is spoken.
Result<std::string> read_prose(const JsonPlace& place);
// An expression, or a number that stands for one.
Result<std::string> read_amount(const JsonPlace& place);
Result<double> read_tolerance(const JsonPlace& place);

Result<LessonStart> read_start(const JsonPlace& place);
Result<LessonPrediction> read_prediction(const JsonPlace& place);
Result<LessonTask> read_task(const JsonPlace& place);
Result<LessonClaim> read_claim(const JsonPlace& place);

} // namespace normscope
