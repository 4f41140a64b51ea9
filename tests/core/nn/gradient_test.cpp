// Every backward pass of core/nn against central differences, in double.
#include "core/block/residual_block.h"
#include "core/nn/loss.h"
#include "core/norm/affine.h"
#include "tests/core/nn/attend.h"
#include "tests/core/norm/norm_kinds.h"
#include "tests/core/norm/testing.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

constexpr double k_gradient_tolerance = 1e-7;

double dot(const Matrix<double>& a, const Matrix<double>& b) {
    return a.cwiseProduct(b).sum();
}

void agrees(const Matrix<double>& analytic, const Matrix<double>& numeric, const char* what) {
    EXPECT_TRUE(analytic.allFinite() && numeric.allFinite()) << what;
    EXPECT_LE(testing::relative_difference(analytic, numeric), k_gradient_tolerance) << what;
}

// Σ dy ⊙ block(x), as a function of x and of one parameter matrix inside the block.
struct Probe {
    ResidualBlock<double> block;
    Matrix<double> x;
    Matrix<double> dy;

    double loss() const { return dot(block_forward(block, x)->y, dy); }

    void check() {
        const auto forward = block_forward(block, x);
        ASSERT_TRUE(forward) << forward.error().message;
        const auto back = block_backward(block, forward->cache, dy);
        ASSERT_TRUE(back) << back.error().message;
        const Matrix<double> kept = x;
        const Matrix<double> dx = testing::differences(x, [&](const Matrix<double>& moved) {
            x = moved;
            return loss();
        });
        x = kept;
        agrees(back->dx(), dx, "dx");
        check_vector(block.affine.gamma, back->dgamma, "dgamma");
        check_vector(block.affine.beta, back->dbeta, "dbeta");
        check_vector(block.outer.gamma, back->outer_dgamma, "outer dgamma");
        check_vector(block.outer.beta, back->outer_dbeta, "outer dbeta");
        check_scalar(block.options.branch_scale, back->dbranch_scale, "dalpha");
        check_scalar(block.options.trunk_scale, back->dtrunk_scale, "dlambda");
        std::visit([&](auto& layer) { check_layer(layer, back->sublayer); }, block.sublayer);
        const auto skip = skip_backward(block, forward->cache, dy);
        ASSERT_TRUE(skip);
        EXPECT_EQ((*skip - back->skip).cwiseAbs().maxCoeff(), 0.0);
    }

    void check_scalar(double& parameter, double analytic, const char* what) {
        const double kept = parameter;
        const Vector<double> numeric = testing::differences(
            Vector<double>::Constant(1, kept).eval(), [&](const Vector<double>& moved) {
                parameter = moved[0];
                return loss();
            });
        parameter = kept;
        EXPECT_NEAR(analytic, numeric[0], k_gradient_tolerance * std::max(1.0, std::abs(analytic)))
            << what;
    }

    void check_vector(Vector<double>& parameter, const Vector<double>& analytic, const char* what) {
        if (parameter.size() == 0) return;
        const Vector<double> kept = parameter;
        const Vector<double> numeric = testing::differences(kept, [&](const Vector<double>& moved) {
            parameter = moved;
            return loss();
        });
        parameter = kept;
        agrees(analytic, numeric, what);
    }

    void check_linear(Linear<double>& linear, const LinearGradients<double>& gradients,
                      const char* what) {
        const Matrix<double> kept = linear.weight;
        const Matrix<double> numeric = testing::differences(kept, [&](const Matrix<double>& moved) {
            linear.weight = moved;
            return loss();
        });
        linear.weight = kept;
        agrees(gradients.dweight, numeric, what);
        check_vector(linear.bias, gradients.dbias, what);
    }

    void check_layer(Projection<double>& layer, const SublayerGradients<double>& gradients) {
        check_linear(layer.linear, std::get<LinearGradients<double>>(gradients), "W");
    }
    void check_layer(FeedForward<double>& layer, const SublayerGradients<double>& gradients) {
        const auto& g = std::get<FeedForwardGradients<double>>(gradients);
        check_linear(layer.first, g.first, "W1");
        check_linear(layer.second, g.second, "W2");
    }
    void check_layer(MultiHeadAttention<double>& layer,
                     const SublayerGradients<double>& gradients) {
        const auto& g = std::get<AttentionGradients<double>>(gradients);
        check_linear(layer.in, g.in, "W_in");
        check_linear(layer.out, g.out, "W_out");
    }
};

