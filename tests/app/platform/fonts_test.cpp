#include "app/platform/fonts.h"

#include "app/shell/frame/app.h"
#include "app/widgets/imgui_canvas.h"
#include "app/widgets/imgui_compat.h"
#include "tests/app/widgets/imgui_versions.h"

#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <string_view>

namespace normscope {
namespace {

TEST(TextGrowth, WordsAreLargerInALargeWindow) {
    const std::pair<Size, float> cases[] = {
        {{1024, 768}, 14},  {{1280, 800}, 14},  {{1600, 1000}, 15}, {{1920, 1080}, 16},
        {{2560, 1440}, 20}, {{3840, 2160}, 28}, {{2560, 400}, 14}};
    for (const auto& [window, words] : cases)
        EXPECT_FLOAT_EQ(text_growth(window, 1) * 14, words) << window.w << "×" << window.h;
    EXPECT_FLOAT_EQ(text_growth({2560, 1600}, 2), 1) << "the desktop enlarges it already";
}

class FontsTest : public ::testing::Test {
  protected:
    FontsTest() { ImGui::CreateContext(); }
    ~FontsTest() override { ImGui::DestroyContext(); }

    ImFontAtlas& atlas() { return *ImGui::GetIO().Fonts; }

    FontLoader loader_;
};

TEST_F(FontsTest, EveryRoleHasTheSignsOfTheFormulas) {
    const FontSet fonts = loader_.load(atlas(), 1);
    ASSERT_EQ(loader_.warning(), "");
    for (std::size_t role = 0; role < k_text_roles; ++role)
        for (const char32_t c :
             text_role_spec(static_cast<TextRole>(role)).digits
                 ? std::u32string_view(U"-−.0123456789eNa∞")
                 : std::u32string_view(U"γβμσεΣx\u0302√²−‖ᵀ₀ᵢ⊙⊕∘→≈≤∞∂∇ℝ…“”⟨⟩▸◐é"))
            EXPECT_TRUE(has_glyph(fonts.by_role[role], static_cast<ImWchar>(c)))
                << "role " << role << ", U+" << std::hex << static_cast<unsigned>(c);
}

TEST_F(FontsTest, ALineIsAsHighAsItsRoleSays) {
    for (const float scale : {0.75f, 1.0f, 1.5f, 2.5f}) {
        const FontSet fonts = loader_.load(atlas(), scale);
        EXPECT_EQ(fonts.scale, scale);
        for (std::size_t role = 0; role < k_text_roles; ++role) {
            const float line = line_height_of(static_cast<TextRole>(role), scale);
            EXPECT_FLOAT_EQ(font_height(fonts.by_role[role]), line);
        }
    }
}

TEST_F(FontsTest, ARoundedRectangleIsMadeOfItsCorners) {
    const FontSet fonts = loader_.load(atlas(), 1);
    if (fonts.corners.w <= 0) GTEST_SKIP() << "this ImGui draws polygons";
    unsigned char* texture = nullptr;
    int width = 0, height = 0;
    atlas().GetTexDataAsAlpha8(&texture, &width, &height);
    ImGui::GetIO().IniFilename = nullptr;
    ImGui::GetIO().DisplaySize = {100, 100};
    ImGui::NewFrame();
    for (const float radius : {1.0f, 3.0f, 7.0f, 12.0f}) {
        ImDrawList& list = *ImGui::GetForegroundDrawList();
        const int first = list.VtxBuffer.Size;
        ImGuiCanvas(list, fonts, nullptr).fill_rect({10, 20, 41, 24}, {255, 0, 0}, radius);
        const auto covered = [&](float x, float y) { // how much of a pixel, from its middle
            for (int i = first; i + 3 < list.VtxBuffer.Size; i += 4) {
                const ImDrawVert &lo = list.VtxBuffer[i], &hi = list.VtxBuffer[i + 2];
                const float right = (x + 0.5f - lo.pos.x) / (hi.pos.x - lo.pos.x);
                const float down = (y + 0.5f - lo.pos.y) / (hi.pos.y - lo.pos.y);
                if (right < 0 || right > 1 || down < 0 || down > 1) continue;
                const auto u = static_cast<int>(std::lerp(lo.uv.x, hi.uv.x, right) *
                                                static_cast<float>(width));
                const auto v = static_cast<int>(std::lerp(lo.uv.y, hi.uv.y, down) *
                                                static_cast<float>(height));
                return static_cast<float>(texture[v * width + u]) / 255;
            }
            return 0.0f;
        };
        float area = 0;
        for (float y = 0; y < 60; ++y)
            for (float x = 0; x < 60; ++x) {
                const float here = covered(x, y);
                area += here;
                EXPECT_EQ(here, covered(60 - x, y)) << "left and right, " << x << ' ' << y;
                EXPECT_EQ(here, covered(x, 63 - y)) << "above and below, " << x << ' ' << y;
            }
        EXPECT_NEAR(area, 41 * 24 - (4 - std::numbers::pi_v<float>)*radius * radius, 1) << radius;
        EXPECT_LT(covered(10, 20), 0.8f) << radius;
        EXPECT_EQ(list.VtxBuffer.Size - first, 7 * 4) << radius;
    }
    ImGui::EndFrame();
}

TEST_F(FontsTest, NoTextIsSmallerThanElevenPixels) {
    for (const float scale : {1.0f, 1.1f, 2.0f})
        for (std::size_t i = 0; i < k_text_roles; ++i) {
            const auto role = static_cast<TextRole>(i);
            const TextRoleSpec spec = text_role_spec(role);
            const auto files = font_chain(spec.mono ? Face::mono : Face::sans, spec.weight);
            const auto face = face_metrics(files.front());
            ASSERT_TRUE(face);
            EXPECT_GE(line_height_of(role, scale) / (face->ascent + face->descent), 11) << i;
        }
}

TEST_F(FontsTest, DigitsAreEquallyWideAndWholePixels) {
    const FontSet fonts = loader_.load(atlas(), 1);
    ImFont* font = fonts[TextRole::number];
    const float wide = font->CalcTextSizeA(font_height(font), FLT_MAX, 0, "00000000").x;
    EXPECT_EQ(wide, font->CalcTextSizeA(font_height(font), FLT_MAX, 0, "1−8.7403").x);
    EXPECT_EQ(wide / 8, std::round(wide / 8));
}

TEST_F(FontsTest, AsksAgainOnlyForLettersNotAskedForYet) {
    loader_.load(atlas(), 1);
    EXPECT_FALSE(loader_.lacks("studying γ é"));
    EXPECT_TRUE(loader_.lacks("Ж"));
    loader_.load(atlas(), 1, "Ж 語"); // whether or not a face has them
    EXPECT_FALSE(loader_.lacks("語Ж"));
    EXPECT_FALSE(loader_.lacks("\xff\xfe broken"));
}

// `count` letters of a script that no face of the program's needs to have.
std::string many_letters(unsigned count) {
    std::string text;
    for (unsigned c = 0x4E00; c < 0x4E00 + count; ++c) { // 3 bytes each
        text += static_cast<char>(0xE0 | c >> 12);
        text += static_cast<char>(0x80 | (c >> 6 & 0x3F));
        text += static_cast<char>(0x80 | (c & 0x3F));
    }
    return text;
}

TEST_F(FontsTest, LoadABoundedNumberOfLettersTheSeenOnesFirst) {
    const std::string names = many_letters(20000);
    FontSet fonts = loader_.load(atlas(), 1, names);
    EXPECT_FALSE(loader_.lacks(names))
        << "those that were left out are asked for when they are seen";
    EXPECT_FALSE(loader_.note_drawn());
    const char32_t drawn = 0x4E00 + 15000;
    *fonts.lacking += drawn;
    EXPECT_TRUE(loader_.note_drawn());
    EXPECT_TRUE(loader_.lacks(names)) << "until it is loaded";
    fonts = loader_.load(atlas(), 1, names);
    EXPECT_FALSE(loader_.lacks(names));
    *fonts.lacking += drawn; // no face may have it
    EXPECT_FALSE(loader_.note_drawn());
    EXPECT_FALSE(loader_.full());
    for (char32_t c = 0x4E00 + 2000; c < 0x4E00 + 4000; ++c) *fonts.lacking += c;
    EXPECT_TRUE(loader_.note_drawn());
    EXPECT_TRUE(loader_.full());
}

// The texture is largest if a face of the machine has all the letters.
TEST_F(FontsTest, FitIntoATextureAtTheLargestScale) {
    loader_.load(atlas(), 2 * k_most_ui_scale, many_letters(20000));
    EXPECT_EQ(loader_.warning(), "");
    EXPECT_LE(atlas().TexWidth, 8192);
    EXPECT_LE(atlas().TexHeight, 8192);
}

TEST_F(FontsTest, ForgetsTheLettersOfAnotherText) {
    FontSet fonts = loader_.load(atlas(), 1, many_letters(3000));
    for (char32_t c = 0x4E00 + 1000; c < 0x4E00 + 3000; ++c) *fonts.lacking += c;
    EXPECT_TRUE(loader_.note_drawn());
    loader_.load(atlas(), 1, many_letters(3000));
    EXPECT_TRUE(loader_.full());
    fonts = loader_.load(atlas(), 1, "Ж");
    EXPECT_FALSE(loader_.full());
    EXPECT_TRUE(has_glyph(fonts[TextRole::label], u'Ж'));
}

} // namespace
} // namespace normscope
