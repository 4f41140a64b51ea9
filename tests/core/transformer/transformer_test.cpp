// Properties of a Transformer with any weights: identities, differences, refusals.
#include "core/transformer/transformer.h"

#include "core/check/sampled_check.h"
#include "core/transformer/measure.h"
#include "core/transformer/named_tensors.h"
#include "tests/core/norm/norm_kinds.h"
#include "tests/core/norm/testing.h"

#include <cmath>
#include <functional>

namespace normscope {
namespace {

using testing::relative_difference;

TransformerConfig small_config(Architecture arch = Architecture::encoder_decoder) {
    TransformerConfig out;
    out.arch = arch;
    out.layers = 2;
    out.width = 6;
    out.heads = 3;
    out.ffn = 7;
    out.vocabulary = 9;
    return out;
}

const Batch k_ragged{{{1, 8, 0, 4}, {2, 2, 7}, {5, 0, 8}, {}},
                     {{3}, {6, 5, 1, 0}, {1, 1, 4, 2}, {}}};

// Labels for an encoder alone stand at the source's tokens.
Batch batch_for(const TransformerConfig& config) {
    Batch out = k_ragged;
    if (!has_decoder(config))
        for (Sentence& s : out) s.labels = s.source;
    return out;
}

template<class S = double>
Transformer<S> model_of(const TransformerConfig& config) {
    auto out = make_transformer<S>(config);
    EXPECT_TRUE(out) << (out ? "" : out.error().message);
    return std::move(*out);
}

// Moved off its starting point, so that no gradient is 0 by symmetry.
Transformer<double> somewhere(const TransformerConfig& config) {
    auto model = model_of(config);
    Random random(51);
    for (const auto& tensor : tensors(model))
        for (Index i = 0; i < tensor.size(); ++i) tensor.data[i] += 0.3 * random.normal();
    return model;
}

template<class S>
TransformerForward<S> pass_forward(const Transformer<S>& model, const Batch& batch) {
    auto out = transformer_forward(model, batch);
    EXPECT_TRUE(out) << (out ? "" : out.error().message);
    return std::move(*out);
}

// Every tensor's gradient at a few of its entries.
void expect_central_differences(const TransformerConfig& config, const Batch& batch) {
    auto model = somewhere(config);
    const auto forward = pass_forward(model, batch);
    const auto back = transformer_backward(model, forward);
    ASSERT_TRUE(back) << back.error().message;
    const auto gradients = tensors(*back);
    const auto weights = tensors(model);
    ASSERT_EQ(weights.size(), gradients.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        ASSERT_EQ(weights[i].name, gradients[i].name);
        ASSERT_EQ(weights[i].shape, gradients[i].shape);
        const Index n = weights[i].size();
        double scale = 1e-3;
        for (Index k = 0; k < n; ++k) scale = std::max(scale, std::abs(gradients[i].data[k]));
        for (Index k = 0; k < n; k += std::max<Index>(1, n / 5)) {
            double& w = weights[i].data[k];
            const double kept = w;
            const auto loss = [&](double moved) {
                w = moved;
                return *pass_forward(model, batch).loss;
            };
            const double numeric = five_point_difference(loss, kept, 1e-5);
            w = kept;
            EXPECT_NEAR(gradients[i].data[k], numeric, 1e-6 * scale) << weights[i].name << " " << k;
        }
    }
}

TEST(TransformerGradient, AgreesWithCentralDifferencesInEveryArchitectureAndPlacement) {
    for (const auto& arch : choices(Architecture{}))
        for (const Placement placement :
             {Placement::post, Placement::pre, Placement::deepnorm, Placement::peri}) {
            SCOPED_TRACE(std::string(arch.id) + " " + std::to_string(static_cast<int>(placement)));
            TransformerConfig config = small_config(arch.value);
            config.placement = placement;
            config.activation = Activation::gelu; // relu has a kink
            config.positions = Positions::learned;
            config.longest = 4;
            expect_central_differences(config, batch_for(config));
        }
}

TEST(TransformerGradient, AgreesWithCentralDifferencesForEveryNormAndWithoutSkips) {
    for (const NormKind norm : k_norm_kinds)
        for (const Residual skip : {Residual::add, Residual::no_skip}) {
            SCOPED_TRACE(norm_entry(norm).id);
            TransformerConfig config = small_config();
            config.layers = 1;
            config.norm = {norm, 2};
            config.skip = skip;
            config.activation = Activation::gelu;
            config.final_norm = true;
            config.masked = false;
            expect_central_differences(config, k_ragged);
        }
}

TEST(TransformerGradient, OfATiedTableIsTheSumOverItsUses) {
    TransformerConfig config = small_config();
    config.activation = Activation::gelu;
    config.tied = true;
    config.head_bias = false;
    expect_central_differences(config, k_ragged);
    // By hand: the three tables of the untied model that has the same numbers in each.
    const auto tied = somewhere(config);
    config.tied = false;
    auto untied = model_of(config);
    untied.encoder = tied.encoder;
    untied.decoder = tied.decoder;
    untied.source_embedding = untied.target_embedding = tied.generator.weight;
    untied.generator = tied.generator;
    const auto one = transformer_backward(tied, pass_forward(tied, k_ragged)).value();
    const auto three = transformer_backward(untied, pass_forward(untied, k_ragged)).value();
    const Matrix<double> sum =
        three.source_embedding + three.target_embedding + three.generator.dweight;
    EXPECT_LE(relative_difference(one.generator.dweight, sum), 1e-14);
}

TEST(TransformerGradient, OfTheMemoryIsTheSumOverTheDecodersLayers) {
    const auto model = somewhere(small_config());
    const auto back = transformer_backward(model, pass_forward(model, k_ragged)).value();
    const auto& layers = back.decoder.layers;
    ASSERT_EQ(layers.size(), 2u);
    EXPECT_EQ(back.decoder.dmemory, layers[1][1].dmemory + layers[0][1].dmemory);
    EXPECT_GT(layers[0][1].dmemory.cwiseAbs().maxCoeff(), 0);
}

TEST(TransformerForward, ALaterTargetTokenChangesNoEarlierOutputUnlessTheMaskIsOff) {
    for (const Architecture arch : {Architecture::encoder_decoder, Architecture::decoder})
        for (const bool masked : {true, false}) {
            TransformerConfig config = small_config(arch);
            config.masked = masked;
            const auto model = model_of<float>(config);
            Batch batch = k_ragged;
            const auto before = pass_forward(model, batch);
            batch[1].target[2] = 3;
            const auto after = pass_forward(model, batch);
            const auto moved =
                (before.logits - after.logits).cwiseAbs().rowwise().maxCoeff().eval();
            EXPECT_EQ(moved.head(3).maxCoeff(), 0) << "the other sentence";
            EXPECT_EQ(moved.segment(3, 2).maxCoeff() == 0, masked);
            EXPECT_GT(moved.tail(2).minCoeff(), 0);
        }
}

TEST(TransformerForward, WithoutPositionsPermutedSourceTokensPermuteTheEncodersOutput) {
    TransformerConfig config = small_config(Architecture::encoder);
    config.positions = Positions::none;
    const auto model = model_of(config);
    const Batch batch{{{4, 1, 8, 0, 6}, {}, {}, {}}};
    const Batch permuted{{{8, 6, 4, 0, 1}, {}, {}, {}}};
    const auto y = pass_forward(model, batch).encoder.y;
    const auto p = pass_forward(model, permuted).encoder.y;
    const std::vector<Index> from{2, 4, 0, 3, 1};
    for (Index t = 0; t < 5; ++t)
        EXPECT_LE((p.row(t) - y.row(from[static_cast<std::size_t>(t)])).cwiseAbs().maxCoeff(),
                  1e-14);
}

TEST(TransformerForward, AFeedForwardLayerMovesTheTokenAloneThatIsMoved) {
    const auto model = model_of<float>(small_config());
    const auto& ffn = model.encoder.layers[0][1];
    Random random(52);
    const auto x = random_matrix<float>(5, 6, random);
    Matrix<float> moved = x;
    moved(2, 3) += 1;
    const auto before = block_forward(ffn, x)->y;
    const auto after = block_forward(ffn, moved)->y;
    const auto change = (before - after).cwiseAbs().rowwise().maxCoeff().eval();
    EXPECT_GT(change(2), 0);
    EXPECT_EQ(change.sum(), change(2));
}

TEST(TransformerForward, ASentenceIsTheSameAloneAndInABatchAndPaddingIsNotSeen) {
    const auto model = model_of(small_config());
    const auto batch = pass_forward(model, k_ragged);
    const auto alone = pass_forward(model, {k_ragged[1]});
    EXPECT_LE(relative_difference(batch.logits.bottomRows(4), alone.logits), 1e-14);
    EXPECT_EQ(batch.decoder.layers[1][1].x.rows(), 7);
    // Tokens that nobody sees may be any.
    Batch padded{k_ragged[1]};
    padded[0].source = {3, 7, 7};
    padded[0].padding = {0, 1, 1};
    const auto with_padding = pass_forward(model, padded);
    EXPECT_LE(relative_difference(with_padding.logits, alone.logits), 1e-14);
    const auto& cross =
        std::get<AttentionCache<double>>(with_padding.decoder.layers[0][1].sublayer);
    EXPECT_EQ(cross.probabilities[0].rightCols(2).cwiseAbs().maxCoeff(), 0);
}

TEST(TransformerForward, GivesTheSameNumbersOnAnyNumberOfThreads) {
    TransformerConfig config; // large enough for products on several threads
    config.layers = 1;
    const Batch batch = draw_batch(config, 8, 40, 40, 0);
    const auto one = pass_forward(make_transformer<float>(config, 1).value(), batch);
    const auto model = make_transformer<float>(config, 3).value();
    const auto three = pass_forward(model, batch);
    EXPECT_EQ(one.logits, three.logits);
    EXPECT_EQ(*one.loss, *three.loss);
    const auto back_one =
        transformer_backward(make_transformer<float>(config, 1).value(), one).value();
    const auto back_three = transformer_backward(model, three).value();
    EXPECT_EQ(back_one.encoder.dx, back_three.encoder.dx);
    EXPECT_EQ(back_one.generator.dweight, back_three.generator.dweight);
}

TEST(TransformerForward, KeepsEveryBox) {
    TransformerConfig config = small_config();
    config.final_norm = true;
    const auto model = model_of(config);
    const auto f = pass_forward(model, k_ragged);
    EXPECT_EQ(f.source.words.row(0), model.source_embedding.row(1) * std::sqrt(6.0));
    EXPECT_EQ(f.source.sum.row(1), f.source.words.row(1) + f.source.positions.row(1));
    EXPECT_EQ(f.source.sum.row(4), f.source.words.row(4) + f.source.positions.row(0));
    for (const auto* stack : {&f.encoder, &f.decoder})
        for (std::size_t l = 0; l < 2; ++l)
            for (std::size_t b = 0; b < stack->layers[l].size(); ++b) {
                const auto& cache = stack->layers[l][b];
                // Y = LN(X + F(X)), γ = 1, β = 0
                EXPECT_EQ(cache.z, cache.x + cache.branch);
                EXPECT_EQ(normalize(config.norm, cache.z)->cache.x_hat, cache.norm.cache.x_hat);
                EXPECT_EQ(stack->output_of(l, b), cache.norm.cache.x_hat);
            }
    EXPECT_EQ(f.encoder.last, f.encoder.output_of(1));
    EXPECT_EQ(f.encoder.y, f.encoder.final_norm->cache.x_hat);
    EXPECT_EQ(f.logits.rows(), 7);
    EXPECT_LE((f.probabilities.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-15);
    // Without labels there are probabilities, and no gradient.
    Batch silent = k_ragged;
    for (Sentence& s : silent) s.labels.clear();
    const auto quiet = pass_forward(model, silent);
    EXPECT_FALSE(quiet.loss);
    EXPECT_EQ(quiet.probabilities, f.probabilities);
    EXPECT_FALSE(transformer_backward(model, quiet));
}

std::string refusal_of(const TransformerConfig& config, const Batch& batch) {
    const auto out = transformer_forward(model_of<float>(config), batch);
    return out ? "" : out.error().message;
}

TEST(TransformerForward, SaysWhichSentenceItCannotRead) {
    TransformerConfig config = small_config();
    const auto changed = [&](const std::function<void(Sentence&)>& change) {
        Batch batch = k_ragged;
        change(batch[1]);
        return refusal_of(config, batch);
    };
    EXPECT_EQ(refusal_of(config, {}), "a batch needs at least one sentence");
    EXPECT_EQ(
        changed([](Sentence& s) {
            s.source = {3, 9};
        }),
        "the source of sentence 1: token 1 is word 9, which the vocabulary of 9 words does not "
        "have: its words are 0 to 8");
    EXPECT_EQ(changed([](Sentence& s) { s.target[3] = -2; }),
              "the target of sentence 1: token 3 is word -2, which the vocabulary of 9 words does "
              "not have: its words are 0 to 8");
    EXPECT_EQ(changed([](Sentence& s) { s.target.clear(); }),
              "the target of sentence 1 is empty: it needs at least one token");
    EXPECT_EQ(changed([](Sentence& s) { s.labels.pop_back(); }),
              "sentence 1 has 3 labels for 4 tokens");
    EXPECT_EQ(changed([](Sentence& s) { s.labels[0] = 12; }).substr(0, 54),
              "the labels of sentence 1: token 0 is word 12, which th");
    EXPECT_EQ(changed([](Sentence& s) { s.padding = {1}; }),
              "token 0 of sentence 1 sees no key, so that its softmax has no value: leave at least "
              "one key unmasked");
    EXPECT_EQ(changed([](Sentence& s) {
                  s.padding = {0, 1};
              }),
              "the padding mask of sentence 1 has 2 entries for 1 tokens");
    config.positions = Positions::learned;
    config.longest = 3;
    EXPECT_EQ(refusal_of(config, k_ragged), "the source of sentence 0 has 4 tokens; there are "
                                            "learned positions for 3");
}

TEST(TransformerMeasure, NamesTheNormsOfEveryAddAndNorm) {
    const auto model = model_of(small_config());
    const auto forward = pass_forward(model, k_ragged);
    const auto back = transformer_backward(model, forward).value();
    const auto measured = measure(forward, back);
    EXPECT_EQ(measured.loss, *forward.loss);
    ASSERT_EQ(measured.encoder.size(), 2u);
    ASSERT_EQ(measured.encoder[0].add_norm.size(), 2u);
    ASSERT_EQ(measured.decoder[1].add_norm.size(), 3u);
    const auto& last = measured.decoder[1].add_norm[2];
    EXPECT_NEAR(last.x_norm, forward.decoder.layers[1][2].x.norm(), 1e-12);
    EXPECT_NEAR(last.f_norm, forward.decoder.layers[1][2].branch.norm(), 1e-12);
    EXPECT_NEAR(last.skip_grad_norm, back.decoder.layers[1][2].skip.norm(), 1e-12);
    EXPECT_NEAR(measured.encoder[0].mean_square, 1, 1e-3); // behind a layer norm
    // (1, 0), (0, 2) and (−3, 0): cosines 0, 0 and −1.
    Matrix<double> x(3, 2);
    x << 1, 0, 0, 2, -3, 0;
    EXPECT_NEAR(token_cosine(x, {}), -1.0 / 3, 1e-15);
    EXPECT_NEAR(token_cosine(x, {{1, 2}, {}}), 0, 1e-15);
}

} // namespace
} // namespace normscope