constexpr Index k_tokens = 5;
constexpr Index k_features = 6;

Linear<double> linear(Index in, Index out, Random& random) {
    Linear<double> l = make_linear<double>({Init::xavier_normal, 1.3}, in, out, random);
    l.bias = random_matrix<double>(out, 1, random) * 0.3;
    return l;
}

std::vector<Sublayer<double>> every_sublayer(Random& random) {
    std::vector<Sublayer<double>> out;
    const auto square = [&] { return linear(k_features, k_features, random); };
    out.push_back(Projection<double>{square(), Activation::none, Activation::none});
    out.push_back(Projection<double>{square(), Activation::none, Activation::tanh});
    out.push_back(Projection<double>{square(), Activation::relu, Activation::none});
    out.push_back(Projection<double>{square(), Activation::gelu, Activation::gelu});
    for (const Activation activation : {Activation::relu, Activation::gelu}) {
        out.push_back(FeedForward<double>{linear(k_features, 11, random),
                                          linear(11, k_features, random), activation});
    }
    for (const Mask mask : {Mask::none, Mask::causal}) {
        auto attention = make_attention<double>({Init::normal, 1, 0.7}, {}, k_features, 3, random);
        attention.in.bias = random_matrix<double>(3 * k_features, 1, random);
        attention.mask = mask;
        out.push_back(attention);
    }
    return out;
}

Affine<double> affine(Random& random) {
    return {AffinePer::feature, random_matrix<double>(k_features, 1, random),
            random_matrix<double>(k_features, 1, random)};
}

TEST(ResidualBlock, EveryCombinationAgreesWithCentralDifferences) {
    Random random(21);
    for (const Sublayer<double>& sublayer : every_sublayer(random)) {
        for (const Placement placement : {Placement::post, Placement::pre, Placement::peri}) {
            Probe probe{{sublayer, affine(random), {}, {}},
                        random_matrix<double>(k_tokens, k_features, random),
                        random_matrix<double>(k_tokens, k_features, random)};
            if (placement == Placement::peri) probe.block.outer = affine(random);
            probe.block.options.placement = placement;
            probe.block.options.trunk_scale = 0.8;
            probe.block.options.branch_scale = 1.4;
            SCOPED_TRACE("sublayer " + std::to_string(sublayer.index()) + " placement " +
                         std::to_string(static_cast<int>(placement)));
            probe.check();
        }
    }
}

TEST(ResidualBlock, EveryNormAgreesWithCentralDifferences) {
    Random random(22);
    for (const NormKind norm : k_norm_kinds) {
        for (const Placement placement : {Placement::post, Placement::pre}) {
            for (const Residual skip : {Residual::add, Residual::no_skip}) {
                Probe probe{{Projection<double>{linear(k_features, k_features, random),
                                                Activation::none, Activation::tanh},
                             affine(random),
                             {},
                             {}},
                            random_matrix<double>(k_tokens, k_features, random),
                            random_matrix<double>(k_tokens, k_features, random)};
                probe.block.options.norm = norm;
                probe.block.options.norm.groups = 1; // of five features
                probe.block.options.placement = placement;
                probe.block.options.skip = skip;
                SCOPED_TRACE(static_cast<int>(norm));
                probe.check();
            }
        }
    }
}

TEST(ResidualBlock, InputOnlyGivesTheSameInputGradient) {
    Random random(23);
    for (const Sublayer<double>& sublayer : every_sublayer(random)) {
        const ResidualBlock<double> block{sublayer, affine(random), {}, {}};
        const auto x = random_matrix<double>(k_tokens, k_features, random);
        const auto dy = random_matrix<double>(k_tokens, k_features, random);
        const auto forward = block_forward(block, x);
        const auto all = block_backward(block, forward->cache, dy);
        const auto input = block_backward(block, forward->cache, dy, Want::input_only);
        EXPECT_EQ((all->dx() - input->dx()).cwiseAbs().maxCoeff(), 0.0);
    }
}

