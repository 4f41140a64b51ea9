#include "app/study/batch_vs_layer/batch_sequences.h"
#include "app/study/batch_vs_layer/batch_study.h"
#include "core/norm/affine.h"
#include "core/norm/jacobian.h"
#include "core/norm/normalize.h"
#include "tests/app/model/random_document.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

Document normal_document(std::uint64_t seed, Index tokens, Index features) {
    Random random(seed);
    Document d =
        testing::any_document(random, tokens, features, [](Random& r) { return r.normal(); });
    d.residual = Residual::add;
    d.eps = 1e-5;
    return d;
}

TEST(NormsOfZ, AreXHatOfTheSumByEachNorm) {
    for (const auto& [tokens, features] : {std::pair<Index, Index>{3, 7}, {7, 3}}) {
        Document d = normal_document(1, tokens, features);
        for (const Residual residual : {Residual::add, Residual::no_skip}) {
            d.residual = residual;
            const NormsOfZ n = norms_of_z(d);
            EXPECT_EQ(n.z, residual == Residual::add ? Matrix<double>(*d.x + *d.f) : *d.f);
            for (const NormOfZ& norm : n.norms) {
                ASSERT_FALSE(norm.error);
                EXPECT_EQ(norm.cache.x_hat,
                          normalize<double>(norm.cache.norm, n.z, norm_options(d))->cache.x_hat);
            }
            // The statistics that are written at the edges.
            for (Index t = 0; t < tokens; ++t) {
                const auto row = n.z.row(t).array();
                EXPECT_NEAR(n.norms[0].mean(t), row.mean(), 1e-14);
                EXPECT_NEAR(n.norms[0].statistic(t), (row - row.mean()).square().mean(), 1e-12);
                EXPECT_NEAR(n.norms[2].statistic(t), row.square().mean(), 1e-12);
            }
            for (Index f = 0; f < features; ++f) {
                const auto col = n.z.col(f).array();
                EXPECT_NEAR(n.norms[1].mean(f), col.mean(), 1e-14);
                EXPECT_NEAR(n.norms[1].statistic(f), (col - col.mean()).square().mean(), 1e-12);
            }
        }
    }
}

TEST(NormsOfZ, RoundingOfASumOfZeroIsZeroBesideItsOwnTermsOnly) {
    Document d = normal_document(3, 3, 3);
    d.residual = Residual::no_skip;
    d.eps = 1e-5;
    d.f = Matrix<double>{{0.1, 0.2, -0.3}, {1e12, -0.4, 0.7}, {0.7, 0.7, 0.7}};
    const NormsOfZ n = norms_of_z(d);
    ASSERT_NE(n.norms[0].cache.mean(0), 0) << "rounding";
    EXPECT_EQ(n.norms[0].mean(0), 0);
    EXPECT_NEAR(n.norms[0].statistic(0), 0.14 / 3, 1e-12);
    EXPECT_NEAR(n.norms[0].mean(1), (1e12 + 0.3) / 3, 1e-3);
    EXPECT_EQ(n.norms[0].statistic(2), 0) << "of ε rounding is left";
    EXPECT_NEAR(n.norms[1].mean(1), 0.5 / 3, 1e-15) << "beside 1e12 in another feature";
    EXPECT_NEAR(n.norms[1].statistic(1), 0.69 / 3 - 0.25 / 9, 1e-12);
    EXPECT_NEAR(n.norms[2].statistic(0), 0.14 / 3, 1e-12);
}

TEST(NormsOfZ, AVarianceThatIsTooLargeForANumberIsNotZero) {
    Document d = normal_document(3, 3, 3);
    d.residual = Residual::no_skip;
    d.f = Matrix<double>(1e200 * *d.f);
    for (const NormOfZ& norm : norms_of_z(d).norms)
        EXPECT_EQ((norm.statistic.array() == INFINITY).all(), norm.spread().squares);
}

TEST(NormsOfZ, ABatchOfOneIsRefusedByBatchNormAlone) {
    const Document d = normal_document(2, 1, 5);
    const NormsOfZ n = norms_of_z(d);
    EXPECT_FALSE(n.norms[0].error);
    ASSERT_TRUE(n.norms[1].error);
    EXPECT_TRUE(n.norms[1].cache.x_hat.array().isNaN().all());
    EXPECT_FALSE(n.norms[2].error);
    EXPECT_EQ(influences(d, n, NormResult::y).of[1].size(), 0);
    EXPECT_TRUE(influences(d, n, NormResult::y).error[1]);
    EXPECT_EQ(touch_of(n, 0, 2, 1)[1].count, 0);
}

