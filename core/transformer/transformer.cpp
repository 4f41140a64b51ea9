#include "core/transformer/transformer.h"

#include "core/kernels/softmax.h"
#include "core/nn/embedding.h"
#include "core/nn/loss.h"

#include <algorithm>
#include <string>
#include <utility>

namespace normscope {
namespace {

enum class Side : std::uint8_t { source, target };

const std::vector<Index>& ids_of(const Sentence& sentence, Side side) {
    return side == Side::source ? sentence.source : sentence.target;
}

// "the source of sentence 2"
std::string name_of(Side side, std::size_t sentence) {
    return std::string(side == Side::source ? "the source" : "the target") + " of sentence " +
           std::to_string(sentence);
}

// A side's embedding and positions; a tied table is the head's.
template<class S>
struct SideTables {
    const Matrix<S>& words;
    const Matrix<S>& learned;
};

template<class S>
SideTables<S> tables_of(const Transformer<S>& model, Side side) {
    const bool source = side == Side::source;
    const Matrix<S>& own = source ? model.source_embedding : model.target_embedding;
    return {model.config.tied ? model.generator.weight : own,
            source ? model.source_positions : model.target_positions};
}

// The sentences of one side, their ids one after the other.
template<class S>
Result<void> read_sentences(const TransformerConfig& config, const Batch& batch, Side side,
                            EmbeddingForward<S>& out) {
    if (batch.empty()) return fail("a batch needs at least one sentence");
    for (std::size_t s = 0; s < batch.size(); ++s) {
        const std::vector<Index>& ids = ids_of(batch[s], side);
        const auto tokens = static_cast<Index>(ids.size());
        if (tokens == 0) return fail(name_of(side, s) + " is empty: it needs at least one token");
        if (config.positions == Positions::learned && tokens > config.longest)
            return fail(name_of(side, s) + " has " + std::to_string(tokens) +
                        " tokens; there are learned positions for " +
                        std::to_string(config.longest));
        out.sentences.lengths.push_back(tokens);
        out.ids.insert(out.ids.end(), ids.begin(), ids.end());
    }
    const bool pads = side == Side::source && std::ranges::any_of(batch, [](const Sentence& s) {
                          return !s.padding.empty();
                      });
    for (std::size_t s = 0; pads && s < batch.size(); ++s) {
        std::vector<std::uint8_t> padding = batch[s].padding;
        if (padding.empty()) padding.resize(batch[s].source.size());
        if (padding.size() != batch[s].source.size())
            return fail("the padding mask of sentence " + std::to_string(s) + " has " +
                        std::to_string(padding.size()) + " entries for " +
                        std::to_string(batch[s].source.size()) + " tokens");
        out.sentences.hidden.insert(out.sentences.hidden.end(), padding.begin(), padding.end());
    }
    return {};
}

template<class S>
Result<EmbeddingForward<S>> embedding_forward(const Transformer<S>& model, const Batch& batch,
                                              Side side) {
    const TransformerConfig& config = model.config;
    EmbeddingForward<S> out;
    if (auto ok = read_sentences(config, batch, side, out); !ok) return tl::unexpected(ok.error());
    const std::vector<Index>& lengths = out.sentences.lengths;
    const auto tables = tables_of(model, side);
    out.words.resize(static_cast<Index>(out.ids.size()), config.width);
    Index row = 0;
    for (std::size_t s = 0; s < batch.size(); ++s) {
        if (auto ok = embed<S>(tables.words, ids_of(batch[s], side), embed_factor(config),
                               out.words, row);
            !ok)
            return fail(name_of(side, s) + ": " + ok.error().message);
        row += lengths[s];
    }
    out.sum = out.words;
    if (config.positions == Positions::none) return out;
    const Index longest = *std::ranges::max_element(lengths);
    out.positions = config.positions == Positions::learned
                        ? Matrix<S>(tables.learned.topRows(longest))
                        : sinusoidal_positions<S>(longest, config.width);
    row = 0;
    for (const Index tokens : lengths) {
        out.sum.middleRows(row, tokens) += out.positions.topRows(tokens);
        row += tokens;
    }
    return out;
}

// The gradients of a side's tables from that of embedding + position.
template<class S>
void side_backward(const Transformer<S>& model, const EmbeddingForward<S>& forward,
                   const Matrix<S>& dsum, Side side, TransformerBackward<S>& out) {
    const TransformerConfig& config = model.config;
    const bool source = side == Side::source;
    const auto tables = tables_of(model, side);
    Matrix<S>& own = source ? out.source_embedding : out.target_embedding;
    if (!config.tied) own.setZero(tables.words.rows(), config.width);
    embed_backward<S>(forward.ids, embed_factor(config), dsum, 0,
                      config.tied ? out.generator.dweight : own);
    if (config.positions != Positions::learned) return;
    Matrix<S>& dpositions = source ? out.source_positions : out.target_positions;
    dpositions.setZero(tables.learned.rows(), config.width);
    Index row = 0;
    for (const Index tokens : forward.sentences.lengths) {
        dpositions.topRows(tokens) += dsum.middleRows(row, tokens);
        row += tokens;
    }
}

// The labels of all tokens under the head, or none where no sentence has any.
Result<std::vector<Index>> batch_labels(const Batch& batch, const std::vector<Index>& lengths,
                                        Index vocabulary) {
    std::vector<Index> out;
    if (std::ranges::all_of(batch, [](const Sentence& s) { return s.labels.empty(); })) return out;
    for (std::size_t s = 0; s < batch.size(); ++s) {
        const std::vector<Index>& labels = batch[s].labels;
        if (static_cast<Index>(labels.size()) != lengths[s])
            return fail("sentence " + std::to_string(s) + " has " + std::to_string(labels.size()) +
                        " labels for " + std::to_string(lengths[s]) + " tokens");
        std::vector<Index> words = labels;
        std::ranges::replace(words, k_no_label, Index{0});
        if (auto ok = check_words(words, vocabulary); !ok)
            return fail("the labels of sentence " + std::to_string(s) + ": " + ok.error().message);
        out.insert(out.end(), labels.begin(), labels.end());
    }
    return out;
}

template<class S>
AttentionContext<S> context_of(const TransformerForward<S>& forward, Side side) {
    if (side == Side::source) return {&forward.source.sentences, nullptr, nullptr};
    return {&forward.target.sentences, &forward.encoder.y, &forward.source.sentences};
}

template<class S>
Result<void> head_forward(const Transformer<S>& model, const Batch& batch,
                          TransformerForward<S>& out) {
    const bool decodes = has_decoder(model.config);
    const auto& lengths = (decodes ? out.target : out.source).sentences.lengths;
    auto labels = batch_labels(batch, lengths, model.config.vocabulary);
    if (!labels) return tl::unexpected(labels.error());
    auto logits =
        linear_forward(model.generator, (decodes ? out.decoder : out.encoder).y, model.threads);
    if (!logits) return tl::unexpected(logits.error());
    out.logits = std::move(*logits);
    if (labels->empty()) {
        out.probabilities = out.logits;
        const Index words = out.logits.cols();
        for (Index t = 0; t < out.logits.rows(); ++t)
            softmax_row(out.probabilities.row(t).data(), words, words);
        return {};
    }
    auto entropy = cross_entropy(out.logits, *labels, model.config.label_smoothing);
    if (!entropy) return tl::unexpected(entropy.error());
    out.probabilities = std::move(entropy->probabilities);
    out.dlogits = std::move(entropy->dlogits);
    out.loss = entropy->loss;
    return {};
}

} // namespace

template<class S>
Result<TransformerForward<S>> transformer_forward(const Transformer<S>& model, const Batch& batch) {
    TransformerForward<S> out;
    const auto run = [&](Side side, EmbeddingForward<S>& embedding,
                         const TransformerStack<S>& stack, StackForward<S>& to) -> Result<void> {
        auto embedded = embedding_forward(model, batch, side);
        if (!embedded) return tl::unexpected(embedded.error());
        embedding = std::move(*embedded);
        auto forward = stack_forward(stack, embedding.sum, context_of(out, side));
        if (!forward) return tl::unexpected(forward.error());
        to = std::move(*forward);
        return {};
    };
    if (has_encoder(model.config))
        if (auto ok = run(Side::source, out.source, model.encoder, out.encoder); !ok)
            return tl::unexpected(ok.error());
    if (has_decoder(model.config))
        if (auto ok = run(Side::target, out.target, model.decoder, out.decoder); !ok)
            return tl::unexpected(ok.error());
    if (auto ok = head_forward(model, batch, out); !ok) return tl::unexpected(ok.error());
    return out;
}

template<class S>
Result<TransformerBackward<S>> transformer_backward(const Transformer<S>& model,
                                                    const TransformerForward<S>& forward) {
    if (!forward.loss) return fail("a gradient needs a loss: the sentences have no labels");
    const bool decodes = has_decoder(model.config);
    TransformerBackward<S> out;
    auto head = linear_backward(model.generator, (decodes ? forward.decoder : forward.encoder).y,
                                forward.dlogits, Pass{Want::everything, model.threads});
    if (!head) return tl::unexpected(head.error());
    out.generator = std::move(head->gradients);
    out.dy = std::move(head->dx);
    if (decodes) {
        auto back = stack_backward(model.decoder, forward.decoder, out.dy,
                                   context_of(forward, Side::target));
        if (!back) return tl::unexpected(back.error());
        out.decoder = std::move(*back);
        side_backward(model, forward.target, out.decoder.dx, Side::target, out);
    }
    if (has_encoder(model.config)) {
        auto back =
            stack_backward(model.encoder, forward.encoder, decodes ? out.decoder.dmemory : out.dy,
                           context_of(forward, Side::source));
        if (!back) return tl::unexpected(back.error());
        out.encoder = std::move(*back);
        side_backward(model, forward.source, out.encoder.dx, Side::source, out);
    }
    return out;
}

template Result<TransformerForward<float>> transformer_forward(const Transformer<float>&,
                                                               const Batch&);
template Result<TransformerForward<double>> transformer_forward(const Transformer<double>&,
                                                                const Batch&);
template Result<TransformerBackward<float>> transformer_backward(const Transformer<float>&,
                                                                 const TransformerForward<float>&);
template Result<TransformerBackward<double>>
transformer_backward(const Transformer<double>&, const TransformerForward<double>&);

} // namespace normscope
