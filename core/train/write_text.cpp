#include "core/train/write_text.h"

#include "core/base/random.h"

#include <algorithm>
#include <cmath>

namespace normscope {
namespace {

// Of softmax(logits/τ) the index at which its sum exceeds `share` of 1.
template<class S>
Index drawn(const Matrix<S>& logits, Index row, double temperature, double share) {
    const double top = static_cast<double>(logits.row(row).maxCoeff());
    Vector<double> weights(logits.cols());
    for (Index i = 0; i < weights.size(); ++i)
        weights(i) = std::exp((static_cast<double>(logits(row, i)) - top) / temperature);
    double left = share * weights.sum();
    Index i = 0;
    while (i + 1 < weights.size() && left >= weights(i)) left -= weights(i++);
    return i;
}

} // namespace

template<class S>
Result<std::vector<Index>> write_text(const Transformer<S>& model, const std::vector<Index>& start,
                                      const WriteOptions& options) {
    Random random(options.seed);
    std::vector<Index> all = start;
    Batch batch(1);
    TransformerForward<S> forward;
    for (Index i = 0; i < options.characters; ++i) {
        const auto read = static_cast<std::ptrdiff_t>(
            std::min<std::size_t>(all.size(), static_cast<std::size_t>(options.context)));
        batch[0].target.assign(all.end() - read, all.end());
        if (auto ok = transformer_forward_into(model, batch, forward); !ok)
            return tl::unexpected(ok.error());
        all.push_back(drawn(forward.logits, read - 1, options.temperature, random.uniform()));
    }
    return std::vector<Index>(all.begin() + static_cast<std::ptrdiff_t>(start.size()), all.end());
}

template decltype(write_text<float>) write_text<float>;
template decltype(write_text<double>) write_text<double>;

} // namespace normscope
