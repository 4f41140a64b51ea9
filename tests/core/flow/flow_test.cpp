// Properties that hold for every stack: sums of parts, sums of paths, what γ = 0 and α = 0 do.
#include "core/flow/gradient_flow.h"
#include "core/flow/residual_stack.h"
#include "tests/core/norm/norm_kinds.h"
#include "tests/core/norm/testing.h"

#include <cmath>
#include <gtest/gtest.h>
#include <optional>
#include <stop_token>

namespace normscope {
namespace {

StackConfig small(SublayerKind sublayer, Placement placement, NormKind norm = NormKind::layer) {
    StackConfig c;
    c.blocks = 3;
    c.width = 6;
    c.tokens = 5;
    c.heads = 3;
    c.ffn_mult = 2;
    c.sublayer = sublayer;
    c.placement = placement;
    c.norm = norm;
    c.vocabulary = 11;
    c.seed = 5;
    c.gamma = 0.9;
    c.beta = 0.1;
    return c;
}

std::vector<StackConfig> every_kind() {
    std::vector<StackConfig> out;
    for (const auto& sublayer : choices(SublayerKind{})) {
        for (const auto& placement : choices(Placement{})) {
            out.push_back(small(sublayer.value, placement.value));
            out.back().loss = out.size() % 2 == 0 ? StackLoss::cross_entropy : StackLoss::readout;
        }
    }
    for (const NormKind norm : k_norm_kinds) {
        out.push_back(small(SublayerKind::ffn, Placement::pre, norm));
        out.push_back(small(SublayerKind::encoder, Placement::post, norm));
    }
    out.push_back(small(SublayerKind::tanh, Placement::post));
    out.back().skip = Residual::no_skip;
    out.push_back(small(SublayerKind::encoder, Placement::pre));
    out.back().trunk_scale = 0.7;
    out.back().branch_scale = 1.8;
    return out;
}

struct Built {
    ResidualStack<double> stack;
    StackRun<double> run;
};

Built build(const StackConfig& config) {
    auto stack = ResidualStack<double>::make(config);
    EXPECT_TRUE(stack) << stack.error().message;
    auto run = run_forward(*stack);
    EXPECT_TRUE(run) << run.error().message;
    return {std::move(*stack), std::move(*run)};
}

// ∂L/∂x_l, l = 0 … L.
Matrix<double> gradient_at(const Built& b, int l) {
    return through_blocks(b.stack, b.run, l, b.stack.config.blocks, b.run.dx_last).value();
}

// The forward pass again, on another input.
double loss_at(const ResidualStack<double>& stack, Matrix<double> x) {
    for (const auto& unit : stack.units) x = block_forward(unit, x)->y;
    if (stack.has_final_norm()) x = normalize(stack.config.norm, x)->cache.x_hat;
    return stack.config.loss == StackLoss::readout
               ? linear_readout(x, stack.readout)->loss
               : vocabulary_loss(x, stack.head, stack.targets)->loss;
}

TEST(Flow, TheGradientAtTheInputAgreesWithCentralDifferences) {
    for (const StackConfig& config : every_kind()) {
        const Built b = build(config);
        const Matrix<double> gradient = gradient_at(b, 0);
        const Matrix<double> numeric = testing::differences(
            b.stack.input, [&](const Matrix<double>& x) { return loss_at(b.stack, x); });
        EXPECT_TRUE(gradient.allFinite());
        EXPECT_LE(testing::relative_difference(gradient, numeric), 1e-6)
            << static_cast<int>(config.sublayer) << ' ' << static_cast<int>(config.placement);
        EXPECT_NEAR(loss_at(b.stack, b.stack.input), b.run.loss, 1e-12);
    }
}

TEST(Flow, SkipAndBranchSumToTheGradientBelow) {
    for (const StackConfig& config : every_kind()) {
        const Built b = build(config);
        const auto flow = gradient_flow(b.stack, b.run);
        ASSERT_TRUE(flow);
        for (std::size_t l = 0; l < flow->blocks.size(); ++l) {
            const BlockFlow& block = flow->blocks[l];
            EXPECT_NEAR(block.grad_norm, gradient_at(b, static_cast<int>(l) + 1).norm(),
                        1e-12 * block.grad_norm);
            const GradientSplit& s = block.split;
            const double square = s.skip_norm * s.skip_norm + s.branch_norm * s.branch_norm +
                                  2 * s.skip_norm * s.branch_norm * s.cosine;
            const double below = l == 0 ? flow->input_grad_norm : flow->blocks[l - 1].grad_norm;
            EXPECT_NEAR(std::sqrt(square), below, 1e-12 * below);
        }
        EXPECT_NEAR(flow->input_grad_norm, gradient_at(b, 0).norm(), 1e-14);
    }
}

TEST(Flow, PathsSumToTheGradient) {
    for (const StackConfig& config : every_kind()) {
        const Built b = build(config);
        const auto paths = path_lengths(b.stack, b.run);
        ASSERT_TRUE(paths);
        EXPECT_LE(paths->remainder, 1e-13);
        double energy = 0;
        double total = 0;
        for (const double share : paths->energy_share) energy += share;
        for (const double share : paths->signed_share) total += share;
        EXPECT_NEAR(energy, 1, 1e-12);
        EXPECT_NEAR(total, 1, 1e-12);
        EXPECT_EQ(paths->norm.size(), b.stack.units.size() + 1);
        if (config.skip == Residual::no_skip) {
            EXPECT_EQ(paths->energy_share.back(), 1.0);
        }
    }
}

TEST(Flow, PathsAreTheSameOnAnyNumberOfThreads) {
    for (const StackConfig& config : every_kind()) {
        const Built b = build(config);
        const auto parts_on = [&](int threads) {
            PathSplit<double> split;
            EXPECT_TRUE(path_lengths_from(split, b.stack, b.run, {}, threads));
            return split.parts;
        };
        for (const int threads : {2, 3, 64}) EXPECT_EQ(parts_on(1), parts_on(threads));
    }
}

TEST(Flow, ASplitThatWasStoppedGoesOnToTheSameNumbers) {
    for (const StackConfig& config : every_kind()) {
        const Built b = build(config);
        const auto whole = path_lengths(b.stack, b.run);
        ASSERT_TRUE(whole);
        PathSplit<double> split;
        std::size_t passed = 0, stops = 0;
        std::optional<PathLengths> resumed;
        while (!resumed) {
            std::stop_source stop;
            int told = 0; // before each sublayer
            const Progress progress{stop.get_token(), [&](double) {
                                        ++passed;
                                        if (++told == 2) stop.request_stop();
                                    }};
            const auto paths = path_lengths_from(split, b.stack, b.run, progress);
            if (paths)
                resumed = *paths;
            else
                ++stops;
            ASSERT_LE(stops, 2 * b.stack.units.size());
        }
        EXPECT_EQ(resumed->norm, whole->norm);
        EXPECT_EQ(resumed->energy_share, whole->energy_share);
        EXPECT_EQ(resumed->signed_share, whole->signed_share);
        EXPECT_EQ(split.crossed, b.stack.units.size());
        EXPECT_GT(stops, 0u);
        EXPECT_EQ(passed, b.stack.units.size()) << "no sublayer is crossed twice";
    }
}

TEST(Flow, ActivationsAreMeasured) {
    const Built b = build(small(SublayerKind::encoder, Placement::pre));
    const auto flow = gradient_flow(b.stack, b.run);
    ASSERT_TRUE(flow);
    for (int l = 1; l <= 3; ++l) {
        const Matrix<double>& x = activation_after(b.stack, b.run, l);
        const BlockFlow& block = flow->blocks[static_cast<std::size_t>(l) - 1];
        EXPECT_NEAR(block.mean_square, x.squaredNorm() / 30, 1e-12);
        EXPECT_NEAR(block.variance, (x.array() - x.mean()).square().mean(), 1e-12);
        EXPECT_TRUE(block.w2_grad_norm && block.attention_grad_norm && !block.weight_grad_norm);
        EXPECT_EQ(block.sublayers.size(), 2u);
    }
}

// ReZero (Bachlechner et al. 2021): at α = 0 a stack is the identity, and only α learns.
TEST(Flow, ABranchScaledToZeroIsTheIdentityAndOnlyTheScaleLearns) {
    for (const auto& sublayer : choices(SublayerKind{})) {
        StackConfig c = small(sublayer.value, Placement::pre, NormKind::none);
        c.branch_scale = 0;
        c.gamma = 1;
        c.beta = 0;
        const Built b = build(c);
        EXPECT_EQ((b.run.x_last - b.stack.input).cwiseAbs().maxCoeff(), 0.0);
        const auto flow = gradient_flow(b.stack, b.run);
        ASSERT_TRUE(flow);
        for (const BlockFlow& block : flow->blocks) {
            EXPECT_EQ(block.w1_grad_norm.value_or(0), 0.0);
            EXPECT_EQ(block.w2_grad_norm.value_or(0), 0.0);
            EXPECT_EQ(block.attention_grad_norm.value_or(0), 0.0);
            EXPECT_EQ(block.weight_grad_norm.value_or(0), 0.0);
            EXPECT_NE(block.branch_scale_grad, 0.0);
        }
    }
}

TEST(Flow, TheGradientsOfTheScalesAgreeWithCentralDifferences) {
    for (StackConfig config : every_kind()) {
        config.trunk_scale = 0.8;
        config.branch_scale = 1.3;
        const auto flow = gradient_flow(build(config).stack, build(config).run);
        ASSERT_TRUE(flow);
        Vector<double> at(2);
        at << config.trunk_scale, config.branch_scale;
        const Vector<double> numeric = testing::differences(at, [&](const Vector<double>& scales) {
            StackConfig other = config;
            other.trunk_scale = scales(0);
            other.branch_scale = scales(1);
            return build(other).run.loss;
        });
        Vector<double> analytic(2);
        analytic << flow->trunk_scale_grad(), flow->branch_scale_grad();
        // A norm behind what has no skip takes its scale away: both are next to nothing there.
        EXPECT_LE((analytic - numeric).cwiseAbs().maxCoeff(),
                  1e-7 * numeric.cwiseAbs().maxCoeff() + 1e-9)
            << static_cast<int>(config.sublayer) << ' ' << static_cast<int>(config.placement);
        if (config.skip == Residual::no_skip) {
            EXPECT_EQ(flow->trunk_scale_grad(), 0.0);
        }
    }
}

TEST(Flow, BetaOfOneBlockChangesNoInputGradient) {
    Random random(8);
    const auto unit_with = [&](double beta) {
        StackConfig c = small(SublayerKind::encoder, Placement::post);
        c.blocks = 1;
        c.beta = beta;
        return ResidualStack<double>::make(c)->units.back();
    };
    const auto x = init_weight<double>({Init::normal, 1, 1}, 6, 5, random);
    const auto dy = init_weight<double>({Init::normal, 1, 1}, 6, 5, random);
    const auto dx = [&](double beta) {
        const auto unit = unit_with(beta);
        return block_backward(unit, block_forward(unit, x)->cache, dy)->dx();
    };
    EXPECT_EQ((dx(0.0) - dx(-3.5)).cwiseAbs().maxCoeff(), 0.0);
}

TEST(Flow, GammaZeroCutsPostNormAndLeavesPreNormItsTrunk) {
    for (const SublayerKind kind : {SublayerKind::ffn, SublayerKind::encoder}) {
        StackConfig c = small(kind, Placement::post);
        c.gamma = 0;
        c.beta = 0;
        const Built post = build(c);
        for (int l = 0; l < 3; ++l) EXPECT_EQ(gradient_at(post, l).cwiseAbs().maxCoeff(), 0.0);
        c.placement = Placement::pre;
        const Built pre = build(c);
        EXPECT_EQ((pre.run.x_last - pre.stack.input).cwiseAbs().maxCoeff(), 0.0);
        const Matrix<double> kept = gradient_at(pre, 0);
        EXPECT_GT(kept.norm(), 0.0);
        EXPECT_EQ((kept - pre.run.dx_last).cwiseAbs().maxCoeff(), 0.0);
    }
}

TEST(Flow, GammaOfOneBlockOnlyIsThatBlocks) {
    StackConfig c = small(SublayerKind::ffn, Placement::post);
    c.block_affine = {{1, 0.25, -2}};
    const Built b = build(c);
    EXPECT_EQ(b.stack.units[1].affine.gamma[3], 0.25);
    EXPECT_EQ(b.stack.units[1].affine.beta[0], -2.0);
    EXPECT_EQ(b.stack.units[2].affine.gamma[3], 0.9);
}

TEST(Flow, ADeeperStackStartsWithTheShallowerOne) {
    StackConfig c = small(SublayerKind::encoder, Placement::pre);
    const Built shallow = build(c);
    c.blocks = 5;
    const Built deep = build(c);
    EXPECT_EQ((activation_after(deep.stack, deep.run, 3) - shallow.run.x_last).norm(), 0.0);
}

TEST(Flow, ReusedWeightsAreThoseThatWouldBeDrawn) {
    StackConfig c = small(SublayerKind::encoder, Placement::post);
    const auto before = ResidualStack<double>::make(c);
    c.gamma = 0.3;
    c.placement = Placement::pre;
    c.blocks = 4;
    c.activation = Activation::gelu;
    const auto reused = ResidualStack<double>::make(c, 1, &*before);
    const auto fresh = ResidualStack<double>::make(c);
    EXPECT_EQ(run_forward(*reused)->loss, run_forward(*fresh)->loss);
    c.seed = 6;
    const auto other = ResidualStack<double>::make(c, 1, &*before);
    EXPECT_NE(run_forward(*other)->loss, run_forward(*fresh)->loss);
}

TEST(Flow, FloatAndTwoThreadsAgreeWithDouble) {
    StackConfig c = small(SublayerKind::encoder, Placement::post);
    c.width = 48;
    c.tokens = 40;
    const auto exact = flow_over_seeds<double>(c, 2, Paths::split);
    const auto rounded = flow_over_seeds<float>(c, 2, Paths::split, 2);
    ASSERT_TRUE(exact && rounded);
    EXPECT_EQ((*rounded)[1].seed, 6u);
    for (std::size_t i = 0; i < 2; ++i) {
        const double norm = (*exact)[i].flow.input_grad_norm;
        EXPECT_NEAR((*rounded)[i].flow.input_grad_norm, norm, 2e-5 * norm);
        EXPECT_NEAR((*rounded)[i].paths->mean_length(), (*exact)[i].paths->mean_length(), 1e-4);
    }
}

TEST(Flow, TheGainOfAnIdentityIsOne) {
    StackConfig c = small(SublayerKind::ffn, Placement::pre);
    c.branch_scale = 0;
    const Built b = build(c);
    EXPECT_EQ(*block_gain(b.stack, b.run, 1), 1.0);
    EXPECT_FALSE(block_gain(b.stack, b.run, 3));
}

TEST(Flow, CountsPaths) {
    EXPECT_EQ(path_count(8, 0), 1.0);
    EXPECT_EQ(path_count(8, 3), 56.0);
    EXPECT_EQ(path_count(54, 27), 1946939425648112.0);
}

TEST(Flow, StopsAndReportsProgress) {
    StackConfig c = small(SublayerKind::ffn, Placement::post);
    std::vector<double> reports;
    Progress progress;
    progress.report = [&](double share) { reports.push_back(share); };
    ASSERT_TRUE(flow_over_seeds<double>(c, 2, Paths::split, 1, progress));
    EXPECT_GT(reports.size(), 10u);
    for (std::size_t i = 1; i < reports.size(); ++i) EXPECT_GE(reports[i], reports[i - 1]);
    EXPECT_LE(reports.back(), 1.0);
    std::stop_source source;
    source.request_stop();
    EXPECT_FALSE(flow_over_seeds<double>(c, 2, Paths::split, 1, Progress{source.get_token(), {}}));
}

TEST(StackConfig, RefusesWhatCannotBeBuilt) {
    const auto message = [](auto change) {
        StackConfig c;
        change(c);
        const auto stack = ResidualStack<float>::make(c);
        return stack ? std::string() : stack.error().message;
    };
    EXPECT_NE(message([](StackConfig& c) { c.blocks = 0; }).find("blocks"), std::string::npos);
    EXPECT_NE(message([](StackConfig& c) { c.heads = 5; }).find("choose 60 or 65"),
              std::string::npos);
    EXPECT_NE(message([](StackConfig& c) { c.tokens = 0; }), "");
    EXPECT_NE(message([](StackConfig& c) { c.width = -1; }), "");
    EXPECT_NE(message([](StackConfig& c) { c.trunk_scale = NAN; }), "");
    EXPECT_NE(message([](StackConfig& c) {
                  c.width = 8192;
                  c.blocks = 900;
              }),
              "");
    EXPECT_NE(message([](StackConfig& c) { c.block_affine = {{12, 1, 0}}; }), "");
    StackConfig one;
    one.tokens = 1;
    one.norm = NormKind::batch;
    EXPECT_FALSE(run_forward(*ResidualStack<float>::make(one)));
}

} // namespace
} // namespace normscope
