#include "app/workspaces/backward/bar_text.h"

#include "app/charts/number_format.h"
#include "app/charts/signed_bars.h"

#include <algorithm>
#include <cmath>

namespace normscope {

void bar_numbers(Ui& ui, Rect row, std::span<const double> values, int most,
                 std::optional<Index> lit, double rounding) {
    if (!ui.canvas.sees(row)) return;
    const auto n = static_cast<Index>(values.size());
    const float w = row.w / static_cast<float>(std::max<Index>(n, 1)) - ui.px(4);
    double largest = 0;
    for (const double v : values)
        if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
    const bool tiny = largest > rounding && largest < 1e-3; // all of them would read 0.0000
    const auto text_of = [&](double v, int decimals) {
        if (std::abs(v) <= rounding) v = 0;
        return tiny ? scientific_text(v, std::min(decimals, 2) - 1) : fixed_text(v, decimals);
    };
    for (int decimals = most; decimals >= 1 && w > ui.px(10); --decimals)
        for (const TextRole role : {TextRole::number_small, TextRole::number_tiny}) {
            const bool fits = std::all_of(values.begin(), values.end(), [&](double v) {
                return ui.canvas.text_size(text_of(v, decimals), role).w <= w;
            });
            if (!fits) continue;
            for (Index i = 0; i < n; ++i)
                ui.canvas.text_in(bar_slot(row, n, i),
                                  text_of(values[static_cast<std::size_t>(i)], decimals), role,
                                  ui.theme.ink);
            return;
        }
    if (lit && *lit < n) {
        const double v = values[static_cast<std::size_t>(*lit)];
        ui.label(row, number_text(std::abs(v) <= rounding ? 0 : v, 5), TextRole::number_small,
                 ui.theme.ink, Align::center);
    }
}

void bar_names(Ui& ui, Rect row, Index n, const std::function<std::string(Index)>& name,
               std::optional<Index> lit) {
    if (n == 0 || !ui.canvas.sees(row)) return;
    if (row.w / static_cast<float>(n) < ui.px(18)) {
        if (lit && *lit < n)
            ui.label(row, name(*lit), TextRole::small, ui.theme.ink, Align::center);
        return;
    }
    for (Index i = 0; i < n; ++i)
        ui.label(bar_slot(row, n, i).inset(ui.px(2), 0), name(i), TextRole::small,
                 lit == i ? ui.theme.ink : ui.theme.ink_soft, Align::center);
}

} // namespace normscope