TEST(NormsOfZ, BatchNormMeasuresAllTokensByItsBatch) {
    Document d = normal_document(5, 6, 4);
    d.batch.batch = 4;
    const NormsOfZ n = norms_of_z(d);
    const Matrix<double>& x_hat = n.norms[1].cache.x_hat;
    for (Index c = 0; c < 4; ++c) {
        const auto batch = n.z.col(c).head(4).array();
        const double mean = batch.mean(), variance = (batch - mean).square().mean();
        for (Index t = 0; t < 6; ++t)
            EXPECT_NEAR(x_hat(t, c), (n.z(t, c) - mean) / std::sqrt(variance + d.eps), 1e-12);
    }
    EXPECT_EQ(n.norms[1].sets().block(2), (CellBlock{0, 2, 4, 1}));
    // A value of the batch moves its whole column, one behind it only itself.
    EXPECT_EQ(touch_of(n, 1, 2, 1)[1].count, 6);
    EXPECT_EQ(touch_of(n, 5, 2, 1)[1].count, 1);
    d.batch.batch = 1;
    EXPECT_TRUE(norms_of_z(d).norms[1].error) << "a batch of one";
}

Document raised(const Document& d, Index token, Index feature, double by) {
    Document out = d;
    Matrix<double> x = *d.x;
    x(token, feature) += by;
    out.x = x;
    return out;
}

TEST(Touch, IsARowForLayerAndRmsAndAColumnForBatch) {
    for (const auto& [tokens, features] : {std::pair<Index, Index>{3, 7}, {7, 3}}) {
        const Document d = normal_document(3, tokens, features);
        const NormsOfZ n = norms_of_z(d);
        const Touch touch = touch_of(n, 1, 2, 1);
        EXPECT_EQ(touch[0].count, features);
        EXPECT_EQ(touch[1].count, tokens);
        EXPECT_EQ(touch[2].count, features);
        EXPECT_EQ(touch[0].bounds.row, 1);
        EXPECT_EQ(touch[0].bounds.cols, features);
        EXPECT_EQ(touch[1].bounds.col, 2);
        EXPECT_EQ(touch[1].bounds.rows, tokens);
        // The touch is the difference in all of x̂; touch_since() finds it from the raised Z.
        const NormsOfZ after = norms_of_z(raised(d, 1, 2, 1));
        const Touch since = touch_since(d, after);
        for (std::size_t i = 0; i < k_compared_count; ++i)
            for (Index t = 0; t < tokens; ++t)
                for (Index f = 0; f < features; ++f) {
                    const double by =
                        after.norms[i].cache.x_hat(t, f) - n.norms[i].cache.x_hat(t, f);
                    EXPECT_NEAR(touch[i].change(t, f), by, 1e-12);
                    EXPECT_NEAR(since[i].change(t, f), by, 1e-12);
                    const bool moves = since[i].change(t, f) != 0,
                               shares = i == 1 ? f == 2 : t == 1;
                    if (n.norms[i].spread().squares) // every value moves such a spread
                        EXPECT_EQ(moves, shares);
                    else
                        EXPECT_LE(moves, shares);
                }
    }
}

TEST(Touch, OfSeveralCellsIsAllTheirRowsAndColumns) {
    const Document d = normal_document(21, 5, 6);
    const NormsOfZ after = norms_of_z(raised(raised(d, 0, 4, 1), 3, 1, -2));
    const Touch since = touch_since(d, after);
    EXPECT_EQ(since[0].bounds, (CellBlock{0, 0, 4, 6}));
    EXPECT_EQ(since[0].count, 12);
    EXPECT_EQ(since[1].bounds, (CellBlock{0, 1, 5, 4}));
    EXPECT_EQ(since[1].count, 10);
    const NormsOfZ before = norms_of_z(d);
    for (std::size_t i = 0; i < k_compared_count; ++i)
        for (Index t = 0; t < 5; ++t)
            for (Index f = 0; f < 6; ++f)
                EXPECT_NEAR(since[i].change(t, f),
                            after.norms[i].cache.x_hat(t, f) - before.norms[i].cache.x_hat(t, f),
                            1e-12);
    EXPECT_EQ(touch_since(d, before)[0].count, 0) << "nothing is different";
}

