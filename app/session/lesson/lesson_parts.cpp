#include "app/session/lesson/lesson_reader.h"

#include "app/language/language.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <utility>

namespace normscope {

namespace {

Result<LessonCondition> read_condition(const JsonPlace& place,
                                       std::vector<std::string_view> others = {}) {
    using Kind = LessonCondition::Kind;
    constexpr std::pair<const char*, Kind> k_kinds[] = {
        {"value", Kind::amount},    {"setting", Kind::setting},     {"token", Kind::token},
        {"feature", Kind::feature}, {"workspace", Kind::workspace}, {"act", Kind::deed}};
    std::vector<std::string_view> known = std::move(others);
    known.insert(known.end(), {"value", "setting", "token", "feature", "workspace", "act", "is",
                               "within", "below", "above"});
    if (auto ok = check_keys(place, known); !ok) return tl::unexpected(ok.error());
    LessonCondition out;
    int kinds = 0;
    for (const auto& [key, kind] : k_kinds) {
        const auto at = place.find(key);
        if (!at) continue;
        auto subject = read_words(*at);
        if (!subject) return tl::unexpected(subject.error());
        out.kind = kind;
        out.subject = std::move(*subject);
        ++kinds;
    }
    if (kinds != 1)
        return place.wrong("expected one of \"value\", \"setting\", \"token\", \"feature\", "
                           "\"workspace\" and \"act\"");
    if (out.kind == Kind::deed &&
        std::ranges::find(k_lesson_deeds, out.subject) == std::end(k_lesson_deeds))
        return place.find("act")->wrong(
            worded("“{}” is nothing that the program reports: expected one of {}", out.subject,
                   fmt::format("{}", fmt::join(k_lesson_deeds, ", "))));
    const auto is = place.find("is");
    if (out.kind == Kind::setting) {
        if (!is) return place.wrong("\"is\" is missing: what the setting is to be");
        out.value = is->json;
        return out;
    }
    if (out.kind != Kind::amount) return out;
    if (auto ok = read_some(place, {{"is", out.is, read_amount},
                                    {"below", out.below, read_amount},
                                    {"above", out.above, read_amount},
                                    {"within", out.within, read_tolerance}});
        !ok)
        return tl::unexpected(ok.error());
    if (out.is.empty() && out.below.empty() && out.above.empty())
        return place.wrong("expected \"is\", \"below\" or \"above\" beside \"value\"");
    return out;
}

Result<LessonAct> read_act(const JsonPlace& place) {
    if (auto ok = check_keys(place, {"click", "enter", "into", "cell", "undo"}); !ok)
        return tl::unexpected(ok.error());
    LessonAct act;
    const auto click = place.find("click"), enter = place.find("enter"), undo = place.find("undo");
    if ((click ? 1 : 0) + (enter ? 1 : 0) + (undo ? 1 : 0) != 1)
        return place.wrong("expected one of \"click\", \"enter\" and \"undo\"");
    if (undo) {
        act.kind = LessonAct::Kind::undo;
        return act;
    }
    if (enter) {
        act.kind = LessonAct::Kind::enter;
        if (auto ok = need(place, {"into"}); !ok) return tl::unexpected(ok.error());
    }
    std::vector<std::string> cell;
    if (auto ok = read_some(place, {{enter ? "into" : "click", act.target, read_words},
                                    {"enter", act.text, read_words},
                                    {"cell", cell, read_texts}});
        !ok)
        return tl::unexpected(ok.error());
    if (!cell.empty()) {
        if (cell.size() != 2) return place.find("cell")->expected("a token's and a feature's name");
        act.token = cell[0];
        act.feature = cell[1];
    }
    return act;
}

} // namespace

Result<void> need(const JsonPlace& place, std::initializer_list<const char*> keys) {
    for (const char* key : keys)
        if (!place.find(key)) return place.wrong(fmt::format("\"{}\" is missing", key));
    return {};
}

Result<std::string> read_words(const JsonPlace& place) {
    auto text = read_string(place);
    if (text && text->empty()) return place.wrong("the text is empty: leave the key out");
    return text;
}

Result<std::vector<std::string>> read_texts(const JsonPlace& place) {
    return list_of<std::string>(read_words)(place);
}

Result<std::string> read_prose(const JsonPlace& place) {
    return read_words(place).map(
        [](const std::string& english) { return std::string(tr(english)); });
}

Result<std::string> read_amount(const JsonPlace& place) {
    if (place.json.is_number()) return fmt::format("{}", place.json.get<double>());
    if (place.json.is_string()) return read_words(place);
    return place.expected("a number or an expression in quotation marks");
}

Result<double> read_tolerance(const JsonPlace& place) {
    auto value = read_number(place);
    if (value && !(*value >= 0)) return place.expected("a number from 0 on");
    return value;
}

Result<LessonClaim> read_claim(const JsonPlace& place) {
    auto condition = read_condition(place, {"at"});
    if (!condition) return tl::unexpected(condition.error());
    LessonClaim claim{std::move(*condition), false};
    if (const auto at = place.find("at")) {
        if (at->json != "start" && at->json != "end") return at->expected("\"start\" or \"end\"");
        claim.at_start = at->json == "start";
    }
    return claim;
}

Result<LessonStart> read_start(const JsonPlace& place) {
    LessonStart out;
    const auto read_patch = [](const JsonPlace& at) -> Result<nlohmann::json> {
        if (!at.json.is_object()) return at.expected("an object in braces");
        return at.json;
    };
    return read_members(place, {{"document", out.document, read_patch},
                                {"example", out.example, read_words},
                                {"workspace", out.workspace, read_words},
                                {"token", out.token, read_words},
                                {"feature", out.feature, read_words}})
        .map([&] { return std::move(out); });
}

Result<LessonTask> read_task(const JsonPlace& place) {
    LessonTask out;
    const auto condition = [](const JsonPlace& at) { return read_condition(at); };
    if (auto ok =
            read_members(place, {needed("text", out.text, read_prose),
                                 needed("done", out.done, list_of<LessonCondition>(condition)),
                                 {"now", out.now, read_prose},
                                 {"hints", out.hints, list_of<std::string>(read_prose)},
                                 needed("solution", out.solution, list_of<LessonAct>(read_act))});
        !ok)
        return tl::unexpected(ok.error());
    if (out.done.empty())
        return place.find("done")->wrong("the list is empty: what completes the task?");
    return out;
}

} // namespace normscope
