#include "app/charts/heatmap.h"
#include "app/language/language.h"
#include "app/words/transformer_arithmetic.h"
#include "app/workspaces/transformer/lens.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr float k_side_by_side_from = 620; // pixels
constexpr float k_largest_cell_h = 40;
constexpr float k_mixed_row_h = 12;

// One attention sublayer: its numbers with the chosen head, or the mean of all.
struct Attended {
    Box box;
    Reading reading;
    const AttentionCache<float>& cache;
    const Words& queries;
    const Words& keys;
    int heads = 1;
    std::optional<int> head;    // none: the mean
    Matrix<double> scores = {}; // q·k/√d_h; empty for the mean
    Matrix<double> weights = {};

    Index width() const { return cache.width() / heads; }
    // Keys that a query sees are the first ones; queries that see a key are the last ones.
    Index seen_by(Index query) const {
        return reading == Reading::masked ? query + 1 : static_cast<Index>(keys.size());
    }
    Index first_to_see(Index key) const { return reading == Reading::masked ? key : 0; }
    bool sees(Index query, Index key) const { return key < seen_by(query); }
    double product(Index query, Index key) const {
        const Index first = *head * width();
        return cache.queries()
            .row(query)
            .segment(first, width())
            .cast<double>()
            .dot(cache.keys().row(key).segment(first, width()).cast<double>());
    }
    double weight(int of_head, Index query, Index key) const {
        return static_cast<double>(cache.probabilities[0](of_head * weights.rows() + query, key));
    }
};

Attended attended(const Frame& f, const TransformerStudy& study, const Box& box) {
    const Reading reading = study.reading(box);
    Attended out{box,
                 reading,
                 *study.attention(box),
                 study.tokens(box.side),
                 study.tokens(reading == Reading::cross ? StackSide::encoder : box.side),
                 study.setup().config.heads,
                 f.view.of<TransformerView>().head};
    if (out.head) out.head = std::min(*out.head, out.heads - 1);
    const auto rows = static_cast<Index>(out.queries.size());
    const auto cols = static_cast<Index>(out.keys.size());
    out.weights.setZero(rows, cols);
    for (int h = 0; h < out.heads; ++h)
        if (!out.head || *out.head == h)
            out.weights += out.cache.probabilities[0].middleRows(h * rows, rows).cast<double>() /
                           (out.head ? 1.0 : out.heads);
    if (!out.head) return out;
    const double root = std::sqrt(static_cast<double>(out.width()));
    out.scores = Matrix<double>::NullaryExpr(rows, cols, [&](Index t, Index m) {
        return out.sees(t, m) ? out.product(t, m) / root : 0.0;
    });
    return out;
}

std::string_view kind_of(Reading reading) {
    return reading == Reading::cross ? "cross" : reading == Reading::masked ? "masked" : "self";
}

void hatch(Ui& ui, Rect r) {
    ui.canvas.fill_rect(r, ui.theme.background);
    ui.canvas.push_clip(r);
    for (float x = r.x - r.h; x < r.right(); x += ui.px(6))
        ui.canvas.line({x, r.bottom()}, {x + r.h, r.y}, ui.theme.rule, ui.px(1));
    ui.canvas.pop_clip();
}

// Above the columns, each as far as it fits: whole, in a narrow face, or its first letters.
void key_names(Ui& ui, Rect r, const Heatmap& heat) {
    const AsTyped typed(ui.canvas);
    const float most = heat.port.cell_w - ui.px(2);
    for (Index m = 0; m < heat.values.cols(); ++m) {
        std::string name = heat.col_names[static_cast<std::size_t>(m)];
        const auto fits = [&](TextRole role) { return ui.canvas.text_size(name, role).w <= most; };
        const TextRole role = fits(TextRole::small) ? TextRole::small : TextRole::number_narrow;
        const auto continues = [](char c) { return (c & '\xC0') == '\x80'; };
        while (!name.empty() && !fits(role)) {
            while (continues(name.back())) name.pop_back();
            name.pop_back();
        }
        ui.canvas.text_in({r.x + heat.port.cell_w * static_cast<float>(m), r.y - heat.col_names_h,
                           heat.port.cell_w, heat.col_names_h},
                          name, role, heat.marks.col_name == m ? ui.theme.ink : ui.theme.ink_soft);
    }
}

// What is drawn of an attention: its scores or its weights.
struct AttentionMap {
    std::string_view slot, title;
    const Matrix<double>& values;
    double limit = 1;
    std::optional<HeatmapCell> focus = {};
    Lights lights = {};
};

