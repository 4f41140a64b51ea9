#include "app/words/transformer_arithmetic.h"

#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace normscope {

namespace {

constexpr int k_fewest = 2, k_most = 8; // decimals

// Lines with results from the printed operands, and whether these are the true ones, rounded.
struct Worked {
    std::vector<std::string> lines;
    bool exact = true;

    void expect(double from_printed, double truth, int d) {
        exact = exact && prints_alike(from_printed, rounded(truth, d));
    }
};

// The lines with as few decimals as give the true results.
template<class Write>
std::vector<std::string> fitted(Write&& write) {
    Worked worked;
    for (int d = k_fewest; d <= k_most; ++d) {
        worked = {};
        write(worked, d);
        if (worked.exact) break;
    }
    return worked.lines;
}

// fitted() of one line.
template<class Write>
std::string fitted_line(Write&& write) {
    return fitted(write).front();
}

// The operands may have more decimals than the sum.
double write_sum(Worked& w, const AddNormCell& c, const char* name, double truth, int d) {
    double z = 0;
    std::string line;
    for (int k = d; k <= k_most; ++k) {
        const double x = rounded(c.x, k), f = rounded(c.f, k);
        z = rounded(c.adds ? x + f : f, d);
        line = c.adds
                   ? worded("{} = {} + {} = {}", name, printed(x, k), printed(f, k), printed(z, d))
                   : worded("{} = F(X) = {}", name, printed(z, d));
        if (prints_alike(z, rounded(truth, d))) break;
    }
    w.expect(z, truth, d);
    w.lines.push_back(line);
    return z;
}

void write_norm(Worked& w, const AddNormCell& c, double in, const char* out, int d) {
    const int e = std::max(k_fewest, d <= 4 ? d - 1 : d - 2);
    double x_hat = in;
    int shown = d;
    if (c.spread->divides) {
        const double mean = rounded(c.mean, d), root = rounded(c.root, d);
        x_hat = rounded((c.spread->centres ? in - mean : in) / root, e);
        w.expect(x_hat, c.x_hat, e);
        const std::string above = c.spread->centres
                                      ? worded("({} − {})", printed(in, d), printed(mean, d))
                                      : printed(in, d);
        w.lines.push_back(
            worded("x\u0302 = {}{} = {}", above, "/" + printed(root, d), printed(x_hat, e)));
        shown = e;
    }
    const double gamma = rounded(c.gamma, shown), beta = rounded(c.beta, shown);
    const double y = rounded(gamma * x_hat + beta, k_fewest);
    w.expect(y, c.y, k_fewest);
    w.lines.push_back(worded("{} = {}·{} + {} = {}", out, printed(gamma, shown),
                             printed(x_hat, shown), printed(beta, shown), printed(y, k_fewest)));
}

// So many decimals show `digits` significant ones.
int decimals_of(double value, int digits) {
    if (!(std::abs(value) > 0) || !std::isfinite(value)) return digits;
    const int before = static_cast<int>(std::floor(std::log10(std::abs(value)))) + 1;
    return std::clamp(digits - before, 0, 9);
}

// Exponentials beyond are of the difference from the largest score.
constexpr double k_largest_exponent = 12;

// name = e^score/Σ, the score as printed with `d` decimals.
void write_share(Worked& w, const std::string& name, std::span<const double> scores, double score,
                 int d, double truth, int result_d) {
    const double most = *std::ranges::max_element(scores);
    const double shift = std::abs(most) > k_largest_exponent ? rounded(most, d) : 0;
    double sum = 0;
    for (const double s : scores) sum += std::exp(s - shift);
    const double e = std::exp(score - shift);
    const std::string power =
        shift == 0 ? printed(score, d) : worded("({} − {})", printed(score, d), printed(shift, d));
    std::string line;
    bool exact = false;
    for (int digits = 3; digits <= k_most && !exact; ++digits) {
        const int e_d = decimals_of(e, digits), sum_d = decimals_of(sum, digits);
        const double share = rounded(rounded(e, e_d) / rounded(sum, sum_d), result_d);
        exact = prints_alike(share, rounded(truth, result_d));
        line = worded("e^{}/Σ = {}/{} = {}", power, printed(e, e_d), printed(sum, sum_d),
                      printed(share, result_d));
    }
    w.exact = w.exact && exact;
    w.lines.push_back(name + " = " + line);
}

// μ and s of a cell's set, γ and β, into `cell`.
void read_norm(AddNormCell& cell, const NormCache<float>& cache, const Affine<float>& affine,
               Index token, Index feature) {
    const Index i = param_index(affine.per, token, feature);
    cell.gamma = static_cast<double>(affine.gamma(i));
    cell.beta = static_cast<double>(affine.beta(i));
    cell.spread = &spread_of(cache);
    if (!cell.spread->divides) return;
    const Index set = statistic_sets(cache).set_of(token, feature);
    if (cell.spread->centres) cell.mean = static_cast<double>(cache.mean(set));
    cell.root = 1 / rstd_of(cache, set);
}

} // namespace

