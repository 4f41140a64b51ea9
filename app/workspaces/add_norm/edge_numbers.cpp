#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/batch_vs_layer/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_sign = 6; // of the sign between this card and the next: no digit touches it

// μ and σ of every set, or of group `group` of every token.
struct EdgeValues {
    Vector<double> mean, scale;
};

EdgeValues edge_values(const AddNormPanel& p, Index group) {
    const Derived& d = p.frame.derived;
    const Spread& spread = *norm_entry(p.document.norm).spread;
    const StatisticSets sets = d.sets();
    const Index step = sets.by_feature() ? 1 : sets.groups, n = d.group_count() / step;
    EdgeValues out{Vector<double>(n), Vector<double>(n)};
    for (const auto i : indices(n)) {
        const Index set = i * step + group;
        out.mean(i) = d.mean(set);
        const double q = spread.statistic_of(d.rstd(set), p.document.eps);
        out.scale(i) = std::isnan(q) ? q : spread.root(std::max(q, 0.0));
    }
    return out;
}

// "d0–d2": the features of a group.
std::string group_label(const AddNormPanel& p, Index group) {
    const CellBlock block = p.frame.derived.sets().block(group);
    const auto name = [&](Index i) { return name_of(p.document, Axis::feature, i); };
    const std::string first = name(block.col), last = name(block.col + block.cols - 1);
    return block.cols == 1 ? first : fmt::format("{}–{}", first, last);
}

} // namespace

EdgeRoom edge_room(const AddNormPanel& p, float width) {
    constexpr float k_symbols_w = 22, k_below_h = 42;
    constexpr float k_share = 0.18f; // of all cards
    const NormEntry& norm = norm_entry(p.document.norm);
    if (!norm.normalizes() || p.frame.derived.error()) return {};
    const StatisticSets sets = p.frame.derived.sets();
    if (sets.by_feature()) return {.left = k_symbols_w, .below = k_below_h};
    const float number = numbers_width(p);
    const float symbol = p.text_width(norm.spread->scale, TextRole::label) + 6;
    const float pair = norm.centres ? 2 * number : std::max(number, symbol);
    if (pair * static_cast<float>(sets.groups) <= k_share * width || sets.groups == 1)
        return {.right = pair * static_cast<float>(sets.groups) + k_sign, .groups = sets.groups};
    return {.right = pair + k_sign, .only = sets.set_of(0, feature_in_focus(p.frame).value_or(0))};
}

void draw_edge(AddNormPanel& p, const EdgeRoom& room, Rect cells, const HeatmapPort& port,
               Rect heads, Rect below, TextRole largest) {
    const NormEntry& norm = norm_entry(p.document.norm);
    const StatisticSets sets = p.frame.derived.sets();
    p.name("statistics", room.below > 0 ? below : Rect{cells.right(), cells.y, room.right, cells.h},
           PartKind::place);
    if (room.below > 0) {
        const EdgeValues values = edge_values(p, 0);
        const ColumnStatistics shown{values.mean, values.scale, norm.spread->scale};
        const Rect symbols = cut_left(below, room.left - 4, 4);
        return statistics_below_columns(
            p, symbols, below, {across_axis(cells, port), feature_in_focus(p.frame)}, shown, shown);
    }
    Rect strip{cells.right(), cells.y, room.right - k_sign, cells.h};
    heads.x = strip.x;
    const float pair = strip.w / static_cast<float>(room.groups);
    const float rows_end =
        std::min(cells.bottom(),
                 down_axis(cells, port).middle(p.document.token_count() - 1) + port.cell_h / 2);
    for (const auto i : indices(room.groups)) {
        const Index group = room.only.value_or(i);
        const EdgeValues values = edge_values(p, group);
        if (sets.groups > 1)
            soft_label(p, {strip.x, rows_end, pair, 20}, group_label(p, group), Align::right);
        const Vector<double>& mean = norm.centres ? values.mean : values.scale;
        const auto column = [&](std::string_view symbol, const Vector<double>& numbers,
                                const Vector<double>& beside, float w) {
            p.label({heads.x, heads.y, w, heads.h}, symbol, TextRole::label,
                    p.theme.ink_of(Stage::x_hat), Align::right);
            cut_left(heads, w);
            numbers_beside_rows(p, cut_left(strip, w),
                                {down_axis(cells, port), token_in_focus(p.frame), largest}, numbers,
                                beside);
        };
        if (norm.centres) column("μ", mean, values.scale, pair / 2);
        column(norm.spread->scale, values.scale, mean, norm.centres ? pair / 2 : pair);
    }
}

} // namespace normscope