// Queries are rows, keys are columns; returns the cell under the mouse.
std::optional<HeatmapCell> attention_map(Ui& ui, Rect r, const Frame& f, Actions& a,
                                         const Attended& of, const AttentionMap& map) {
    Rect head = cut_top(r, ui.px(18));
    Rect names = cut_top(r, ui.px(18));
    const float names_w =
        std::max(words_width(ui, of.queries), small_width(ui, "query ↓") + ui.px(8));
    const std::string_view keys = "key →";
    const float keys_w = small_width(ui, keys) + 1;
    soft_label(ui, cut_left(names, names_w), "query ↓");
    soft_label(ui, cut_right(head, keys_w), keys, Align::right);
    cut_left(r, names_w);
    cut_left(head, names_w);
    ui.label(head, map.title, TextRole::label, ui.theme.ink_of(Stage::f));
    const Index rows = map.values.rows(), cols = map.values.cols();
    if (r.w < 1 || r.h < 1) return std::nullopt;
    r.h = std::min(r.h, ui.px(k_largest_cell_h) * static_cast<float>(rows));
    Heatmap heat;
    heat.values = MatrixView(map.values);
    heat.port = {0, 0, r.w / static_cast<float>(cols), r.h / static_cast<float>(rows)};
    heat.row_names = of.queries;
    heat.col_names = of.keys;
    heat.row_names_w = names_w;
    heat.col_names_h = ui.px(18);
    const auto pinned = pinned_in(f, of.box.side);
    heat.marks.row_name = pinned;
    if (of.reading == Reading::cross) heat.marks.col_name = pinned_in(f, StackSide::encoder);
    draw_row_names(ui.canvas, ui.theme, r, heat, {0, rows});
    key_names(ui, r, heat);
    std::optional<HeatmapCell> hovered;
    if (!ui.state.picture) {
        const Hit hit = ui.hit(map.slot, r, {.focusable = false});
        const auto at = cell_at(r, heat.port, rows, cols, ui.mouse());
        if (hit.clicked && at) a.view.of<TransformerView>().pinned = TokenOf{of.box.side, at->row};
        if (hit.hovered && at && of.sees(at->row, at->col)) hovered = at;
        if (hit.hovered && at && !hovered)
            ui.tooltip(hit, "Masked: a later word. Its weight is exactly 0");
    }
    const CellFormat format = choose_cell_format(ui.canvas, r, heat.port, heat.values);
    for (Index t = 0; t < rows; ++t)
        for (Index m = 0; m < cols; ++m) {
            const Rect cell = cell_rect(r, heat.port, t, m).inset(ui.px(0.5f));
            if (!of.sees(t, m)) {
                hatch(ui, cell);
                continue;
            }
            const Color fill = heat_color(ui.theme, map.values(t, m), map.limit);
            ui.canvas.fill_rect(cell, fill, ui.px(2));
            if (format.decimals >= 0)
                ui.canvas.text_in(cell, cell_text(map.values(t, m), format), format.role,
                                  ink_on(fill));
        }
    if (pinned)
        ui.canvas.stroke_rect({r.x, cell_rect(r, heat.port, *pinned, 0).y, r.w, heat.port.cell_h},
                              ui.theme.ink, ui.px(1.5f), ui.px(2));
    if (const auto focus = hovered ? hovered : map.focus)
        ui.canvas.stroke_rect(cell_rect(r, heat.port, focus->row, focus->col), ui.theme.focus,
                              ui.px(2), ui.px(2));
    draw_lights(ui, r, heat.port, map.lights);
    if (hovered) a.view.of<TransformerView>().over = LensCell{map.slot, of.box, *hovered};
    return hovered;
}

HeatmapCell largest_weight(const Frame& f, const TransformerStudy& study, const Attended& of) {
    HeatmapCell at{token_of(f, study, of.box.side), 0};
    of.weights.row(at.row).maxCoeff(&at.col);
    return at;
}

std::vector<std::string> words_of(const Attended& of, const HeatmapCell& at) {
    std::vector<double> values;
    if (!of.head) {
        for (int h = 0; h < of.heads; ++h) values.push_back(of.weight(h, at.row, at.col));
        return {mean_words(values)};
    }
    AttentionWeight w;
    for (Index m = 0; m < of.scores.cols(); ++m) {
        if (!of.sees(at.row, m)) continue;
        if (m == at.col) w.key = values.size();
        values.push_back(of.scores(at.row, m));
    }
    w.scores = values;
    w.product = of.product(at.row, at.col);
    w.root = std::sqrt(static_cast<double>(of.width()));
    w.weight = of.weights(at.row, at.col);
    return weight_words(w);
}

std::string pair_words(const Attended& of, const HeatmapCell& at) {
    return worded("{} → {}{}", of.queries[static_cast<std::size_t>(at.row)],
                  of.keys[static_cast<std::size_t>(at.col)],
                  of.head ? worded(", head {}", *of.head + 1) : worded(", mean of the heads"));
}

