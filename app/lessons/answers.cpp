#include "app/lessons/answers.h"

#include "app/charts/ticks.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>
#include <sstream>

namespace normscope {
namespace {

constexpr double k_beside =
    0.35; // the room beside the outer points, as a share of the points' distance

Scale heights_scale(const LessonPrediction& predict, Rect plot) {
    const LessonAxis& axis = predict.axis;
    return {axis.log ? ScaleKind::log : ScaleKind::linear, axis.from, axis.to, plot.bottom(),
            plot.y};
}

Scale columns_scale(const LessonPrediction& predict, Rect plot) {
    const auto last = static_cast<double>(predict.items.size() - 1);
    return {ScaleKind::linear, -k_beside, last + k_beside, plot.x, plot.right()};
}

} // namespace

Result<std::vector<double>> item_values(const LessonPrediction& predict, const LessonScope& scope) {
    std::vector<double> values;
    for (const LessonItem& item : predict.items)
        values.push_back(TRY(evaluate_number(item.value, scope)));
    return values;
}

LineOrder right_order(std::span<const double> values) {
    LineOrder order = first_places(values.size());
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
    return order;
}

bool is_in_order(const LineOrder& order, std::span<const double> values) {
    for (std::size_t i = 1; i < order.size(); ++i)
        if (!(values[order[i - 1]] <= values[order[i]])) return false;
    return true;
}

bool sketch_fits(const LessonPrediction& predict, std::span<const double> heights,
                 std::span<const double> values) {
    const auto bent = [&](double v) { return predict.axis.log ? std::log10(v) : v; };
    for (const auto i : indices(values))
        if (!(std::abs(bent(heights[i]) - bent(values[i])) <= predict.within)) return false;
    return true;
}

Point sketch_place(const LessonPrediction& predict, Rect plot, std::size_t i, double height) {
    return {columns_scale(predict, plot).pixel(static_cast<double>(i)),
            heights_scale(predict, plot).pixel(height)};
}

double sketch_height(const LessonPrediction& predict, Rect plot, float y) {
    return heights_scale(predict, plot).value(std::clamp(y, plot.y, plot.bottom()));
}

double sketch_column(const LessonPrediction& predict, Rect plot, float x) {
    return columns_scale(predict, plot).value(x);
}

std::string kept_order(const LessonPrediction& predict, const LineOrder& order) {
    std::string kept;
    for (const std::size_t i : order) kept += (kept.empty() ? "" : "\n") + predict.items[i].key;
    return kept;
}

std::optional<LineOrder> order_from(const LessonPrediction& predict, const std::string& kept) {
    LineOrder order;
    std::istringstream lines(kept);
    for (std::string line; std::getline(lines, line);) {
        const LessonItem* const at = find_in(predict.items, line, &LessonItem::key);
        if (!at) return std::nullopt;
        order.push_back(static_cast<std::size_t>(at - predict.items.data()));
    }
    LineOrder sorted = order;
    std::ranges::sort(sorted);
    const bool once = std::ranges::adjacent_find(sorted) == sorted.end();
    return once && order.size() == predict.items.size() ? std::optional(order) : std::nullopt;
}

std::string kept_heights(std::span<const double> heights) {
    return fmt::format("{}", fmt::join(heights, " "));
}

std::optional<std::vector<double>> heights_from(const LessonPrediction& predict,
                                                const std::string& kept) {
    std::vector<double> heights;
    std::istringstream words(kept);
    for (double height = 0; words >> height;) heights.push_back(height);
    return heights.size() == predict.items.size() ? std::optional(heights) : std::nullopt;
}

} // namespace normscope
