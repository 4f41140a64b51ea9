#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/batch_vs_layer/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

constexpr float k_card_symbols_w = 26; // left of batch norm's statistics
constexpr float k_least_cells_h = 80, k_most_cells_h = 320;
constexpr float k_low_cell_h = 30;                    // of a token, to see all cards at once
constexpr std::size_t k_cards = 1 + k_compared_count; // Z and the norms
constexpr std::size_t k_first_cards = 3;              // Z, layer norm, batch norm
constexpr double k_sweep_seconds = 0.25;
constexpr double k_longest_pause = 0.1; // the first frame after a rest counts as no more
constexpr double k_next_instant = 1e-4; // less: the same frame, drawn again

// An outlier far away would leave the rest white.
CardLimits color_limits(const BatchPanel& p, const BatchStudy& study) {
    const Moments& m = p.frame.derived.pooled(Tensor::z).moments;
    double reach = std::max(std::abs(m.min), std::abs(m.max));
    if (std::isfinite(m.std)) reach = std::min(reach, std::abs(m.mean) + 4 * m.std);
    // |x̂| ≤ √(N − 1) of N values; most lie within 3.
    const Matrix<double>& z = study.norms().z;
    const auto values = static_cast<double>(std::max(z.rows(), z.cols()));
    const double results =
        result_limit(study, p.view.norm_result, std::min(3.0, std::sqrt(values - 1)));
    return {held_limit(p, "batch.z", reach), held_limit(p, "batch.results", results)};
}

std::size_t norm_columns(float width) {
    return width >= 900 ? 3 : width >= 600 ? 2 : 1;
}

std::size_t card_count(bool more_norms) {
    return more_norms ? k_cards : k_first_cards;
}

float rows_of_cards(std::size_t cards, std::size_t columns) {
    return static_cast<float>((cards + columns - 1) / columns);
}

// The band goes from the cell in focus along what shares μ and σ with it.
void sweep(BatchPanel& p) {
    const bool in_focus = token_in_focus(p.frame) || feature_in_focus(p.frame);
    const auto cell = in_focus ? std::optional(probed_cell(p.frame)) : std::nullopt;
    const auto passed = static_cast<double>(ImGui::GetIO().DeltaTime);
    if (cell != p.view.banded) {
        p.next.banded = cell;
        p.next.swept = cell && !p.frame.view.reduce_motion ? 0 : 1;
    } else if (p.view.swept < 1 && passed >= k_next_instant) {
        p.next.swept =
            std::min(1.0, p.view.swept + std::min(passed, k_longest_pause) / k_sweep_seconds);
    }
}

} // namespace

float norms_height(Index tokens, Size page, bool more_norms) {
    const auto t = static_cast<float>(tokens);
    const float cells = std::clamp(t * k_largest_card_cell.h, k_least_cells_h, k_most_cells_h);
    constexpr float k_around = k_card_padding + 28 + k_card_names_h + k_below_cells;
    const auto rows = rows_of_cards(card_count(more_norms), norm_columns(page.w));
    if (rows == 1) return k_around + cells;
    const float low = std::max(k_least_cells_h, std::min(t * k_low_cell_h, cells));
    const float gaps = k_panel_gap * (rows - 1);
    const float seen_at_once = std::floor((page.h - gaps) / rows);
    return rows * std::clamp(seen_at_once, k_around + low, k_around + cells) + gaps;
}

void norms_panel(BatchPanel& p) {
    const Rect r = p.rect;
    const IdScope scope(p, "norms");
    p.name("", r, PartKind::panel);
    const BatchStudy& study = study_of(p.frame);
    const std::size_t columns = norm_columns(r.w);
    const std::size_t cards = card_count(p.view.more_norms);
    sweep(p);
    const float gap = k_panel_gap;
    const float names_w = names_width(p, *p.document.tokens);
    const float padding = k_card_padding;
    const CardLimits limits = color_limits(p, study);

    // Z and the norms. Cards below one another are alike: as wide as what is beside their cells.
    std::array<CardPlace, k_first_cards> column;
    for (const auto i : indices(cards)) {
        CardPlace& of_column = column[i % columns];
        if (i % columns == 0) of_column.left_w = names_w;
        if (i == 0) continue;
        const NormOfZ& norm = study.norms().norms[i - 1];
        const float number = numbers_width(p);
        const float beside =
            norm.sets().by_feature() ? 0
            : norm.spread().centres
                ? 2 * number + (norm.sets().groups > 1 ? k_group_name_w : 0)
                : std::max(number, p.text_width(norm.spread().scale, TextRole::label) + 6.0f);
        of_column.right_w = std::max(of_column.right_w, beside);
        if (norm.sets().by_feature())
            of_column.left_w = std::max(of_column.left_w, k_card_symbols_w);
    }
    float taken = gap * static_cast<float>(columns - 1);
    for (const auto i : indices(columns)) taken += column[i].left_w + column[i].right_w + padding;
    const float cells = std::floor((r.w - taken) / static_cast<float>(columns));
    const auto rows = rows_of_cards(cards, columns);
    const float row_h = std::floor((r.h - gap * (rows - 1)) / rows);
    float x = r.x, y = r.y;
    for (const auto i : indices(cards)) {
        CardPlace place = column[i % columns];
        place.names = i % columns == 0;
        if (place.names && i > 0) {
            x = r.x;
            y += row_h + gap;
        }
        const float w = cells + place.left_w + place.right_w + padding;
        const bool last = (i + 1) % columns == 0;
        place.r = {x, y, last ? r.right() - x : w, row_h};
        x += w + gap;
        if (i == 0)
            z_card(p, place, limits);
        else
            norm_card(p, place, i - 1, limits.results);
    }
}

} // namespace normscope
