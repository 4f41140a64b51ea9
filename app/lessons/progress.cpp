#include "app/lessons/progress.h"

#include "app/io/file.h"
#include "app/session/json_reader.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

namespace normscope {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::int64_t k_most = 1'000'000;

Json json_of(const StepAnswer& answer) {
    return {{"tries", answer.tries},
            {"right", answer.right},
            {"first_right", answer.first_right},
            {"hints", answer.hints},
            {"done", answer.done}};
}

Result<std::size_t> read_count(const JsonPlace& at) {
    return read_integer(at, 0, k_most).map([](std::int64_t v) {
        return static_cast<std::size_t>(v);
    });
}

Result<StepAnswer> read_answer(const JsonPlace& place) {
    StepAnswer out;
    const auto read_try = [](const JsonPlace& at, std::size_t) { return read_string(at); };
    for (const auto& ok : {read_optional(place, "tries", out.tries, list_of<std::string>(read_try)),
                           read_optional(place, "right", out.right, read_flag),
                           read_optional(place, "first_right", out.first_right, read_flag),
                           read_optional(place, "hints", out.hints, read_count),
                           read_optional(place, "done", out.done, read_flag)})
        if (!ok) return tl::unexpected(ok.error());
    return out;
}

Result<LessonRecord> read_record(const JsonPlace& place) {
    LessonRecord out;
    for (const auto& ok : {read_optional(place, "step", out.step, read_count),
                           read_optional(place, "finished", out.finished, read_flag)})
        if (!ok) return tl::unexpected(ok.error());
    const auto answers = place.find("answers");
    if (!answers || !answers->json.is_object()) return out;
    for (const auto& item : answers->json.items()) {
        std::size_t step = 0;
        const std::string& key = item.key();
        if (std::from_chars(key.data(), key.data() + key.size(), step).ec != std::errc()) continue;
        auto answer = read_answer({item.value(), place.file});
        if (!answer) return tl::unexpected(answer.error());
        out.answers[step] = std::move(*answer);
    }
    return out;
}

} // namespace

void LessonProgress::load(const fs::path& folder) {
    if (folder.empty()) return;
    file_ = folder / "lessons.json";
    std::error_code error;
    if (!fs::exists(file_, error)) return;
    const auto bytes = read_file(file_);
    if (!bytes) return;
    const std::string name = file_.string();
    const auto json = parse_json(*bytes, name);
    if (!json || !json->is_object()) return;
    for (const auto& item : json->items())
        if (item.value().is_object())
            if (auto record = read_record({item.value(), name}))
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
    if (file_.empty()) return;
    Json json = Json::object();
    for (const auto& [lesson, record] : records_) {
        Json answers = Json::object();
        for (const auto& [step, answer] : record.answers)
            answers[std::to_string(step)] = json_of(answer);
        json[lesson] = {
            {"step", record.step}, {"finished", record.finished}, {"answers", std::move(answers)}};
    }
    std::error_code error;
    fs::create_directories(file_.parent_path(), error);
    // Answers that cannot be kept are no reason to interrupt anyone. The file may be a link that
    // the user made: the answers go where it points.
    (void)write_file_atomically(fs::weakly_canonical(file_, error),
                                json.dump(2, ' ', false, Json::error_handler_t::replace));
}

} // namespace normscope
