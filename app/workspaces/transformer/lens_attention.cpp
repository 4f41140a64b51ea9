#include "app/charts/heatmap.h"
#include "app/language/language.h"
#include "app/words/transformer_arithmetic.h"
#include "app/workspaces/transformer/lens.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr float k_side_by_side_from = 620;
constexpr float k_largest_cell_h = 40;
constexpr float k_mixed_row_h = 16; // a name beside each row

// One attention sublayer: its numbers with the chosen head, or the mean of all.
struct Attended {
    Lens& lens;
    Reading reading = lens.study.reading(lens.box);
    const AttentionCache<float>& cache = *lens.study.attention(lens.box);
    // The side whose tokens are the keys; the queries are the words of the lens.
    StackSide of_keys = reading == Reading::cross ? StackSide::encoder : lens.box.side;
    const Words& keys = lens.study.tokens(of_keys);
    int heads = lens.study.setup().config.heads;
    std::optional<int> head = lens.p.view.head; // none: the mean
    Matrix<double> scores = {};                 // q·k/√d_h; empty for the mean
    Matrix<double> weights = {};

    Index width() const { return cache.width() / heads; }
    double root() const { return std::sqrt(static_cast<double>(width())); }
    // Keys that a query sees are the first ones; queries that see a key are the last ones.
    Index seen_by(Index query) const {
        return reading == Reading::masked ? query + 1 : std::ssize(keys);
    }
    Index first_to_see(Index key) const { return reading == Reading::masked ? key : 0; }
    bool is_padding(Index key) const {
        return of_keys == StackSide::encoder && entry_at(keys, key) == k_padding_word;
    }
    bool sees(Index query, Index key) const { return key < seen_by(query) && !is_padding(key); }
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
    // The key that the pinned token looks at most.
    HeatmapCell largest() const {
        HeatmapCell at{lens.token, 0};
        weights.row(at.row).maxCoeff(&at.col);
        return at;
    }
};

Attended attended(Lens& lens) {
    Attended out{lens};
    if (out.head) out.head = std::min(*out.head, out.heads - 1);
    const auto rows = std::ssize(lens.words);
    const auto cols = std::ssize(out.keys);
    out.weights.setZero(rows, cols);
    for (const auto h : indices(out.heads))
        if (!out.head || *out.head == h)
            out.weights += out.cache.probabilities[0].middleRows(h * rows, rows).cast<double>() /
                           (out.head ? 1.0 : out.heads);
    if (out.head)
        out.scores = Matrix<double>::NullaryExpr(rows, cols, [&](Index t, Index m) {
            return out.sees(t, m) ? out.product(t, m) / out.root() : 0.0;
        });
    return out;
}

constexpr ChoiceName k_kinds[] = { // in the order of Reading
    {"self", "self"},
    {"masked", "masked"},
    {"cross", "cross"}};

void hatch(Ui& ui, Rect r) {
    ui.canvas.fill_rect(r, ui.theme.background);
    ui.canvas.push_clip(r);
    for (float x = r.x - r.h; x < r.right(); x += 6)
        ui.canvas.line({x, r.bottom()}, {x + r.h, r.y}, ui.theme.rule);
    ui.canvas.pop_clip();
}

// Above the columns: whole, in a narrow face, or its first letters and dots.
void key_names(Ui& ui, Rect r, const Heatmap& heat) {
    const float most = heat.port.cell_w - 2;
    for (const auto m : indices(heat.values.cols())) {
        const Text name = Text::typed(entry_at(heat.col_names, m));
        const auto fits = [&](TextRole role) { return ui.text_width(name, role) <= most; };
        const TextRole role = fits(TextRole::small) ? TextRole::small : TextRole::number_narrow;
        ui.canvas.text_in({r.x + heat.port.cell_w * static_cast<float>(m), r.y - heat.col_names_h,
                           heat.port.cell_w, heat.col_names_h},
                          Text::typed(ui.canvas.elide(name, role, most)), role,
                          heat.marks.col_name == m ? ui.theme.ink : ui.theme.ink_soft);
    }
}

// A map of an attention: its scores or its weights.
struct AttentionMap {
    std::string_view slot, title;
    const Matrix<double>& values;
    double limit = 1;
    std::optional<HeatmapCell> focus = {};
    Lights lights = {};
};

