#pragma once
#include "app/study/lesson/quantities.h"

namespace normscope {

// The quantities that an expression speaks of: those of the document, and behind "start." those
// when the step began.
struct LessonScope {
    const Quantities& now;
    const Quantities& start;
};

// The value of an expression:
//   z[studying]            a row; z[studying, d0] one value, z[, d0] a column
//   gamma[d3] + 1          + − × ÷ ^, with ASCII's - * / too, value by value
//   mean(z[studying])      sum, mean, var, std, min, max, abs, sqrt, moved(a, b): how many values
//                          of two matrices differ by more than 1e-4
//   start.y                as it was when the step began
// An index is a name along that side, in quotation marks where it has other signs than letters,
// digits and _, or a number from 0.
// Errors name the expression, the place in it and what was expected.
Result<NamedValues> evaluate(std::string_view expression, const LessonScope& scope);

// The value of an expression that is one number.
Result<double> evaluate_number(std::string_view expression, const LessonScope& scope);

} // namespace normscope
