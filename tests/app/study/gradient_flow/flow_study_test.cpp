#include "app/model/edit.h"
#include "app/model/flow/flow_stories.h"
#include "app/study/add_norm/derived.h"
#include "app/study/backward/backward.h"
#include "app/study/gradient_flow/drawn_weights.h"
#include "app/study/gradient_flow/flow_runner.h"
#include "app/words/no_gradient.h"
#include "core/flow/gradient_flow.h"
#include "tests/core/norm/norm_kinds.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

FlowSetup three_blocks() {
    FlowSetup setup = default_flow();
    setup.stack.blocks = 3;
    setup.stack.width = 8;
    setup.stack.heads = 2;
    setup.stack.tokens = 5;
    setup.seeds = 3;
    return setup;
}

double input_over_top(const StackStudy& study) {
    const auto points = flow_points(study, FlowQuantity::gradient);
    return points.front().mean / points.back().mean;
}

double top_mean_square(const StackStudy& study) {
    return flow_points(study, FlowQuantity::activation).back().mean;
}

TEST(FlowStudy, MeasuresWhatTheCoreDoes) {
    const FlowSetup setup = three_blocks();
    const FlowStudies studies = study_flow(setup);
    ASSERT_TRUE(studies.present);
    const StackStudy& study = *studies.present;
    const auto direct = flow_over_seeds<float>(setup.stack, 3, Paths::split);
    ASSERT_TRUE(direct);
    ASSERT_EQ(study.seeds.size(), 3u);
    EXPECT_TRUE(study.refined);
    EXPECT_FALSE(study.in_float64);
    EXPECT_EQ(study.block_gain.size(), 3u);
    for (std::size_t s = 0; s < 3; ++s) {
        EXPECT_EQ(study.seeds[s].seed, s);
        EXPECT_EQ(study.seeds[s].paths.has_value(), s == 0);
        EXPECT_EQ(study.seeds[s].flow.input_grad_norm, (*direct)[s].flow.input_grad_norm);
    }
    EXPECT_EQ(study.seeds[0].paths->energy_share, (*direct)[0].paths->energy_share);

    const auto gradient = flow_points(study, FlowQuantity::gradient);
    ASSERT_EQ(gradient.size(), 4u);
    double logs = 0;
    for (const SeedFlow& seed : study.seeds) logs += std::log(seed.flow.blocks[1].grad_norm);
    EXPECT_NEAR(gradient[2].mean, std::exp(logs / 3), 1e-12);
    for (const FlowPoint& p : gradient) {
        EXPECT_LE(p.lo, p.mean);
        EXPECT_LE(p.mean, p.hi);
    }
    EXPECT_EQ(flow_points(study, FlowQuantity::w2).front().block, 1);
    EXPECT_TRUE(flow_points(study, FlowQuantity::weight).empty());
    EXPECT_EQ(flow_points(study, FlowQuantity::attention).size(), 3u);
}

TEST(FlowStudy, RefinesInSlices) {
    const FlowSetup setup = three_blocks();
    DrawnWeights weights;
    const auto coarse = coarse_study(setup.stack, setup.seeds, weights);
    ASSERT_TRUE(coarse);
    EXPECT_EQ(coarse->seeds.size(), 1u);
    EXPECT_FALSE(coarse->refined);
    EXPECT_TRUE(coarse->block_gain.empty());
    std::vector<std::size_t> seeds;
    StackStudy study = *coarse;
    double left = missing_work(setup.stack, &study, 3).all();
    EXPECT_EQ(left, missing_work(setup.stack, nullptr, 3).all());
    while (!study.refined) {
        const auto changed = refine(study, weights);
        ASSERT_TRUE(changed);
        const double now = missing_work(setup.stack, &study, 3).all();
        EXPECT_EQ(now < left, *changed);
        left = now;
        if (*changed) seeds.push_back(study.seeds.size());
    }
    EXPECT_EQ(left, 0);
    EXPECT_EQ(seeds, (std::vector<std::size_t>{2, 3, 3, 3}));
    // Weights that were kept are the ones that would be drawn.
    StackConfig moved = setup.stack;
    moved.beta = 0.5;
    DrawnWeights none;
    EXPECT_EQ(coarse_study(moved, 1, weights)->seeds[0].flow.input_grad_norm,
              coarse_study(moved, 1, none)->seeds[0].flow.input_grad_norm);
    std::stop_source stopped;
    stopped.request_stop();
    study = *coarse;
    EXPECT_FALSE(refine(study, weights, {stopped.get_token(), {}}));
    EXPECT_FALSE(coarse_study(moved, 1, weights, {stopped.get_token(), {}}));
}

