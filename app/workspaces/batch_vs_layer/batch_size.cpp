#include "app/charts/color_key.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/batch_vs_layer/panels.h"
#include "app/workspaces/shared/matrix_menu.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

constexpr Size k_largest_cell{84, 84};
constexpr float k_line = 20;
constexpr float k_symbols_w = 30;

struct Half {
    std::string_view id;
    std::string title;
    const Matrix<double>& values;
    const ColumnStatistics &statistics, &of_other;
    std::string problem; // instead of the numbers
    float left_w;
    bool names;
    std::size_t picture;
};

// Returns where it ends.
float half(BatchPanel& p, Rect area, const Half& h, double limit) {
    const Frame& f = p.frame;
    const Document& d = p.document;
    const IdScope scope(p, h.id);
    p.label(cut_top(area, 22), h.title);
    if (!h.problem.empty()) return area.y + error_paragraph(p, area, h.problem);
    const Rect names_row = cut_top(area, 20);
    const float cells_h = std::max(0.0f, area.h - (2 * k_line + 4));
    const float rows_h = k_largest_cell.h * static_cast<float>(h.values.rows());
    Rect below = area;
    area = cut_top(below, std::min(cells_h, rows_h), 4.0f);
    cut_left(area, h.left_w);
    Rect left = cut_left(below, h.left_w);
    cut_right(left, 4);
    const Matrix<double>& values = h.values;
    Heatmap map = fitted_map(p, area, values, k_largest_cell);
    map.version = study_of(f).training_version(p.view.norm_result);
    map.id = 220 + h.picture;
    map.limit = limit;
    name_edges(map, std::span(*d.tokens).first(static_cast<std::size_t>(values.rows())),
               h.names ? h.left_w : 0, *d.features, names_row.h);
    const auto token = token_in_focus(f), feature = feature_in_focus(f);
    if (token && *token < values.rows()) map.marks.row_name = token;
    map.marks.col_name = feature;
    if (feature) map.marks.outlined.push_back({0, *feature, values.rows(), 1});
    draw_heatmap(p.canvas, p.theme, area, map,
                 f.memory.of<BatchMemory>().maps[1 + 2 * k_compared_count + h.picture]);
    const auto [hit, cell] = read_cells(p, "cells", area, map);
    if (cell) {
        View& next = p.actions.view;
        next.hover = {std::nullopt, cell->row, cell->col};
        if (hit.clicked) pin(next, f, cell->row, cell->col, true);
    }
    statistics_below_columns(p, cut_top(left, 2 * k_line), cut_top(below, 2 * k_line),
                             {across_axis(area, map.port), probed_cell(f).feature}, h.statistics,
                             h.of_other);
    return below.y;
}

std::string verdict(const TrainAndEval& t, double difference,
                    const std::optional<NotANumber>& why) {
    if (t.poisoned)
        return t.train_error ? "Evaluation is NaN: a NaN batch has got into the running "
                               "statistics. See “Running statistics” for the way out."
                             : "Training is well, evaluation is NaN: a NaN batch has got into the "
                               "running statistics. See “Running statistics” for the way out.";
    if (t.train_error && t.learned_on == 0)
        return "There is no larger batch either: the running statistics are still the 0 and 1 they "
               "begin with, and x\u0302 is z. Layer norm never asks how large the batch is.";
    if (t.train_error && t.running.updates == 0)
        return "Evaluation takes one sample: its μ and σ² are the 0 and 1 that running statistics "
               "begin with, as they have learned nothing yet.";
    if (t.train_error)
        return worded("Evaluation takes one sample: μ and σ² were learned before. Running "
                      "statistics from batches of all {} samples. Layer norm never asks how "
                      "large the batch is.",
                      t.learned_on);
    if (std::isnan(difference) && why)
        return worded("{}, and so is what batch norm makes of that feature.", why->cause);
    if (std::isnan(difference))
        return "A feature is NaN where its σ² + ε is 0 (0 divided by 0) or too large a number: Z "
               "holds no NaN.";
    const auto updates = t.running.updates;
    const std::string statistics =
        updates == 0
            ? worded("Right, σ² is the 1 that running statistics begin with.")
            : worded(
                  "Left, σ² is of this batch and divides by B = {}. Right, σ² was collected over "
                  "{} of training and divides by {}.",
                  t.batch,
                  updates == 1 ? worded("{} update", updates) : worded("{} updates", updates),
                  t.batch - 1);
    return statistics + ' ' +
           worded("The same samples, two results: they differ by {} (root mean square). "
                  "Layer norm has one result for both.",
                  number_text(difference, 2));
}

} // namespace

