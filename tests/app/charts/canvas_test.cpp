#include "tests/app/charts/recording_canvas.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

constexpr Color k_ink{1, 2, 3, 255};

TEST(Canvas, TextSizeFollowsTheRoleAtEveryScale) {
    RecordingCanvas canvas(2);
    const float h = text_role_spec(TextRole::label).size;
    EXPECT_FLOAT_EQ(canvas.line_height(TextRole::label), h);
    EXPECT_FLOAT_EQ(canvas.text_size("σ²", TextRole::label).w, 2 * 0.6f * h);
    EXPECT_FLOAT_EQ(canvas.text_size("", TextRole::label).w, 0);
}

TEST(Canvas, AlignsLeftCentreRight) {
    RecordingCanvas canvas;
    const float w = canvas.text_size("abc", TextRole::number).w;
    canvas.text({100, 10}, "abc", TextRole::number, k_ink, Align::left);
    canvas.text({100, 10}, "abc", TextRole::number, k_ink, Align::center);
    canvas.text({100, 10}, "abc", TextRole::number, k_ink, Align::right);
    ASSERT_EQ(canvas.texts.size(), 3u);
    EXPECT_FLOAT_EQ(canvas.texts[0].bounds.x, 100);
    EXPECT_FLOAT_EQ(canvas.texts[1].bounds.x, 100 - w / 2);
    EXPECT_FLOAT_EQ(canvas.texts[2].bounds.x, 100 - w);
}

TEST(Canvas, TextInIsCentredBothWays) {
    RecordingCanvas canvas;
    canvas.text_in({10, 20, 200, 60}, "7", TextRole::label, k_ink);
    EXPECT_FLOAT_EQ(canvas.texts[0].bounds.center().x, 110);
    EXPECT_FLOAT_EQ(canvas.texts[0].bounds.center().y, 50);
}

TEST(Canvas, DrawsTheHatItself) {
    RecordingCanvas canvas;
    const std::string_view x_hat = "γ x\xCC\x82 + β";
    EXPECT_FLOAT_EQ(canvas.text_size(x_hat, TextRole::label).w,
                    canvas.text_size("γ x + β", TextRole::label).w)
        << "a hat takes no room";
    canvas.text({0, 0}, x_hat, TextRole::label, k_ink);
    ASSERT_EQ(canvas.texts.size(), 1u);
    EXPECT_EQ(canvas.texts[0].text, "γ x + β");
    ASSERT_EQ(canvas.marks.size(), 1u);
    EXPECT_EQ(canvas.marks[0].kind, RecordingCanvas::Kind::polyline);
    const float glyph = canvas.text_size("x", TextRole::label).w;
    EXPECT_NEAR(canvas.marks[0].bounds.center().x, 2.5f * glyph, 0.01f) << "over the x";
    EXPECT_GE(canvas.marks[0].bounds.y, 0) << "within the line";

    canvas.text({0, 0}, "\xCC\x82", TextRole::label, k_ink);
    EXPECT_EQ(canvas.marks.size(), 1u) << "a hat without a wearer is not drawn";
}

TEST(Canvas, ElidesBetweenCharacters) {
    const RecordingCanvas canvas;
    const float glyph = canvas.text_size("x", TextRole::label).w;
    EXPECT_EQ(canvas.elide("studying", TextRole::label, 8 * glyph), "studying");
    EXPECT_EQ(canvas.elide("studying", TextRole::label, 7.9f * glyph), "studyi…");
    EXPECT_EQ(canvas.elide("große Übung", TextRole::label, 5.5f * glyph), "groß…");
    EXPECT_EQ(canvas.elide("two words", TextRole::label, 5.5f * glyph), "two…")
        << "no space before the ellipsis";
    EXPECT_EQ(canvas.elide("abc", TextRole::label, 1.5f * glyph), "…");
    EXPECT_EQ(canvas.elide("abc", TextRole::label, 0.5f * glyph), "");
    EXPECT_EQ(canvas.elide("", TextRole::label, 0), "");
    EXPECT_EQ(canvas.elide("x\xCC\x82 = abc", TextRole::label, 2.5f * glyph), "x\xCC\x82…")
        << "the hat stays on its x";
}

} // namespace
} // namespace normscope