AddNormCell add_norm_cell(const TransformerStudy& study, const Box& box, Index token,
                          Index feature) {
    const AddNormNumbers n = study.add_norm(box);
    const ResidualBlock<float>& block = study.block(box);
    AddNormCell cell;
    cell.norm_first = n.norm_first;
    cell.adds = block.options.skip == Residual::add;
    // A norm that comes first reads X as it comes, whatever the Add makes of it.
    cell.x = static_cast<double>((n.norm_first ? study.input(box) : n.x)(token, feature));
    cell.f = static_cast<double>(n.f(token, feature));
    cell.z = static_cast<double>(n.z(token, feature));
    cell.x_hat = static_cast<double>(n.x_hat(token, feature));
    cell.y = static_cast<double>(n.normed(token, feature));
    read_norm(cell, n.cache, block.affine, token, feature);
    return cell;
}

AddNormCell final_norm_cell(const TransformerStudy& study, StackSide side, Index token,
                            Index feature) {
    const StackForward<float>& stack = study.stack(side);
    AddNormCell cell;
    cell.z = static_cast<double>(stack.last(token, feature));
    cell.x_hat = static_cast<double>(stack.final_norm->cache.x_hat(token, feature));
    cell.y = static_cast<double>(stack.y(token, feature));
    read_norm(cell, stack.final_norm->cache, of_side(study.model(), side).final_norm->affine, token,
              feature);
    return cell;
}

std::vector<std::string> add_norm_words(const AddNormCell& c) {
    return fitted([&](Worked& w, int d) {
        if (c.norm_first) {
            write_norm(w, c, rounded(c.x, d), "γ·x\u0302+β", d);
            write_sum(w, c, "y", c.z, d);
        } else {
            write_norm(w, c, write_sum(w, c, "z", c.z, d), "y", d);
        }
    });
}

std::vector<std::string> norm_words(const AddNormCell& c) {
    return fitted([&](Worked& w, int d) { write_norm(w, c, rounded(c.z, d), "y", d); });
}

std::vector<std::string> weight_words(const AttentionWeight& weight) {
    const double score = weight.scores[weight.key];
    return fitted([&](Worked& w, int d) {
        double shown = 0;
        std::string line;
        for (int k = d; k <= k_most; ++k) {
            const double product = rounded(weight.product, k), root = rounded(weight.root, k);
            shown = rounded(product / root, d);
            line = worded("q·k/√d_h = {}/{} = {}", printed(product, k), printed(root, k),
                          printed(shown, d));
            if (prints_alike(shown, rounded(score, d))) break;
        }
        w.expect(shown, score, d);
        w.lines.push_back(line);
        write_share(w, "softmax", weight.scores, shown, d, weight.weight, 2);
    });
}

std::vector<std::string> word_probability_words(std::span<const double> logits, std::size_t word,
                                                double probability) {
    return fitted([&](Worked& w, int d) {
        write_share(w, "p", logits, rounded(logits[word], d), d, probability, 3);
    });
}

std::string mean_words(std::span<const double> weights) {
    constexpr std::size_t k_most_written = 4;
    const auto n = static_cast<double>(weights.size());
    const double truth = std::accumulate(weights.begin(), weights.end(), 0.0) / n;
    return fitted_line([&](Worked& w, int d) {
        double sum = 0;
        std::string all;
        for (const double p : weights) {
            sum += rounded(p, d);
            all += (all.empty() ? "" : " + ") + printed(p, d);
        }
        sum = rounded(sum, d);
        const double mean = rounded(sum / n, 2);
        w.expect(mean, truth, 2);
        const std::string above =
            weights.size() > k_most_written
                ? "Σ/" + std::to_string(weights.size()) + " = " + printed(sum, d)
                : "(" + all + ")";
        w.lines.push_back(worded("mean = {}/{} = {}", above, weights.size(), printed(mean, 2)));
    });
}

std::string surprise_words(double probability) {
    return fitted_line([&](Worked& w, int d) {
        const double p = rounded(probability, d + 1);
        const double surprise = rounded(-std::log(p), 2);
        w.expect(surprise, -std::log(probability), 2);
        w.lines.push_back(worded("−log {} = {}", printed(p, d + 1), printed(surprise, 2)));
    });
}

std::string significant_text(double value, int digits) {
    const int d = value == 0 ? 0 : decimals_of(value, digits);
    return printed(value, d);
}

std::string sum_words(const std::string& name, double a, double b, double sum,
                      std::optional<int> decimals) {
    const int to = decimals.value_or(decimals_of(sum, 3));
    return fitted_line([&](Worked& w, int d) {
        const int more = std::max(d, to);
        const double total = rounded(rounded(a, more) + rounded(b, more), to);
        w.expect(total, sum, to);
        w.lines.push_back(worded("{} = {} + {} = {}", name, printed(a, more), printed(b, more),
                                 printed(total, to)));
    });
}

std::string mixture_words(std::span<const double> weights, std::span<const double> values,
                          double mixture) {
    constexpr std::size_t k_most_written = 5;
    return fitted_line([&](Worked& w, int d) {
        double sum = 0;
        std::string terms;
        for (const auto i : indices(weights)) {
            sum += rounded(weights[i], d) * rounded(values[i], d);
            if (i < k_most_written)
                terms += fmt::format("{}{}·{}", i > 0 ? " + " : "", printed(weights[i], d),
                                     printed(values[i], d));
        }
        const double total = rounded(sum, 2);
        w.expect(total, mixture, 2);
        w.lines.push_back(worded("{}{} = {}", terms, weights.size() > k_most_written ? " + …" : "",
                                 printed(total, 2)));
    });
}

} // namespace normscope
