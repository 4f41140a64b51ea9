#pragma once
#include "app/charts/palette.h"
#include "app/study/lesson/expression.h"
#include "app/widgets/ui.h"

#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// A run of a lesson's text that looks the same.
struct LessonSpan {
    enum class Look : std::uint8_t {
        plain,
        bold,   // **so**
        code,   // `so`
        term,   // {γ}: in its stage's colour
        number, // {z[studying]:.2f}: an expression and how many decimals
        wrong   // the reason why an expression cannot be read
    };
    std::string text; // "\n": the line ends
    Look look = Look::plain;
    Stage stage = Stage::z;  // of a term
    std::string source = {}; // of a number: its expression
};

// The text with its numbers as the program has them now. A format is ".2f" decimals, ".3g"
// significant digits or ".1e" a power of ten; values of a row are joined by commas.
std::vector<LessonSpan> lesson_text(std::string_view text, const LessonScope& scope);

// The words of lesson_text() without their looks.
std::string plain_words(std::string_view text, const LessonScope& scope);

// The reasons why expressions of the text cannot be read.
std::vector<std::string> lesson_text_problems(const std::vector<LessonSpan>& spans);

// The decimals that a text says in words, as they stand there: "1.0838". Each is a claim about the
// program.
std::vector<std::string> decimals_of(const std::vector<LessonSpan>& spans);

// Draws the spans wrapped to the width of `r`; returns the height they took.
float rich_paragraph(Ui& ui, Rect r, const std::vector<LessonSpan>& spans,
                     std::optional<Color> ink = {}, TextRole role = TextRole::label);

// The height that rich_paragraph() takes.
float rich_paragraph_height(Ui& ui, float width, const std::vector<LessonSpan>& spans,
                            TextRole role = TextRole::label);

} // namespace normscope