// Queries are rows, keys are columns; returns the cell under the mouse.
std::optional<HeatmapCell> attention_map(const Attended& of, Rect r, const AttentionMap& map) {
    TransformerPanel& p = of.lens.p;
    const Box& box = of.lens.box;
    Rect head = cut_top(r, 18);
    Rect names = cut_top(r, 18);
    const float names_w = std::max(words_width(p, of.lens.words), small_width(p, "query ↓") + 8.0f);
    const std::string_view keys = "key →";
    soft_label(p, cut_left(names, names_w), "query ↓");
    soft_label(p, cut_right(head, small_width(p, keys) + 1), keys, Align::right);
    cut_left(r, names_w);
    cut_left(head, names_w);
    p.label(head, map.title, TextRole::label, p.theme.ink_of(Stage::f));
    const Index rows = map.values.rows(), cols = map.values.cols();
    if (r.w < 1 || r.h < 1) return std::nullopt;
    r.h = std::min(r.h, k_largest_cell_h * static_cast<float>(rows));
    Heatmap heat;
    heat.values = MatrixView(map.values);
    heat.port = {0, 0, r.w / static_cast<float>(cols), r.h / static_cast<float>(rows),
                 p.canvas.scale()};
    heat.row_names = of.lens.words;
    heat.col_names = of.keys;
    heat.row_names_w = names_w;
    heat.col_names_h = 18;
    const auto pinned = pinned_in(p, box.side);
    heat.marks.row_name = pinned;
    if (of.reading == Reading::cross) heat.marks.col_name = pinned_in(p, StackSide::encoder);
    draw_row_names(p.canvas, p.theme, r, heat, {0, rows});
    key_names(p, r, heat);
    std::optional<HeatmapCell> hovered;
    if (!p.state.picture) {
        const Hit hit = p.hit(map.slot, r, k_by_mouse);
        if (const auto at = cell_at(r, heat.port, rows, cols, p.mouse())) {
            if (hit.clicked) p.next.pinned = TokenOf{box.side, at->row};
            if (hit.hovered && of.sees(at->row, at->col))
                hovered = at;
            else
                p.tooltip(hit, of.is_padding(at->col)
                                   ? "Masked: padding. Its weight is exactly 0"
                                   : "Masked: a later word. Its weight is exactly 0");
        }
    }
    const CellFormat format = choose_cell_format(p.canvas, r, heat.port, heat.values);
    for (const auto t : indices(rows))
        for (const auto m : indices(cols)) {
            const Rect cell = cell_rect(r, heat.port, t, m).inset(0.5f);
            if (!of.sees(t, m)) {
                hatch(p, cell);
                continue;
            }
            const Color fill = heat_color(p.theme, map.values(t, m), map.limit);
            p.canvas.fill_rect(cell, fill, 2);
            if (format.decimals >= 0)
                p.canvas.text_in(cell, cell_text(map.values(t, m), format), format.role,
                                 ink_on(fill));
        }
    if (pinned)
        p.canvas.stroke_rect({r.x, cell_rect(r, heat.port, *pinned, 0).y, r.w, heat.port.cell_h},
                             p.theme.ink, 1.5f, 2);
    if (const auto focus = hovered ? hovered : map.focus)
        p.canvas.stroke_rect(cell_rect(r, heat.port, focus->row, focus->col), p.theme.focus, 2, 2);
    draw_lights(p, r, heat.port, map.lights);
    if (hovered) p.next.over = LensCell{map.slot, box, *hovered};
    return hovered;
}

std::vector<std::string> words_of(const Attended& of, const HeatmapCell& at) {
    std::vector<double> values;
    if (!of.head) {
        for (const auto h : indices(of.heads)) values.push_back(of.weight(h, at.row, at.col));
        return {mean_words(values)};
    }
    AttentionWeight w;
    for (const auto m : indices(of.seen_by(at.row))) {
        if (m == at.col && of.sees(at.row, m)) w.key = values.size();
        if (of.sees(at.row, m)) values.push_back(of.scores(at.row, m));
    }
    w.scores = values;
    w.product = of.product(at.row, at.col);
    w.root = of.root();
    w.weight = of.weights(at.row, at.col);
    return weight_words(w);
}

std::string pair_words(const Attended& of, const HeatmapCell& at) {
    const std::string& key = entry_at(of.keys, at.col);
    return of.head ? worded("{} → {}, head {}", of.lens.word(at.row), key, *of.head + 1)
                   : worded("{} → {}, mean of the heads", of.lens.word(at.row), key);
}

