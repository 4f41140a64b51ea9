#include "core/base/lists.h"
#include "core/nn/loss.h"
#include "core/train/learner.h"
#include "core/transformer/named_tensors.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace normscope {
namespace {

// Whether a sentence is right as a whole, or each of its words counts.
enum class Counted : std::uint8_t { sentences, words };

template<class S>
Index likeliest(const Matrix<S>& logits, Index row) {
    Index top = 0;
    logits.row(row).maxCoeff(&top);
    return top;
}

// The share of words, or of whole sentences, whose likeliest word is the label; words without a
// label do not count. `forward` is of the batch.
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

// The share of sentences that an encoder–decoder writes right by itself: word after word the
// likeliest one, from the first word of the target on. Errors: those of the forward pass.
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
        const auto forward = TRY(transformer_forward(model, batch));
        Index end = 0;
        for (Sentence& sentence : batch) {
            end += std::ssize(sentence.target);
            sentence.target.push_back(likeliest(forward.logits, end - 1));
        }
    }
    double right = 0;
    for (const auto s : indices(batch))
        if (std::equal(wanted[s].begin(), wanted[s].end(), batch[s].target.begin() + 1)) ++right;
    return right / static_cast<double>(batch.size());
}

// Cross-attention's mean weight of word t on word n − 1 − t of a source of n words, in the head and
// layer where this mean is highest. In `forward` targets are as long as their sources.
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

Counted counted_of(Task task) {
    return kind_of(task) == TaskKind::text ? Counted::words : Counted::sentences;
}

// Calls visit(stack, forward of the stack) for the stacks that are there.
template<class T, class F, class Visit>
void for_stacks(T& transformer, F& forward, const Visit& visit) {
    if (!transformer.encoder.layers.empty()) visit(transformer.encoder, forward.encoder);
    if (!transformer.decoder.layers.empty()) visit(transformer.decoder, forward.decoder);
}

// Running statistics as they are before the first batch.
template<class S>
void start_running(Transformer<S>& transformer) {
    const Index width = transformer.config.width;
    const RunningStats<S> start{Vector<S>::Zero(width), Vector<S>::Ones(width), 0};
    for (TransformerStack<S>* stack : {&transformer.encoder, &transformer.decoder})
        for_norms(*stack, [&](Mode, auto& running) { running = start; });
}

// The running statistics that a forward pass made become the model's.
template<class S>
void take_running(Transformer<S>& transformer, const TransformerForward<S>& forward) {
    for_stacks(transformer, forward, [](TransformerStack<S>& stack, const StackForward<S>& made) {
        for (const auto l : indices(stack.layers))
            for (const auto b : indices(stack.layers[l])) {
                ResidualBlock<S>& block = stack.layers[l][b];
                const BlockCache<S>& cache = made.layers[l][b];
                if (cache.norm.running) block.running = cache.norm.running;
                if (cache.outer.running) block.outer_running = cache.outer.running;
            }
        if (stack.final_norm && made.final_norm->running)
            stack.final_norm->running = made.final_norm->running;
    });
}

// Without a norm γ and β stay 1 and 0: nothing stands there.
bool is_trained(const TransformerConfig& config, const std::string& name) {
    return norm_entry(config.norm).normalizes() || name.find("norm") == std::string::npos;
}

template<class S>
std::vector<NamedTensor<const S>> trained(const TransformerConfig& config,
                                          std::vector<NamedTensor<const S>> tensors) {
    std::erase_if(tensors, [&](const auto& tensor) { return !is_trained(config, tensor.name); });
    return tensors;
}

} // namespace

template<class S>
Result<SequenceLearner<S>> SequenceLearner<S>::make(const TrainConfig& config,
                                                    const TrainData<S>& data, int threads) {
    SequenceLearner out;
    out.transformer_ =
        TRY(make_transformer<S>(transformer_config(config, data.vocabulary), threads));
    if (norm_entry(config.norm).has_running) start_running(out.transformer_);
    return out;
}

template<class S>
Result<BatchLoss> SequenceLearner<S>::pass(const TrainConfig& config, const TrainData<S>& data,
                                           Index step) {
    draw_sentences_of_step(config, data, step, batch_);
    return pass(config.task, batch_);
}

