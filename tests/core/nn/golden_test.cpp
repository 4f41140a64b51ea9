// The layers of core/nn against PyTorch: tests/golden/make_nn_golden.py made the values.
#include "core/nn/encoder_layer.h"
#include "core/nn/loss.h"

#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace normscope {
namespace {

using Json = nlohmann::json;

const Json& golden() {
    static const Json values = Json::parse(std::ifstream(NORMSCOPE_GOLDEN_DIR "/nn.json"));
    return values;
}

template<class S>
Matrix<S> matrix_of(const Json& numbers) {
    Matrix<S> m(numbers[0].get<Index>(), numbers[1].get<Index>());
    for (Index i = 0; i < m.size(); ++i) {
        m.data()[i] = static_cast<S>(numbers[static_cast<std::size_t>(i) + 2].get<double>());
    }
    return m;
}

template<class S>
Vector<S> vector_of(const Json& numbers) {
    return matrix_of<S>(numbers).row(0).transpose();
}

template<class S>
Linear<S> linear_of(const Json& parameters, const std::string& weight, const std::string& bias) {
    return {matrix_of<S>(parameters.at(weight)), vector_of<S>(parameters.at(bias))};
}

template<class S>
MultiHeadAttention<S> attention_of(const Json& parameters, const std::string& prefix, int heads,
                                   Mask mask) {
    return {linear_of<S>(parameters, prefix + "in_proj_weight", prefix + "in_proj_bias"),
            linear_of<S>(parameters, prefix + "out_proj.weight", prefix + "out_proj.bias"), heads,
            mask};
}

template<class S>
FeedForward<S> ffn_of(const Json& entry) {
    const Json& p = entry.at("parameters");
    return {linear_of<S>(p, "linear1.weight", "linear1.bias"),
            linear_of<S>(p, "linear2.weight", "linear2.bias"),
            entry.at("activation") == "gelu" ? Activation::gelu : Activation::relu};
}

template<class S>
constexpr double k_tolerance = std::is_same_v<S, float> ? 4e-6 : 1e-12;

// The largest difference relative to the largest expected value.
template<class M, class S = typename M::Scalar>
void near(const M& actual, const Json& expected, const char* what) {
    const Matrix<double> e = matrix_of<double>(expected);
    Matrix<double> a = actual.template cast<double>();
    if (a.cols() == 1 && e.rows() == 1) a.transposeInPlace();
    ASSERT_EQ(a.rows(), e.rows()) << what;
    ASSERT_EQ(a.cols(), e.cols()) << what;
    // The gradient of the key's bias is 0 but for rounding.
    const double scale = std::max(e.cwiseAbs().maxCoeff(), 0.1);
    EXPECT_LE((a - e).cwiseAbs().maxCoeff() / scale, k_tolerance<S>) << what;
}

template<class S>
void near(const LinearGradients<S>& g, const Json& gradients, const std::string& weight,
          const std::string& bias) {
    near(g.dweight, gradients.at(weight), weight.c_str());
    near(g.dbias, gradients.at(bias), bias.c_str());
}

template<class S>
void near(const AttentionGradients<S>& g, const Json& gradients, const std::string& prefix) {
    near(g.in, gradients, prefix + "in_proj_weight", prefix + "in_proj_bias");
    near(g.out, gradients, prefix + "out_proj.weight", prefix + "out_proj.bias");
}

template<class S>
void near(const FeedForwardGradients<S>& g, const Json& gradients) {
    near(g.first, gradients, "linear1.weight", "linear1.bias");
    near(g.second, gradients, "linear2.weight", "linear2.bias");
}

template<class S>
class NnGolden : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(NnGolden, Precisions);

TYPED_TEST(NnGolden, MultiHeadAttention) {
    using S = TypeParam;
    for (const Json& entry : golden().at("attention")) {
        const auto attention =
            attention_of<S>(entry.at("parameters"), "", entry.at("heads").get<int>(),
                            entry.at("causal").get<bool>() ? Mask::causal : Mask::none);
        const auto forward = attend(attention, matrix_of<S>(entry.at("x")));
        ASSERT_TRUE(forward) << forward.error().message;
        near(forward->y, entry.at("y"), "y");
        const auto back = attend_backward(attention, forward->cache, matrix_of<S>(entry.at("dy")));
        ASSERT_TRUE(back) << back.error().message;
        near(back->dx, entry.at("dx"), "dx");
        near(back->gradients, entry.at("gradients"), "");
    }
}

TYPED_TEST(NnGolden, FeedForward) {
    using S = TypeParam;
    for (const Json& entry : golden().at("feed_forward")) {
        const auto ffn = ffn_of<S>(entry);
        const auto forward = feed_forward(ffn, matrix_of<S>(entry.at("x")));
        ASSERT_TRUE(forward) << forward.error().message;
        near(forward->y, entry.at("y"), "y");
        const auto back = feed_forward_backward(ffn, forward->cache, matrix_of<S>(entry.at("dy")));
        ASSERT_TRUE(back) << back.error().message;
        near(back->dx, entry.at("dx"), "dx");
        near(back->gradients, entry.at("gradients"));
    }
}

TYPED_TEST(NnGolden, TransformerEncoderLayer) {
    using S = TypeParam;
    for (const Json& entry : golden().at("encoder")) {
        const Json& p = entry.at("parameters");
        const Json& g = entry.at("gradients");
        BlockOptions options;
        options.placement = entry.at("norm_first").get<bool>() ? Placement::pre : Placement::post;
        const auto norm = [&](const std::string& name) {
            return Affine<S>{AffinePer::feature, vector_of<S>(p.at(name + ".weight")),
                             vector_of<S>(p.at(name + ".bias"))};
        };
        EncoderLayer<S> layer;
        layer.attention.sublayer =
            attention_of<S>(p, "self_attn.", entry.at("heads").get<int>(), Mask::none);
        layer.attention.affine = norm("norm1");
        layer.attention.options = options;
        layer.feed_forward.sublayer = ffn_of<S>(entry);
        layer.feed_forward.affine = norm("norm2");
        layer.feed_forward.options = options;
        const auto forward = encoder_layer_forward(layer, matrix_of<S>(entry.at("x")));
        ASSERT_TRUE(forward) << forward.error().message;
        near(forward->y, entry.at("y"), "y");
        const auto back = encoder_layer_backward(layer, *forward, matrix_of<S>(entry.at("dy")));
        ASSERT_TRUE(back) << back.error().message;
        near(back->dx, entry.at("dx"), "dx");
        near(std::get<AttentionGradients<S>>(back->attention.sublayer), g, "self_attn.");
        near(std::get<FeedForwardGradients<S>>(back->feed_forward.sublayer), g);
        near(back->attention.dgamma, g.at("norm1.weight"), "norm1.weight");
        near(back->attention.dbeta, g.at("norm1.bias"), "norm1.bias");
        near(back->feed_forward.dgamma, g.at("norm2.weight"), "norm2.weight");
        near(back->feed_forward.dbeta, g.at("norm2.bias"), "norm2.bias");
    }
}

TYPED_TEST(NnGolden, CrossEntropy) {
    using S = TypeParam;
    const Json& entry = golden().at("cross_entropy");
    const auto out = cross_entropy(matrix_of<S>(entry.at("logits")),
                                   entry.at("targets").get<std::vector<Index>>());
    ASSERT_TRUE(out) << out.error().message;
    EXPECT_NEAR(out->loss, entry.at("loss").get<double>(), k_tolerance<S>);
    near(out->dlogits, entry.at("dlogits"), "dlogits");
}

} // namespace
} // namespace normscope
