#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "app/words/transformer_arithmetic.h"
#include "app/workspaces/transformer/lens.h"
#include "core/base/lists.h"
#include "core/nn/activation.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

void line(Ui& ui, Rect& r, const std::string& words, Color color) {
    ui.label(cut_top(r, 20), words, TextRole::small, color);
}

std::string_view name_of(const FeedForward<float>& ffn) {
    return ffn.activation == Activation::gelu ? "gelu" : "relu";
}

// "h₅": the hidden feature is counted from 1, as the screen counts features.
std::string hidden_words(const FeedForward<float>& ffn, const FeedForwardCache<float>& cache,
                         const HeatmapCell& at) {
    const auto unit = at.col;
    const double product =
        cache.x.row(at.row).cast<double>().dot(ffn.first.weight.row(unit).cast<double>());
    const double bias = ffn.first.bias.size() > 0 ? static_cast<double>(ffn.first.bias(unit)) : 0;
    const double sum = product + bias;
    return worded("{} → {}({}) = {}", sum_words("x·w + b", product, bias, sum), name_of(ffn),
                  printed(rounded(sum, 2), 2),
                  printed(rounded(static_cast<double>(cache.hidden(at.row, unit)), 2), 2));
}

} // namespace

void feed_forward_lens(Lens& lens, Rect r) {
    Ui& ui = lens.p;
    const FeedForwardCache<float>& cache = *lens.study.feed_forward(lens.box);
    const auto& ffn = std::get<FeedForward<float>>(lens.study.block(lens.box).sublayer);
    const Matrix<float>& out = lens.study.output(lens.box);
    const Index d = cache.x.cols(), hidden = cache.hidden.cols();
    const auto zeros = static_cast<double>((cache.hidden.array() == 0.0f).count());
    line(ui, r, worded("{} → {} → {}: every token alone", d, hidden, d), ui.theme.ink);
    Rect arithmetic = cut_bottom(r, 2 * k_caption_h + k_formula_h, 4);
    const std::vector<Rect> at = stacked_maps(r, 3, cache.x.rows());
    const double most = limit_of(cache.x, out);
    const auto row_over = [&](std::string_view slot, Index cols) {
        return row_of(lens.over(slot), cols);
    };
    lens.map(
        at[0],
        {"x", "x", worded("{} features", d), Stage::x, cache.x, most, {row_over("hidden", d), {}}});
    const auto hovered = lens.map(at[1], {"hidden",
                                          tr("hidden"),
                                          worded("{}(x·W₁ᵀ + b₁)", name_of(ffn)),
                                          Stage::f,
                                          cache.hidden,
                                          limit_of(cache.hidden),
                                          {row_over("f", hidden), row_over("x", hidden)}});
    lens.light(lens.map(
        at[2], {"f", "F(x)", "hidden·W₂ᵀ + b₂", Stage::f, out, most, {{}, row_over("hidden", d)}}));
    HeatmapCell cell{lens.token, 0};
    cache.hidden.row(cell.row).maxCoeff(&cell.col);
    if (hovered) cell = *hovered;
    line(ui, arithmetic,
         worded("{:.0f} of {} hidden values are zero: {:.0f} %", zeros, cache.hidden.size(),
                100 * zeros / static_cast<double>(cache.hidden.size())),
         ui.theme.ink);
    captioned(ui, arithmetic, worded("{}, hidden feature {}", lens.word(cell.row), cell.col + 1),
              std::array{hidden_words(ffn, cache, cell)});
}

void embedding_lens(Lens& lens, Rect r) {
    Ui& ui = lens.p;
    const EmbeddingForward<float>& input = lens.study.embedded(lens.box.side);
    const TransformerConfig& config = lens.study.setup().config;
    const bool placed = input.positions.size() > 0;
    const Rect arithmetic = cut_bottom(r, k_caption_h + 2 * k_formula_h, 4);
    const double limit = limit_of(input.words, input.sum, input.positions);
    const std::vector<Rect> at = stacked_maps(r, placed ? 3 : 1, input.sum.rows());
    const auto cell_over = [&](std::string_view slot) {
        const auto over = lens.over(slot);
        return over ? std::vector<CellBlock>{{over->row, over->col, 1, 1}}
                    : std::vector<CellBlock>{};
    };
    const Lights addend{cell_over("sum"), {}};
    const std::string scale = config.embed_scale == EmbedScale::root
                                  ? worded("its row of the table · √{}", config.width)
                                  : worded("its row of the table");
    lens.map(at[0], {"words", tr("word"), scale, Stage::x, input.words, limit, addend});
    if (placed) {
        const bool waves = config.positions == Positions::sinusoidal;
        lens.map(at[1], {"positions", tr("position"), waves ? "sines and cosines" : "learned",
                         Stage::beta, input.positions, limit, addend});
        const bool of_word = lens.over("words").has_value();
        lens.map(at[2], {"sum",
                         tr("sum"),
                         "the first layer's X",
                         Stage::x,
                         input.sum,
                         limit,
                         {{}, cell_over(of_word ? "words" : "positions")}});
    }
    const HeatmapCell cell = lens.worked_cell(input.sum);
    const auto value = [&](const Matrix<float>& m) {
        return static_cast<double>(m(cell.row, cell.col));
    };
    const auto shown = [&](const Matrix<float>& m) { return printed(rounded(value(m), 2), 2); };
    std::vector<std::string> lines;
    if (placed)
        lines.push_back(
            sum_words("x", value(input.words), value(input.positions), value(input.sum)));
    else
        lines.push_back("x = " + shown(input.words));
    if (placed && config.positions == Positions::sinusoidal)
        lines.push_back(worded("PE = {}({}/10000^({}/{})) = {}", cell.col % 2 == 0 ? "sin" : "cos",
                               cell.row, cell.col - cell.col % 2, config.width,
                               shown(input.positions)));
    captioned(ui, arithmetic, worded("{}, feature {}", lens.word(cell.row), cell.col + 1), lines);
}

