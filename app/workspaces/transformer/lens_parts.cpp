#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "app/words/transformer_arithmetic.h"
#include "app/workspaces/transformer/lens.h"
#include "core/nn/activation.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

void line(Ui& ui, Rect& r, const std::string& words, Color color) {
    ui.label(cut_top(r, ui.px(20)), words, TextRole::small, color);
}

// "h₅": the hidden feature is counted from 1, as the screen counts features.
std::string hidden_words(const FeedForward<float>& ffn, const FeedForwardCache<float>& cache,
                         const HeatmapCell& at) {
    const auto unit = at.col;
    const double product =
        cache.x.row(at.row).cast<double>().dot(ffn.first.weight.row(unit).cast<double>());
    const double bias = ffn.first.bias.size() > 0 ? static_cast<double>(ffn.first.bias(unit)) : 0;
    const std::string_view name = ffn.activation == Activation::gelu ? "gelu" : "relu";
    return worded("{} → {}({}) = {}", sum_words("x·w + b", product, bias, product + bias), name,
                  printed(rounded(product + bias, 2), 2),
                  printed(rounded(static_cast<double>(cache.hidden(at.row, unit)), 2), 2));
}

} // namespace

void feed_forward_lens(Ui& ui, Rect r, const Frame& f, Actions& a, const Box& box) {
    const TransformerStudy& study = transformer_of(f);
    const FeedForwardCache<float>& cache = *study.feed_forward(box);
    const auto& ffn = std::get<FeedForward<float>>(study.block(box).sublayer);
    const Matrix<float>& out = study.output(box);
    const Words& words = study.tokens(box.side);
    const float names_w = words_width(ui, words);
    const Index d = cache.x.cols(), hidden = cache.hidden.cols();
    const std::string_view name = ffn.activation == Activation::gelu ? "gelu" : "relu";
    const auto zeros = static_cast<double>((cache.hidden.array() == 0.0f).count());
    line(ui, r, worded("{} → {} → {}: every token alone", d, hidden, d), ui.theme.ink);
    Rect arithmetic = cut_bottom(r, ui.px(40) + formula_height(ui, 1), ui.px(4));
    const std::vector<Rect> at = stacked_maps(ui, r, 3, cache.x.rows());
    const double most = common_limit(std::array{most_of(cache.x), most_of(out)});
    const auto over_hidden = over_map(f, box, "hidden");
    const auto map = [&](Rect where, std::string_view slot, std::string_view title,
                         std::string note, Stage stage, const Matrix<float>& values, double limit,
                         Lights lights) {
        return named_map(ui, where, f, a,
                         {slot, title, std::move(note), stage, values, limit, box.side, names_w,
                          std::move(lights)});
    };
    map(at[0], "x", "x", worded("{} features", d), Stage::x, cache.x, most,
        {row_of(over_hidden, d), {}});
    const auto hovered =
        map(at[1], "hidden", tr("hidden"), worded("{}(x·W₁ᵀ + b₁)", name), Stage::f, cache.hidden,
            common_limit(std::array{most_of(cache.hidden)}),
            {row_of(over_map(f, box, "f"), hidden), row_of(over_map(f, box, "x"), hidden)});
    const auto put_out = map(at[2], "f", "F(x)", "hidden·W₂ᵀ + b₂", Stage::f, out, most,
                             {{}, row_of(over_hidden, d)});
    if (put_out) a.view.of<TransformerView>().hovered = BoxCell{box, put_out->row, put_out->col};
    HeatmapCell cell{token_of(f, study, box.side), 0};
    cache.hidden.row(cell.row).maxCoeff(&cell.col);
    if (hovered) cell = *hovered;
    line(ui, arithmetic,
         worded("{:.0f} of {} hidden values are zero: {:.0f} %", zeros, cache.hidden.size(),
                100 * zeros / static_cast<double>(cache.hidden.size())),
         ui.theme.ink);
    line(ui, arithmetic,
         worded("{}, hidden feature {}", words[static_cast<std::size_t>(cell.row)], cell.col + 1),
         ui.theme.ink_soft);
    formula_lines(ui, arithmetic, std::array{hidden_words(ffn, cache, cell)});
}

