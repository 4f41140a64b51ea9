#include "app/lessons/lesson_text.h"

#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "core/base/lists.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace normscope {
namespace {

using SpanLook = LessonSpan::Look;

constexpr std::pair<std::string_view, Stage> k_terms[] = {
    {"X", Stage::x},     {"x", Stage::x},      {"F(X)", Stage::f},        {"F", Stage::f},
    {"Z", Stage::z},     {"z", Stage::z},      {"x\u0302", Stage::x_hat}, {"μ", Stage::x_hat},
    {"σ", Stage::x_hat}, {"σ²", Stage::x_hat}, {"ε", Stage::x_hat},       {"Y", Stage::y},
    {"y", Stage::y},     {"γ", Stage::gamma},  {"β", Stage::beta}};

LessonSpan wrong(std::string reason) {
    return {std::move(reason), SpanLook::wrong};
}

// One value as a format like ".2f" writes it.
std::optional<std::string> formatted(double value, std::string_view format) {
    if (format.size() < 3 || format[0] != '.') return std::nullopt;
    const std::string_view count = format.substr(1, format.size() - 2);
    int digits = 0;
    for (const char c : count) {
        if (c < '0' || c > '9' || digits > 17) return std::nullopt;
        digits = 10 * digits + (c - '0');
    }
    switch (format.back()) {
    case 'f':
        return fixed_text(value, digits);
    case 'g':
        return number_text(value, digits);
    case 'e':
        return scientific_text(value, digits);
    default:
        return std::nullopt;
    }
}

LessonSpan amount(std::string_view inside, const LessonScope& scope) {
    const std::size_t colon = inside.rfind(':');
    const std::string_view format = inside.substr(colon + 1);
    const auto found = evaluate(inside.substr(0, colon), scope);
    if (!found && (scope.now.waits() || scope.start.waits())) return {"…", SpanLook::number};
    if (!found) return wrong(error_text(found.error()));
    std::string text;
    for (const auto row : indices(found->values.rows()))
        for (const auto col : indices(found->values.cols())) {
            const auto one = formatted(found->values(row, col), format);
            if (!one) return wrong(worded("“{}” is no format: expected .2f, .3g or .1e", format));
            const bool next_row = col == 0 && found->values.cols() > 1;
            text += (text.empty() ? "" : next_row ? "; " : ", ") + *one;
        }
    return {text, SpanLook::number, Stage::z, std::string(inside.substr(0, colon))};
}

LessonSpan term(std::string_view inside) {
    for (const auto& [name, stage] : k_terms)
        if (name == inside) return {std::string(inside), SpanLook::term, stage};
    return wrong(worded("“{{{}}}” is no term: expected X, F(X), Z, x\u0302, μ, σ, ε, Y, γ or "
                        "β, or an expression with a format, as in {{z[0, 1]:.2f}}",
                        inside));
}

TextRole role_of(SpanLook look, TextRole plain) {
    if (look == SpanLook::bold) return TextRole::title;
    if (look != SpanLook::code && look != SpanLook::number) return plain;
    return plain == TextRole::small ? TextRole::number_small : TextRole::number;
}

// A word whose parts may look differently; it stays on one line.
struct Word {
    std::vector<LessonSpan> parts;
    bool begins_line = false;
};

std::vector<Word> words_of(const std::vector<LessonSpan>& spans) {
    std::vector<Word> words(1);
    for (const LessonSpan& span : spans) {
        if (span.text == "\n") {
            words.push_back({{}, true});
            continue;
        }
        std::string_view rest = span.text;
        while (true) {
            const std::size_t space = rest.find(' ');
            if (const std::string_view piece = rest.substr(0, space); !piece.empty())
                words.back().parts.push_back({std::string(piece), span.look, span.stage});
            if (space == rest.npos) break;
            rest.remove_prefix(space + 1);
            if (!words.back().parts.empty()) words.emplace_back();
        }
    }
    return words;
}

std::string text_of(const Word& word) {
    std::string text;
    for (const LessonSpan& part : word.parts) text += part.text;
    return text;
}

// The end of the formula that begins with this word: its words go with the operators between them
// onto one line.
std::size_t end_of_formula(const std::vector<Word>& words, std::size_t begin) {
    constexpr std::string_view k_operators[] = {"=", "+", "−", "·", "/", "÷", "≈", "⊙", "<", ">"};
    const auto is_operator = [&](std::size_t i) {
        return i < words.size() && !words[i].begins_line && find_in(k_operators, text_of(words[i]));
    };
    std::size_t end = begin + 1;
    while (is_operator(end)) end += end + 1 < words.size() && !words[end + 1].begins_line ? 2 : 1;
    return end;
}

float lay_out(Ui& ui, Rect r, const std::vector<LessonSpan>& spans, Color ink, TextRole role,
              bool draws) {
    const float line_h = ui.canvas.line_height(role) + 4;
    const float space = ui.text_width(" ", role);
    float x = r.x, y = r.y;
    const std::vector<Word> words = words_of(spans);
    const auto width = [&](std::size_t i) {
        float w = 0;
        for (const LessonSpan& part : words[i].parts)
            w += ui.text_width(Text::typed(part.text), role_of(part.look, role));
        return w;
    };
    std::size_t formula_end = 0;
    for (const auto i : indices(words)) {
        const Word& word = words[i];
        float w = width(i);
        if (i >= formula_end) {
            formula_end = end_of_formula(words, i);
            float whole = w;
            for (std::size_t k = i + 1; k < formula_end; ++k) whole += space + width(k);
            if (whole <= r.w) w = whole; // a longer one is broken as words are
        }
        if (word.begins_line || (x > r.x && x + w > r.right())) {
            x = r.x;
            y += line_h;
        }
        for (const LessonSpan& part : word.parts) {
            const TextRole own = role_of(part.look, role);
            const float part_w =
                std::min(ui.text_width(Text::typed(part.text), own), r.right() - x);
            const Color color = part.look == SpanLook::term    ? ui.theme.ink_of(part.stage)
                                : part.look == SpanLook::wrong ? ui.theme.error
                                                               : ink;
            if (draws) ui.label({x, y, part_w + 1, line_h}, Text::typed(part.text), own, color);
            x += part_w;
        }
        if (!word.parts.empty()) x += space;
    }
    return y + line_h - r.y;
}

// The decimal numbers of a text, as they stand in it: "1.0838".
std::vector<std::string> decimals_in(std::string_view text) {
    constexpr std::string_view k_digits = "0123456789";
    const auto end_of_digits = [&](std::size_t at) {
        return std::min(text.find_first_not_of(k_digits, at), text.size());
    };
    std::vector<std::string> found;
    for (std::size_t at = 0; (at = text.find_first_of(k_digits, at)) != text.npos;) {
        const std::size_t begin = std::exchange(at, end_of_digits(at));
        const std::size_t end = text.substr(at).starts_with('.') ? end_of_digits(at + 1) : at;
        if (end <= at + 1) continue;
        found.emplace_back(text.substr(begin, end - begin));
        at = end;
    }
    return found;
}

} // namespace

