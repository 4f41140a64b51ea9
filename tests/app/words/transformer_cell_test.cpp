#include "app/words/transformer_cell.h"

#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>

namespace normscope {
namespace {

double number_after(const std::string& text, std::size_t at) {
    return std::strtod(text.c_str() + at, nullptr);
}

// Of every kind of box, the line ends with the number that it is about.
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
                    EXPECT_NEAR(number_after(line, line.rfind("= ") + 2), value,
                                6e-4 * std::abs(value))
                        << line;
                }
    }
}

// x̂ is what its own printed operands give.
TEST(TransformerCell, AnAddAndNormIsWorkedWithItsOwnNumbers) {
    const auto study = TransformerStudy::of(default_transformer(), nullptr);
    const Box box{Box::Kind::add_norm, StackSide::decoder, 0, 1};
    const std::string line = where_from(*study, box, 1, 5);
    const std::string opening = "ε) = (";
    const std::size_t above = line.find(opening) + opening.size();
    const std::size_t minus = line.find(" − ", above), root = line.find(")/", above);
    ASSERT_LT(root, line.size()) << line;
    const double z = number_after(line, above);
    const double mean = number_after(line, minus + std::string(" − ").size());
    const double divisor = number_after(line, root + 2);
    const double x_hat = number_after(line, line.find(" = ", root) + 3);
    EXPECT_NEAR((z - mean) / divisor, x_hat, 2e-3 * std::max(1.0, std::abs(x_hat))) << line;
}

} // namespace
} // namespace normscope
