#include "app/model/edit.h"
#include "app/words/prediction.h"
#include "core/base/random.h"
#include "tests/core/norm/norm_kinds.h"

#include <gtest/gtest.h>
#include <string>

namespace normscope {
namespace {

// The question that has these words in it.
std::size_t question_with(std::string_view words) {
    for (std::size_t i = 0; i < prediction_count(); ++i)
        if (prediction_question(i).find(words) != std::string_view::npos) return i;
    ADD_FAILURE() << "no question with " << words;
    return 0;
}

struct Numbers {
    double before, after;
};

// "std of Y: 0.771 → 1.271"
Numbers numbers_of(const PredictionAnswer& found) {
    const std::size_t colon = found.measured.find(": ");
    const std::size_t arrow = found.measured.find(" → ");
    return {std::stod(found.measured.substr(colon + 2)),
            std::stod(found.measured.substr(arrow + std::string(" → ").size()))};
}

Document document_with(NormKind norm) {
    Document d = blank_document(5, 7);
    Random random(3);
    for (auto* m : {&d.x, &d.f}) {
        Matrix<double> values(5, 7);
        for (Index i = 0; i < values.size(); ++i) values.data()[i] = random.normal();
        *m = std::move(values);
    }
    d.norm = norm;
    d.norm.groups = 1; // of seven features
    return d;
}

TEST(Prediction, TheReasonOfAShiftIsTrueOfTheDocument) {
    const std::size_t shift = question_with("5 is added");
    for (const NormKind norm : k_norm_kinds) {
        Document d = document_with(norm);
        const bool takes_mean_off = norm_entry(norm).centres;
        const PredictionAnswer with_skip = answer(shift, d);
        const Numbers moved = numbers_of(with_skip);
        EXPECT_EQ(moved.before == moved.after, takes_mean_off) << with_skip.measured;
        EXPECT_EQ(with_skip.reason.find("takes the mean off") != std::string_view::npos,
                  takes_mean_off)
            << with_skip.reason;
        d.residual = Residual::no_skip;
        const PredictionAnswer without = answer(shift, d);
        EXPECT_EQ(numbers_of(without).before, numbers_of(without).after);
        EXPECT_NE(without.reason.find("X does not reach it"), std::string_view::npos);
    }
}

TEST(Prediction, ScalingIsDividedOutWhereThereIsANorm) {
    const std::size_t scale = question_with("multiplied by 10");
    for (const NormKind norm : k_norm_kinds) {
        const PredictionAnswer found = answer(scale, document_with(norm));
        const Numbers n = numbers_of(found);
        const bool divides = norm_entry(norm).divides;
        EXPECT_EQ(std::abs(n.after - n.before) < 0.01, divides) << found.measured;
        EXPECT_EQ(found.reason.find("Without a norm") == std::string_view::npos, divides)
            << found.reason;
        EXPECT_EQ(found.reason.find("μ") != std::string_view::npos,
                  divides && norm_entry(norm).centres)
            << found.reason;
    }
}

TEST(Prediction, TheAnswerAboutBetaDependsOnItsSharing) {
    const std::size_t zero = question_with("every γ is 0");
    Document d = document_with(NormKind::layer);
    ASSERT_EQ(d.affine_per, AffinePer::feature);
    EXPECT_NE(answer(zero, d).reason.find("the same row"), std::string_view::npos);
    const auto per_token = normscope::apply(d, set<&Document::affine_per>(AffinePer::token));
    ASSERT_TRUE(per_token);
    EXPECT_NE(answer(zero, *per_token).reason.find("values of a token"), std::string_view::npos);
}

} // namespace
} // namespace normscope
