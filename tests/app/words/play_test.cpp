#include "app/words/add_norm_words.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

// The text's own token: Z = (3.16, 0.61, 1.87), μ = 1.88, σ² = 1.08.
Document studying(NormKind norm = NormKind::layer) {
    Document d = blank_document(1, 3);
    Matrix<double> x(1, 3), f(1, 3);
    x << 1.8, 0.25, 1;
    f << 1.36, 0.36, 0.87;
    d.x = x;
    d.f = f;
    d.norm = norm;
    return d;
}

std::string words(const Document& d, double time) {
    const auto derived = Derived::of(d);
    return played_words(*derived, 0, played_frame(*derived, 0, time));
}

TEST(PlayedWords, SayEveryStepWithItsNumbers) {
    const Document d = studying();
    EXPECT_EQ(words(d, 1), "Z = X + F(X): a sum a feature");
    EXPECT_EQ(words(d, 1.01), "Σ z: 0 of 3 values, 0.00 so far");
    EXPECT_EQ(words(d, 2), "μ = Σ z / 3 = 5.64 / 3 = 1.88: the middle of the values");
    EXPECT_EQ(words(d, 2.55), "Each distance squared: an area");
    EXPECT_EQ(words(d, 3), "The average area: σ² = 1.08, so σ = 1.04");
    EXPECT_EQ(words(d, 3.5), "÷ √(σ² + ε) = ÷ 1.04");
    EXPECT_EQ(words(d, 5), "Y = γ · x\u0302 + β");
}

TEST(PlayedWords, OtherNormsSayWhatTheyDo) {
    EXPECT_EQ(words(studying(NormKind::none), 2), "No norm: no mean is taken");
    EXPECT_EQ(words(studying(NormKind::rms), 2), "RMS norm takes no mean off: 0 is its centre");
    EXPECT_EQ(words(studying(NormKind::rms), 3), "The average area: mean z² = 4.62");
    EXPECT_EQ(words(studying(NormKind::batch), 2), "This norm has no numbers here");
}

} // namespace
} // namespace normscope
