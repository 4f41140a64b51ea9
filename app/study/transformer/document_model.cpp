#include "app/study/transformer/document_model.h"

#include "app/model/transformer/file_weights.h"
#include "core/base/lists.h"
#include "core/base/random.h"
#include "core/transformer/named_tensors.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace normscope {

namespace {

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

// N(0, 1/D) as the model's others.
void draw_words(Transformer<float>& model, const Words& vocabulary) {
    const double std = 1 / std::sqrt(static_cast<double>(model.config.width));
    for (const auto i : indices(vocabulary)) {
        Random random = random_stream(model.config.seed, vocabulary[i]);
        for (Matrix<float>* table :
             {&model.source_embedding, &model.target_embedding, &model.generator.weight})
            if (table->rows() > static_cast<Index>(i))
                for (Index d = 0; d < table->cols(); ++d)
                    (*table)(static_cast<Index>(i), d) = static_cast<float>(std * random.normal());
    }
}

void take_out(ResidualBlock<float>& block, BlockPiece piece) {
    switch (piece) {
    case BlockPiece::sublayer: {
        const auto silence = [](Linear<float>& last) {
            last.weight.setZero();
            last.bias.setZero();
        };
        if (auto* attention = std::get_if<MultiHeadAttention<float>>(&block.sublayer))
            silence(attention->out);
        if (auto* feed_forward = std::get_if<FeedForward<float>>(&block.sublayer))
            silence(feed_forward->second);
        return;
    }
    case BlockPiece::skip:
        block.options.skip = Residual::no_skip;
        return;
    case BlockPiece::norm:
        block.options.norm = k_without_norm;
    }
}

} // namespace

Result<SharedTransformer> whole_model(const TransformerSetup& setup) {
    const TransformerConfig config = config_of(setup);
    auto model =
        TRY(setup.weights ? with_config(*setup.weights, config) : make_transformer<float>(config));
    if (!setup.weights && config.init == WeightInit::xavier_normal)
        draw_words(model, vocabulary_of(setup));
    return std::make_shared<const Transformer<float>>(std::move(model));
}

SharedTransformer without(SharedTransformer whole, const std::vector<TakenOut>& pieces) {
    if (pieces.empty()) return whole;
    Transformer<float> model = *whole;
    for (const TakenOut& piece : pieces)
        take_out(in_block(of_side(model, piece.side).layers, piece), piece.piece);
    return std::make_shared<const Transformer<float>>(std::move(model));
}

ParameterCounts count_parameters(const Transformer<float>& model) {
    ParameterCounts out;
    for (const auto& tensor : tensors(model)) {
        Index& kind = contains(tensor.name, "attn")     ? out.attention
                      : contains(tensor.name, "linear") ? out.feed_forward
                      : contains(tensor.name, "norm")   ? out.norms
                                                        : out.words;
        kind += tensor.size();
    }
    return out;
}

Result<Passed> pass_through(const Transformer<float>& model, const TransformerSetup& setup,
                            const Progress& progress) {
    Passed out{sentence_of(setup), {}};
    if (setup.decoded) {
        std::vector<Index>& read = out.sentence.target;
        const std::vector<Index> labels = std::exchange(out.sentence.labels, {});
        const auto count = static_cast<std::size_t>(*setup.decoded) + 1; // and the start
        read.resize(1);
        while (read.size() < count) {
            TRY(progress.at(0));
            const auto forward = TRY(transformer_forward(model, {out.sentence}));
            Index likeliest = 0;
            forward.probabilities.row(forward.probabilities.rows() - 1).maxCoeff(&likeliest);
            read.push_back(likeliest);
        }
        out.sentence.labels.assign(labels.begin(), labels.begin() + static_cast<Index>(count));
    }
    TRY(progress.at(0));
    out.forward = TRY(transformer_forward(model, {out.sentence}));
    return out;
}

double work_of(const TransformerSetup& setup) {
    const TransformerConfig& c = setup.config;
    const double encoder = encoder_weights(c), decoder = decoder_weights(c);
    const double passes = 3 + setup.decoded.value_or(0);
    return passes * (encoder * static_cast<double>(setup.source->size()) +
                     decoder * static_cast<double>(setup.target->size())) +
           encoder + decoder; // drawing the weights
}

bool fits_in_a_frame(double multiplications) {
    return multiplications <= 4e7;
}

} // namespace normscope
