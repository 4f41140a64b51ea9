// The layers of core/nn against PyTorch: tests/golden/make_nn_golden.py made the values.
#include "core/nn/loss.h"
#include "core/transformer/stack.h"
#include "tests/core/nn/attend.h"
#include "tests/core/nn/golden.h"

namespace normscope {
namespace {

using namespace testing;
using Json = nlohmann::json;

const Json& nn_golden() {
    static const Json values = golden_file("nn.json");
    return values;
}

template<class S>
MultiHeadAttention<S> attention_of(const Json& parameters, const std::string& prefix, int heads,
                                   Mask mask) {
    return {golden_linear<S>(parameters, prefix + "in_proj_weight", prefix + "in_proj_bias"),
            golden_linear<S>(parameters, prefix + "out_proj.weight", prefix + "out_proj.bias"),
            heads, mask};
}

template<class S>
FeedForward<S> ffn_of(const Json& entry) {
    const Json& p = entry.at("parameters");
    return {golden_linear<S>(p, "linear1.weight", "linear1.bias"),
            golden_linear<S>(p, "linear2.weight", "linear2.bias"),
            entry.at("activation") == "gelu" ? Activation::gelu : Activation::relu};
}

template<class S>
void expect_attention(const AttentionGradients<S>& g, const Json& gradients,
                      const std::string& prefix) {
    expect_golden(g.in, gradients, prefix + "in_proj_weight", prefix + "in_proj_bias");
    expect_golden(g.out, gradients, prefix + "out_proj.weight", prefix + "out_proj.bias");
}

template<class S>
void expect_ffn(const FeedForwardGradients<S>& g, const Json& gradients) {
    expect_golden(g.first, gradients, "linear1.weight", "linear1.bias");
    expect_golden(g.second, gradients, "linear2.weight", "linear2.bias");
}

template<class S>
class NnGolden : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(NnGolden, Precisions);

TYPED_TEST(NnGolden, MultiHeadAttention) {
    using S = TypeParam;
    for (const Json& entry : nn_golden().at("attention")) {
        const auto attention =
            attention_of<S>(entry.at("parameters"), "", entry.at("heads").get<int>(),
                            entry.at("causal").get<bool>() ? Mask::causal : Mask::none);
        const auto forward = attend(attention, golden_matrix<S>(entry.at("x")));
        ASSERT_TRUE(forward) << forward.error().message;
        expect_golden(forward->y, entry.at("y"), "y");
        const auto back =
            attend_backward(attention, forward->cache, golden_matrix<S>(entry.at("dy")));
        ASSERT_TRUE(back) << back.error().message;
        expect_golden(back->dx, entry.at("dx"), "dx");
        expect_attention(back->gradients, entry.at("gradients"), "");
    }
}

TYPED_TEST(NnGolden, FeedForward) {
    using S = TypeParam;
    for (const Json& entry : nn_golden().at("feed_forward")) {
        const Sublayer<S> ffn = ffn_of<S>(entry);
        SublayerCache<S> cache;
        input_of(ffn, cache) = golden_matrix<S>(entry.at("x"));
        Matrix<S> y, dx, dmemory;
        ASSERT_TRUE(sublayer_forward(ffn, 1, {}, cache, y));
        expect_golden(y, entry.at("y"), "y");
        SublayerScratch<S> scratch;
        SublayerGradients<S> gradients;
        ASSERT_TRUE(sublayer_backward(ffn, cache, golden_matrix<S>(entry.at("dy")), {}, {}, scratch,
                                      SublayerBackward<S>{dx, dmemory, gradients}));
        expect_golden(dx, entry.at("dx"), "dx");
        expect_ffn(std::get<FeedForwardGradients<S>>(gradients), entry.at("gradients"));
    }
}

TYPED_TEST(NnGolden, TransformerEncoderLayer) {
    using S = TypeParam;
    for (const Json& entry : nn_golden().at("encoder")) {
        const Json& p = entry.at("parameters");
        const Json& g = entry.at("gradients");
        BlockOptions options;
        options.placement = entry.at("norm_first").get<bool>() ? Placement::pre : Placement::post;
        const auto norm = [&](const std::string& name) {
            return Affine<S>{AffinePer::feature, golden_vector<S>(p.at(name + ".weight")),
                             golden_vector<S>(p.at(name + ".bias"))};
        };
        const MultiHeadAttention<S> attention =
            attention_of<S>(p, "self_attn.", entry.at("heads").get<int>(), Mask::none);
        TransformerStack<S> stack;
        stack.layers = {{{attention, norm("norm1"), {}, options},
                         {ffn_of<S>(entry), norm("norm2"), {}, options}}};
        StackForward<S> forward;
        ASSERT_TRUE(stack_forward_into(stack, golden_matrix<S>(entry.at("x")), {}, forward));
        expect_golden(forward.y, entry.at("y"), "y");
        StackBackward<S> back;
        ASSERT_TRUE(stack_backward_into(stack, forward, golden_matrix<S>(entry.at("dy")),
                                        Want::everything, {}, back));
        expect_golden(back.dx, entry.at("dx"), "dx");
        const auto& blocks = back.layers.front();
        expect_attention(std::get<AttentionGradients<S>>(blocks[0].sublayer), g, "self_attn.");
        expect_ffn(std::get<FeedForwardGradients<S>>(blocks[1].sublayer), g);
        expect_golden(blocks[0].dgamma, g.at("norm1.weight"), "norm1.weight");
        expect_golden(blocks[0].dbeta, g.at("norm1.bias"), "norm1.bias");
        expect_golden(blocks[1].dgamma, g.at("norm2.weight"), "norm2.weight");
        expect_golden(blocks[1].dbeta, g.at("norm2.bias"), "norm2.bias");
    }
}

TYPED_TEST(NnGolden, CrossEntropy) {
    using S = TypeParam;
    const Json& entry = nn_golden().at("cross_entropy");
    const auto out = cross_entropy(golden_matrix<S>(entry.at("logits")),
                                   entry.at("targets").get<std::vector<Index>>());
    ASSERT_TRUE(out) << out.error().message;
    EXPECT_NEAR(out->loss, entry.at("loss").get<double>(),
                (std::is_same_v<S, float> ? 4e-6 : 1e-12));
    expect_golden(out->dlogits, entry.at("dlogits"), "dlogits");
}

} // namespace
} // namespace normscope