TEST(FlowStudy, ACloserLookThatWasStoppedGoesOnWhereItStopped) {
    FlowSetup setup = three_blocks();
    setup.stack.blocks = 12;
    setup.seeds = 1;
    DrawnWeights weights;
    const auto coarse = coarse_study(setup.stack, setup.seeds, weights);
    ASSERT_TRUE(coarse);
    // Refines until it is told for the n-th time; told once before each block, and before each
    // sublayer and once more where a slice of the paths begins.
    const auto refine_until = [&](StackStudy& study, int n) {
        std::stop_source stop;
        const Progress progress{stop.get_token(), [&](double share) {
                                    EXPECT_LE(share, 1);
                                    if (--n == 0) stop.request_stop();
                                }};
        while (!study.refined)
            if (!refine(study, weights, progress)) return false;
        return true;
    };
    StackStudy whole = *coarse;
    ASSERT_TRUE(refine_until(whole, -1));
    EXPECT_EQ(whole.block_gain.size(), 12u);
    StackStudy known = *coarse;
    for (const int n : {5, 12, 9}) EXPECT_FALSE(refine_until(known, n));
    EXPECT_EQ(known.block_gain, whole.block_gain);
    EXPECT_FALSE(known.seeds[0].paths);
    ASSERT_TRUE(refine_until(known, -1));
    EXPECT_EQ(known.seeds[0].paths->energy_share, whole.seeds[0].paths->energy_share);
    EXPECT_EQ(known.seeds[0].paths->signed_share, whole.seeds[0].paths->signed_share);

    // The study of another stack begins anew.
    known = *coarse;
    EXPECT_FALSE(refine_until(known, 20));
    setup.stack.beta = 0.5;
    StackStudy other = *coarse_study(setup.stack, 1, weights);
    ASSERT_TRUE(refine_until(other, -1));
    const StackStudy direct = *study_flow(setup).present;
    EXPECT_EQ(other.block_gain, direct.block_gain);
    EXPECT_EQ(other.seeds[0].paths->energy_share, direct.seeds[0].paths->energy_share);
}

TEST(FlowStudy, SaysWhyThereIsNothing) {
    FlowSetup setup = three_blocks();
    setup.stack.heads = 3;
    const FlowStudies studies = study_flow(setup);
    ASSERT_TRUE(studies.present->error);
    EXPECT_NE(studies.present->error->message.find("heads"), std::string::npos);
    EXPECT_TRUE(flow_points(*studies.present, FlowQuantity::gradient).empty());
    EXPECT_EQ(measured_shape(*studies.present), std::nullopt);
}

