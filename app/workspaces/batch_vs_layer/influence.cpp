#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/batch_vs_layer/panels.h"
#include "app/workspaces/shared/matrix_menu.h"
#include "core/base/lists.h"
#include "core/stats/magnitude.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace normscope {

namespace {

constexpr Size k_largest_influence_cell{110, 110};
constexpr double k_faint = 6; // of the common colour scale, less than this part is hard to see

// The largest value off the diagonal: 0 where every token only touches itself, NaN where one is.
double reach(const Matrix<double>& m) {
    double most = 0;
    for (const auto i : indices(m.rows()))
        for (const auto j : indices(m.cols()))
            if (i != j && !(m(i, j) <= most)) most = m(i, j);
    return most;
}

std::optional<std::string> degenerate_words(const BatchStudy& study, std::size_t norm,
                                            Index batch) {
    if (!is_degenerate(study, norm, batch)) return std::nullopt;
    const NormEntry& entry = k_compared_norms[norm];
    return entry.centres
               ? worded("{} norm of two {} is degenerate: x\u0302 is +1 and −1, whatever the "
                        "two are",
                        entry.label, entry.shares == Shares::feature ? tr("rows") : tr("features"))
               : worded("{} norm of one feature is degenerate: x\u0302 is ±1, whatever it is",
                        entry.label);
}

} // namespace

bool is_degenerate(const BatchStudy& study, std::size_t norm, Index batch) {
    const NormEntry& entry = k_compared_norms[norm];
    StatisticSets sets = study.norms().norms[norm].sets();
    if (sets.by_feature()) sets.tokens = batch;
    if (sets.size() != (entry.centres ? 2 : 1)) return false;
    double least = std::numeric_limits<double>::infinity();
    for (const auto set : indices(sets.count())) {
        Vector<double> values = values_of(study.norms().z, sets.block(set));
        if (entry.centres) values.array() -= values.mean();
        least = std::min(least, entry.spread->statistic(values));
    }
    constexpr double k_far_above = 10; // times ε
    return least > k_far_above * study.norms().options.eps;
}

