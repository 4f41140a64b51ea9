#pragma once
#include "app/model/edit.h"
#include "core/base/random.h"
#include "core/norm/affine.h"
#include "tests/core/norm/norm_kinds.h"
#include "tests/core/norm/testing.h"

#include <limits>
#include <string>
#include <vector>

// Seeded documents and edits: every option, odd sizes, awkward names, NaN and ∞.
namespace normscope::testing {

template<class T>
T any_of(Random& random, std::initializer_list<T> choices) {
    return choices.begin()[random.below(choices.size())];
}

inline NormKind any_norm(Random& random) {
    return k_norm_kinds[random.below(k_norm_kinds.size())];
}

inline Index index_below(Random& random, Index end) {
    return static_cast<Index>(random.below(static_cast<std::uint64_t>(end)));
}

inline double any_number(Random& random) {
    switch (random.below(5)) {
    case 0:
        return std::round(random.normal() * 100) / 100; // as typed
    case 1:
        return random.normal() * std::pow(10.0, static_cast<double>(random.below(9)) - 4);
    case 2:
        return 0;
    default:
        return random.normal();
    }
}

inline double any_number_or_not(Random& random) {
    const double infinity = std::numeric_limits<double>::infinity();
    return any_of(random, {any_number(random), -0.0, infinity, -infinity,
                           std::numeric_limits<double>::quiet_NaN(), 5e-324, 1.7e308, 0.1});
}

inline std::string any_name(Random& random) {
    return any_of<std::string>(random,
                               {"plain", "with \"quotes\"", "back\\slash", "日本 γ β x\u0302", "",
                                "line\nbreak\ttab", "emoji 🙂", "null\x01here"});
}

template<class Draw>
Document any_document(Random& random, Index tokens, Index features, Draw&& draw) {
    Document d = blank_document(tokens, features);
    for (auto* m : {&d.x, &d.f}) {
        Matrix<double> values(tokens, features);
        for (Index i = 0; i < values.size(); ++i) values.data()[i] = draw(random);
        *m = std::move(values);
    }
    d.norm = any_norm(random);
    d.norm.groups = groups_of(features);
    d.residual = any_of(random, {Residual::add, Residual::add, Residual::no_skip});
    d.affine_per = any_of(random, {AffinePer::feature, AffinePer::token, AffinePer::scalar});
    d.eps = any_of(random, {0.0, 1e-5, 1e-5, 1e-3, 0.1234567890123});
    d.precision = any_of(random, {Precision::float32, Precision::float64});
    const Index n = affine_size(d.affine_per, tokens, features);
    for (auto* param : {&d.gamma, &d.beta}) {
        std::vector<double> values;
        for (Index i = 0; i < n; ++i) values.push_back(draw(random));
        *param = std::move(values);
    }
    for (const AffinePer per : {AffinePer::feature, AffinePer::token, AffinePer::scalar}) {
        if (per == d.affine_per || random.below(3) > 0) continue;
        AffineValues& kept = d.set_aside[static_cast<std::size_t>(per)];
        for (auto* values : {&kept.gamma, &kept.beta}) {
            std::vector<double> drawn;
            for (Index i = 0; i < affine_size(per, tokens, features); ++i)
                drawn.push_back(draw(random));
            *values = std::move(drawn);
        }
    }
    return d;
}

} // namespace normscope::testing
