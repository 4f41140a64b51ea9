#include "core/transformer/measure.h"
#include "core/transformer/named_tensors.h"
#include "tests/core/norm/testing.h"

namespace normscope {
namespace {

using testing::relative_difference;

TransformerConfig two_layers() {
    TransformerConfig out;
    out.layers = 2;
    out.width = 6;
    out.heads = 3;
    out.ffn = 7;
    out.vocabulary = 9;
    return out;
}

const Batch k_three{{{1, 8, 0, 4}, {2, 2, 7}, {5, 0, 8}, {}},
                    {{3}, {6, 5, 1, 0}, {1, 1, 4, 2}, {}},
                    {{0, 7}, {3}, {2}, {0, 1}}};

Matrix<double> as_matrix(const NamedTensor<const double>& tensor) {
    return Eigen::Map<const Matrix<double>>(tensor.data, 1, tensor.size());
}

TEST(BatchPass, SharesOfABatchAddUpToTheWholeBatch) {
    const TransformerConfig config = two_layers();
    const auto one = batch_pass(make_transformer<double>(config, 1).value(), k_three).value();
    const auto three = batch_pass(make_transformer<double>(config, 3).value(), k_three).value();
    ASSERT_EQ(one.forward.size(), 1u);
    ASSERT_EQ(three.forward.size(), 3u);
    EXPECT_NEAR(three.loss, one.loss, 1e-14);
    const auto wanted = tensors(std::as_const(one.backward.front()));
    const auto got = tensors(std::as_const(three.backward.front()));
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t t = 0; t < got.size(); ++t)
        EXPECT_LE(relative_difference(as_matrix(got[t]), as_matrix(wanted[t])), 1e-12)
            << got[t].name;
}

TEST(BatchPass, SharesAreMeasuredAsTheWholeBatch) {
    const TransformerConfig config = two_layers();
    const auto one =
        measure(batch_pass(make_transformer<double>(config, 1).value(), k_three).value());
    const auto two =
        measure(batch_pass(make_transformer<double>(config, 2).value(), k_three).value());
    const auto compare = [](const std::vector<LayerMeasure>& a,
                            const std::vector<LayerMeasure>& b) {
        ASSERT_EQ(a.size(), 2u);
        for (std::size_t i = 0; i < a.size(); ++i) {
            EXPECT_NEAR(a[i].mean_square, b[i].mean_square, 1e-12);
            EXPECT_NEAR(a[i].token_cosine, b[i].token_cosine, 1e-12);
            EXPECT_NEAR(a[i].w1_grad_norm, b[i].w1_grad_norm, 1e-12);
            EXPECT_NEAR(a[i].w2_grad_norm, b[i].w2_grad_norm, 1e-12);
            EXPECT_NEAR(a[i].attention_grad_norm, b[i].attention_grad_norm, 1e-12);
            ASSERT_EQ(a[i].add_norm.size(), b[i].add_norm.size());
            for (std::size_t n = 0; n < a[i].add_norm.size(); ++n) {
                EXPECT_NEAR(a[i].add_norm[n].x_norm, b[i].add_norm[n].x_norm, 1e-12);
                EXPECT_NEAR(a[i].add_norm[n].f_norm, b[i].add_norm[n].f_norm, 1e-12);
                EXPECT_NEAR(a[i].add_norm[n].skip_grad_norm, b[i].add_norm[n].skip_grad_norm,
                            1e-12);
                EXPECT_NEAR(a[i].add_norm[n].branch_grad_norm, b[i].add_norm[n].branch_grad_norm,
                            1e-12);
            }
        }
    };
    compare(one.encoder, two.encoder);
    compare(one.decoder, two.decoder);
}

TEST(BatchPass, SentencesThatShareStatisticsStayTogether) {
    TransformerConfig config = two_layers();
    config.norm = NormKind::batch;
    const auto pass = batch_pass(make_transformer<double>(config, 3).value(), k_three);
    ASSERT_TRUE(pass) << pass.error().message;
    EXPECT_EQ(pass->forward.size(), 1u);
}

TEST(BatchPass, AnErrorCountsTheSentencesOfTheWholeBatch) {
    const auto model = make_transformer<double>(two_layers(), 3).value();
    Batch batch = k_three;
    batch[2].source[1] = 9;
    const auto unknown = batch_pass(model, batch);
    ASSERT_FALSE(unknown);
    EXPECT_NE(unknown.error().message.find("the source of sentence 2"), std::string::npos)
        << unknown.error().message;
    batch = k_three;
    batch[1].labels.clear();
    EXPECT_EQ(batch_pass(model, batch).error().message, "sentence 1 has 0 labels for 4 tokens");
}

TEST(MeasureOverSeeds, DrawsWeightsAndSentencesFromEachSeed) {
    TransformerConfig config;
    config.layers = 2;
    config.width = 6;
    config.heads = 2;
    config.ffn = 5;
    config.vocabulary = 7;
    config.seed = 4;
    const auto all = measure_over_seeds<double>(config, {3, 4, 5}, 2);
    ASSERT_TRUE(all.has_value()) << all.error().message;
    ASSERT_EQ(all->size(), 2u);
    EXPECT_EQ(all->front().seed, 4u);
    config.seed = 5;
    const auto model = make_transformer<double>(config);
    ASSERT_TRUE(model.has_value());
    const auto forward = transformer_forward(*model, draw_batch(config, 3, 4, 5, 5));
    ASSERT_TRUE(forward.has_value());
    const auto backward = transformer_backward(*model, *forward);
    ASSERT_TRUE(backward.has_value());
    const TransformerMeasure& second = all->back().measure;
    EXPECT_EQ(all->back().seed, 5u);
    EXPECT_EQ(second.loss, *forward->loss);
    EXPECT_NE(second.loss, all->front().measure.loss);
    const auto& ffn =
        std::get<FeedForwardGradients<double>>(backward->decoder.layers[1][2].sublayer);
    EXPECT_NEAR(second.decoder[1].w2_grad_norm, ffn.second.dweight.norm(), 1e-14);
    config.heads = 4;
    EXPECT_FALSE(measure_over_seeds<double>(config, {3, 4, 5}, 2).has_value());
}

} // namespace
} // namespace normscope
