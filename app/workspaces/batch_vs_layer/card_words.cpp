// The words below the cells of a norm's card.
#include "app/workspaces/batch_vs_layer/panels.h"
#include "core/base/random.h"
#include "core/base/rounding.h"
#include "core/stats/magnitude.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace normscope {

namespace {

constexpr double k_trace_of_eps = 0.05; // less of an x̂ of ±1
constexpr double k_rounding_of = 1e-12; // of the largest value

// Against what a norm measures: tokens behind the batch, which are pale, against what it has.
std::string measured_against(const NormEntry& norm, Index batch, Index tokens) {
    const bool by_feature = norm.shares == Shares::feature;
    if (by_feature && batch != tokens)
        return worded("Class average of B = {} of {} tokens. The pale ones do not count in it.",
                      batch, tokens);
    if (!norm.centres)
        return worded("Own size: along the row by its {}, no mean is taken.", norm.spread->takes);
    return by_feature                     ? "Class average: down the column."
           : norm.shares == Shares::group ? "Group average: along each group of the row."
                                          : "Own average: along the row.";
}

// An entry of NaN or ∞ and its effect through the norm on the rest of its group, in words.
std::string spread_of(const NotANumber& entry, const NormOfZ& norm) {
    const std::string_view group = norm.sets().name();
    if (!entry.infinite) return worded("{}, and so is all of its {}.", entry.cause, group);
    if (!norm.spread().centres)
        return worded("{}: ∞/∞ is NaN, and the rest of its {} is divided by ∞.", entry.cause,
                      group);
    return worded("{}: ∞ − ∞ and ∞/∞ are NaN, and so is all of its {}.", entry.cause, group);
}

// Why values that moved hardly moved. Empty where they moved because of Z.
std::string mere_trace(const BatchPanel& p, std::size_t which, const Moved& moved) {
    const Matrix<double>& values = study_of(p.frame).result(which, p.view.norm_result);
    if (moved.largest == 0 || moved.largest >= k_trace_of_eps) return {};
    if (moved.largest <= k_rounding_of * largest_magnitude(values.data(), values.size()))
        return worded("That is rounding alone.");
    const BatchStudy& study = study_of(p.frame);
    if (!is_degenerate(study, which, study.norms().norms[which].batch)) return {};
    return worded("In a group of so few values x\u0302 is always 1 or −1, but for ε.");
}

// The cell whose value moved farthest.
Cell farthest(const Moved& moved) {
    Cell at{moved.bounds.row, moved.bounds.col};
    const CellBlock& b = moved.bounds;
    for (Index t = b.row; t < b.row + b.rows; ++t)
        for (Index d = b.col; d < b.col + b.cols; ++d)
            if (std::abs(moved.change(t, d)) > std::abs(moved.change(at.token, at.feature)))
                at = {t, d};
    return at;
}

std::string edit_words(const BatchPanel& p, std::size_t which, const Moved& moved) {
    const Matrix<double>& values = study_of(p.frame).result(which, p.view.norm_result);
    if (moved.count == 0) return "No value moved by the edit.";
    if (moved.largest == 0)
        return worded("{} of {} values moved by the edit, to or from NaN.", moved.count,
                      values.size());
    if (const auto trace = mere_trace(p, which, moved); !trace.empty())
        return worded("{} of {} values moved by the edit, by {} at most. {}", moved.count,
                      values.size(), number_text(moved.largest, 2), trace);
    const Cell at = farthest(moved);
    const double now = values(at.token, at.feature);
    return worded("{} of {} values moved by the edit. {}: {} → {}.", moved.count, values.size(),
                  cell_name(p.document, at.token, at.feature),
                  fixed_text(now - moved.change(at.token, at.feature), 2), fixed_text(now, 2));
}

std::string probe_words(const BatchPanel& p, std::size_t which, const Moved& moved) {
    const Matrix<double>& values = study_of(p.frame).result(which, p.view.norm_result);
    const Cell cell = probed_cell(p.frame);
    if (moved.count == 0)
        return std::isfinite(values(cell.token, cell.feature)) ? "With +1 there, nothing moves."
                                                               : "With +1 there, NaN stays NaN.";
    if (moved.largest == 0)
        return worded("With +1 there, {} of {} values move, to or from NaN.", moved.count,
                      values.size());
    if (const auto trace = mere_trace(p, which, moved); !trace.empty())
        return worded("With +1 there, {} of {} values move, by {} at most. {}", moved.count,
                      values.size(), number_text(moved.largest, 2), trace);
    return worded("With +1 there, {} of {} values move, most by {}.", moved.count, values.size(),
                  number_text(moved.largest, 2));
}

} // namespace

void card_words(BatchPanel& p, Rect r, std::size_t which) {
    const Frame& f = p.frame;
    const NormOfZ& norm = study_of(f).norms().norms[which];
    if (norm.error) {
        cut_top(r, error_paragraph(p, r, sentence(*norm.error)) + 6);
        if (p.document.token_count() > 1 || p.state.picture) return;
        Rect row = cut_top(r, k_control_height);
        if (!left_button(p, "add-tokens", row,
                         {"Add three tokens",
                          "Batch norm then has a class to measure each token against", true,
                          ButtonLook::primary}))
            return;
        Random random(1);
        Matrix<double> x(3, p.document.feature_count());
        for (double& value : x.reshaped()) value = to_hundredths(random.normal());
        return p.edit(SetCells{Input::x, 1, 0, std::move(x), true});
    }
    struct Line {
        std::string words;
        Color ink;
    };
    std::vector<Line> lines;
    const bool edited = knows_edit(f);
    if (edited)
        lines.push_back({edit_words(p, which, edit_touch(f)[which]), p.theme.ink_of(Stage::y)});
    if (!edited || !shows_edit(f))
        lines.push_back({probe_words(p, which, probe_touch(f)[which]), p.theme.focus});
    if (const auto& in_z = study_of(f).norms().not_a_number)
        lines.push_back({spread_of(*in_z, norm), p.theme.error});
    else if (const auto why = not_a_number_in_results(f))
        lines.push_back({why->words(p.state.picture), p.theme.error});
    else
        lines.push_back(
            {measured_against(k_compared_norms[which], norm.batch, p.document.token_count()),
             p.theme.ink_soft});
    const float gap = 3;
    const auto height_of_all = [&] {
        float height = -gap;
        for (const Line& line : lines)
            height += paragraph_height(p, r.w, line.words, TextRole::small) + gap;
        return height;
    };
    const float spare = norm.sets().by_feature() ? 0 : (2 * k_card_line); // of statistics
    // An edit that was made goes before one that might be.
    if (lines.size() == 3 && height_of_all() > r.h + spare) lines.erase(lines.begin() + 1);
    const float height = height_of_all();
    const std::string_view of_class = "Padding counts. In a batch of one, σ² is 0.";
    if (norm.sets().by_feature() && norm.batch == p.document.token_count() &&
        height + gap + paragraph_height(p, r.w, of_class, TextRole::small) <= r.h)
        lines.push_back({std::string(of_class), p.theme.ink_soft});
    // Statistics beside the rows leave their place below the cells to words that need it.
    r.y -= std::clamp(height - r.h, 0.0f, spare);
    for (const Line& line : lines)
        cut_top(r, paragraph(p, r, line.words, TextRole::small, line.ink) + gap);
}

} // namespace normscope