TEST(Touch, OfYIsGammaTimesThatOfXHat) {
    for (const AffinePer per : {AffinePer::feature, AffinePer::token, AffinePer::scalar}) {
        Document d = normal_document(22, 4, 3);
        d.affine_per = per;
        const Index n = affine_size(per, 4, 3);
        std::vector<double> gamma;
        for (Index i = 0; i < n; ++i) gamma.push_back(1.5 - static_cast<double>(i));
        d.gamma = gamma;
        d.beta = std::vector<double>(static_cast<std::size_t>(n), 0.25);
        const Document after = raised(d, 2, 1, 0.5);
        const auto before = BatchStudy::of({d, std::nullopt});
        const auto study = BatchStudy::of({after, d}, before);
        ASSERT_TRUE(study->touch_since());
        const Touch touch = scaled(*study->touch_since(), study->affine());
        for (std::size_t i = 0; i < k_compared_count; ++i)
            for (Index t = 0; t < 4; ++t)
                for (Index f = 0; f < 3; ++f)
                    EXPECT_NEAR(touch[i].change(t, f),
                                study->result(i, NormResult::y)(t, f) -
                                    before->result(i, NormResult::y)(t, f),
                                1e-12);
    }
    // A feature with γ = 0 does not move.
    Document d = normal_document(23, 4, 3);
    d.affine_per = AffinePer::feature;
    d.gamma = std::vector<double>{1, 0, 2};
    d.beta = std::vector<double>{0, 0, 0};
    EXPECT_EQ(scaled(touch_of(norms_of_z(d), 2, 1, 1), affine_of(d))[1].count, 0);
}

TEST(Touch, SmallStepsFollowTheJacobian) {
    const Document d = normal_document(4, 5, 4);
    const NormsOfZ n = norms_of_z(d);
    const double by = 1e-6;
    const Touch touch = touch_of(n, 3, 1, by);
    const auto layer = norm_jacobian(n.norms[0].cache, 3);
    const auto batch = norm_jacobian(n.norms[1].cache, 1);
    ASSERT_TRUE(layer && batch);
    for (Index f = 0; f < 4; ++f) EXPECT_NEAR(touch[0].change(3, f) / by, (*layer)(f, 1), 1e-4);
    for (Index t = 0; t < 5; ++t) EXPECT_NEAR(touch[1].change(t, 1) / by, (*batch)(t, 3), 1e-4);
}

TEST(Touch, ANanThatComesCountsAsMoved) {
    const Touch touch = touch_of(norms_of_z(normal_document(5, 3, 4)), 0, 0, std::nan(""));
    EXPECT_EQ(touch[0].count, 4);
    EXPECT_EQ(touch[1].count, 3);
    EXPECT_EQ(touch[1].largest, 0) << "nothing that is a number moved";
}

TEST(Influences, LayerIsDiagonalAndBatchIsFull) {
    const Document d = normal_document(6, 6, 5);
    const Influences i = influences(d, norms_of_z(d), NormResult::x_hat);
    EXPECT_EQ(i.tokens, 6);
    for (Index r = 0; r < 6; ++r)
        for (Index c = 0; c < 6; ++c) {
            EXPECT_EQ(i.of[0](r, c) != 0, r == c);
            EXPECT_NE(i.of[1](r, c), 0);
            EXPECT_EQ(i.of[2](r, c) != 0, r == c);
        }
}

TEST(Influences, OfAClassroomsTransformerAreOfAllTokens) {
    const Document d = normal_document(8, 128, 768);
    EXPECT_EQ(influences(d, norms_of_z(d), NormResult::x_hat).tokens, 128);
}

TEST(Influences, OfManyTokensAreOfTheFirstOnes) {
    const Document d = normal_document(7, 300, 200);
    const Influences i = influences(d, norms_of_z(d), NormResult::x_hat);
    EXPECT_LT(i.tokens, 300);
    EXPECT_EQ(i.of[1].rows(), i.tokens);
    EXPECT_TRUE(i.of[1].allFinite());
}