void embedding_lens(Ui& ui, Rect r, const Frame& f, Actions& a, const Box& box) {
    const TransformerStudy& study = transformer_of(f);
    const EmbeddingForward<float>& input = study.embedded(box.side);
    const TransformerConfig& config = study.setup().config;
    const bool placed = input.positions.size() > 0;
    const float names_w = words_width(ui, study.tokens(box.side));
    const Index pinned = token_of(f, study, box.side);
    Rect arithmetic = cut_bottom(r, ui.px(20) + formula_height(ui, 2), ui.px(4));
    std::vector<double> largest{most_of(input.words), most_of(input.sum)};
    if (placed) largest.push_back(most_of(input.positions));
    const double limit = common_limit(largest);
    const std::vector<Rect> at = stacked_maps(ui, r, placed ? 3 : 1, input.sum.rows());
    std::optional<HeatmapCell> hovered;
    const auto cell_over = [&](std::string_view other) {
        const auto over = over_map(f, box, other);
        return over ? std::vector<CellBlock>{{over->row, over->col, 1, 1}}
                    : std::vector<CellBlock>{};
    };
    const auto map = [&](Rect where, std::string_view slot, std::string_view title,
                         std::string note, Stage stage, const Matrix<float>& values) {
        Lights lights;
        if (slot != "sum")
            lights.made = cell_over("sum");
        else if (lights.readers = cell_over("words"); lights.readers.empty())
            lights.readers = cell_over("positions");
        if (const auto cell = named_map(ui, where, f, a,
                                        {slot, title, std::move(note), stage, values, limit,
                                         box.side, names_w, std::move(lights)}))
            hovered = cell;
    };
    const std::string scale = config.embed_scale == EmbedScale::root
                                  ? worded("its row of the table · √{}", config.width)
                                  : worded("its row of the table");
    map(at[0], "words", "word", scale, Stage::x, input.words);
    if (placed) {
        map(at[1], "positions", "position",
            config.positions == Positions::sinusoidal ? "sines and cosines" : "learned",
            Stage::beta, input.positions);
        map(at[2], "sum", "sum", "the first layer's X", Stage::x, input.sum);
    }
    const HeatmapCell cell = worked_cell(f, a, box, hovered, input.sum, pinned);
    soft_label(ui, cut_top(arithmetic, ui.px(20)),
               worded("{}, feature {}", study.word(box.side, cell.row), cell.col + 1));
    const auto value = [&](const Matrix<float>& m) {
        return static_cast<double>(m(cell.row, cell.col));
    };
    std::vector<std::string> lines;
    if (placed)
        lines.push_back(
            sum_words("x", value(input.words), value(input.positions), value(input.sum)));
    else
        lines.push_back("x = " + printed(rounded(value(input.words), 2), 2));
    if (placed && config.positions == Positions::sinusoidal)
        lines.push_back(worded("PE = {}({}/10000^({}/{})) = {}", cell.col % 2 == 0 ? "sin" : "cos",
                               cell.row, cell.col - cell.col % 2, config.width,
                               printed(rounded(value(input.positions), 2), 2)));
    formula_lines(ui, arithmetic, lines);
}

