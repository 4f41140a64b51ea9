#include "core/norm/jacobian.h"
#include "tests/core/norm/testing.h"

#include <Eigen/Eigenvalues>

// The backward passes against central differences, against the Jacobian and against identities.
namespace normscope {
namespace {

using namespace testing;
using Md = Matrix<double>;
using Vd = Vector<double>;

constexpr AffinePer k_all_affine[] = {AffinePer::feature, AffinePer::token, AffinePer::scalar};

struct Setting {
    NormKind kind;
    Mode mode;
};
// Every norm, and those with running statistics by them too.
std::vector<Setting> settings() {
    std::vector<Setting> out;
    for (const NormEntry& entry : k_norms) {
        out.push_back({entry.kind, Mode::train});
        if (entry.has_running) out.push_back({entry.kind, Mode::eval});
    }
    return out;
}

NormCache<double> cache_of(const Setting& setting, const Md& z) {
    const RunningStats<double> running{Vd::LinSpaced(z.cols(), -1, 1),
                                       Vd::LinSpaced(z.cols(), 0.5, 2), 1};
    return must_normalize(setting.kind, z, {.mode = setting.mode}, &running).cache;
}

// Σ dy⊙y, the loss whose gradient backward(dy) is.
double loss(const Setting& setting, const Md& z, const Affine<double>& affine, const Md& dy) {
    Md y;
    EXPECT_TRUE(affine_forward(cache_of(setting, z).x_hat, affine, y));
    return (dy.array() * y.array()).sum();
}

TEST(Backward, AgreesWithCentralDifferences) {
    for (const auto& [tokens, features] : {std::pair<Index, Index>{3, 7}, {11, 5}, {5, 6}})
        for (const Setting& setting : settings())
            for (const AffinePer per : k_all_affine) {
                SCOPED_TRACE(std::string(norm_entry(setting.kind).id) + " per " +
                             std::to_string(static_cast<int>(per)));
                const Md z = normal_matrix<double>(tokens, features, 31, 2, 0.5);
                const Md dy = normal_matrix<double>(tokens, features, 32);
                const auto affine = normal_affine<double>(per, tokens, features, 33);
                const auto grads = normalize_backward(cache_of(setting, z), affine, dy);
                ASSERT_TRUE(grads);
                const auto by_z =
                    differences(z, [&](const Md& at) { return loss(setting, at, affine, dy); });
                const auto by_gamma = differences(affine.gamma, [&](const Vd& at) {
                    return loss(setting, z, {per, at, affine.beta}, dy);
                });
                const auto by_beta = differences(affine.beta, [&](const Vd& at) {
                    return loss(setting, z, {per, affine.gamma, at}, dy);
                });
                EXPECT_LE(relative_difference(grads->dz, by_z), 1e-7);
                EXPECT_LE(relative_difference(grads->dgamma, by_gamma), 1e-7);
                EXPECT_LE(relative_difference(grads->dbeta, by_beta), 1e-7);
            }
}

TEST(Backward, WorkedExample) {
    const Md z = matrix<double>({{1.36 + 1.8, 0.91 - 0.3, 1.07 + 0.8}});
    const Md dy = matrix<double>({{0.1, -0.2, 0.3}});
    const Affine<double> affine{AffinePer::scalar, Vd::Constant(1, 1.5), Vd::Constant(1, 0.5)};
    struct Expected {
        double eps, dgamma;
        Md y, dz;
    };
    for (const Expected& e :
         {Expected{0, 0.364053, matrix<double>({{2.344279, -1.329871, 0.485592}}),
                   matrix<double>({{-0.166951, -0.170926, 0.337876}})},
          Expected{1e-5, 0.364051, matrix<double>({{2.344271, -1.329862, 0.485592}}),
                   matrix<double>({{-0.166948, -0.170927, 0.337875}})}}) {
        const auto out = must_normalize(NormKind::layer, z, with_eps(e.eps));
        Md y;
        ASSERT_TRUE(affine_forward(out.cache.x_hat, affine, y));
        EXPECT_LE((y - e.y).cwiseAbs().maxCoeff(), 6e-7);
        const auto grads = normalize_backward(out.cache, affine, dy);
        ASSERT_TRUE(grads);
        EXPECT_NEAR(grads->dgamma(0), e.dgamma, 6e-7);
        EXPECT_NEAR(grads->dbeta(0), 0.2, 1e-12);
        EXPECT_LE((grads->dz - e.dz).cwiseAbs().maxCoeff(), 6e-7);
    }
    const auto out = must_normalize(NormKind::layer, z, with_eps(0));
    const auto j = norm_jacobian(out.cache, 0);
    ASSERT_TRUE(j);
    const Md scaled = *j * 3 / out.cache.rstd(0);
    EXPECT_NEAR(scaled(0, 0), 0.488282, 6e-7);
    EXPECT_NEAR(scaled(0, 1), 0.499908, 6e-7);
    EXPECT_NEAR(scaled(0, 2), -0.988190, 6e-7);
}

TEST(Backward, SumsOverAGroupVanishAsTheyShould) {
    const Md z = normal_matrix<double>(5, 13, 41, 0.02, 3); // small, so that ε counts
    const Md dy = normal_matrix<double>(5, 13, 42);
    const auto affine = normal_affine<double>(AffinePer::feature, 5, 13, 43);
    const auto cache = must_normalize(NormKind::layer, z).cache;
    const auto grads = normalize_backward(cache, affine, dy);
    ASSERT_TRUE(grads);
    const Md a = (dy.array().rowwise() * affine.gamma.transpose().array()).matrix();
    for (Index t = 0; t < 5; ++t) {
        const double scale = grads->dz.row(t).cwiseAbs().maxCoeff();
        EXPECT_NEAR(grads->dz.row(t).sum() / scale, 0, 1e-11);
        const double s = 1 / cache.rstd(t);
        const double expected = cache.eps / (s * s) * a.row(t).dot(cache.x_hat.row(t)) / s;
        EXPECT_NEAR(grads->dz.row(t).dot(cache.x_hat.row(t)) / expected, 1, 1e-9);
    }
    const auto batch = must_normalize(NormKind::batch, z).cache;
    const auto by_feature = normalize_backward(batch, affine, dy);
    ASSERT_TRUE(by_feature);
    EXPECT_LE(by_feature->dz.colwise().sum().cwiseAbs().maxCoeff() /
                  by_feature->dz.cwiseAbs().maxCoeff(),
              1e-11);
}

TEST(Backward, ScalingZKeepsYAndDividesDz) {
    const Md z = normal_matrix<double>(3, 8, 51);
    const Md dy = normal_matrix<double>(3, 8, 52);
    const auto affine = normal_affine<double>(AffinePer::feature, 3, 8, 53);
    for (const NormEntry& norm : k_norms) {
        if (!norm.divides) continue;
        const auto one = must_normalize(norm.kind, z, with_eps(0)).cache;
        const auto ten = must_normalize<double>(norm.kind, z * 10, with_eps(0)).cache;
        EXPECT_LE(relative_difference(ten.x_hat, one.x_hat), 1e-12);
        const auto g1 = normalize_backward(one, affine, dy);
        const auto g10 = normalize_backward(ten, affine, dy);
        ASSERT_TRUE(g1 && g10);
        EXPECT_LE(relative_difference(Md(g10->dz * 10), g1->dz), 1e-12);
    }
}

TEST(Backward, DzIsTheTransposedJacobianTimesDy) {
    const Md z = normal_matrix<double>(5, 6, 61);
    const Md dy = normal_matrix<double>(5, 6, 62);
    for (const Setting& setting : settings())
        for (const AffinePer per : k_all_affine) {
            const auto cache = cache_of(setting, z);
            const auto affine = normal_affine<double>(per, 5, 6, 63);
            const auto grads = normalize_backward(cache, affine, dy);
            ASSERT_TRUE(grads);
            const StatisticSets sets = statistic_sets(cache);
            for (Index set = 0; set < sets.count(); ++set) {
                const auto j = output_jacobian(cache, affine, set);
                ASSERT_TRUE(j);
                const Vd g = values_of(dy, sets.block(set));
                const Vd dz = values_of(grads->dz, sets.block(set));
                EXPECT_LE((j->transpose() * g - dz).cwiseAbs().maxCoeff(), 1e-13);
            }
        }
}

TEST(Jacobian, HasOneNullDirectionATerm) {
    const Md z = normal_matrix<double>(3, 7, 71);
    for (const NormKind kind : {NormKind::layer, NormKind::rms}) {
        const auto cache = must_normalize(kind, z, with_eps(0)).cache;
        const auto j = norm_jacobian(cache, 1);
        ASSERT_TRUE(j);
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(*j * 7 / cache.rstd(1));
        const Index zeros = kind == NormKind::layer ? 2 : 1;
        for (Index i = 0; i < 7; ++i) EXPECT_NEAR(eigen.eigenvalues()(i), i < zeros ? 0 : 7, 1e-12);
        if (kind == NormKind::layer) {
            EXPECT_LE((*j * Vd::Ones(7)).cwiseAbs().maxCoeff(), 1e-14);
        }
    }
    const auto cache = must_normalize(NormKind::layer, z).cache;
    EXPECT_FALSE(norm_jacobian(cache, 3));
    EXPECT_FALSE(norm_jacobian(cache, -1));
}

TEST(Jacobian, IsTheDerivativeOfForward) {
    const Md z = normal_matrix<double>(3, 6, 81);
    for (const Setting& setting : settings()) {
        const StatisticSets sets = statistic_sets(cache_of(setting, z));
        const auto j = norm_jacobian(cache_of(setting, z), 2);
        ASSERT_TRUE(j);
        ASSERT_EQ(j->rows(), sets.size());
        for (Index i = 0; i < j->rows(); ++i) {
            const Md by_z = differences(z, [&](const Md& at) {
                return cache_of(setting, at).x_hat(sets.token(2, i), sets.feature(2, i));
            });
            const Vd of_set = values_of(by_z, sets.block(2));
            for (Index k = 0; k < j->cols(); ++k) EXPECT_NEAR((*j)(i, k), of_set(k), 1e-8);
            EXPECT_NEAR(by_z.squaredNorm(), of_set.squaredNorm(), 1e-12) << "no other z moves it";
        }
    }
}

TEST(Influence, IsTheNormOfEachBlock) {
    const Md z = normal_matrix<double>(5, 4, 91);
    for (const Setting& setting : settings())
        for (const AffinePer per : k_all_affine) {
            const auto affine = normal_affine<double>(per, 5, 4, 92);
            const auto influence = influence_matrix(cache_of(setting, z), affine);
            ASSERT_TRUE(influence);
            Md squares = Md::Zero(5, 5);
            for (Index i = 0; i < 5; ++i)
                for (Index d = 0; d < 4; ++d) {
                    const Md by_z = differences(z, [&](const Md& at) {
                        Md y;
                        EXPECT_TRUE(affine_forward(cache_of(setting, at).x_hat, affine, y));
                        return y(i, d);
                    });
                    squares.row(i) += by_z.rowwise().squaredNorm().transpose();
                }
            EXPECT_LE((squares.cwiseSqrt() - *influence).cwiseAbs().maxCoeff(), 1e-7);
            EXPECT_EQ(influence->isDiagonal(),
                      setting.kind != NormKind::batch || setting.mode == Mode::eval);
        }
}

TEST(Backward, EachTermCanBeBrokenOnPurpose) {
    const Md z = normal_matrix<double>(3, 7, 101);
    const Md dy = normal_matrix<double>(3, 7, 102);
    const auto affine = normal_affine<double>(AffinePer::feature, 3, 7, 103);
    const auto cache = must_normalize(NormKind::layer, z).cache;
    const auto right = normalize_backward(cache, affine, dy);
    ASSERT_TRUE(right);
    for (const BackwardTerms terms :
         {BackwardTerms{false, true, true}, BackwardTerms{true, false, true},
          BackwardTerms{true, true, false}}) {
        const auto broken = normalize_backward(cache, affine, dy, {terms, 1});
        ASSERT_TRUE(broken);
        EXPECT_GT(relative_difference(broken->dz, right->dz), 1e-3);
        EXPECT_EQ(broken->dgamma, right->dgamma);
        EXPECT_EQ(broken->dbeta, right->dbeta);
    }
}

TEST(Backward, ThreadsAreDeterministic) {
    const auto z = normal_matrix<float>(301, 777, 5, 2, 1);
    const auto dy = normal_matrix<float>(301, 777, 6);
    for (const NormEntry& entry : k_norms)
        for (const AffinePer per : k_all_affine) {
            const auto affine = normal_affine<float>(per, 301, 777, 7);
            const auto cache = must_normalize(entry.kind, z).cache;
            const auto a = normalize_backward(cache, affine, dy, {{}, 2});
            const auto b = normalize_backward(cache, affine, dy, {{}, 2});
            const auto one = normalize_backward(cache, affine, dy);
            ASSERT_TRUE(a && b && one);
            EXPECT_TRUE(a->dz == b->dz);
            EXPECT_TRUE(a->dgamma == b->dgamma);
            EXPECT_TRUE(a->dbeta == b->dbeta);
            EXPECT_LE(relative_difference(a->dgamma, one->dgamma), 1e-5);
        }
}

TEST(Backward, RefusesShapesThatDoNotFit) {
    const auto cache = must_normalize(NormKind::layer, normal_matrix<float>(3, 7, 1)).cache;
    const auto affine = identity_affine<float>(AffinePer::feature, 3, 7);
    const auto wrong = normalize_backward(cache, affine, Matrix<float>(7, 3));
    ASSERT_FALSE(wrong);
    EXPECT_NE(wrong.error().message.find("3×7"), std::string::npos);
    EXPECT_NE(wrong.error().message.find("7×3"), std::string::npos);
    EXPECT_FALSE(normalize_backward(cache, identity_affine<float>(AffinePer::feature, 7, 3),
                                    Matrix<float>(3, 7)));
}

} // namespace
} // namespace normscope
