#include "app/words/transformer_cell.h"

#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

std::string digits(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "∞" : "-∞";
    return fmt::format("{:.4g}", value == 0 ? 0 : value);
}

// x̂ of a set's statistics: as the norm has it, less the mean, over the root of the spread and ε.
std::string normalized(const NormEntry& norm, double z, double mean, double rstd, double x_hat) {
    const std::string centred =
        norm.centres ? fmt::format("({} − {})", digits(z), digits(mean)) : digits(z);
    return fmt::format("x\u0302 = {} = {}/{} = {}",
                       norm.centres ? "(Z − μ)/√(σ² + ε)" : "Z/√(mean Z² + ε)", centred,
                       digits(1 / rstd), digits(x_hat));
}

std::string scaled(const Affine<float>& affine, Index token, Index feature, double x_hat,
                   double y) {
    const Index i = param_index(affine.per, token, feature);
    return fmt::format("Y = γ·x\u0302 + β = {}·{} + {} = {}",
                       digits(static_cast<double>(affine.gamma(i))), digits(x_hat),
                       digits(static_cast<double>(affine.beta(i))), digits(y));
}

// The first terms of row·columnᵀ, and how many there are.
std::string products(const Matrix<float>& left, Index row, const Matrix<float>& right,
                     Index column) {
    std::string out;
    constexpr Index k_shown = 2;
    for (Index k = 0; k < std::min(k_shown, left.cols()); ++k)
        out += fmt::format("{}{}·{}", k > 0 ? " + " : "", digits(static_cast<double>(left(row, k))),
                           digits(static_cast<double>(right(column, k))));
    if (left.cols() > k_shown) out += fmt::format(" + … ({} products)", left.cols());
    return out;
}

std::string biased(const Vector<float>& bias, Index at) {
    return bias.size() > 0 ? fmt::format(" + {}", digits(static_cast<double>(bias(at)))) : "";
}

std::string of_sublayer(const TransformerStudy& study, const Box& box, Index t, Index d) {
    const ResidualBlock<float>& block = study.block(box.side, box.layer, box.block);
    const std::string result = digits(static_cast<double>(study.output(box)(t, d)));
    if (block.options.placement == Placement::peri)
        return "F(X) = " + result + ", what the sublayer puts out, normalized by its second norm";
    if (const auto* attention = study.attention(box.side, box.layer, box.block)) {
        const auto& layer = std::get<MultiHeadAttention<float>>(block.sublayer);
        return fmt::format("F(X) = heads · row {} of W_out + b = {}{} = {}", d + 1,
                           products(attention->context, t, layer.out.weight, d),
                           biased(layer.out.bias, d), result);
    }
    const FeedForwardCache<float>& cache = *study.feed_forward(box.side, box.layer, box.block);
    const auto& layer = std::get<FeedForward<float>>(block.sublayer);
    return fmt::format("F(X) = hidden · row {} of W₂ + b₂ = {}{} = {}", d + 1,
                       products(cache.hidden, t, layer.second.weight, d),
                       biased(layer.second.bias, d), result);
}

} // namespace

std::string where_from(const TransformerStudy& study, const Box& box, Index t, Index d) {
    const Matrix<float> values = study.output(box);
    if (t >= values.rows() || d >= values.cols()) return {};
    const auto value = static_cast<double>(values(t, d));
    const NormEntry& norm = norm_entry(study.setup().config.norm);
    switch (box.kind) {
    case Box::Kind::embedding: {
        const auto& e =
            box.side == StackSide::encoder ? study.forward().source : study.forward().target;
        const auto word = static_cast<double>(e.words(t, d));
        if (e.positions.size() == 0)
            return fmt::format("{} = {}: the word's row of the table, times √d", digits(value),
                               digits(word));
        return fmt::format("word's row · √d + position's row = {} + {} = {}", digits(word),
                           digits(static_cast<double>(e.positions(t, d))), digits(value));
    }
    case Box::Kind::sublayer:
        return of_sublayer(study, box, t, d);
    case Box::Kind::add_norm: {
        const AddNormNumbers n = study.add_norm(box.side, box.layer, box.block);
        const ResidualBlock<float>& block = study.block(box.side, box.layer, box.block);
        const auto z = static_cast<double>(n.z(t, d));
        const auto f = digits(static_cast<double>(n.f(t, d)));
        std::string out = block.options.skip == Residual::add
                              ? fmt::format("Z = X + F(X) = {} + {} = {}",
                                            digits(static_cast<double>(n.x(t, d))), f, digits(z))
                              : fmt::format("Z = F(X) = {}", f);
        if (n.norm_first) return out + ": the norm comes before the sublayer";
        const NormEntry& own = norm_entry(block.options.norm);
        if (own.normalizes()) {
            const Index set = statistic_sets(n.cache).set_of(t, d);
            out += " → " + normalized(own, z, static_cast<double>(n.cache.mean(set)),
                                      rstd_of(n.cache, set), static_cast<double>(n.x_hat(t, d)));
        }
        return out + " → " + scaled(block.affine, t, d, static_cast<double>(n.x_hat(t, d)), value);
    }
    case Box::Kind::final_norm: {
        const NormCache<float>& cache = *study.final_norm(box.side);
        if (!norm.normalizes()) return fmt::format("Y = γ·X + β = {}", digits(value));
        const Index set = statistic_sets(cache).set_of(t, d);
        const auto mean = static_cast<double>(cache.mean(set));
        const double rstd = rstd_of(cache, set);
        const auto x_hat = static_cast<double>(cache.x_hat(t, d));
        return normalized(norm, x_hat / rstd + mean, mean, rstd, x_hat) +
               " → Y = γ·x\u0302 + β = " + digits(value);
    }
    case Box::Kind::linear: {
        const Linear<float>& head = study.model().generator;
        const Matrix<float> y = study.output_of(box.side);
        return fmt::format("Y · row “{}” of W + b = {}{} = {}",
                           study.vocabulary()[static_cast<std::size_t>(d)],
                           products(y, t, head.weight, d), biased(head.bias, d), digits(value));
    }
    case Box::Kind::softmax: {
        const Matrix<float>& logits = study.forward().logits;
        const double sum = logits.row(t).cast<double>().array().exp().sum();
        const auto logit = static_cast<double>(logits(t, d));
        return fmt::format("softmax = e^{} / Σ = {} / {} = {}", digits(logit),
                           digits(std::exp(logit)), digits(sum), digits(value));
    }
    }
    return {};
}

} // namespace normscope