std::vector<LessonSpan> lesson_text(std::string_view text, const LessonScope& scope) {
    std::vector<LessonSpan> spans;
    SpanLook look = SpanLook::plain;
    std::string run;
    const auto flush = [&] {
        if (!run.empty()) spans.push_back({std::exchange(run, {}), look});
    };
    const auto turn = [&](SpanLook to) {
        flush();
        look = look == to ? SpanLook::plain : to;
    };
    while (!text.empty()) {
        if (text.starts_with("**")) {
            turn(SpanLook::bold);
            text.remove_prefix(2);
            continue;
        }
        const char c = text.front();
        text.remove_prefix(1);
        if (c == '`') {
            turn(SpanLook::code);
        } else if (c == '\n') {
            flush();
            spans.push_back({"\n"});
        } else if (c == '{' && look != SpanLook::code) {
            flush();
            const std::size_t end = text.find('}');
            if (end == text.npos) {
                spans.push_back(wrong("a “{” without its “}”"));
                break;
            }
            const std::string_view inside = text.substr(0, end);
            spans.push_back(inside.find(':') == inside.npos ? term(inside) : amount(inside, scope));
            text.remove_prefix(end + 1);
        } else {
            run += c;
        }
    }
    flush();
    if (look != SpanLook::plain)
        spans.push_back(wrong(look == SpanLook::bold ? "a “**” without its second"
                                                     : "a “`” without its second"));
    return spans;
}

std::string plain_words(std::string_view text, const LessonScope& scope) {
    std::string words;
    for (const LessonSpan& span : lesson_text(text, scope)) words += span.text;
    return words;
}

std::vector<std::string> lesson_text_problems(const std::vector<LessonSpan>& spans) {
    std::vector<std::string> problems;
    for (const LessonSpan& span : spans)
        if (span.look == SpanLook::wrong) problems.push_back(span.text);
    return problems;
}

std::vector<std::string> decimals_of(const std::vector<LessonSpan>& spans) {
    std::vector<std::string> all;
    for (const LessonSpan& span : spans)
        if (span.look == LessonSpan::Look::plain || span.look == LessonSpan::Look::bold)
            for (std::string& decimal : decimals_in(span.text)) all.push_back(std::move(decimal));
    return all;
}

float rich_paragraph(Ui& ui, Rect r, const std::vector<LessonSpan>& spans, std::optional<Color> ink,
                     TextRole role) {
    return lay_out(ui, r, spans, ink.value_or(ui.theme.ink), role, true);
}

float rich_paragraph_height(Ui& ui, float width, const std::vector<LessonSpan>& spans,
                            TextRole role) {
    return lay_out(ui, {0, 0, width, 0}, spans, {}, role, false);
}

} // namespace normscope