// 0.1^96 lies outside float32, not outside float64.
TEST(FlowStudy, LeavesFloat32WhereItMust) {
    FlowSetup setup = three_blocks();
    setup.stack.sublayer = SublayerKind::linear;
    setup.stack.norm = NormKind::none;
    setup.stack.skip = Residual::no_skip;
    setup.stack.blocks = 96;
    setup.stack.init.gain = 0.1;
    const FlowStudies studies = study_flow(setup);
    EXPECT_TRUE(studies.present->in_float64);
    EXPECT_GT(flow_points(*studies.present, FlowQuantity::gradient).front().lo, 0);
    EXPECT_EQ(measured_shape(*studies.present), ExpectedShape::vanishes);
    // γ = 0 stops the gradient in any precision.
    setup = three_blocks();
    setup.stack.gamma = 0;
    const StackStudy none = *study_flow(setup).present;
    EXPECT_EQ(flow_points(none, FlowQuantity::gradient).front().hi, 0);
    EXPECT_FALSE(none.in_float64) << "nothing ran out of anything";
}

TEST(FlowStudy, SaysWhatTookTheGradientAway) {
    const auto reason = [](const auto& change) {
        FlowSetup setup = three_blocks();
        setup.stack.sublayer = SublayerKind::tanh;
        setup.seeds = 1;
        change(setup.stack);
        return no_gradient_reason(*study_flow(setup).present).value_or("");
    };
    EXPECT_EQ(reason([](StackConfig&) {}), "");
    EXPECT_EQ(
        reason([](StackConfig& c) { c.gamma = 0; }),
        "No gradient reaches the input: it is exactly 0, as what leaves a block is multiplied "
        "by its γ, and γ = 0 in every block");
    EXPECT_EQ(
        reason([](StackConfig& c) {
            c.block_affine = {{1, 0, 0}};
        }),
        "No gradient reaches the input: it is exactly 0, as what leaves a block is multiplied "
        "by its γ, and γ = 0 in block 2");
    const auto pre = [](StackConfig& c) {
        c.placement = Placement::pre;
        c.gamma = 0;
    };
    EXPECT_EQ(reason(pre), "") << "the trunk passes";
    EXPECT_EQ(reason([&](StackConfig& c) {
                  pre(c);
                  c.skip = Residual::no_skip;
              }),
              "No gradient reaches the input: it is exactly 0, as there is no skip and γ = 0 in "
              "every block closes the sublayer");
    EXPECT_EQ(reason([](StackConfig& c) {
                  c.trunk_scale = 0;
                  c.branch_scale = 0;
                  c.norm = NormKind::none;
              }),
              "No gradient reaches the input: it is exactly 0, as λ = 0 closes the skip and α = 0 "
              "closes the sublayers");
    EXPECT_EQ(reason([](StackConfig& c) { // 1e-40 a block
                  c.sublayer = SublayerKind::linear;
                  c.norm = NormKind::none;
                  c.skip = Residual::no_skip;
                  c.blocks = 12;
                  c.init.gain = 1e-40;
              }),
              "No gradient reaches the input: below block 8 it is too small to measure in float64");
}

