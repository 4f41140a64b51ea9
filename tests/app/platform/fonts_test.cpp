#include "app/platform/fonts.h"
#include "app/widgets/imgui_compat.h"

#include <cfloat>
#include <cmath>
#include <gtest/gtest.h>
#include <string_view>

namespace normscope {
namespace {

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
            const TextRoleSpec spec = text_role_spec(static_cast<TextRole>(role));
            EXPECT_FLOAT_EQ(font_height(fonts.by_role[role]), spec.size * scale);
        }
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

} // namespace
} // namespace normscope
