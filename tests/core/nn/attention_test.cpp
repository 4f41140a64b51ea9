// Attention over a memory, over several sentences, with hidden keys and without biases.
// tests/golden/make_transformer_golden.py made PyTorch's values.
#include "core/block/residual_block.h"
#include "core/norm/affine.h"
#include "core/transformer/transformer.h"
#include "tests/core/nn/attend.h"
#include "tests/core/nn/golden.h"
#include "tests/core/norm/testing.h"

namespace normscope {
namespace {

using namespace testing;
using Json = nlohmann::json;

template<class S>
class AttentionGolden : public ::testing::Test {};
using AttentionPrecisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(AttentionGolden, AttentionPrecisions);

Sentences golden_memory(const Json& entry) {
    Sentences out{entry.at("memory_lengths").get<std::vector<Index>>(), {}};
    if (entry.at("hidden").empty()) return out;
    Index rows = 0;
    std::vector<Index> first;
    for (const Index n : out.lengths) {
        first.push_back(rows);
        rows += n;
    }
    out.hidden.resize(static_cast<std::size_t>(rows));
    for (const Json& h : entry.at("hidden"))
        out.hidden[static_cast<std::size_t>(first[h[0].get<std::size_t>()] + h[1].get<Index>())] =
            1;
    return out;
}

TYPED_TEST(AttentionGolden, CrossAttentionAgreesWithPyTorch) {
    using S = TypeParam;
    const Json golden = golden_file("transformer.json");
    for (const Json& entry : golden.at("attention")) {
        const Json& p = entry.at("parameters");
        const MultiHeadAttention<S> attention{
            golden_linear<S>(p, "in_proj_weight", "in_proj_bias"),
            golden_linear<S>(p, "out_proj.weight", "out_proj.bias"), entry.at("heads").get<int>(),
            Mask::none, Reads::memory};
        const Sentences own{entry.at("lengths").get<std::vector<Index>>(), {}};
        const Sentences read = golden_memory(entry);
        const auto memory = golden_matrix<S>(entry.at("memory"));
        const AttentionContext<S> context{&own, &memory, &read};
        const auto forward = attend(attention, golden_matrix<S>(entry.at("x")), 2, context);
        ASSERT_TRUE(forward) << forward.error().message;
        expect_golden(forward->y, entry.at("y"), "y");
        for (std::size_t s = 0; s < own.lengths.size(); ++s)
            expect_golden(forward->cache.probabilities[s], entry.at("probabilities")[s], "P");
        const auto back = attend_backward(attention, forward->cache,
                                          golden_matrix<S>(entry.at("dy")), {}, context);
        ASSERT_TRUE(back) << back.error().message;
        expect_golden(back->dx, entry.at("dx"), "dx");
        expect_golden(back->dmemory, entry.at("dmemory"), "dmemory");
        const Json& g = entry.at("gradients");
        expect_golden(back->gradients.in, g, "in_proj_weight", "in_proj_bias");
        expect_golden(back->gradients.out, g, "out_proj.weight", "out_proj.bias");
    }
}

constexpr Index k_width = 6;
const Sentences k_own{{3, 1}, {}};
const Sentences k_read{{4, 2}, {0, 1, 0, 0, 0, 0}};

MultiHeadAttention<double> some_attention(Random& random, Reads reads, Mask mask = Mask::none) {
    auto out = make_attention<double>({Init::normal, 1, 0.7}, {}, k_width, 2, random);
    out.in.bias = random_matrix<double>(3 * k_width, 1, random);
    out.reads = reads;
    out.mask = mask;
    return out;
}

TEST(CrossAttention, GradientsOfABlockAgreeWithCentralDifferences) {
    Random random(31);
    for (const Placement placement : {Placement::post, Placement::pre, Placement::peri}) {
        ResidualBlock<double> block{some_attention(random, Reads::memory),
                                    identity_affine<double>(AffinePer::feature, 1, k_width),
                                    identity_affine<double>(AffinePer::feature, 1, k_width),
                                    {}};
        block.options.placement = placement;
        const auto x = random_matrix<double>(4, k_width, random);
        const auto memory = random_matrix<double>(6, k_width, random);
        const auto dy = random_matrix<double>(4, k_width, random);
        const auto loss = [&](const Matrix<double>& at, const Matrix<double>& read) {
            return block_forward(block, at, {&k_own, &read, &k_read})->y.cwiseProduct(dy).sum();
        };
        const AttentionContext<double> context{&k_own, &memory, &k_read};
        const auto forward = block_forward(block, x, context);
        ASSERT_TRUE(forward) << forward.error().message;
        const auto back = block_backward(block, forward->cache, dy, Want::everything, context);
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_LE(relative_difference(
                      back->dx(), differences(x, [&](const auto& m) { return loss(m, memory); })),
                  1e-7);
        EXPECT_LE(
            relative_difference(back->dmemory,
                                differences(memory, [&](const auto& m) { return loss(x, m); })),
            1e-7);
        auto& weight = std::get<MultiHeadAttention<double>>(block.sublayer).in.weight;
        const Matrix<double> kept = weight;
        const auto dweight = differences(kept, [&](const auto& m) {
            weight = m;
            return loss(x, memory);
        });
        weight = kept;
        EXPECT_LE(relative_difference(
                      std::get<AttentionGradients<double>>(back->sublayer).in.dweight, dweight),
                  1e-7);
    }
}

TEST(CrossAttention, AHiddenKeyHasExactlyNoWeightAndRowsSumToOne) {
    Random random(32);
    const auto attention = some_attention(random, Reads::memory);
    const auto memory = random_matrix<double>(6, k_width, random);
    const auto forward =
        attend(attention, random_matrix<double>(4, k_width, random), 1, {&k_own, &memory, &k_read});
    ASSERT_TRUE(forward) << forward.error().message;
    const auto& p = forward->cache.probabilities;
    ASSERT_EQ(p.size(), 2u);
    EXPECT_EQ(p[0].rows(), 6); // two heads of three queries
    EXPECT_EQ(p[0].cols(), 4);
    EXPECT_EQ(p[0].col(1).cwiseAbs().maxCoeff(), 0.0);
    for (const auto& sentence : p)
        EXPECT_LE((sentence.rowwise().sum().array() - 1).abs().maxCoeff(), 1e-15);
}

TEST(Attention, ASentenceOfABatchIsWhatItIsAlone) {
    Random random(33);
    for (const Mask mask : {Mask::none, Mask::causal}) {
        const auto attention = some_attention(random, Reads::itself, mask);
        const auto x = random_matrix<double>(7, k_width, random);
        const auto dy = random_matrix<double>(7, k_width, random);
        const Sentences sentences{{4, 3}, {}};
        const auto both = attend(attention, x, 2, {&sentences, nullptr, nullptr});
        ASSERT_TRUE(both) << both.error().message;
        const auto back = attend_backward(attention, both->cache, dy);
        ASSERT_TRUE(back) << back.error().message;
        for (const auto& [first, rows] : {std::pair<Index, Index>{0, 4}, {4, 3}}) {
            const auto alone = attend(attention, x.middleRows(first, rows).eval());
            const auto alone_back =
                attend_backward(attention, alone->cache, dy.middleRows(first, rows).eval());
            EXPECT_EQ(alone->y, both->y.middleRows(first, rows));
            EXPECT_EQ(alone_back->dx, back->dx.middleRows(first, rows));
        }
    }
}

std::string refusal(const MultiHeadAttention<double>& attention, Index rows,
                    const AttentionContext<double>& context) {
    const auto out = attend(attention, Matrix<double>::Ones(rows, k_width).eval(), 1, context);
    return out ? "" : out.error().message;
}

TEST(CrossAttention, SaysWhatDoesNotFit) {
    Random random(34);
    const auto cross = some_attention(random, Reads::memory);
    const auto self = some_attention(random, Reads::itself, Mask::causal);
    const Matrix<double> memory = Matrix<double>::Ones(6, k_width);
    const Matrix<double> narrow = Matrix<double>::Ones(6, 5);
    const auto has = [](const std::string& text, const char* part) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
    };
    has(refusal(cross, 4, {}), "needs a memory");
    has(refusal(cross, 4, {nullptr, &narrow, nullptr}), "6×5");
    const Sentences three{{1, 2, 1}, {}};
    has(refusal(cross, 4, {&three, &memory, &k_read}), "3 sentences, the memory 2");
    has(refusal(cross, 5, {&k_own, &memory, &k_read}), "4 tokens together; the matrix has 5 rows");
    const Sentences hole{{4, 0}, {}};
    has(refusal(cross, 4, {&hole, &memory, &k_read}), "sentence 1 of x is empty");
    const Sentences short_mask{{4, 2}, {0, 1}};
    has(refusal(cross, 4, {&k_own, &memory, &short_mask}), "2 entries for 6 keys");
    const Sentences blind{{4, 2}, {0, 0, 0, 0, 1, 1}};
    has(refusal(cross, 4, {&k_own, &memory, &blind}), "token 0 of sentence 1 sees no key");
    const Sentences first_hidden{{4}, {1, 0, 0, 0}};
    has(refusal(self, 4, {&first_hidden, nullptr, nullptr}), "token 0 of sentence 0 sees no key");
}

} // namespace
} // namespace normscope
