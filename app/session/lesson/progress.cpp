#include "app/session/lesson/progress.h"

#include "app/session/json_reader.h"

#include <charconv>
#include <utility>

namespace normscope {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Json json_of(const StepAnswer& answer) {
    return {{"tries", answer.tries},
            {"right", answer.right},
            {"first_right", answer.first_right},
            {"hints", answer.hints},
            {"done", answer.done}};
}

StepAnswer read_answer(const JsonPlace& place) {
    StepAnswer out;
    read_some(place, {{"tries", out.tries, list_of(read_string)},
                      {"right", out.right, read_flag},
                      {"first_right", out.first_right, read_flag},
                      {"hints", out.hints, read_small},
                      {"done", out.done, read_flag}});
    return out;
}

LessonRecord read_record(const JsonPlace& place) {
    LessonRecord out;
    read_some(place, {{"step", out.step, read_small}, {"finished", out.finished, read_flag}});
    const auto answers = place.find("answers");
    if (!answers || !answers->json.is_object()) return out;
    for (const auto& [key, answer] : answers->json.items()) {
        std::size_t step = 0;
        if (std::from_chars(key.data(), key.data() + key.size(), step).ec == std::errc())
            out.answers[step] = read_answer({answer, place.file});
    }
    return out;
}

} // namespace

void LessonProgress::load(const fs::path& folder) {
    if (folder.empty()) return;
    file_ = folder / "lessons.json";
    const std::string name = file_.string();
    const Json json = load_kept(file_);
    for (const auto& item : json.items())
        if (item.value().is_object())
            if (auto record = reading([&] { return read_record({item.value(), name}); }))
                records_[item.key()] = std::move(*record);
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
    Json json = Json::object();
    for (const auto& [lesson, record] : records_) {
        Json answers = Json::object();
        for (const auto& [step, answer] : record.answers)
            answers[std::to_string(step)] = json_of(answer);
        json[lesson] = {
            {"step", record.step}, {"finished", record.finished}, {"answers", std::move(answers)}};
    }
    keep_json(file_, json);
}

} // namespace normscope
