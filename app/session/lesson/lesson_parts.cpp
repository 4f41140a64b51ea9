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
    if (auto ok = all_of({read_optional(place, "is", out.is, read_amount),
                          read_optional(place, "below", out.below, read_amount),
                          read_optional(place, "above", out.above, read_amount),
                          read_optional(place, "within", out.within, read_tolerance)});
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
    if (auto ok = all_of({read_optional(place, enter ? "into" : "click", act.target, read_words),
                          read_optional(place, "enter", act.text, read_words),
                          read_optional(place, "cell", cell, read_texts)});
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

Result<void> all_of(std::initializer_list<Result<void>> results) {
    for (const Result<void>& one : results)
        if (!one) return one;
    return {};
}

Result<std::string> read_words(const JsonPlace& place) {
    auto text = read_string(place);
    if (text && text->empty()) return place.wrong("the text is empty: leave the key out");
    return text;
}

Result<std::vector<std::string>> read_texts(const JsonPlace& place) {
    return list_of<std::string>([](const JsonPlace& at, std::size_t) { return read_words(at); })(
        place);
}

Result<std::string> read_prose(const JsonPlace& place) {
    return read_words(place).map(
        [](const std::string& english) { return std::string(tr(english)); });
}

Result<std::vector<std::string>> read_prose_list(const JsonPlace& place) {
    return list_of<std::string>([](const JsonPlace& at, std::size_t) { return read_prose(at); })(
        place);
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
    if (auto ok = check_keys(place, {"example", "document", "workspace", "token", "feature"}); !ok)
        return tl::unexpected(ok.error());
    LessonStart out;
    if (const auto document = place.find("document")) {
        if (!document->json.is_object()) return document->expected("an object in braces");
        out.document = document->json;
    }
    if (auto ok = all_of({read_optional(place, "example", out.example, read_words),
                          read_optional(place, "workspace", out.workspace, read_words),
                          read_optional(place, "token", out.token, read_words),
                          read_optional(place, "feature", out.feature, read_words)});
        !ok)
        return tl::unexpected(ok.error());
    return out;
}

Result<LessonTask> read_task(const JsonPlace& place) {
    if (auto ok = check_keys(place, {"text", "done", "now", "hints", "solution"}); !ok)
        return tl::unexpected(ok.error());
    LessonTask out;
    const auto condition = [](const JsonPlace& at, std::size_t) { return read_condition(at); };
    const auto act = [](const JsonPlace& at, std::size_t) { return read_act(at); };
    if (auto ok =
            all_of({need(place, {"text", "done", "solution"}),
                    read_optional(place, "text", out.text, read_prose),
                    read_optional(place, "done", out.done, list_of<LessonCondition>(condition)),
                    read_optional(place, "now", out.now, read_prose),
                    read_optional(place, "hints", out.hints, read_prose_list),
                    read_optional(place, "solution", out.solution, list_of<LessonAct>(act))});
        !ok)
        return tl::unexpected(ok.error());
    if (out.done.empty())
        return place.find("done")->wrong("the list is empty: what completes the task?");
    return out;
}

} // namespace normscope
