#include "app/lessons/lesson_text.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

using SpanLook = LessonSpan::Look;

class LessonTexts : public ::testing::Test {
  protected:
    const Quantities now{[] {
        Document d = blank_document(2, 3);
        Matrix<double> x(2, 3);
        x << 1, -2.345, 1e-9, 4, 5, 6;
        d.x = std::move(x);
        d.precision = Precision::float64;
        return d;
    }()};

    std::vector<LessonSpan> read(const std::string& text) { return lesson_text(text, {now, now}); }
    std::string number(const std::string& text) {
        const auto spans = read(text);
        EXPECT_EQ(spans.size(), 1u);
        EXPECT_EQ(spans[0].look, SpanLook::number) << spans[0].text;
        return spans[0].text;
    }
    std::string problem(const std::string& text) {
        const auto problems = lesson_text_problems(read(text));
        return problems.empty() ? "" : problems[0];
    }
};

TEST_F(LessonTexts, AreSplitByTheirLooks) {
    const auto spans = read("A **bold** word, `code {x}`,\n{γ} and {x\u0302}.");
    ASSERT_EQ(spans.size(), 10u);
    EXPECT_EQ(spans[1].text, "bold");
    EXPECT_EQ(spans[1].look, SpanLook::bold);
    EXPECT_EQ(spans[3].text, "code {x}") << "braces in code are braces";
    EXPECT_EQ(spans[3].look, SpanLook::code);
    EXPECT_EQ(spans[5].text, "\n");
    EXPECT_EQ(spans[6].look, SpanLook::term);
    EXPECT_EQ(spans[6].stage, Stage::gamma);
    EXPECT_EQ(spans[8].stage, Stage::x_hat);
}

TEST_F(LessonTexts, WriteNumbersByTheirFormat) {
    EXPECT_EQ(number("{z[t0, d1]:.2f}"), "−2.35");
    EXPECT_EQ(number("{z[t0, d1]:.0f}"), "−2");
    EXPECT_EQ(number("{z[t0, d1]:.3g}"), "−2.35");
    EXPECT_EQ(number("{z[t0, d2]:.1e}"), "1e-9");
    EXPECT_EQ(number("{0 - z[t0, d2]:.2f}"), "0.00") << "zero has no sign";
    EXPECT_EQ(number("{z:.0f}"), "1, −2, 0; 4, 5, 6");
    EXPECT_EQ(number("{z[, d0]:.0f}"), "1, 4");
}

TEST_F(LessonTexts, SayWhatCannotBeRead) {
    EXPECT_NE(problem("{zed:.2f}").find("no quantity “zed”"), std::string::npos);
    EXPECT_NE(problem("{z[0, 0]:2f}").find("“2f” is no format"), std::string::npos);
    EXPECT_NE(problem("{z[0, 0]:.xf}").find("is no format"), std::string::npos);
    EXPECT_NE(problem("{q}").find("“{q}” is no term"), std::string::npos);
    EXPECT_NE(problem("{γ").find("without its “}”"), std::string::npos);
    EXPECT_NE(problem("a ** b").find("without its second"), std::string::npos);
    EXPECT_EQ(problem("{γ} is **all** `well`"), "");
}

} // namespace
} // namespace normscope
