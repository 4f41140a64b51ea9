#include "core/train/sequence_accuracy.h"

#include "core/nn/loss.h"

#include <algorithm>

namespace normscope {
namespace {

template<class S>
Index likeliest(const Matrix<S>& logits, Index row) {
    Index top = 0;
    logits.row(row).maxCoeff(&top);
    return top;
}

} // namespace

template<class S>
double sequence_accuracy(const TransformerForward<S>& forward, const Batch& batch,
                         Counted counted) {
    Index row = 0;
    double right = 0, all = 0;
    for (const Sentence& sentence : batch) {
        double right_words = 0, words = 0;
        for (const Index label : sentence.labels) {
            const Index written = likeliest(forward.logits, row++);
            if (label == k_no_label) continue;
            ++words;
            if (written == label) ++right_words;
        }
        right += counted == Counted::words ? right_words : right_words == words ? 1 : 0;
        all += counted == Counted::words ? words : 1;
    }
    return right / all;
}

template<class S>
Result<double> greedy_accuracy(const Transformer<S>& model, Batch batch) {
    std::vector<std::vector<Index>> wanted;
    std::size_t longest = 0;
    for (Sentence& sentence : batch) {
        longest = std::max(longest, sentence.labels.size());
        wanted.push_back(std::move(sentence.labels));
        sentence.labels.clear();
        sentence.target.resize(1);
    }
    for (std::size_t word = 0; word < longest; ++word) {
        const auto forward = transformer_forward(model, batch);
        if (!forward) return tl::unexpected(forward.error());
        Index end = 0;
        for (Sentence& sentence : batch) {
            end += static_cast<Index>(sentence.target.size());
            sentence.target.push_back(likeliest(forward->logits, end - 1));
        }
    }
    double right = 0;
    for (std::size_t s = 0; s < batch.size(); ++s)
        if (std::equal(wanted[s].begin(), wanted[s].end(), batch[s].target.begin() + 1)) ++right;
    return right / static_cast<double>(batch.size());
}

template<class S>
double antidiagonal_best(const Transformer<S>& model, const TransformerForward<S>& forward) {
    double best = 0;
    const int heads = model.config.heads;
    for (const auto& layer : forward.decoder.layers) {
        const auto& attention = std::get<AttentionCache<S>>(layer[1].sublayer);
        for (int head = 0; head < heads; ++head) {
            double sum = 0, words = 0;
            for (const Matrix<S>& weights : attention.probabilities) {
                const Index tokens = weights.rows() / heads, sources = weights.cols();
                for (Index t = 0; t < std::min(tokens, sources); ++t)
                    sum += static_cast<double>(weights(head * tokens + t, sources - 1 - t));
                words += static_cast<double>(tokens);
            }
            best = std::max(best, sum / words);
        }
    }
    return best;
}

template double sequence_accuracy(const TransformerForward<float>&, const Batch&, Counted);
template double sequence_accuracy(const TransformerForward<double>&, const Batch&, Counted);
template Result<double> greedy_accuracy(const Transformer<float>&, Batch);
template Result<double> greedy_accuracy(const Transformer<double>&, Batch);
template double antidiagonal_best(const Transformer<float>&, const TransformerForward<float>&);
template double antidiagonal_best(const Transformer<double>&, const TransformerForward<double>&);

} // namespace normscope
