#include "core/base/parallel.h"
#include "core/norm/normalize.h"
#include "core/transformer/named_tensors.h"

#include <algorithm>
#include <utility>

namespace normscope {
namespace {

template<class S>
Result<BatchPass<S>> one_share(const Transformer<S>& model, const Batch& batch) {
    BatchPass<S> out;
    out.forward.push_back(TRY(transformer_forward(model, batch)));
    out.backward.push_back(TRY(transformer_backward(model, out.forward.front())));
    out.loss = *out.forward.front().loss;
    return out;
}

// Adds the gradients of the weights of all shares into the first one's.
template<class S>
void add_up(std::vector<TransformerBackward<S>>& shares, int threads) {
    const auto sums = tensors(shares.front());
    for (std::size_t i = 1; i < shares.size(); ++i) {
        const auto parts = tensors(shares[i]);
        parallel_chunks(threads, std::ssize(sums), [&](int, Index begin, Index end) {
            for (auto t = static_cast<std::size_t>(begin); t < static_cast<std::size_t>(end); ++t)
                Eigen::Map<Vector<S>>(sums[t].data, sums[t].size()) += parts[t].values();
        });
    }
}

} // namespace

template<class S>
Result<BatchPass<S>> batch_pass(const Transformer<S>& model, const Batch& batch) {
    const auto sentences = std::ssize(batch);
    const bool apart = norm_entry(model.config.norm).shares != Shares::feature;
    const auto shares =
        static_cast<int>(apart ? std::min<Index>(std::max(1, model.threads), sentences) : 1);
    if (shares <= 1) return one_share(model, batch);
    BatchPass<S> out;
    out.forward.resize(static_cast<std::size_t>(shares));
    out.backward.resize(out.forward.size());
    std::vector<std::uint8_t> failed(out.forward.size());
    parallel_chunks(shares, sentences, [&](int c, Index begin, Index end) {
        const auto i = static_cast<std::size_t>(c);
        auto forward =
            transformer_forward(model, Batch(batch.begin() + begin, batch.begin() + end));
        failed[i] = !forward || !forward->loss;
        if (failed[i] != 0) return;
        out.forward[i] = std::move(*forward);
    });
    // The message counts the sentences of the whole batch.
    if (std::ranges::count(failed, 1) > 0) return one_share(model, batch);
    double tokens = 0;
    for (const auto& share : out.forward) tokens += static_cast<double>(share.logits.rows());
    for (auto& share : out.forward) {
        const double part = static_cast<double>(share.logits.rows()) / tokens;
        share.dlogits *= static_cast<S>(part);
        out.loss += part * *share.loss;
    }
    parallel_chunks(shares, shares, [&](int c, Index, Index) {
        const auto i = static_cast<std::size_t>(c);
        if (auto backward = transformer_backward(model, out.forward[i]))
            out.backward[i] = std::move(*backward);
        else
            failed[i] = 1;
    });
    if (std::ranges::count(failed, 1) > 0) return one_share(model, batch);
    add_up(out.backward, shares);
    return out;
}

NORMSCOPE_IN_BOTH_PRECISIONS(batch_pass);

} // namespace normscope
