#include "app/charts/cairo_canvas.h"

#include <cmath>
#include <gtest/gtest.h>
#include <vector>

namespace normscope {
namespace {

void draw_everything(Canvas& canvas) {
    const Color ink{20, 30, 40, 255}, blue{0, 114, 178, 90};
    canvas.fill_rect({0, 0, 200, 120}, {255, 255, 255, 255});
    canvas.stroke_rect({4, 4, 60, 30}, ink, 1, 4);
    canvas.fill_rect({70, 4, 60, 30}, blue, 4);
    canvas.line({4, 40}, {190, 40}, ink, 1, Dash::dashed);
    const std::vector<Point> top{{4, 60}, {40, 44}, {90, 58}}, base{{4, 70}, {40, 70}, {90, 70}};
    canvas.fill_between(top, base, blue);
    canvas.polyline(top, ink, 1.5f);
    canvas.fill_circle({110, 60}, 5, ink);
    canvas.stroke_circle({130, 60}, 5, ink);
    canvas.fill_triangle({150, 65}, {160, 65}, {155, 55}, ink);
    const std::vector<std::uint32_t> rgba{0xFF0000FFu, 0xFF00FF00u, 0xFFFF0000u, 0x80FFFFFFu};
    canvas.push_clip({170, 50, 20, 20});
    canvas.image({165, 45, 30, 30}, {1, 2, 2, rgba});
    canvas.pop_clip();
    canvas.text({4, 80}, "γ x\xCC\x82 + β = (z − μ) / √(σ² + ε)", TextRole::label, ink);
    canvas.text({4, 100}, "-1.25 ∞ Σ ‖∂L/∂x‖", TextRole::number, ink);
}

std::string drawn(FigureFormat format) {
    const auto figure = draw_for(format, {200, 120}, 1, draw_everything);
    EXPECT_TRUE(figure) << figure.error().message;
    return figure.value_or("");
}

TEST(FigureCanvas, WritesSvg) {
    const std::string svg = drawn(FigureFormat::svg);
    EXPECT_NE(svg.find("<svg"), std::string::npos);
    EXPECT_NE(svg.find("width=\"200"), std::string::npos);
    EXPECT_NE(svg.find("pixelated"), std::string::npos);
    EXPECT_EQ(svg, drawn(FigureFormat::svg)) << "the same drawing gives the same bytes";
}

TEST(CairoCanvas, WritesPngAndPdf) {
    const std::string png = drawn(FigureFormat::png), pdf = drawn(FigureFormat::pdf);
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
    EXPECT_EQ(pdf.substr(0, 5), "%PDF-");
    EXPECT_NE(pdf.find("/FontFile"), std::string::npos) << "text stays text";
    EXPECT_EQ(pdf.find("CreationDate"), std::string::npos);
    EXPECT_EQ(png, drawn(FigureFormat::png));
    EXPECT_EQ(pdf, drawn(FigureFormat::pdf));
}

TEST(FigureCanvas, MeasuresWhatItDraws) {
    const auto done = draw_for(FigureFormat::svg, {100, 100}, 2, [](Canvas& canvas) {
        EXPECT_EQ(canvas.scale(), 2);
        const float one = canvas.text_size("0", TextRole::number).w;
        EXPECT_GT(one, 5);
        EXPECT_NEAR(canvas.text_size("-0.25", TextRole::number).w, 5 * one, 0.01f)
            << "digits and minus of the monospaced face are equally wide";
        EXPECT_GT(canvas.text_size("σ", TextRole::label).w, 0);
        EXPECT_EQ(canvas.text_size("x\xCC\x82", TextRole::label).w,
                  canvas.text_size("x", TextRole::label).w);
    });
    EXPECT_TRUE(done);
}

void write_no_utf8(Canvas& canvas) {
    canvas.text({0, 0}, "a\xFF\xC3 \xED\xA0\x80 \xC0\xAF", TextRole::label, {0, 0, 0, 255});
    canvas.text({0, 20}, "\xF0\x9F\x98\x80 漢", TextRole::label, {0, 0, 0, 255});
}

TEST(FigureCanvas, SurvivesTextThatIsNotUtf8) {
    EXPECT_TRUE(draw_for(FigureFormat::svg, {100, 40}, 1, write_no_utf8));
}

TEST(CairoCanvas, SurvivesTextThatIsNotUtf8) {
    EXPECT_TRUE(draw_for(FigureFormat::pdf, {100, 40}, 1, write_no_utf8));
}

TEST(FigureCanvas, RefusesSizesItCannotDraw) {
    const auto nothing = [](Canvas&) {};
    EXPECT_FALSE(draw_for(FigureFormat::png, {0, 100}, 1, nothing));
    EXPECT_FALSE(draw_for(FigureFormat::png, {100, 1e6f}, 1, nothing));
    EXPECT_FALSE(draw_for(FigureFormat::pdf, {NAN, 100}, 1, nothing));
}

TEST(FigureCanvas, KnowsFormatsByTheFileName) {
    EXPECT_EQ(figure_format_of("a/b.PNG"), FigureFormat::png);
    EXPECT_EQ(figure_format_of("x.svg"), FigureFormat::svg);
    EXPECT_EQ(figure_format_of("x.y.pdf"), FigureFormat::pdf);
    EXPECT_EQ(figure_format_of("x.jpeg"), std::nullopt);
    EXPECT_EQ(figure_format_of("png"), std::nullopt);
}

} // namespace
} // namespace normscope