// The arithmetic of a value that attention mixes.
struct MixedWords {
    std::string title, line;
};

// Values → weights · V → F(X): a row of small maps. Of a cell of weights · V under the mouse:
// words.
std::optional<MixedWords> mixed_maps(const Attended& of, Rect r) {
    Lens& lens = of.lens;
    Ui& ui = lens.p;
    const Index first = of.head ? *of.head * of.width() : 0;
    const Index count = of.head ? of.width() : of.cache.width();
    const Matrix<float> values = of.cache.values().middleCols(first, count);
    const Matrix<float> mixed = of.cache.context.middleCols(first, count);
    const Matrix<float>& out = lens.study.output(lens.box);
    const double limit = limit_of(values, mixed);
    lens.names_w = words_width(ui, of.keys);
    const float gap = 14;
    const float w = (r.w - lens.names_w - 2 * gap) / 3;
    const Rect of_values = cut_left(r, lens.names_w + w, gap);
    const Rect of_mixed = cut_left(r, w, gap);
    const auto over_mixed = lens.over("mixed");
    Lights of_v, of_mixture;
    if (over_mixed) of_v.made = {{0, over_mixed->col, of.seen_by(over_mixed->row), 1}};
    of_mixture.made = row_of(lens.over("output"), count);
    if (const auto value = lens.over("values"))
        of_mixture.readers = {{of.first_to_see(value->row), value->col,
                               mixed.rows() - of.first_to_see(value->row), 1}};
    else
        of_mixture.readers = row_of(lens.over("weights"), count);
    lens.map(of_values, {"values", of.head ? "V of the head" : "V", "", Stage::x, values, limit,
                         std::move(of_v), true, of.of_keys});
    const auto at = lens.map(of_mixed, {"mixed", "weights · V", "", Stage::f, mixed, limit,
                                        std::move(of_mixture), false});
    lens.light(lens.map(r, {"output",
                            "F(X)",
                            "W_O",
                            Stage::f,
                            out,
                            limit_of(out),
                            {{}, row_of(over_mixed, out.cols())},
                            false}));
    if (!at) return std::nullopt;
    const int head = static_cast<int>((first + at->col) / of.width());
    std::vector<double> weights, mixed_values;
    for (const auto m : indices(of.seen_by(at->row))) {
        weights.push_back(of.weight(head, at->row, m));
        mixed_values.push_back(static_cast<double>(values(m, at->col)));
    }
    return MixedWords{
        worded("{}, head {}, feature {} of weights · V", lens.word(at->row), head + 1,
               (first + at->col) % of.width() + 1),
        mixture_words(weights, mixed_values, static_cast<double>(mixed(at->row, at->col)))};
}

} // namespace

void head_choice(TransformerPanel& p, Rect& row, int heads) {
    if (p.state.picture || heads < 2) return;
    const std::optional<int> now = p.view.head;
    const int at = now ? std::min(*now, heads - 1) : heads;
    std::vector<std::string> texts;
    for (const auto h : indices(heads)) texts.push_back(std::to_string(h + 1));
    texts.emplace_back("mean");
    std::vector<ChoiceName> labels;
    for (const std::string& text : texts) labels.push_back({text, text});
    const auto choose_head = [&](int h) {
        p.next.head = h < heads ? std::optional(h) : std::nullopt;
    };
    const float buttons_w = segmented_width(p, labels);
    if (buttons_w <= row.w * 0.7f) {
        if (const auto c = segmented(p, "head", cut_right(row, buttons_w), labels, at))
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
        const float w = std::min(row.w, stepper_width(p, worded("{} of {}", heads, heads)));
        if (const auto c = stepper(p, "head", cut_right(row, w), spec))
            choose_head(static_cast<int>(*c) - 1);
    }
    cut_right(row, 8);
    const float w = small_width(p, tr("head")) + 1;
    if (w <= row.w) soft_label(p, cut_right(row, w), "head", Align::right);
}