TEST(Influences, FollowTheBatchAndGamma) {
    Document d = normal_document(24, 6, 4);
    d.affine_per = AffinePer::token;
    d.gamma = std::vector<double>{2, -1, 0.5, 1, 1, 1};
    d.beta = std::vector<double>(6, 0.0);
    d.batch.batch = 3;
    const NormsOfZ n = norms_of_z(d);
    const Influences x_hat = influences(d, n, NormResult::x_hat);
    const Influences y = influences(d, n, NormResult::y);
    ASSERT_EQ(x_hat.tokens, 3);
    // The block of the Jacobian of the batch alone, by differences.
    const auto part = normalize<double>(NormKind::batch, n.z.topRows(3), {});
    ASSERT_TRUE(part);
    const auto expected = influence_matrix(
        part->cache, identity_affine<double>(AffinePer::feature, 3, 4), std::nullopt);
    EXPECT_TRUE(x_hat.of[1].isApprox(*expected, 1e-12));
    for (const std::size_t norm : {0u, 1u, 2u})
        for (Index t = 0; t < 3; ++t)
            EXPECT_TRUE(y.of[norm].row(t).isApprox(
                x_hat.of[norm].row(t) * std::abs((*d.gamma)[static_cast<std::size_t>(t)]), 1e-12));
    d.batch.batch = 1;
    EXPECT_TRUE(influences(d, n, NormResult::y).error[1]) << "a batch of one";
    EXPECT_GT(influences(d, n, NormResult::y).of[0](0, 0), 0);
}

TEST(TrainAndEval, TrainsOnTheFirstTokensAndEvaluatesWithWhatItRemembers) {
    Document d = normal_document(8, 6, 4);
    d.batch.batch = 3;
    d.batch.updates = 2;
    d.batch.momentum = 0.25;
    const NormsOfZ n = norms_of_z(d);
    const TrainAndEval t = train_and_eval(d, n.z);
    EXPECT_EQ(t.batch, 3);
    // The core's own forward passes, one after the other, give the expected numbers.
    NormOptions options;
    options.eps = d.eps;
    options.momentum = 0.25;
    const Matrix<double> z = n.z.topRows(3);
    const auto first = normalize<double>(NormKind::batch, z, options);
    const auto second = normalize<double>(NormKind::batch, z, options, &*first->running);
    options.mode = Mode::eval;
    const auto eval = normalize<double>(NormKind::batch, z, options, &*second->running);
    EXPECT_EQ(t.train, first->cache.x_hat);
    EXPECT_TRUE(t.running.var.isApprox(second->running->var, 1e-9));
    EXPECT_TRUE(t.eval.isApprox(eval->cache.x_hat, 1e-9));
    EXPECT_NEAR(t.difference, std::sqrt((t.train - t.eval).array().square().mean()), 1e-15);
}

TEST(TrainAndEval, IsShownAfterGammaAndBetaOfItsTokens) {
    for (const AffinePer per : {AffinePer::feature, AffinePer::token, AffinePer::scalar}) {
        Document d = normal_document(8, 4, 5);
        d.batch.batch = 3;
        d.affine_per = per;
        const auto n = static_cast<std::size_t>(affine_size(per, 4, 5));
        std::vector<double> gamma, beta;
        for (std::size_t i = 0; i < n; ++i) {
            gamma.push_back(0.5 + static_cast<double>(i));
            beta.push_back(-static_cast<double>(i));
        }
        d.gamma = gamma;
        d.beta = beta;
        const auto study = BatchStudy::of({d, std::nullopt});
        const Halves& x_hat = study->training_result(NormResult::x_hat);
        const Halves& y = study->training_result(NormResult::y);
        EXPECT_EQ(x_hat.train, study->training().train);
        ASSERT_EQ(y.eval.rows(), 3);
        for (Index t = 0; t < 3; ++t)
            for (Index j = 0; j < 5; ++j) {
                const auto at = static_cast<std::size_t>(per == AffinePer::feature ? j
                                                         : per == AffinePer::token ? t
                                                                                   : 0);
                EXPECT_NEAR(y.train(t, j), gamma[at] * x_hat.train(t, j) + beta[at], 1e-14);
                EXPECT_NEAR(y.eval(t, j), gamma[at] * x_hat.eval(t, j) + beta[at], 1e-14);
            }
        EXPECT_NEAR(y.difference, std::sqrt((y.train - y.eval).array().square().mean()), 1e-14);
    }
}

TEST(TrainAndEval, ManyUpdatesLeaveTheUnbiasedVariance) {
    Document d = normal_document(9, 5, 4);
    d.batch.updates = 500;
    const TrainAndEval t = train_and_eval(d, norms_of_z(d).z);
    // x̂ in evaluation is smaller by √((B − 1)/B), up to ε.
    EXPECT_TRUE(t.eval.isApprox(t.train * std::sqrt(4.0 / 5.0), 1e-3));
}