// The arithmetic of a value that attention mixes.
struct MixedWords {
    std::string title, line;
};

// Values → weights · V → F(X): a row of small maps. Of a cell of weights · V under the mouse:
// words.
std::optional<MixedWords> mixed_maps(Ui& ui, Rect r, const Frame& f, Actions& a,
                                     const Attended& of) {
    const TransformerStudy& study = transformer_of(f);
    const Index first = of.head ? *of.head * of.width() : 0;
    const Index count = of.head ? of.width() : of.cache.width();
    const Matrix<float> values = of.cache.values().middleCols(first, count);
    const Matrix<float> mixed = of.cache.context.middleCols(first, count);
    const Matrix<float>& out = study.output(of.box);
    const StackSide keys = of.reading == Reading::cross ? StackSide::encoder : of.box.side;
    const double limit = common_limit(std::array{most_of(values), most_of(mixed)});
    const float gap = ui.px(14), names_w = words_width(ui, study.tokens(keys));
    const float w = (r.w - names_w - 2 * gap) / 3;
    const Rect of_values = cut_left(r, names_w + w, gap);
    const Rect of_mixed = cut_left(r, w, gap);
    const auto over_mixed = over_map(f, of.box, "mixed");
    Lights of_v, of_mixture, of_output;
    if (over_mixed) of_v.made = {{0, over_mixed->col, of.seen_by(over_mixed->row), 1}};
    of_mixture.made = row_of(over_map(f, of.box, "output"), count);
    if (const auto value = over_map(f, of.box, "values"))
        of_mixture.readers = {{of.first_to_see(value->row), value->col,
                               mixed.rows() - of.first_to_see(value->row), 1}};
    else
        of_mixture.readers = row_of(over_map(f, of.box, "weights"), count);
    of_output.readers = row_of(over_mixed, out.cols());
    named_map(ui, of_values, f, a,
              {"values", of.head ? "V of the head" : "V", "", Stage::x, values, limit, keys,
               names_w, std::move(of_v)});
    const auto at = named_map(ui, of_mixed, f, a,
                              {"mixed", "weights · V", "", Stage::f, mixed, limit, of.box.side, 0,
                               std::move(of_mixture)});
    const auto put_out =
        named_map(ui, r, f, a,
                  {"output", "F(X)", "W_O", Stage::f, out, common_limit(std::array{most_of(out)}),
                   of.box.side, 0, std::move(of_output)});
    if (put_out) a.view.of<TransformerView>().hovered = BoxCell{of.box, put_out->row, put_out->col};
    if (!at) return std::nullopt;
    const int head = static_cast<int>((first + at->col) / of.width());
    std::vector<double> weights, mixed_values;
    for (Index m = 0; m < values.rows(); ++m) {
        if (!of.sees(at->row, m)) continue;
        weights.push_back(of.weight(head, at->row, m));
        mixed_values.push_back(static_cast<double>(values(m, at->col)));
    }
    return MixedWords{
        worded("{}, head {}, feature {} of weights · V",
               of.queries[static_cast<std::size_t>(at->row)], head + 1,
               (first + at->col) % of.width() + 1),
        mixture_words(weights, mixed_values, static_cast<double>(mixed(at->row, at->col)))};
}

} // namespace

void head_choice(Ui& ui, Rect& row, const Frame& f, Actions& a, int heads) {
    if (ui.state.picture || heads < 2) return;
    const std::optional<int> now = f.view.of<TransformerView>().head;
    const int at = now ? std::min(*now, heads - 1) : heads;
    std::vector<std::string> texts;
    for (int h = 0; h < heads; ++h) texts.push_back(std::to_string(h + 1));
    texts.emplace_back("mean");
    std::vector<ChoiceName> labels;
    for (const std::string& text : texts) labels.push_back({text, text});
    const auto choose_head = [&](int h) {
        a.view.of<TransformerView>().head = h < heads ? std::optional(h) : std::nullopt;
    };
    const float buttons_w = segmented_width(ui, labels);
    if (buttons_w <= row.w * 0.7f) {
        if (const auto c = segmented(ui, "head", cut_right(row, buttons_w), labels, at))
            choose_head(*c);
    } else {
        const std::string text = at < heads ? worded("{} of {}", at + 1, heads) : worded("mean");
        const StepperSpec spec{.now = at + 1,
                               .less = std::max(at, 1),
                               .more = std::min(at + 2, heads + 1),
                               .text = text,
                               .less_hint = "The head before",
                               .hint = "Click to type which head; behind the last one is the mean",
                               .more_hint = "The next head",
                               .accepted = whole_numbers(1, heads + 1)};
        const float w = std::min(row.w, stepper_width(ui, worded("{} of {}", heads, heads)));
        if (const auto c = stepper(ui, "head", cut_right(row, w), spec))
            choose_head(static_cast<int>(*c) - 1);
    }
    cut_right(row, ui.px(8));
    const float w = small_width(ui, tr("head")) + 1;
    if (w <= row.w) soft_label(ui, cut_right(row, w), "head", Align::right);
}