// The measurements must bear out the text of each story.
TEST(FlowStories, AreTrue) {
    const auto told = [](const char* id) { return study_flow((*find_story(id))->setup()); };
    {
        const FlowStudies s = told("residual-norm");
        EXPECT_LT(input_over_top(*s.present), 1e-12);
        ASSERT_EQ(s.pinned.size(), 3u);
        for (const auto& pin : s.pinned) {
            EXPECT_GT(input_over_top(*pin), 0.1);
            EXPECT_LT(input_over_top(*pin), 10);
        }
        // Without a residual, under layer norm.
        const StackStudy& norm_alone = *s.pinned[1];
        EXPECT_EQ(norm_alone.stack.skip, Residual::no_skip);
        EXPECT_EQ(norm_alone.stack.norm, NormKind::layer);
        EXPECT_GT(input_over_top(norm_alone), 1);
    }
    {
        const FlowStudies s = told("post-against-pre");
        const StackStudy& pre = *s.present;
        const StackStudy& post = *s.pinned.at(0);
        EXPECT_EQ(measured_shape(pre), ExpectedShape::grows);
        EXPECT_EQ(measured_shape(post), ExpectedShape::flat);
        // Variance of a feed-forward branch of Xavier weights, four times as wide: 0.32 a block.
        EXPECT_NEAR(top_mean_square(pre), 1 + 0.32 * 24, 1.5);
        EXPECT_NEAR(top_mean_square(post), 1, 0.01);
        const auto points = flow_points(pre, FlowQuantity::gradient);
        for (std::size_t l = 1; l < points.size(); ++l)
            EXPECT_LT(points[l].mean, points[l - 1].mean) << l;
        EXPECT_LT(input_over_top(*study_flow(default_flow()).present), 0.5) << "with attention";
    }
    {
        const FlowStudies s = told("same-beta");
        EXPECT_EQ(measured_shape(*s.present), ExpectedShape::vanishes);
        EXPECT_GT(input_over_top(*s.pinned.at(0)), 1);
        FlowSetup none = (*find_story("same-beta"))->setup();
        none.stack.beta = 0;
        EXPECT_EQ(measured_shape(*study_flow(none).present), ExpectedShape::flat);
    }
    {
        const FlowStudies s = told("batch-norm");
        EXPECT_EQ(measured_shape(*s.present), ExpectedShape::explodes);
        EXPECT_NEAR(std::log2(top_mean_square(*s.present)), 24, 1.5);
        EXPECT_EQ(measured_shape(*s.pinned.at(0)), ExpectedShape::grows);
        EXPECT_NEAR(top_mean_square(*s.pinned.at(0)), 25, 1.5);
    }
    {
        const FlowStudies s = told("deepnorm");
        EXPECT_NEAR(input_over_top(*s.present), 1, 0.05);
        EXPECT_EQ(measured_shape(*s.pinned.at(0)), ExpectedShape::shrinks_slowly);
        EXPECT_EQ(measured_shape(*s.pinned.at(1)), ExpectedShape::grows);
    }
    {
        const FlowStudies s = told("vanishing");
        EXPECT_LT(input_over_top(*s.present), 1e-12);
        EXPECT_GT(input_over_top(*s.pinned.at(0)), 1);
    }
    {
        const FlowStudies s = told("exploding");
        EXPECT_NEAR(std::log(input_over_top(*s.present)) / 48, std::log(2.5), 0.05);
        EXPECT_GT(input_over_top(*s.pinned.at(0)), input_over_top(*s.present));
        EXPECT_LT(input_over_top(*s.pinned.at(1)), 3);
    }
}

TEST(FlowStories, EachHasItsWordsAndAStackThatCanBe) {
    for (const FlowStory& story : flow_stories()) {
        EXPECT_TRUE(check(story.setup())) << story.id;
        EXPECT_FALSE(story.says.empty());
        EXPECT_FALSE(story.question.empty());
        const FlowSetup setup = story.setup();
        for (const PinnedStack& pin : *setup.pinned) EXPECT_FALSE(pin.name.empty());
    }
}