void head_lens(Ui& ui, Rect r, const Frame& f, Actions& a, const Box& box) {
    const TransformerStudy& study = transformer_of(f);
    const Matrix<float>& out = study.output(box);
    const Index token = token_of(f, study, box.side);
    const std::vector<Index>& labels = study.sentence().labels;
    const bool labelled = !labels.empty();
    Rect arithmetic =
        cut_bottom(r, formula_height(ui, labelled ? 2 : 1) + (labelled ? ui.px(20) : 0), ui.px(4));
    const float map_h =
        std::min(r.h * 0.4f, ui.px(18) + ui.px(20) * static_cast<float>(out.rows()));
    const bool logits = box.kind == Box::Kind::linear;
    const auto at = named_map(ui, cut_top(r, map_h), f, a,
                              {"out", logits ? "logits" : "probabilities", "tokens × words",
                               Stage::z, out, logits ? common_limit(std::array{most_of(out)}) : 1,
                               box.side, words_width(ui, study.tokens(box.side))});
    if (at) a.view.of<TransformerView>().hovered = BoxCell{box, at->row, at->col};
    cut_top(r, ui.px(10));
    line(ui, r, worded("after “{}”", study.word(box.side, token)), ui.theme.ink_soft);
    word_bars(ui, r, study, token, static_cast<std::size_t>(out.cols()));

    const auto& p = study.forward().probabilities;
    Index word = 0;
    p.row(token).maxCoeff(&word);
    if (labelled) word = labels[static_cast<std::size_t>(token)];
    const double probability = static_cast<double>(p(token, word));
    const Vector<double> row = study.forward().logits.row(token).cast<double>();
    std::vector<std::string> lines =
        word_probability_words({row.data(), static_cast<std::size_t>(row.size())},
                               static_cast<std::size_t>(word), probability);
    if (labelled) lines.push_back(surprise_words(probability));
    arithmetic.y += formula_lines(ui, arithmetic, lines);
    if (labelled && study.forward().loss)
        ui.label({arithmetic.x, arithmetic.y, arithmetic.w, ui.px(20)},
                 worded("loss, the mean over {} tokens{}: {}", out.rows(),
                        study.setup().config.label_smoothing > 0 ? ", labels smoothed" : "",
                        printed(rounded(*study.forward().loss, 3), 3)),
                 TextRole::small, ui.theme.ink);
}

void peek_strip(Ui& ui, Rect r, const Frame& f) {
    const TransformerStudy& study = transformer_of(f);
    const Words& tokens = study.tokens(StackSide::decoder);
    const Index token = token_of(f, study, StackSide::decoder);
    auto& memory = f.memory.of<TransformerMemory>();
    memory.peeked = token;
    const Peek* peek = memory.peek.find(Peek::Input{f.document.transformer, token});
    if (!peek || peek->moved.size() != tokens.size()) return;
    soft_label(ui, cut_top(r, ui.px(20)),
               worded("If “{}” were “{}”, each output would move by",
                      tokens[static_cast<std::size_t>(token)], peek->word));
    const float w = r.w / static_cast<float>(tokens.size());
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const double moved = peek->moved[i];
        Rect cell = cut_left(r, w);
        const Rect bar{cell.x, cell.bottom() - ui.px(4), cell.w - ui.px(4), ui.px(4)};
        ui.canvas.fill_rect(bar, ui.theme.rule, ui.px(2));
        const auto share = static_cast<float>(std::clamp(moved, 0.0, 1.0));
        const bool earlier = static_cast<Index>(i) < token;
        ui.canvas.fill_rect({bar.x, bar.y, bar.w * share, bar.h},
                            ui.theme.of(earlier ? Stage::gamma : Stage::y), ui.px(2));
        // A leak is a number before the word that is another.
        const std::string text = moved == 0 ? "0" : fixed_text(100 * moved, 0) + " %";
        cut_right(cell, ui.px(4));
        const float text_w = ui.canvas.text_size(text, TextRole::number_small).w + ui.px(4);
        if (cell.w >= 2 * text_w)
            ui.name_label(cut_left(cell, cell.w - text_w), tokens[i], TextRole::small,
                          ui.theme.ink_soft);
        ui.label(cell, text, TextRole::number_small,
                 moved == 0 ? ui.theme.ink_soft
                            : ui.theme.ink_of(earlier ? Stage::gamma : Stage::y));
    }
}

} // namespace normscope
