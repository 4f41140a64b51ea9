#include "app/study/batch_vs_layer/batch_sequences.h"

#include "app/language/language.h"
#include "core/base/lists.h"
#include "core/base/random.h"
#include "core/base/rounding.h"
#include "core/norm/normalize.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

constexpr Index k_rows = static_cast<Index>(k_sentences) * k_longest_sentence;

constexpr std::array<std::array<std::string_view, k_longest_sentence>, k_sentences> k_words = {{
    {"the", "cat", "sat", "quite", "still"},
    {"a", "norm", "keeps", "layers", "calm"},
    {"so", "what", "happens", "then", "now"},
    {"birds", "sing", "at", "dawn", "again"},
}};

// Two decimals, as they would be typed; a mean away from 0, so that zeros in its place show.
Matrix<double> words(std::uint64_t seed) {
    Random random(seed);
    Matrix<double> z(k_rows, k_sentence_features);
    for (Index i = 0; i < z.size(); ++i) z.data()[i] = to_hundredths(1 + random.normal());
    return z;
}

// x̂ of the rows that count, at their places; the others stay 0.
Result<Matrix<double>> batch_x_hat(const Matrix<double>& z, const std::vector<Index>& counted,
                                   const NormOptions& options) {
    const auto normalized =
        TRY(normalize<double>(NormKind::batch, z(counted, Eigen::all), options));
    Matrix<double> out = Matrix<double>::Zero(z.rows(), z.cols());
    out(counted, Eigen::all) = normalized.cache.x_hat;
    return out;
}

Matrix<double> layer_x_hat(const Matrix<double>& z, const NormOptions& options) {
    const auto normalized = normalize<double>(NormKind::layer, z, options);
    return normalized ? normalized->cache.x_hat : Matrix<double>(z);
}

// The largest moves of x̂ over `rows`, the rows that are words and not padding.
Sequences::Moved moved(const std::vector<Index>& rows, const SentenceCell& leak,
                       const Matrix<double>& change) {
    Sequences::Moved out;
    for (const Index row : rows) {
        const double by = change.row(row).cwiseAbs().maxCoeff();
        const Index sentence = row / k_longest_sentence;
        const Index word = row % k_longest_sentence;
        if (sentence != leak.sentence)
            out.others = std::max(out.others, by);
        else if (word < leak.word)
            out.earlier = std::max(out.earlier.value_or(0), by);
        else if (word == leak.word)
            out.itself = by;
        else
            out.later = std::max(out.later.value_or(0), by);
    }
    return out;
}

void statistics(const Matrix<double>& z, Vector<double>& mean, Vector<double>& variance) {
    mean = z.colwise().mean().transpose();
    variance = (z.rowwise() - mean.transpose()).array().square().colwise().mean().transpose();
}

} // namespace

Sequences sequences(const BatchSetup& setup, double eps) {
    Sequences s;
    s.z = words(setup.seed);
    s.leak = leak_cell(setup);
    std::vector<Index> real, all;
    for (Index row = 0; row < k_rows; ++row) {
        const auto sentence = static_cast<std::size_t>(row / k_longest_sentence);
        const bool is_word = row % k_longest_sentence < setup.lengths[sentence];
        all.push_back(row);
        if (is_word)
            real.push_back(row);
        else
            s.z.row(row).setZero();
    }
    statistics(s.z, s.mean_counted, s.variance_counted);
    statistics(s.z(real, Eigen::all), s.mean_left_out, s.variance_left_out);

    NormOptions options;
    options.eps = eps;
    const std::vector<Index>& counted = setup.padding == Padding::counted ? all : real;
    Matrix<double> raised = s.z;
    raised(sequence_row(s.leak.sentence, s.leak.word), s.leak.feature) += 1;
    s.layer = layer_x_hat(s.z, options);
    s.layer_change = layer_x_hat(raised, options) - s.layer;
    const auto batch = batch_x_hat(s.z, counted, options);
    const auto batch_raised = batch_x_hat(raised, counted, options);
    if (batch && batch_raised) {
        s.batch = *batch;
        s.batch_change = *batch_raised - *batch;
    } else {
        s.batch = s.batch_change = Matrix<double>::Constant(s.z.rows(), s.z.cols(), std::nan(""));
        s.problem = error_text(batch.error());
    }
    s.batch_moved = moved(real, s.leak, s.batch_change);
    s.layer_moved = moved(real, s.leak, s.layer_change);
    return s;
}

std::string_view sentence_word(Index sentence, Index word) {
    return entry_at(entry_at(k_words, sentence), word);
}

} // namespace normscope