void attention_lens(Ui& ui, Rect r, const Frame& f, Actions& a, const Box& box) {
    const TransformerStudy& study = transformer_of(f);
    const Attended of = attended(f, study, box);
    Rect head = cut_top(r, ui.px(28));
    head_choice(ui, head, f, a, of.heads);
    soft_label(ui, head, worded("d_h = {}/{} = {}", of.cache.width(), of.heads, of.width()));
    cut_top(r, ui.px(4));
    Rect words = cut_bottom(r, ui.px(20) + formula_height(ui, 2), ui.px(6));
    if (box.side == StackSide::decoder && of.reading != Reading::cross && !ui.state.picture)
        peek_strip(ui, cut_bottom(r, ui.px(40), ui.px(6)), f);
    const float mixed_h =
        ui.px(18) + std::min(ui.px(k_mixed_row_h) *
                                 static_cast<float>(std::max(of.queries.size(), of.keys.size())),
                             r.h * 0.25f);
    const auto mixed = mixed_maps(ui, cut_bottom(r, mixed_h, ui.px(10)), f, a, of);
    HeatmapCell at = largest_weight(f, study, of);
    const auto over_scores = over_map(f, box, "scores"), over_weights = over_map(f, box, "weights"),
               over_mixed = over_map(f, box, "mixed");
    if (const auto over = over_scores ? over_scores : over_weights;
        over && over->row < of.weights.rows() && over->col < of.weights.cols())
        at = *over;
    const auto focus = over_mixed ? std::nullopt : std::optional(at);
    const auto seen_row = [&](const std::optional<HeatmapCell>& query) {
        return row_of(query, query ? of.seen_by(query->row) : 0);
    };
    std::optional<HeatmapCell> hovered;
    const auto map = [&](Rect where, const AttentionMap& m) {
        if (const auto cell = attention_map(ui, where, f, a, of, m)) hovered = cell;
    };
    Rect upper = r;
    if (of.head) {
        const bool beside = r.w >= ui.px(k_side_by_side_from);
        upper = beside ? cut_left(r, (r.w - ui.px(20)) / 2, ui.px(20))
                       : cut_top(r, (r.h - ui.px(10)) / 2, ui.px(10));
        const double most = of.scores.cwiseAbs().maxCoeff();
        const Lights lights{seen_row(over_weights), {}};
        map(upper, {"scores", "scores q·k/√d_h", of.scores, common_limit(std::array{most}), focus,
                    lights});
    }
    const Lights lights{seen_row(over_mixed), seen_row(over_scores)};
    map(r, {"weights", of.head ? "softmax: weights" : "weights, mean of the heads", of.weights, 1,
            focus, lights});
    if (hovered) at = *hovered;
    soft_label(ui, cut_top(words, ui.px(20)), mixed ? mixed->title : pair_words(of, at));
    formula_lines(ui, words, mixed ? std::vector{mixed->line} : words_of(of, at));
}

void layer_attention(Ui& ui, Rect inside, const Frame& f, Actions& a, const Box& box) {
    const TransformerStudy& study = transformer_of(f);
    Rect words = cut_bottom(inside, formula_height(ui, 2), ui.px(4));
    const int blocks = study.blocks(box.side) - 1; // the last one is the feed-forward one
    const int told = std::min(box.block, blocks - 1);
    const float gap = ui.px(14), gaps = gap * static_cast<float>(blocks - 1);
    const bool below = inside.h > inside.w;
    const float part = ((below ? inside.h : inside.w) - gaps) / static_cast<float>(blocks);
    std::vector<std::string> lines;
    for (int b = 0; b < blocks; ++b) {
        const Box sublayer{Box::Kind::sublayer, box.side, box.layer, b};
        const Attended of = attended(f, study, sublayer);
        const HeatmapCell at = largest_weight(f, study, of);
        const Rect where = below ? cut_top(inside, part, gap) : cut_left(inside, part, gap);
        // Close below what is drawn, where there is more room than cells fill.
        const float filled = ui.px(46 + k_largest_cell_h * static_cast<float>(of.queries.size()));
        if (b + 1 == blocks) words.y = std::min(words.y, where.y + filled);
        const auto hovered = attention_map(
            ui, where, f, a, of, {kind_of(of.reading), kind_of(of.reading), of.weights, 1, at});
        if (hovered || (lines.empty() && b == told)) lines = words_of(of, hovered.value_or(at));
    }
    formula_lines(ui, words, lines);
}

} // namespace normscope
