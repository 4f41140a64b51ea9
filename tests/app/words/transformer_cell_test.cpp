#include "app/words/transformer_arithmetic.h"

#include "tests/app/words/written_numbers.h"

#include <cmath>
#include <gtest/gtest.h>

namespace normscope {
namespace {

// For every kind of box, the line ends with the number that it explains.
TEST(TransformerCell, EndsWithTheNumberOfTheCell) {
    for (const Placement placement : {Placement::post, Placement::pre}) {
        TransformerSetup setup = default_transformer();
        setup.config.placement = placement;
        const auto study = TransformerStudy::of(setup, nullptr);
        for (const StackSide side : {StackSide::encoder, StackSide::decoder})
            for (const Box::Kind kind :
                 {Box::Kind::embedding, Box::Kind::sublayer, Box::Kind::add_norm,
                  Box::Kind::final_norm, Box::Kind::linear, Box::Kind::softmax})
                for (int block = 0; block < study->blocks(side); ++block) {
                    const Box box{kind, side, 1, block};
                    if (!study->has(box)) continue;
                    const auto value = static_cast<double>(study->output(box)(2, 3));
                    const std::string line = where_from(*study, box, 2, 3);
                    const auto written = testing::written_numbers(line);
                    ASSERT_FALSE(written.empty()) << line;
                    EXPECT_TRUE(written.back().is(std::abs(value)) || written.back().is(value))
                        << line << " is " << value;
                }
    }
}

// Every result is that of the numbers before it: tests/app/words/transformer_arithmetic_test.cpp.
TEST(TransformerCell, AnAddAndNormIsWorkedFromItsAddendsToY) {
    const auto study = TransformerStudy::of(default_transformer(), nullptr);
    const Box box{Box::Kind::add_norm, StackSide::decoder, 0, 1};
    const std::string line = where_from(*study, box, 1, 5);
    for (const char* part : {"z = ", " → x\u0302 = (", " → y = "})
        EXPECT_NE(line.find(part), std::string::npos) << line;
}

TEST(TransformerCell, AGradientEndsWithItsNumberAndItsPartsAddUp) {
    for (const Placement placement : {Placement::post, Placement::pre, Placement::deepnorm}) {
        TransformerSetup setup = default_transformer();
        setup.config.placement = placement;
        setup.config.label_smoothing = 0.1;
        const auto study = TransformerStudy::of(setup, nullptr);
        for (const StackSide side : {StackSide::encoder, StackSide::decoder})
            for (const Box::Kind kind :
                 {Box::Kind::embedding, Box::Kind::sublayer, Box::Kind::add_norm,
                  Box::Kind::final_norm, Box::Kind::linear, Box::Kind::softmax})
                for (int layer = 0; layer < 3; layer += 2)
                    for (int block = 0; block < study->blocks(side); ++block) {
                        const Box box{kind, side, layer, block};
                        if (!study->has(box)) continue;
                        const auto value = static_cast<double>(study->gradient(box)(2, 3));
                        const std::string line = gradient_from(*study, box, 2, 3);
                        const auto written = testing::written_numbers(line);
                        ASSERT_FALSE(written.empty()) << line;
                        EXPECT_TRUE(written.back().is(value)) << line << " is " << value;
                        const std::size_t n = written.size();
                        if (line.find("skip + sublayer") == std::string::npos) continue;
                        EXPECT_NEAR(written[n - 3].value + written[n - 2].value,
                                    written[n - 1].value, 0.51 * written[n - 1].last_digit)
                            << line;
                    }
    }
}

} // namespace
} // namespace normscope
