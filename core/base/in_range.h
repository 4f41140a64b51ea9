#pragma once
#include "core/base/matrix.h"
#include "core/base/result.h"

#include <algorithm>
#include <concepts>
#include <initializer_list>

namespace normscope {

// What checks of settings share: `what` is named as a sentence begins.

// A whole number from `least` to `most`.
Result<void> in_range(const char* what, double value, double least, double most);
template<std::integral N, class Most>
Result<void> in_range(const char* what, N value, double least, Most most) {
    return in_range(what, static_cast<double>(value), least, static_cast<double>(most));
}

Result<void> is_finite(const char* what, double value);

// An ε: a finite number of 0 or more.
Result<void> check_eps(double eps);

// The first of the checks that is an error.
inline Result<void> first_error(std::initializer_list<Result<void>> checks) {
    const auto* wrong = std::ranges::find(checks, false, &Result<void>::has_value);
    return wrong == checks.end() ? Result<void>() : *wrong;
}

// Heads divide the width, or the message names the widths next to it, up to `widest`.
Result<void> heads_divide(Index width, int heads, Index widest);

} // namespace normscope