void influence_panel(BatchPanel& p) {
    const Document& d = p.document;
    const IdScope scope(p, "influence");
    const BatchStudy& study = study_of(p.frame);
    const NormResult result = p.view.norm_result;
    const Influences& influence = study.influence(result);
    const Index n = influence.tokens;
    const std::string_view symbol = result == NormResult::y ? "Y" : "x\u0302";
    std::string hint = influence.batch < d.token_count()
                           ? worded("‖∂{} / ∂z‖, in a batch of B = {}", symbol, influence.batch)
                           : worded("‖∂{} / ∂z‖, in the whole batch", symbol);
    if (n < influence.batch) hint = worded("{}: its first {} tokens", hint, n);
    Rect inside = p.framed({.title = "Who touches whom", .hint = hint});
    Rect caption = inside; // right below the maps
    cut_bottom(inside, 48);

    const float gap = 18;
    const float names_w = std::min(names_width(p, *d.tokens), inside.w * 0.2f);
    const float w =
        std::floor((inside.w - names_w - gap * (k_compared_count - 1)) / k_compared_count);
    double largest = 0;
    for (const Matrix<double>& m : influence.of)
        largest = std::max(largest, largest_magnitude(m.data(), m.size()));
    const Names names(d.tokens->begin(), d.tokens->begin() + n);
    std::string readout, notes;
    float bottom = inside.y;
    Rect left = inside;
    cut_left(left, names_w);
    for (const auto i : indices(k_compared_count)) {
        const NormEntry& norm = k_compared_norms[i];
        const IdScope map_scope(p, norm.id);
        Rect part = cut_left(left, w, gap);
        Rect head = cut_top(part, 24);
        const Matrix<double>& m = influence.of[i];
        if (m.size() == 0) {
            p.label(head, norm.label, TextRole::title);
            error_paragraph(
                p, part,
                n >= norm.fewest_values()
                    ? influence.error[i] ? sentence(*influence.error[i]) : "Not a number."
                : d.token_count() > 1
                    ? "Refused in training: with one token there is no class average. Take a batch "
                      "of two or more."
                    : "Refused in training: with one token there is no class average. Add tokens.");
            continue;
        }
        const double off = reach(m);
        const bool alone = off == 0;
        const double most = largest_magnitude(m.data(), m.size());
        const bool untouched = alone && most == 0;
        const auto degenerate = degenerate_words(study, i, influence.batch);
        const bool only_eps = degenerate && most > 0;
        left_words(p, head, norm.label, TextRole::title, p.theme.ink, 8);
        const std::string others = untouched  ? worded("all 0: no gradient")
                                   : only_eps ? worded("only ε’s trace, {}", number_text(most, 2))
                                   : m.size() == 1 ? worded("no other token")
                                   : alone         ? worded("others exactly 0")
                                   : std::isnan(off)
                                       ? worded("others NaN")
                                       : worded("others up to {}", number_text(off, 2));
        // The picture shows its shape; what the others are, only the words.
        const std::string all = untouched || only_eps ? others
                                : alone               ? worded("diagonal: {}", others)
                                                      : worded("full: {}", others);
        const bool room = small_width(p, all) <= head.w;
        soft_label(p, head, room && m.size() > 1 ? all : others);
        if (only_eps || (degenerate && d.eps == 0))
            notes += ' ' + (only_eps ? worded("{}, but for ε: {} is all that is left.", *degenerate,
                                              number_text(most, 2))
                                     : *degenerate + '.');
        const Rect names_row = cut_top(part, 20);
        Heatmap map = fitted_map(p, part, m, k_largest_influence_cell);
        map.version = study.result_version(result);
        map.id = 210 + i;
        map.limit = held_limit(p, "batch.influence", largest);
        map.format.exact_zero = true; // what is not touched at all, against 0.00
        // A map without digits whose off-diagonal is faint gets a scale of its own; with digits,
        // one scale for all compares better.
        if (map.format.decimals < 0 && !alone && off * k_faint < map.limit) {
            map.limit = common_limit(std::array{off});
            notes += ' ' + worded("{}'s full colour is {}, to show what lies off its diagonal.",
                                  norm.label, number_text(map.limit, 2));
        }
        name_edges(map, names, i == 0 ? names_w : 0, names, names_row.h);
        const float cells_h = std::min(part.h, map.port.cell_h * static_cast<float>(n));
        bottom = std::max(bottom, part.y + cells_h);
        const auto token = token_in_focus(p.frame);
        if (token && *token < n) {
            map.marks.outlined = {{0, *token, n, 1}};
            map.marks.col_name = token;
        }
        if (const auto cell = read_cells(p, "cells", part, map).cell) {
            map.marks.strong = CellBlock{cell->row, cell->col, 1, 1};
            map.marks.row_name = cell->row;
            p.actions.view.hover.token = cell->col;
            readout =
                worded("{}: ∂{} of “{}” by z of “{}” is {}: the root of the sum of the squares "
                       "of its {} derivatives.",
                       norm.label, symbol, entry_at(names, cell->row), entry_at(names, cell->col),
                       m(cell->row, cell->col) == 0 ? worded("exactly 0")
                                                    : number_text(m(cell->row, cell->col), 3),
                       d.feature_count() * d.feature_count());
        }
        draw_heatmap(p.canvas, p.theme, part, map,
                     p.frame.memory.of<BatchMemory>().maps[1 + k_compared_count + i]);
    }
    if (readout.empty()) {
        readout = worded("Column: the token whose z is touched. Row: the token whose {} "
                         "moves. From the Jacobian.",
                         symbol) +
                  notes;
        if (const auto why = not_a_number_in_results(p.frame))
            readout += ' ' + worded("NaN: {}.", why->cause);
    }
    cut_top(caption, bottom + 8 - caption.y);
    soft_paragraph(p, caption, readout);
}

} // namespace normscope
