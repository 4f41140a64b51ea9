#include "app/session/lesson/lesson_reader.h"

#include "app/language/language.h"

#include <algorithm>

namespace normscope {

namespace {

constexpr std::size_t k_most_lines = 8, k_most_points = 12; // that have room in the panel

Result<LessonOption> read_option(const JsonPlace& place) {
    LessonOption out;
    if (auto ok = read_members(place, {needed("text", out.key, read_words),
                                       {"right", out.right, read_flag},
                                       needed("feedback", out.feedback, read_prose),
                                       {"not_chosen", out.not_chosen, read_prose}});
        !ok)
        return tl::unexpected(ok.error());
    out.text = tr(out.key);
    return out;
}

using Items = std::vector<LessonItem>;

// Two or more, each told from the others by what it is called under `text`.
Result<Items> read_items(const JsonPlace& place, const char* text, const char* value,
                         std::size_t most) {
    const auto read_item = [&](const JsonPlace& at) -> Result<LessonItem> {
        LessonItem out;
        if (auto ok = read_members(
                at, {needed(text, out.key, read_words), needed(value, out.value, read_amount)});
            !ok)
            return tl::unexpected(ok.error());
        out.text = tr(out.key);
        if (out.text.find('\n') != out.text.npos) return at.wrong("expected a text of one line");
        return out;
    };
    auto items = list_of<LessonItem>(read_item)(place);
    if (!items) return items;
    if (items->size() < 2 || items->size() > most)
        return place.expected(worded("2 to {} of them", most));
    for (std::size_t i = 0; i < items->size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if ((*items)[i].text == (*items)[j].text)
                return place.at(i).wrong(worded("“{}” stands twice", (*items)[i].text));
    return items;
}

Result<Items> read_lines(const JsonPlace& place) {
    return read_items(place, "text", "by", k_most_lines);
}

Result<Items> read_points(const JsonPlace& place) {
    return read_items(place, "at", "is", k_most_points);
}

Result<void> read_sketch(const JsonPlace& place, LessonPrediction& out) {
    LessonAxis& axis = out.axis;
    if (auto ok = read_members(place, {needed("points", out.items, read_points),
                                       needed("from", axis.from, read_number),
                                       needed("to", axis.to, read_number),
                                       {"log", axis.log, read_flag},
                                       {"title", axis.title, read_prose}});
        !ok)
        return ok;
    if (!(axis.from < axis.to)) return place.wrong("expected \"from\" to be less than \"to\"");
    if (axis.log && !(axis.from > 0))
        return place.wrong("a logarithmic axis begins above 0: expected \"from\" to be more");
    return {};
}

} // namespace

Result<LessonPrediction> read_prediction(const JsonPlace& place) {
    using Kind = LessonPrediction::Kind;
    if (auto ok = check_keys(place, {"question", "choices", "number", "cell", "order", "sketch",
                                     "in", "within", "relative", "right", "wrong"});
        !ok)
        return tl::unexpected(ok.error());
    LessonPrediction out;
    constexpr std::pair<const char*, Kind> k_kinds[] = {{"choices", Kind::choice},
                                                        {"number", Kind::number},
                                                        {"cell", Kind::cell},
                                                        {"order", Kind::order},
                                                        {"sketch", Kind::sketch}};
    int kinds = 0;
    for (const auto& [key, kind] : k_kinds) {
        if (!place.find(key)) continue;
        out.kind = kind;
        ++kinds;
    }
    if (kinds != 1)
        return place.wrong("expected one of \"choices\", \"number\", \"cell\", \"order\" and "
                           "\"sketch\"");
    const bool cell = out.kind == Kind::cell, sketch = out.kind == Kind::sketch;
    if (auto ok = read_some(place, {needed("question", out.question, read_prose),
                                    {"choices", out.options, list_of<LessonOption>(read_option)},
                                    {cell ? "cell" : "number", out.value, read_amount},
                                    {"order", out.items, read_lines},
                                    {"in", out.target, read_words},
                                    {"within", out.within, read_tolerance},
                                    {"relative", out.relative, read_flag},
                                    {"right", out.right, read_prose},
                                    {"wrong", out.wrong, read_prose}});
        !ok)
        return tl::unexpected(ok.error());
    if (out.kind == Kind::choice) {
        const JsonPlace choices = *place.find("choices");
        if (out.options.size() < 2) return choices.wrong("expected at least two choices");
        if (std::ranges::none_of(out.options, &LessonOption::right))
            return choices.wrong("no choice is right: give one \"right\": true");
        return out;
    }
    if (auto ok = need(place, {"right", "wrong"}); !ok) return tl::unexpected(ok.error());
    if (cell)
        if (auto ok = need(place, {"in"}); !ok) return tl::unexpected(ok.error());
    if (!sketch) return out;
    if (auto ok = need(place, {"within"}); !ok) return tl::unexpected(ok.error());
    return read_sketch(*place.find("sketch"), out).map([&] { return std::move(out); });
}

} // namespace normscope