template<class S>
Result<BatchLoss> SequenceLearner<S>::pass(Task task, const Batch& batch) {
    TRY(transformer_forward_into(transformer_, batch, forward_));
    take_running(transformer_, forward_);
    TRY(transformer_backward_into(transformer_, forward_, Want::training, backward_));
    return BatchLoss{*forward_.loss, sequence_accuracy(forward_, batch, counted_of(task))};
}

template<class S>
void SequenceLearner<S>::parameters(std::vector<Parameter<S>>& out) {
    if (!places_.all.empty()) {
        out = places_.all;
        return;
    }
    out.clear();
    const auto gradients = normscope::tensors(backward_); // none before the first pass
    std::size_t i = 0;
    for (const NamedTensor<S>& tensor : normscope::tensors(transformer_)) {
        if (is_trained(transformer_.config, tensor.name))
            out.push_back(
                {tensor.data, i < gradients.size() ? gradients[i].data : nullptr, tensor.size()});
        ++i;
    }
    if (!gradients.empty()) places_.all = out;
}

template<class S>
std::vector<NamedTensor<const S>> SequenceLearner<S>::tensors() const {
    return trained(transformer_.config, normscope::tensors(transformer_));
}
template<class S>
std::vector<NamedTensor<const S>> SequenceLearner<S>::gradients() const {
    return trained(transformer_.config, normscope::tensors(backward_));
}

template<class S>
void SequenceLearner<S>::running(std::vector<RunningStats<S>*>& out) {
    out.clear();
    for (TransformerStack<S>* stack : {&transformer_.encoder, &transformer_.decoder})
        for_norms(*stack, [&](Mode, auto& running) {
            if (running) out.push_back(&*running);
        });
}

// The activation of a layer is that of its feed-forward part, whose z is made anew.
template<class S>
void SequenceLearner<S>::readings(std::vector<LayerReading>& out) const {
    out.clear();
    for_stacks(transformer_, forward_, [&](const auto& stack, const auto& made) {
        for (const auto l : indices(stack.layers)) {
            const auto& ffn = std::get<FeedForward<S>>(stack.layers[l].back().sublayer);
            const auto& cache = std::get<FeedForwardCache<S>>(made.layers[l].back().sublayer);
            out.push_back(reading_of(*linear_forward(ffn.first, cache.x, transformer_.threads)));
        }
    });
}

template<class S>
std::string SequenceLearner<S>::first_not_finite() const {
    for (const NamedTensor<const S>& tensor : tensors())
        if (!tensor.values().allFinite()) return tensor.name;
    std::string place;
    for_stacks(transformer_, forward_, [&](const auto& stack, const auto& made) {
        const bool encodes = &stack == &transformer_.encoder;
        for (std::size_t l = 0; l < stack.layers.size() && place.empty(); ++l)
            if (!made.output_of(l).allFinite())
                place = std::string("the values of ") + (encodes ? "encoder" : "decoder") +
                        ".layers." + std::to_string(l);
    });
    return place.empty() ? "the logits" : place;
}

template<class S>
Result<double> SequenceLearner<S>::test_accuracy(const TrainConfig& config,
                                                 const TrainData<S>& data) const {
    const auto forward = TRY(transformer_forward(in_evaluation(transformer_), data.test_sentences));
    return sequence_accuracy(forward, data.test_sentences, counted_of(config.task));
}

template<class S>
Result<Evaluation> SequenceLearner<S>::evaluate(const TrainConfig& config,
                                                const TrainData<S>& data) const {
    const Transformer<S> model = in_evaluation(transformer_);
    const auto test = TRY(transformer_forward(model, data.test_sentences));
    const Counted counted = counted_of(config.task);
    Evaluation out{*test.loss, {}, sequence_accuracy(test, data.test_sentences, counted), {}, {}};
    if (!data.train_sentences.empty()) {
        const auto train = TRY(transformer_forward(model, data.train_sentences));
        out.loss = *train.loss;
        out.train_accuracy = sequence_accuracy(train, data.train_sentences, counted);
    }
    if (!has_cross_attention(model.config)) return out;
    out.greedy_accuracy = TRY(greedy_accuracy(model, data.test_sentences));
    if (config.task != Task::first) out.antidiagonal_best = antidiagonal_best(model, test);
    return out;
}

template class SequenceLearner<float>;
template class SequenceLearner<double>;

} // namespace normscope
