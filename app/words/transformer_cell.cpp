#include "app/language/language.h"
#include "app/words/transformer_arithmetic.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/ranges.h>
#include <numeric>

namespace normscope {

namespace {

std::string joined(const std::vector<std::string>& lines) {
    return fmt::format("{}", fmt::join(lines, " → "));
}

// The largest terms of row·columnᵀ, and how many there are.
std::string products(const Matrix<float>& left, Index row, const Matrix<float>& right,
                     Index column) {
    const auto factor = [](float value) { return significant_text(static_cast<double>(value)); };
    const auto size = [&](Index k) { return std::abs(left(row, k) * right(column, k)); };
    std::vector<Index> order = first_places(left.cols());
    constexpr std::size_t k_shown = 2;
    const std::size_t shown = std::min(k_shown, order.size());
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(shown),
                      order.end(), [&](Index a, Index b) { return size(a) > size(b); });
    std::string out;
    for (std::size_t i = 0; i < shown; ++i)
        out += fmt::format("{}{}·{}", i > 0 ? " + " : "", factor(left(row, order[i])),
                           factor(right(column, order[i])));
    if (order.size() > shown) out = worded("{} + … ({} products)", out, order.size());
    return out;
}

std::string biased(const Vector<float>& bias, Index at) {
    return bias.size() > 0 ? " + " + significant_text(static_cast<double>(bias(at))) : "";
}

std::string of_sublayer(const TransformerStudy& study, const Box& box, Index t, Index d) {
    const ResidualBlock<float>& block = study.block(box);
    const std::string result = significant_text(static_cast<double>(study.output(box)(t, d)));
    if (block.options.placement == Placement::peri)
        return worded("F(X) = {}, what the sublayer puts out, normalized by its second norm",
                      result);
    if (const auto* attention = study.attention(box)) {
        const auto& layer = std::get<MultiHeadAttention<float>>(block.sublayer);
        return worded("F(X) = heads · row {} of W_out + b = {}{} = {}", d + 1,
                      products(attention->context, t, layer.out.weight, d),
                      biased(layer.out.bias, d), result);
    }
    const FeedForwardCache<float>& cache = *study.feed_forward(box);
    const auto& layer = std::get<FeedForward<float>>(block.sublayer);
    return worded("F(X) = hidden · row {} of W₂ + b₂ = {}{} = {}", d + 1,
                  products(cache.hidden, t, layer.second.weight, d), biased(layer.second.bias, d),
                  result);
}

} // namespace

std::string where_from(const TransformerStudy& study, const Box& box, Index t, Index d) {
    const Matrix<float>& values = study.output(box);
    if (t >= values.rows() || d >= values.cols()) return {};
    const auto value = static_cast<double>(values(t, d));
    switch (box.kind) {
    case Box::Kind::embedding: {
        const auto& e = study.embedded(box.side);
        const auto word = static_cast<double>(e.words(t, d));
        if (e.positions.size() == 0)
            return worded("x = the word's row of the table, scaled: {}", significant_text(value));
        return sum_words("x = word + position", word, static_cast<double>(e.positions(t, d)), value,
                         std::nullopt);
    }
    case Box::Kind::sublayer:
        return of_sublayer(study, box, t, d);
    case Box::Kind::add_norm:
        return joined(add_norm_words(add_norm_cell(study, box, t, d)));
    case Box::Kind::final_norm:
        return joined(norm_words(final_norm_cell(study, box.side, t, d)));
    case Box::Kind::linear: {
        const Linear<float>& head = study.model().generator;
        const Matrix<float>& y = study.stack(box.side).y;
        return worded("Y · row “{}” of W + b = {}{} = {}", entry_at(study.vocabulary(), d),
                      products(y, t, head.weight, d), biased(head.bias, d),
                      significant_text(value));
    }
    case Box::Kind::softmax: {
        const Vector<double> row = study.forward().logits.row(t).cast<double>();
        return joined(word_probability_words({row.data(), static_cast<std::size_t>(row.size())},
                                             static_cast<std::size_t>(d), value));
    }
    }
    return {};
}

std::string gradient_from(const TransformerStudy& study, const Box& box, Index t, Index d) {
    const Matrix<float> gradient = study.gradient(box);
    if (t >= gradient.rows() || d >= gradient.cols()) return {};
    const auto value = static_cast<double>(gradient(t, d));
    const std::string number = significant_text(value);
    switch (box.kind) {
    case Box::Kind::sublayer: {
        const double alpha = branch_scale(study.block(box));
        return alpha == 1 ? "∂L/∂F(X) = ∂L/∂Z = " + number
                          : worded("∂L/∂F(X) = α·∂L/∂Z = {}·{} = {}", significant_text(alpha),
                                   significant_text(value / alpha), number);
    }
    case Box::Kind::linear: {
        const auto p = static_cast<double>(study.forward().probabilities(t, d));
        const auto tokens = static_cast<double>(gradient.rows());
        return worded("∂L/∂logit = (p − label)/tokens = ({} − {})/{} = {}", significant_text(p),
                      significant_text(p - value * tokens), gradient.rows(), number);
    }
    case Box::Kind::softmax:
        return worded("∂L/∂p = −label/p/tokens = {}", number);
    case Box::Kind::final_norm:
        return "∂L/∂Y = " + number;
    case Box::Kind::embedding:
    case Box::Kind::add_norm:
        break;
    }
    // The block that reads it gives back two parts.
    const auto reader = study.next(box);
    const std::string name = box.kind == Box::Kind::embedding ? "∂L/∂X" : "∂L/∂Y";
    if (!reader)
        return study.has({Box::Kind::final_norm, box.side})
                   ? worded("{} through the final norm = {}", name, number)
               : box.side == study.head()
                   ? worded("{} from the head = {}", name, number)
                   : worded("{}, summed over the decoder layers = {}", name, number);
    const BlockBackward<float>& above = *study.backward(*reader);
    return sum_words(worded("{} = skip + sublayer above", name),
                     static_cast<double>(above.skip(t, d)), static_cast<double>(above.branch(t, d)),
                     value, std::nullopt);
}

} // namespace normscope
