#include "app/session/lesson/lesson_reader.h"

#include <algorithm>

namespace normscope {

namespace {

Result<LessonOption> read_option(const JsonPlace& place, std::size_t) {
    if (auto ok = check_keys(place, {"text", "right", "feedback", "not_chosen"}); !ok)
        return tl::unexpected(ok.error());
    LessonOption out;
    if (auto ok = all_of({need(place, {"text", "feedback"}),
                          read_optional(place, "text", out.text, read_words),
                          read_optional(place, "right", out.right, read_flag),
                          read_optional(place, "feedback", out.feedback, read_words),
                          read_optional(place, "not_chosen", out.not_chosen, read_words)});
        !ok)
        return tl::unexpected(ok.error());
    return out;
}

} // namespace

Result<LessonPrediction> read_prediction(const JsonPlace& place) {
    if (auto ok = check_keys(place, {"question", "choices", "number", "cell", "in", "within",
                                     "relative", "right", "wrong"});
        !ok)
        return tl::unexpected(ok.error());
    LessonPrediction out;
    const auto choices = place.find("choices");
    const bool number = place.find("number").has_value(), cell = place.find("cell").has_value();
    if ((choices ? 1 : 0) + number + cell != 1)
        return place.wrong("expected one of \"choices\", \"number\" and \"cell\"");
    if (auto ok = all_of(
            {need(place, {"question"}), read_optional(place, "question", out.question, read_words),
             read_optional(place, "choices", out.options, list_of<LessonOption>(read_option)),
             read_optional(place, number ? "number" : "cell", out.value, read_amount),
             read_optional(place, "in", out.target, read_words),
             read_optional(place, "within", out.within, read_tolerance),
             read_optional(place, "relative", out.relative, read_flag),
             read_optional(place, "right", out.right, read_words),
             read_optional(place, "wrong", out.wrong, read_words)});
        !ok)
        return tl::unexpected(ok.error());
    if (choices) {
        if (out.options.size() < 2) return choices->wrong("expected at least two choices");
        if (std::ranges::none_of(out.options, &LessonOption::right))
            return choices->wrong("no choice is right: give one \"right\": true");
        return out;
    }
    out.kind = number ? LessonPrediction::Kind::number : LessonPrediction::Kind::cell;
    if (auto ok = need(place, {"right", "wrong"}); !ok) return tl::unexpected(ok.error());
    if (cell)
        if (auto ok = need(place, {"in"}); !ok) return tl::unexpected(ok.error());
    return out;
}

} // namespace normscope
