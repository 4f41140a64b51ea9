#pragma once
#include "tests/app/model/edited.h"
#include "tests/app/model/random_document.h"

#include <gtest/gtest.h>

// Documents for the tests of the backward pass.
namespace normscope::testing {

// The worked example: orig, prev, γ = 1.5, β = 0.5 for the token, dy.
inline Document worked_example(double eps) {
    Document d = blank_document(1, 3);
    Matrix<double> x(1, 3), f(1, 3), dy(1, 3);
    x << 1.8, -0.3, 0.8;
    f << 1.36, 0.91, 1.07;
    dy << 0.1, -0.2, 0.3;
    d.x = x;
    d.f = f;
    d.affine_per = AffinePer::token;
    d.gamma = std::vector{1.5};
    d.beta = std::vector{0.5};
    d.eps = eps;
    d.backward.dy = dy;
    return d;
}

// A document that turns its back: any norm, any affine, any loss, any statistics.
inline Document any_backward(Random& random, Index tokens, Index features) {
    Document d = any_document(random, tokens, features, [](Random& r) { return r.normal(); });
    d.eps = any_of(random, {0.0, 1e-5, 1e-3});
    d.backward.loss = any_of(random, {LossKind::given, LossKind::sum, LossKind::one_entry,
                                      LossKind::distance, LossKind::cross_entropy});
    d.backward.entry_token = index_below(random, tokens);
    d.backward.entry_feature = index_below(random, features);
    d.backward.target_kind = any_of(
        random, {TargetKind::z, TargetKind::normal, TargetKind::uniform, TargetKind::matrix});
    d.backward.head_seed = random.below(100);
    d.backward.mode = any_of(random, {Mode::train, Mode::eval});
    return d;
}

// One that learns a distance with neutral γ and β per feature.
inline Document random_document(std::uint64_t seed, Index tokens, Index features) {
    Random random(seed);
    Document d = any_document(random, tokens, features, [](Random& r) { return r.normal(); });
    d.norm = NormKind::layer;
    d.affine_per = AffinePer::feature;
    d.gamma = std::vector<double>(static_cast<std::size_t>(features), 1.0);
    d.beta = std::vector<double>(static_cast<std::size_t>(features), 0.0);
    d.residual = Residual::add;
    d.eps = 1e-5;
    d.backward.loss = LossKind::distance;
    return d;
}

inline Document with(const Document& d, const Edit& change) {
    return edited(d, change);
}

} // namespace normscope::testing