// The Add & Norm that opens gives what the next block reads.
TEST(OpenBlock, ShowsTheStacksOwnNumbers) {
    Document d = blank_document(2, 3);
    d.flow = three_blocks();
    d.flow.stack.gamma = 1.5;
    d.flow.stack.beta = -4;
    d.flow.stack.trunk_scale = 0.5;
    d.flow.stack.branch_scale = 2;
    for (const Placement placement :
         {Placement::post, Placement::pre, Placement::deepnorm, Placement::peri})
        for (const NormKind norm : k_norm_kinds)
            for (const SublayerKind sublayer : {SublayerKind::encoder, SublayerKind::tanh}) {
                d.flow.stack.placement = placement;
                d.flow.stack.norm = norm;
                d.flow.stack.sublayer = sublayer;
                const auto stack = ResidualStack<float>::make(d.flow.stack);
                const auto run = run_forward(*stack);
                ASSERT_TRUE(run);
                const auto gradient_at = [&](int l) {
                    return through_blocks(*stack, *run, l, 3, run->dx_last).value();
                };
                for (int block = 1; block <= 3; ++block) {
                    const auto opened = open_block(d, {block});
                    ASSERT_TRUE(opened) << opened.error().message;
                    EXPECT_EQ(opened->flow, d.flow);
                    const auto derived = Derived::of(*opened);
                    const bool inside = stack->has_final_norm();
                    const Matrix<double> after =
                        activation_after(*stack, *run, block).cast<double>();
                    const MatrixView shown = derived->view(inside ? Tensor::z : Tensor::y);
                    const double most = after.cwiseAbs().maxCoeff();
                    for (Index t = 0; t < after.rows(); ++t)
                        for (Index j = 0; j < after.cols(); ++j)
                            ASSERT_NEAR(shown(t, j), after(t, j), 1e-4 * most);
                    // dY is the stack's: its dz is the gradient at the sum, less what the block
                    // above hands down its skip.
                    const bool last = block == 3;
                    Matrix<double> wanted = gradient_at(block).cast<double>();
                    Matrix<double> got = *opened->backward.dy;
                    // Before they cancel in single precision.
                    double terms = gradient_at(block).cwiseAbs().maxCoeff();
                    if (inside) {
                        const auto backward = Backward::of(*opened);
                        got = backward->dz();
                        terms = std::max(terms, backward->dz_terms());
                    }
                    if (inside && !last) wanted -= 0.5 * gradient_at(block + 1).cast<double>();
                    if (!inside || last || sublayer == SublayerKind::tanh) {
                        const double largest = wanted.cwiseAbs().maxCoeff();
                        EXPECT_LE((got - wanted).cwiseAbs().maxCoeff(),
                                  1e-3 * largest + 1e-5 * terms);
                    }
                    if (!inside) continue;
                    EXPECT_EQ(opened->gamma->front(), last ? 1 : 1.5);
                    EXPECT_EQ(opened->beta->front(), last ? 0 : -4);
                }
            }
    // The first Add & Norm of an encoder block gives what its second sublayer reads.
    d.flow.stack.sublayer = SublayerKind::encoder;
    for (const Placement placement : {Placement::post, Placement::pre}) {
        d.flow.stack.placement = placement;
        d.flow.stack.norm = NormKind::layer;
        const auto stack = ResidualStack<float>::make(d.flow.stack);
        const auto run = run_forward(*stack);
        const auto first = open_block(d, {2, OfBlock::first_sublayer});
        ASSERT_TRUE(first) << first.error().message;
        EXPECT_NE(first->title.find("attention"), std::string::npos) << first->title;
        const Matrix<double> after = run->units[3].x.cast<double>();
        const auto derived = Derived::of(*first);
        const MatrixView shown = derived->view(placement == Placement::pre ? Tensor::z : Tensor::y);
        for (Index t = 0; t < after.rows(); ++t)
            for (Index j = 0; j < after.cols(); ++j)
                ASSERT_NEAR(shown(t, j), after(t, j), 1e-4 * after.cwiseAbs().maxCoeff());
        EXPECT_EQ(first->gamma->front(), 1.5);
        EXPECT_NE(first->x, open_block(d, {2})->x);
    }
    // Without a norm it is not said to be one's.
    for (const Residual skip : {Residual::add, Residual::no_skip})
        for (const Placement placement : {Placement::post, Placement::pre}) {
            Document plain = d;
            plain.flow.stack.norm = NormKind::none;
            plain.flow.stack.skip = skip;
            plain.flow.stack.placement = placement;
            const auto opened = open_block(plain, {2});
            ASSERT_TRUE(opened) << opened.error().message;
            EXPECT_EQ(opened->title.find("orm"), std::string::npos) << opened->title;
        }
    EXPECT_LE(open_block(d, {1})->beta_range.lo, -4);
    EXPECT_FALSE(open_block(d, {0}));
    EXPECT_FALSE(open_block(d, {4}));
}

} // namespace
} // namespace normscope