TEST(TrainAndEval, ABatchOfOneIsEvaluatedButNotTrainedOn) {
    Document d = normal_document(10, 4, 3);
    d.batch.batch = 1;
    const TrainAndEval t = train_and_eval(d, norms_of_z(d).z);
    ASSERT_TRUE(t.train_error);
    EXPECT_TRUE(std::isnan(t.difference));
    // Evaluation has learned what it uses on all samples.
    d.batch.batch = 0;
    const TrainAndEval all = train_and_eval(d, norms_of_z(d).z);
    EXPECT_EQ(t.learned_on, 4);
    EXPECT_EQ(t.running.updates, d.batch.updates);
    EXPECT_EQ(t.running.mean, all.running.mean);
    EXPECT_EQ(t.running.var, all.running.var);
    EXPECT_EQ(t.eval, all.eval.topRows(1));
}

TEST(TrainAndEval, OneSampleInAllLeavesTheRunningStatisticsAsTheyBegin) {
    Document d = normal_document(10, 1, 3);
    const TrainAndEval t = train_and_eval(d, norms_of_z(d).z);
    ASSERT_TRUE(t.train_error);
    EXPECT_EQ(t.learned_on, 0);
    EXPECT_EQ(t.running.updates, 0);
    EXPECT_TRUE(t.eval.allFinite());
}

TEST(TrainAndEval, OneNanBatchPoisonsEvaluationForGood) {
    Document d = normal_document(11, 4, 3);
    d.batch.updates = 500;
    d.batch.nan_update = 1;
    const Matrix<double> z = norms_of_z(d).z;
    TrainAndEval t = train_and_eval(d, z);
    EXPECT_TRUE(t.poisoned);
    EXPECT_TRUE(t.train.allFinite());
    EXPECT_TRUE(t.eval.array().isNaN().all());
    d.batch.updates = 0; // it has not come yet
    t = train_and_eval(d, z);
    EXPECT_FALSE(t.poisoned);
    EXPECT_TRUE(t.eval.allFinite());
}

TEST(RunningPath, FortyFourUpdatesReachNinetyNinePercent) {
    EXPECT_EQ(updates_to_reach(0.99, 0.1), 44);
    EXPECT_EQ(updates_to_reach(0.99, 1), 1);
    EXPECT_EQ(updates_to_reach(0.99, k_least_momentum), 4603);
    EXPECT_LE(updates_to_reach(0.99, k_least_momentum), k_most_updates);
    const auto share = running_share(0.1, 44, 0);
    ASSERT_EQ(share.size(), 45u);
    EXPECT_EQ(share[0], 0);
    EXPECT_LT(share[43], 0.99);
    EXPECT_GE(share[44], 0.99);
    for (std::size_t n = 0; n < share.size(); ++n)
        EXPECT_NEAR(share[n], 1 - std::pow(0.9, static_cast<double>(n)), 1e-14);
    const auto path = running_path(3, 5, 0.1, 44, 0);
    EXPECT_NEAR(path[44].mean, 3 * share[44], 1e-13);
    EXPECT_NEAR(path[44].variance, 1 + 4 * share[44], 1e-13);
}

TEST(RunningPath, IsNanFromTheNanBatchOn) {
    const auto share = running_share(0.1, 30, 12);
    for (std::size_t n = 0; n < share.size(); ++n) EXPECT_EQ(std::isnan(share[n]), n >= 12) << n;
}

TEST(Sequences, PaddingMovesBatchStatisticsAndNotLayerNorm) {
    BatchSetup setup;
    const Sequences counted = sequences(setup, 1e-5);
    setup.padding = Padding::left_out;
    const Sequences left_out = sequences(setup, 1e-5);
    EXPECT_EQ(counted.layer, left_out.layer);
    EXPECT_NE(counted.batch, left_out.batch);
    // 20 rows, 14 of them words: zeros pull the mean toward 0 by their share.
    for (Index d = 0; d < k_sentence_features; ++d) {
        EXPECT_NEAR(counted.mean_counted(d), counted.mean_left_out(d) * 14 / 20, 1e-14);
        EXPECT_NE(counted.variance_counted(d), counted.variance_left_out(d));
    }
    // Without padding there is nothing to leave out.
    setup.lengths.fill(k_longest_sentence);
    Sequences full = sequences(setup, 1e-5);
    setup.padding = Padding::counted;
    EXPECT_EQ(full.batch, sequences(setup, 1e-5).batch);
    EXPECT_EQ(full.mean_counted, full.mean_left_out);
}

TEST(Sequences, AnotherSentencesLengthReachesAWordUnderBatchNormOnly) {
    BatchSetup setup;
    const Sequences before = sequences(setup, 1e-5);
    setup.lengths[3] = 1;
    const Sequences after = sequences(setup, 1e-5);
    EXPECT_EQ(before.layer.topRows(15), after.layer.topRows(15));
    EXPECT_NE(before.batch.topRows(3), after.batch.topRows(3));
}