void head_lens(Lens& lens, Rect r) {
    Ui& ui = lens.p;
    const TransformerStudy& study = lens.study;
    const Matrix<float>& out = study.output(lens.box);
    const Index token = lens.token;
    const std::vector<Index>& labels = study.sentence().labels;
    const bool labelled = !labels.empty();
    Rect arithmetic = cut_bottom(r, labelled ? k_caption_h + 2 * k_formula_h : k_formula_h, 4);
    const float map_h = std::min(r.h * 0.4f, 18.0f + 20.0f * static_cast<float>(out.rows()));
    const bool logits = lens.box.kind == Box::Kind::linear;
    lens.light(lens.map(cut_top(r, map_h, 10),
                        {"out", logits ? "logits" : tr("probabilities"), "tokens × words", Stage::z,
                         out, logits ? limit_of(out) : 1}));
    line(ui, r, worded("after “{}”", lens.word(token)), ui.theme.ink_soft);
    word_bars(ui, r, study, token, static_cast<std::size_t>(out.cols()));

    const Index word = labelled ? entry_at(labels, token) : study.likeliest(token);
    const auto probability = static_cast<double>(study.forward().probabilities(token, word));
    const Vector<double> row = study.forward().logits.row(token).cast<double>();
    std::vector<std::string> lines =
        word_probability_words({row.data(), static_cast<std::size_t>(row.size())},
                               static_cast<std::size_t>(word), probability);
    if (labelled) lines.push_back(surprise_words(probability));
    cut_top(arithmetic, formula_lines(ui, arithmetic, lines));
    if (labelled && study.forward().loss) {
        const std::string loss = printed(rounded(*study.forward().loss, 3), 3);
        line(ui, arithmetic,
             study.setup().config.label_smoothing > 0
                 ? worded("loss, the mean over {} tokens, labels smoothed: {}", out.rows(), loss)
                 : worded("loss, the mean over {} tokens: {}", out.rows(), loss),
             ui.theme.ink);
    }
}

void peek_strip(TransformerPanel& p, Rect r) {
    const TransformerStudy& study = transformer_of(p);
    const Words& tokens = study.tokens(StackSide::decoder);
    const Index token = token_of(p, StackSide::decoder);
    auto& memory = p.frame.memory.of<TransformerMemory>();
    memory.peeked = token;
    const Peek* peek = memory.peek.find(Peek::Input{p.document.transformer, token});
    if (!peek || peek->input.token != token || peek->moved.size() != tokens.size()) return;
    soft_label(p, cut_top(r, 20),
               worded("If “{}” were “{}”, each output would move by", entry_at(tokens, token),
                      peek->word));
    const float w = r.w / static_cast<float>(tokens.size());
    for (const auto i : indices(tokens)) {
        const double moved = peek->moved[i];
        // A leak is a number before the word that is another.
        const Stage stage = static_cast<Index>(i) < token ? Stage::gamma : Stage::y;
        Rect cell = cut_left(r, w);
        cut_right(cell, 4);
        Rect bar{cell.x, cell.bottom() - 4, cell.w, 4};
        p.canvas.fill_rect(bar, p.theme.rule, 2);
        bar.w *= static_cast<float>(std::clamp(moved, 0.0, 1.0));
        p.canvas.fill_rect(bar, p.theme.of(stage), 2);
        p.label(cut_top(cell, 16), Text::typed(tokens[i]), TextRole::small, p.theme.ink_soft);
        const std::string text = moved == 0 ? "0" : fixed_text(100 * moved, 0) + " %";
        p.label(cell, text, TextRole::number_small,
                moved == 0 ? p.theme.ink_soft : p.theme.ink_of(stage));
    }
}

} // namespace normscope