void batch_size_panel(BatchPanel& p) {
    const IdScope scope(p, "batch-size");
    const BatchStudy& study = study_of(p.frame);
    const TrainAndEval& t = study.training();
    const NormResult result = p.view.norm_result;
    const Halves& halves = study.training_result(result);
    const bool y = result == NormResult::y;
    const std::string_view shown = y ? "Y" : "x\u0302";
    Rect inside = p.framed({.title = "Batch size",
                            .hint = y ? "Y, after γ and β: training against evaluation"
                                      : "x\u0302, before γ and β: training against evaluation"});
    Rect row = cut_top(inside, 28, 4);
    p.label(cut_left(row, 22), "B", TextRole::label, p.theme.ink_soft);
    const double limit = result_limit(study, result, 2);
    draw_color_key(p.canvas, p.theme, cut_right(row, color_key_width(p.canvas, limit, shown), 16),
                   limit, shown);
    const auto tokens = static_cast<int>(p.document.token_count());
    SliderSpec spec = counted(static_cast<double>(t.batch), 1, std::max(tokens, 2), tokens,
                              "The first so many tokens are the batch");
    spec.text = worded("{} of {}", t.batch, tokens);
    spec.accepted = whole_numbers(1, tokens);
    if (const auto size = slide<Index>(p, setting<&BatchSetup::batch>(), row, spec))
        p.edit(set<&BatchSetup::batch>(std::min<Index>(*size, tokens)));
    Rect words = inside; // below what is compared
    cut_bottom(inside, 68);
    const bool refused = t.train_error.has_value();
    const float symbols_w = k_symbols_w;
    const float names_w =
        std::max(symbols_w, std::min(names_width(p, *p.document.tokens), inside.w * 0.2f));
    const float right_w = refused ? names_w : symbols_w;
    const float gap = 14;
    const float cells = std::floor((inside.w - names_w - right_w - gap) / 2);
    const Rect left = cut_left(inside, names_w + cells, gap);
    // The batch's own variance, biased, as training uses it.
    const auto n = static_cast<double>(t.batch);
    const Vector<double> biased = t.variance * ((n - 1) / n);
    const ColumnStatistics own{t.mean, biased};
    const ColumnStatistics running{t.running.mean, t.running.var};
    const float trained =
        half(p, left,
             {"training", worded("Training, {}: the batch's own μ, σ²", shown), halves.train, own,
              running,
              refused ? "Training refuses a batch of one: a sample is its own μ and its σ² is 0, "
                        "so that x\u0302 would be 0 whatever z is."
                      : "",
              names_w, true, 0},
             limit);
    const float evaluated =
        half(p, inside,
             {"evaluation", worded("Evaluation, {}: μ, σ² of training", shown), halves.eval,
              running, refused ? running : own, "", right_w, refused, 1},
             limit);
    const float bottom = std::max(trained, evaluated);
    cut_top(words, bottom + 8 - words.y);
    paragraph(p, words, verdict(t, halves.difference, not_a_number_in_results(p.frame)),
              TextRole::small, t.poisoned ? p.theme.error : p.theme.ink_soft);
}

} // namespace normscope