TEST(Sequences, TheFutureLeaksUnderBatchNormAndExactlyNotUnderLayerNorm) {
    for (const Padding padding : {Padding::counted, Padding::left_out})
        for (const std::uint64_t seed : {1u, 2u, 3u}) {
            BatchSetup setup;
            setup.padding = padding;
            setup.seed = seed;
            const Sequences s = sequences(setup, 1e-5);
            EXPECT_GT(s.batch_moved.earlier.value(), 0);
            EXPECT_GT(s.batch_moved.others, 0);
            EXPECT_EQ(s.layer_moved.earlier.value(), 0);
            EXPECT_FALSE(s.batch_moved.later) << "the last word is raised";
            EXPECT_EQ(s.layer_moved.others, 0);
            EXPECT_GT(s.layer_moved.itself, 0);
        }
}

TEST(Sequences, TheFirstWordMovesLaterOnes) {
    BatchSetup setup;
    setup.leak = {1, 0, 2};
    const Sequences s = sequences(setup, 1e-5);
    EXPECT_FALSE(s.batch_moved.earlier);
    EXPECT_FALSE(s.layer_moved.earlier);
    ASSERT_TRUE(s.batch_moved.later);
    EXPECT_EQ(s.batch_moved.later,
              s.batch_change.middleRows(sequence_row(1, 1), 4).cwiseAbs().maxCoeff());
    EXPECT_GT(*s.batch_moved.later, 0);
    EXPECT_EQ(s.layer_moved.later, 0.0);
}

TEST(Sequences, OneWordAloneIsRefusedByBatchNormWhenPaddingIsLeftOut) {
    BatchSetup setup;
    setup.lengths.fill(1);
    EXPECT_TRUE(sequences(setup, 1e-5).problem.empty()) << "four words are a batch";
    EXPECT_EQ(leak_cell(setup).word, 0) << "the raised word is the last one there is";
}

TEST(BatchStudy, ComputesWhatChangedOnly) {
    Document d = normal_document(12, 4, 5);
    const auto first = BatchStudy::of({d, std::nullopt});
    EXPECT_TRUE(first->is_of({d, std::nullopt}));
    d.gamma = std::vector<double>(d.gamma->size(), 2.0);
    d.batch.seed = 9;
    EXPECT_FALSE(first->is_of({d, std::nullopt}));
    const auto scaled = BatchStudy::of({d, std::nullopt}, first);
    EXPECT_EQ(&scaled->norms(), &first->norms());
    EXPECT_EQ(&scaled->training(), &first->training());
    EXPECT_EQ(scaled->norms_version(), first->norms_version());
    EXPECT_NE(scaled->result_version(NormResult::y), first->result_version(NormResult::y));
    d.batch.updates = 3;
    const auto trained = BatchStudy::of({d, std::nullopt}, scaled);
    EXPECT_EQ(&trained->norms(), &first->norms());
    EXPECT_EQ(&trained->influence(NormResult::y), &scaled->influence(NormResult::y));
    EXPECT_NE(scaled->training_version(NormResult::y), first->training_version(NormResult::y));
    EXPECT_NE(trained->training_version(NormResult::x_hat),
              scaled->training_version(NormResult::x_hat));
    d.eps = 0.1;
    const auto all = BatchStudy::of({d, std::nullopt}, trained);
    EXPECT_NE(&all->norms(), &trained->norms());
    EXPECT_EQ(all->norms_version(), trained->norms_version() + 1);
}

TEST(BatchStudy, KnowsOfAnEarlierZOnly) {
    const Document d = normal_document(13, 4, 5);
    const Document moved = raised(d, 1, 1, 1);
    EXPECT_FALSE(batch_input(d, nullptr).since);
    EXPECT_FALSE(batch_input(d, &d).since);
    const Document other = blank_document(3, 5);
    EXPECT_FALSE(batch_input(d, &other).since) << "another shape";
    const BatchInput input = batch_input(moved, &d);
    ASSERT_TRUE(input.since);
    const auto study = BatchStudy::of(input);
    EXPECT_TRUE(study->is_of(input));
    EXPECT_TRUE(study->is_of({moved, std::nullopt})) << "a let go of button computes nothing";
    EXPECT_FALSE(BatchStudy::of({moved, std::nullopt})->is_of(input));
}

} // namespace
} // namespace normscope
