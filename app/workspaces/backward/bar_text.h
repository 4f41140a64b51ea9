#pragma once
#include "app/widgets/ui.h"
#include "core/base/matrix.h"

#include <functional>
#include <optional>
#include <span>
#include <string>

// What stands below bars, a slot each.
namespace normscope {

// The values with as many decimals, `most` to 1, as all of them have room for. Where there is none,
// the one that is lit. Values up to `rounding` are written 0, and where there is room for one digit
// only, those that have no bar beside the others ≈0. In ink, if no colour is given. Returns the
// number of decimals if all values are written with it.
std::optional<int> bar_numbers(Ui& ui, Rect row, std::span<const double> values, int most,
                               std::optional<Index> lit, double rounding = 0,
                               std::optional<Color> color = std::nullopt);

// The names, elided; where slots are too narrow for any, the one that is lit.
void bar_names(Ui& ui, Rect row, Index n, const std::function<std::string(Index)>& name,
               std::optional<Index> lit);

} // namespace normscope