void attention_lens(Lens& lens, Rect r) {
    Ui& ui = lens.p;
    const Attended of = attended(lens);
    Rect head = cut_top(r, 28, 4);
    head_choice(lens.p, head, of.heads);
    const bool of_decoder =
        !ui.state.picture && lens.box.side == StackSide::decoder && of.reading != Reading::cross;
    TransformerConfig next = lens.p.document.transformer.config;
    if (of_decoder &&
        left_button(ui, "mask", head,
                    {next.masked ? "Mask: on" : "Mask: off", "Whether a word sees no later one"},
                    12)) {
        next.masked = !next.masked;
        lens.p.edit(SetTransformer{next});
    }
    if (head.w > 90)
        soft_label(ui, head, worded("d_h = {}/{} = {}", of.cache.width(), of.heads, of.width()));
    const Rect foot = cut_bottom(r, k_caption_h + 2 * k_formula_h, 6);
    if (of_decoder) peek_strip(lens.p, cut_bottom(r, 56, 6));
    const float mixed_h =
        18 +
        std::min(k_mixed_row_h * static_cast<float>(std::max(lens.words.size(), of.keys.size())),
                 r.h * 0.25f);
    // The lower maps are left out where the rows of those above would be too low for their names.
    const float maps = of.head && r.w < k_side_by_side_from ? 2.0f : 1.0f;
    const float row_h = ((r.h - mixed_h) / maps - 46) / static_cast<float>(lens.words.size());
    std::optional<MixedWords> mixed;
    if (row_h >= ui.canvas.line_height(TextRole::small))
        mixed = mixed_maps(of, cut_bottom(r, mixed_h, 10));
    HeatmapCell at = of.largest();
    const auto over_scores = lens.over("scores"), over_weights = lens.over("weights"),
               over_mixed = lens.over("mixed");
    if (const auto over = over_scores ? over_scores : over_weights;
        over && over->row < of.weights.rows() && over->col < of.weights.cols())
        at = *over;
    const auto focus = over_mixed ? std::nullopt : std::optional(at);
    const auto seen_row = [&](const std::optional<HeatmapCell>& query) {
        return row_of(query, query ? of.seen_by(query->row) : 0);
    };
    if (of.head) {
        const bool beside = r.w >= k_side_by_side_from;
        const Rect upper =
            beside ? cut_left(r, (r.w - 20.0f) / 2, 20.0f) : cut_top(r, (r.h - 10.0f) / 2, 10.0f);
        const std::string title = fmt::format("{} q·k/√d_h", tr("scores"));
        if (const auto cell = attention_map(of, upper,
                                            {"scores",
                                             title,
                                             of.scores,
                                             limit_of(of.scores),
                                             focus,
                                             {seen_row(over_weights), {}}}))
            at = *cell;
    }
    if (const auto cell =
            attention_map(of, r,
                          {"weights",
                           of.head ? "softmax: weights" : "weights, mean of the heads",
                           of.weights,
                           1,
                           focus,
                           {seen_row(over_mixed), seen_row(over_scores)}}))
        at = *cell;
    captioned(ui, foot, mixed ? mixed->title : pair_words(of, at),
              mixed ? std::vector{mixed->line} : words_of(of, at));
}

void layer_attention(TransformerPanel& p, Rect inside, const Box& box) {
    Rect words = cut_bottom(inside, 2 * k_formula_h, 4);
    const int blocks = transformer_of(p).blocks(box.side) - 1; // the last one is the feed-forward
    const int told = std::min(box.block, blocks - 1);
    const float gap = 14, gaps = gap * static_cast<float>(blocks - 1);
    const bool below = inside.h > inside.w;
    const float part = ((below ? inside.h : inside.w) - gaps) / static_cast<float>(blocks);
    std::vector<std::string> lines;
    for (const auto b : indices(blocks)) {
        Lens lens{p, {Box::Kind::sublayer, box.side, box.layer, b}};
        const Attended of = attended(lens);
        const HeatmapCell at = of.largest();
        const Rect where = below ? cut_top(inside, part, gap) : cut_left(inside, part, gap);
        // Close below what is drawn, where there is more room than cells fill.
        const float filled = 46 + k_largest_cell_h * static_cast<float>(lens.words.size());
        if (b + 1 == blocks) words.y = std::min(words.y, where.y + filled);
        const ChoiceName& kind = entry_at(k_kinds, of.reading);
        const auto hovered = attention_map(of, where, {kind.id, kind.label, of.weights, 1, at});
        if (hovered || (lines.empty() && b == told)) lines = words_of(of, hovered.value_or(at));
    }
    formula_lines(p, words, lines);
}

} // namespace normscope
