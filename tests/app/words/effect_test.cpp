#include "app/words/add_norm_words.h"

#include "app/model/edit.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <limits>

namespace normscope {
namespace {

Document token() {
    Document d = blank_document(2, 3);
    Matrix<double> x(2, 3), f(2, 3);
    x << 3.16, 0.6, 1.9, 1, 2, 4;
    f << 1, 2, 3, 0, 0, 0;
    d.x = x;
    d.f = f;
    d.tokens = Names{"studying", "hard"};
    d.precision = Precision::float64;
    return d;
}

std::string effect(const Document& before, const Document& now) {
    const auto was = Derived::of(before);
    const std::string words = effect_of(*was, *Derived::of(now, was)).value_or("");
    EXPECT_EQ(words, effect_of(*was, *Derived::of(now)).value_or("")) << "where x̂ is made anew";
    return words;
}

Document after(const Document& d, const Edit& edit) {
    return *apply(d, edit);
}

Matrix<double> one(double value) {
    return Matrix<double>::Constant(1, 1, value);
}

TEST(Effect, ACellIsNamedWithBothValuesAndYWithHowFarItMoved) {
    const Document d = token();
    const Document next = after(d, SetCells{Input::x, 0, 0, one(4.36)});
    double most = 0;
    const auto a = Derived::of(d), b = Derived::of(next);
    for (Index i = 0; i < 3; ++i)
        most = std::max(most, std::abs(a->view(Tensor::y)(0, i) - b->view(Tensor::y)(0, i)));
    char expected[200];
    std::snprintf(expected, sizeof expected,
                  "X of studying, d0: 3.16 → 4.36: 3 of 6 values of Y moved, most by %.2f", most);
    EXPECT_EQ(effect(d, next), expected);
}

TEST(Effect, OneFaderMovesOneFeatureOfEveryToken) {
    const Document d = token();
    const std::string words = effect(d, after(d, SetParam{Param::beta, 1, 1, 0.5}));
    EXPECT_EQ(words, "β of d1: 0.00 → 0.50: 2 of 6 values of Y moved, most by 0.50");
}

TEST(Effect, GammaAndBetaOfTwoTokensMoveBothWholly) {
    Document d = token();
    d.affine_per = AffinePer::token;
    d.gamma = std::vector<double>(2, 1);
    d.beta = std::vector<double>(2, 0);
    Document next = d;
    next.gamma = std::vector<double>{1, 3};
    const std::string words = effect(d, next);
    EXPECT_TRUE(words.starts_with("γ of hard: 1.00 → 3.00: 3 of 6 values of Y moved")) << words;
    next.beta = std::vector<double>{0.5, 0};
    EXPECT_NE(effect(d, next).find("all 6 values of Y moved"), std::string::npos);
}

TEST(Effect, ManyValuesAreCounted) {
    const Document d = token();
    const std::string words = effect(d, after(d, ScaleInput{2}));
    EXPECT_TRUE(words.starts_with("6 values of X changed, 3 values of F(X) changed: ")) << words;
    EXPECT_NE(words.find("all 6 values of Y moved"), std::string::npos) << words;
}

TEST(Effect, WhatTheNormForgetsMovesNothing) {
    Document d = token();
    Document next = d;
    d.x = Matrix<double>(Matrix<double>::Zero(2, 3));
    d.f = *d.x;
    next.x = Matrix<double>(Matrix<double>::Constant(2, 3, 0.5));
    next.f = *d.f;
    EXPECT_EQ(effect(d, next), "6 values of X changed: no value of Y moved");
}

TEST(Effect, RoundingIsNoMove) {
    Document d = token();
    d.precision = Precision::float32;
    int inexact = 0;
    for (int i = 1; i <= 20; ++i) {
        const Document next = after(d, ShiftInput{i * 0.1});
        const std::string words = effect(d, next);
        EXPECT_TRUE(words.starts_with("6 values of X changed: no value of Y moved")) << words;
        inexact += words.ends_with("rounding aside");
    }
    EXPECT_GT(inexact, 0);
    const std::string words = effect(d, after(d, SetParam{Param::beta, 0, 0, 1e-4}));
    EXPECT_NE(words.find("2 of 6 values of Y moved"), std::string::npos) << words;
}

TEST(Effect, SettingsAreNamedByTheirLabels) {
    const Document d = token();
    Document next = d;
    next.norm = NormKind::rms;
    next.eps = 0.3;
    EXPECT_TRUE(effect(d, next).starts_with("ε: 1e-5 → 0.3, Norm: Layer → RMS: all 6 values"))
        << effect(d, next);
}

TEST(Effect, OfNumbersThatAreNoneNoDistanceIsSaid) {
    const Document d = token();
    const std::string words =
        effect(d, after(d, SetCells{Input::x, 0, 0, one(std::numeric_limits<double>::infinity())}));
    EXPECT_EQ(words, "X of studying, d0: 3.16 → ∞: 3 of 6 values of Y moved");
}

TEST(Effect, ANameOrAnotherShapeIsNoEffect) {
    const Document d = token();
    EXPECT_EQ(effect(d, d), "");
    EXPECT_EQ(effect(d, after(d, Rename{Axis::token, 0, "new"})), "");
    EXPECT_EQ(effect(d, after(d, Insert{Axis::token, 1})), "");
}

} // namespace
} // namespace normscope