TEST(ResidualBlock, RefusesWhatDoesNotFit) {
    Random random(24);
    ResidualBlock<double> block{Projection<double>{linear(6, 5, random)}, affine(random), {}, {}};
    const auto narrow = block_forward(block, random_matrix<double>(3, 6, random));
    ASSERT_FALSE(narrow);
    EXPECT_NE(narrow.error().message.find("3×6"), std::string::npos);
    EXPECT_NE(narrow.error().message.find("3×5"), std::string::npos);
    EXPECT_FALSE(block_forward(block, random_matrix<double>(3, 4, random)));
    EXPECT_FALSE(block_forward(block, Matrix<double>(0, 6)));
    block.sublayer = Projection<double>{linear(6, 6, random)};
    const auto forward = block_forward(block, random_matrix<double>(3, 6, random));
    ASSERT_TRUE(forward);
    EXPECT_FALSE(block_backward(block, forward->cache, random_matrix<double>(2, 6, random)));
    block.sublayer = make_attention<double>({}, {}, 6, 4, random);
    const auto heads = block_forward(block, random_matrix<double>(3, 6, random));
    ASSERT_FALSE(heads);
    EXPECT_NE(heads.error().message.find("4 heads"), std::string::npos);
    EXPECT_FALSE(block_backward(block, forward->cache, random_matrix<double>(3, 6, random)));
}

TEST(Attention, ACausalMaskLetsNoTokenSeeTheFuture) {
    Random random(25);
    auto attention = make_attention<double>({}, {}, 6, 2, random);
    attention.mask = Mask::causal;
    const auto x = random_matrix<double>(5, 6, random);
    Matrix<double> later = x;
    later.row(3).array() += 1;
    const auto before = attend(attention, x);
    const auto after = attend(attention, later);
    EXPECT_EQ((before->y - after->y).topRows(3).cwiseAbs().maxCoeff(), 0.0);
    EXPECT_GT((before->y - after->y).row(3).cwiseAbs().maxCoeff(), 0.0);
}

TEST(Loss, VocabularyLossAgreesWithCentralDifferences) {
    Random random(26);
    const auto head = random_matrix<double>(9, 6, random);
    const std::vector<Index> targets{0, 8, 3};
    const auto y = random_matrix<double>(3, 6, random);
    const auto loss = vocabulary_loss(y, head, targets);
    ASSERT_TRUE(loss);
    agrees(loss->dy,
           testing::differences(y,
                                [&](const Matrix<double>& moved) {
                                    return vocabulary_loss(moved, head, targets)->loss;
                                }),
           "dy");
    EXPECT_FALSE(vocabulary_loss(y, head, {0, 9, 3}));
    EXPECT_FALSE(vocabulary_loss(y, head, {0, 1}));
    const auto readout = linear_readout(y, random_matrix<double>(3, 6, random));
    ASSERT_TRUE(readout);
    EXPECT_NEAR(readout->loss, dot(readout->dy, y), 1e-12);
}

TEST(Init, HasTheSpreadOfItsRule) {
    Random random(27);
    const auto spread = [&](InitRule rule) {
        const auto w = init_weight<double>(rule, 300, 200, random);
        EXPECT_EQ(w.rows(), 200);
        EXPECT_EQ(w.cols(), 300);
        return std::sqrt(w.squaredNorm() / static_cast<double>(w.size()));
    };
    EXPECT_NEAR(spread({Init::xavier_normal}), std::sqrt(2.0 / 500), 8e-4);
    EXPECT_NEAR(spread({Init::xavier_uniform, 2}), 2 * std::sqrt(2.0 / 500), 16e-4);
    EXPECT_NEAR(spread({Init::he_normal}), std::sqrt(2.0 / 300), 1e-3);
    EXPECT_NEAR(spread({Init::normal, 1, 0.02}), 0.02, 2.4e-4);
    const auto uniform = init_weight<double>({Init::xavier_uniform}, 300, 200, random);
    EXPECT_LE(uniform.cwiseAbs().maxCoeff(), std::sqrt(6.0 / 500));
}

} // namespace
} // namespace normscope
