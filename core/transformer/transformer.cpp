#include "core/transformer/transformer.h"

#include "core/base/lists.h"
#include "core/kernels/softmax.h"
#include "core/nn/embedding.h"
#include "core/nn/loss.h"

#include <algorithm>
#include <utility>

namespace normscope {
namespace {

enum class Side : std::uint8_t { source, target };

const std::vector<Index>& ids_of(const Sentence& sentence, Side side) {
    return side == Side::source ? sentence.source : sentence.target;
}

// "the source of sentence 2"
Error name_of(Side side, std::size_t sentence) {
    return side == Side::source ? error_of("the source of sentence {}", sentence)
                                : error_of("the target of sentence {}", sentence);
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
    out.sentences.lengths.clear();
    out.sentences.hidden.clear();
    out.ids.clear();
    if (batch.empty()) return fail("a batch needs at least one sentence");
    for (const auto s : indices(batch)) {
        const std::vector<Index>& ids = ids_of(batch[s], side);
        const auto tokens = std::ssize(ids);
        if (tokens == 0) return fail("{} is empty: it needs at least one token", name_of(side, s));
        if (config.positions == Positions::learned && tokens > config.longest)
            return fail("{} has {} tokens; there are learned positions for {}", name_of(side, s),
                        tokens, config.longest);
        out.sentences.lengths.push_back(tokens);
        add_all(out.ids, ids);
    }
    const bool pads = side == Side::source && std::ranges::any_of(batch, [](const Sentence& s) {
                          return !s.padding.empty();
                      });
    for (std::size_t s = 0; pads && s < batch.size(); ++s) {
        std::vector<std::uint8_t> padding = batch[s].padding;
        if (padding.empty()) padding.resize(batch[s].source.size());
        if (padding.size() != batch[s].source.size())
            return fail("the padding mask of sentence {} has {} entries for {} tokens", s,
                        padding.size(), batch[s].source.size());
        add_all(out.sentences.hidden, padding);
    }
    return {};
}

template<class S>
Result<void> embedding_forward(const Transformer<S>& model, const Batch& batch, Side side,
                               EmbeddingForward<S>& out) {
    const TransformerConfig& config = model.config;
    TRY(read_sentences(config, batch, side, out));
    const std::vector<Index>& lengths = out.sentences.lengths;
    const auto tables = tables_of(model, side);
    out.words.resize(std::ssize(out.ids), config.width);
    Index row = 0;
    for (const auto s : indices(batch)) {
        if (auto ok = embed<S>(tables.words, ids_of(batch[s], side), embed_factor(config),
                               out.words, row);
            !ok)
            return fail("{}: {}", name_of(side, s), ok.error());
        row += lengths[s];
    }
    out.sum = out.words;
    if (config.positions == Positions::none) return {};
    const Index longest = *std::ranges::max_element(lengths);
    const bool made = out.sinusoidal && out.positions.rows() == longest;
    if (config.positions == Positions::learned)
        out.positions = tables.learned.topRows(longest);
    else if (!made)
        out.positions = sinusoidal_positions<S>(longest, config.width);
    out.sinusoidal = config.positions != Positions::learned;
    row = 0;
    for (const Index tokens : lengths) {
        out.sum.middleRows(row, tokens) += out.positions.topRows(tokens);
        row += tokens;
    }
    return {};
}

// The gradients of a side's tables, from dsum, the gradient of embedding + position.
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
Result<void> batch_labels(const Batch& batch, const std::vector<Index>& lengths, Index vocabulary,
                          std::vector<Index>& out) {
    out.clear();
    if (std::ranges::all_of(batch, [](const Sentence& s) { return s.labels.empty(); })) return {};
    const auto is_word = [&](Index label) { return label >= 0 && label < vocabulary; };
    for (const auto s : indices(batch)) {
        const std::vector<Index>& labels = batch[s].labels;
        if (std::ssize(labels) != lengths[s])
            return fail("sentence {} has {} labels for {} tokens", s, labels.size(), lengths[s]);
        const auto wrong = std::ranges::find_if(
            labels, [&](Index label) { return label != k_no_label && !is_word(label); });
        if (wrong != labels.end())
            return fail(
                "the labels of sentence {}: {}", s,
                not_a_word(static_cast<std::size_t>(wrong - labels.begin()), *wrong, vocabulary));
        add_all(out, labels);
    }
    return {};
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
    out.loss.reset();
    TRY(batch_labels(batch, lengths, model.config.vocabulary, out.labels));
    TRY(linear_forward_into(model.generator, (decodes ? out.decoder : out.encoder).y, model.threads,
                            out.logits));
    if (out.labels.empty()) {
        out.probabilities = out.logits;
        const Index words = out.logits.cols();
        for (Index t = 0; t < out.logits.rows(); ++t)
            softmax_row(out.probabilities.row(t).data(), words, words);
        out.dlogits.resize(0, 0);
        return {};
    }
    CrossEntropy<S> entropy{0, std::move(out.probabilities), std::move(out.dlogits)};
    TRY(cross_entropy_into(out.logits, out.labels, model.config.label_smoothing, entropy));
    out.probabilities = std::move(entropy.probabilities);
    out.dlogits = std::move(entropy.dlogits);
    out.loss = entropy.loss;
    return {};
}

} // namespace

template<class S>
Result<void> transformer_forward_into(const Transformer<S>& model, const Batch& batch,
                                      TransformerForward<S>& out) {
    const auto run = [&](Side side, EmbeddingForward<S>& embedding,
                         const TransformerStack<S>& stack, StackForward<S>& to) -> Result<void> {
        TRY(embedding_forward(model, batch, side, embedding));
        return stack_forward_into(stack, embedding.sum, context_of(out, side), to);
    };
    if (has_encoder(model.config)) TRY(run(Side::source, out.source, model.encoder, out.encoder));
    if (has_decoder(model.config)) TRY(run(Side::target, out.target, model.decoder, out.decoder));
    return head_forward(model, batch, out);
}

template<class S>
Result<void> transformer_backward_into(const Transformer<S>& model,
                                       const TransformerForward<S>& forward, Want want,
                                       TransformerBackward<S>& out) {
    if (!forward.loss) return fail("a gradient needs a loss: the sentences have no labels");
    const bool decodes = has_decoder(model.config);
    const Pass pass{want, model.threads};
    shape_gradients(model.generator, pass, out.generator);
    TRY(linear_backward_into(model.generator, (decodes ? forward.decoder : forward.encoder).y,
                             forward.dlogits, pass, out.generator, out.dy));
    if (decodes) {
        TRY(stack_backward_into(model.decoder, forward.decoder, out.dy, want,
                                context_of(forward, Side::target), out.decoder));
        side_backward(model, forward.target, out.decoder.dx, Side::target, out);
    }
    if (!has_encoder(model.config)) return {};
    TRY(stack_backward_into(model.encoder, forward.encoder, decodes ? out.decoder.dmemory : out.dy,
                            want, context_of(forward, Side::source), out.encoder));
    side_backward(model, forward.source, out.encoder.dx, Side::source, out);
    return {};
}

NORMSCOPE_IN_BOTH_PRECISIONS(transformer_forward_into);
NORMSCOPE_IN_BOTH_PRECISIONS(transformer_backward_into);

} // namespace normscope
