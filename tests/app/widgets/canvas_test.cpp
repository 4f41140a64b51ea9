#include "app/widgets/imgui_canvas.h"

#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <vector>

namespace normscope {
namespace {

// Hands out numbers and remembers which of them are alive.
class CountingTextures final : public TextureService {
  public:
    int uploads = 0;
    std::set<std::uintptr_t> alive;

    ImTextureID upload(const Pixels&) override {
        ++uploads;
        alive.insert(++last_);
        return (ImTextureID)last_;
    }
    void release(ImTextureID texture) override { alive.erase((std::uintptr_t)texture); }

  private:
    std::uintptr_t last_ = 0;
};

class ImGuiCanvasTest : public ::testing::Test {
  protected:
    void SetUp() override {
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.IniFilename = nullptr;
        io.DisplaySize = {800, 600};
        io.DeltaTime = 1.0f / 60;
        unsigned char* pixels = nullptr;
        int w = 0, h = 0;
        io.Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
        ImGui::NewFrame();
        list_ = ImGui::GetForegroundDrawList();
    }
    void TearDown() override {
        ImGui::EndFrame();
        ImGui::DestroyContext();
    }
    struct Bounds {
        float x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    };
    Bounds bounds() const {
        Bounds b;
        for (const ImDrawVert& v : list_->VtxBuffer)
            b = {std::min(b.x0, v.pos.x), std::min(b.y0, v.pos.y), std::max(b.x1, v.pos.x),
                 std::max(b.y1, v.pos.y)};
        return b;
    }

    ImDrawList* list_ = nullptr;
    FontSet fonts_;
};

constexpr Color k_ink{20, 30, 40, 255};

TEST_F(ImGuiCanvasTest, RectanglesSitOnWholePixels) {
    ImGuiCanvas canvas(*list_, fonts_, nullptr);
    canvas.fill_rect({10.3f, 20.6f, 5.2f, 0.2f}, k_ink);
    const Bounds b = bounds();
    EXPECT_EQ(b.x0, 10);
    EXPECT_EQ(b.x1, 16);
    EXPECT_EQ(b.y0, 21);
    EXPECT_EQ(b.y1, 22) << "what has an extent keeps a pixel";
}

TEST_F(ImGuiCanvasTest, AnAxisParallelLineIsOnePixelWide) {
    ImGuiCanvas canvas(*list_, fonts_, nullptr);
    canvas.line({100.4f, 300}, {100.4f, 50}, k_ink);
    const Bounds b = bounds();
    EXPECT_EQ(b.x1 - b.x0, 1);
    EXPECT_EQ(b.x0, std::round(b.x0));
    EXPECT_EQ(b.y0, 50);
    EXPECT_EQ(b.y1, 300);
}

TEST_F(ImGuiCanvasTest, DashesLeaveGapsAndStayWithinTheLine) {
    ImGuiCanvas canvas(*list_, fonts_, nullptr);
    canvas.line({10, 100}, {80, 100}, k_ink, 1, Dash::dashed);
    EXPECT_EQ(list_->VtxBuffer.Size, 4 * 10) << "70 px of strokes of 4 and gaps of 3";
    EXPECT_EQ(bounds().x0, 10);
    EXPECT_LE(bounds().x1, 80);
}

TEST_F(ImGuiCanvasTest, ADashedCurveKeepsItsPatternAcrossItsPoints) {
    ImGuiCanvas canvas(*list_, fonts_, nullptr);
    std::vector<Point> curve;
    for (int i = 0; i <= 70; ++i) curve.push_back({10.0f + static_cast<float>(i), 50});
    canvas.polyline(curve, k_ink, 1, Dash::dashed);
    EXPECT_GE(bounds().x0, 9);
    EXPECT_LE(bounds().x1, 81);
    std::set<int> columns; // every seventh stretch of four pixels and no other
    for (const ImDrawVert& v : list_->VtxBuffer)
        columns.insert(static_cast<int>(std::lround(v.pos.x)));
    EXPECT_TRUE(columns.contains(17));
    EXPECT_FALSE(columns.contains(16) && columns.contains(15)) << "the first gap";
}

TEST_F(ImGuiCanvasTest, AnAreaIsAStripOfQuads) {
    ImGuiCanvas canvas(*list_, fonts_, nullptr);
    std::vector<Point> upper, lower;
    for (int i = 0; i < 20001; ++i) {
        upper.push_back({static_cast<float>(i), 10});
        lower.push_back({static_cast<float>(i), 90});
    }
    list_->Flags |= ImDrawListFlags_AllowVtxOffset;
    canvas.fill_between(upper, lower, k_ink);
    EXPECT_EQ(list_->IdxBuffer.Size, 6 * 20000);
    EXPECT_EQ(bounds().x1, 20000);
    EXPECT_EQ(bounds().y1, 90);
    const int before = list_->VtxBuffer.Size;
    canvas.fill_between({upper.data(), 1}, {lower.data(), 1}, k_ink);
    EXPECT_EQ(list_->VtxBuffer.Size, before) << "one point has no area";
}

TEST_F(ImGuiCanvasTest, ClipsIntersect) {
    ImGuiCanvas canvas(*list_, fonts_, nullptr);
    canvas.push_clip({10, 10, 100, 100});
    canvas.push_clip({50, -40, 500, 100});
    EXPECT_EQ(list_->GetClipRectMin().x, 50);
    EXPECT_EQ(list_->GetClipRectMin().y, 10);
    EXPECT_EQ(list_->GetClipRectMax().x, 110);
    EXPECT_EQ(list_->GetClipRectMax().y, 60);
    canvas.pop_clip();
    EXPECT_EQ(list_->GetClipRectMin().x, 10);
    canvas.pop_clip();
}

TEST_F(ImGuiCanvasTest, TextIsAsWideAsItSays) {
    ImGuiCanvas canvas(*list_, fonts_, nullptr);
    const Size size = canvas.text_size("normalize", TextRole::label);
    EXPECT_GT(size.w, 30);
    canvas.text({100, 100}, "normalize", TextRole::label, k_ink);
    EXPECT_GE(bounds().x0, 99);
    EXPECT_LE(bounds().x1, 100 + size.w + 1);
    EXPECT_LE(bounds().y1, 100 + size.h + 1);
}

TEST_F(ImGuiCanvasTest, SeesWhatIsWithinItsClip) {
    ImGuiCanvas canvas(*list_, fonts_, nullptr);
    canvas.push_clip({100, 100, 200, 100});
    EXPECT_TRUE(canvas.sees({250, 150, 500, 500}));
    EXPECT_TRUE(canvas.sees({100, 95, 50, 2})) << "a name just above may reach into it";
    EXPECT_FALSE(canvas.sees({100, 300, 50, 50}));
    EXPECT_FALSE(canvas.sees({400, 100, 50, 50}));
    canvas.text({110, 400}, "below", TextRole::label, k_ink);
    EXPECT_EQ(list_->VtxBuffer.Size, 0);
    canvas.pop_clip();
    EXPECT_TRUE(canvas.sees({100, 300, 50, 50}));
}

TEST_F(ImGuiCanvasTest, DiscardedTextIsMeasuredButNotDrawn) {
    CountingTextures service;
    TextureCache cache(service);
    const std::vector<std::uint32_t> rgba(6, 0xFF00FF00u);
    const std::vector<Point> line = {{0, 0}, {10, 20}, {30, 5}};
    const auto draw = [&](Drawing drawing) {
        const int before = list_->VtxBuffer.Size;
        ImGuiCanvas canvas(*list_, fonts_, &cache, drawing);
        EXPECT_EQ(canvas.sees({0, 0, 800, 600}), drawing == Drawing::shown);
        EXPECT_GT(canvas.text_size("normalize", TextRole::label).w, 30);
        canvas.fill_rect({0, 0, 30, 20}, k_ink);
        canvas.stroke_rect({0, 0, 30, 20}, k_ink);
        canvas.line({0, 0}, {30, 20}, k_ink);
        canvas.polyline(line, k_ink);
        canvas.polyline(line, k_ink, 1, Dash::dashed);
        canvas.fill_between(line, line, k_ink);
        canvas.fill_circle({50, 50}, 9, k_ink);
        canvas.stroke_circle({50, 50}, 9, k_ink);
        canvas.fill_triangle({0, 0}, {9, 9}, {0, 9}, k_ink);
        canvas.image({0, 0, 30, 20}, {1, 3, 2, rgba});
        canvas.text({0, 0}, "normalize", TextRole::label, k_ink);
        return list_->VtxBuffer.Size - before;
    };
    EXPECT_EQ(draw(Drawing::discarded), 0);
    EXPECT_EQ(service.uploads, 0);
    EXPECT_GT(draw(Drawing::shown), 50);
    EXPECT_EQ(service.uploads, 1);
}

TEST_F(ImGuiCanvasTest, ADotIsAPictureOfADisc) {
    CountingTextures service;
    TextureCache cache(service);
    ImGuiCanvas canvas(*list_, fonts_, &cache);
    const int before = list_->IdxBuffer.Size;
    for (int i = 0; i < 3; ++i) canvas.fill_circle({50, 60}, 2, k_ink);
    EXPECT_EQ(list_->IdxBuffer.Size, before + 3 * 6);
    EXPECT_EQ(list_->CmdBuffer[list_->CmdBuffer.Size - 2].ElemCount, 18) << "one call draws them";
    EXPECT_EQ(service.uploads, 1);
    const Bounds dot = bounds();
    EXPECT_EQ(dot.x0, 47) << "a pixel more than the radius, in which the edge ends";
    EXPECT_EQ(dot.y1, 63);
    canvas.fill_circle({50, 60}, 20, k_ink);
    EXPECT_GT(list_->IdxBuffer.Size, before + 100) << "a large one is a polygon";
    EXPECT_NEAR(bounds().x0, 30, 0.6);
    EXPECT_EQ(service.uploads, 1);
}

TEST_F(ImGuiCanvasTest, APictureIsUploadedOnceUntilItChanges) {
    CountingTextures service;
    TextureCache cache(service);
    ImGuiCanvas canvas(*list_, fonts_, &cache);
    const std::vector<std::uint32_t> rgba(6, 0xFF00FF00u);
    canvas.image({0, 0, 30, 20}, {1, 3, 2, rgba});
    canvas.image({0, 0, 60, 40}, {1, 3, 2, rgba});
    EXPECT_EQ(service.uploads, 1);
    canvas.image({0, 0, 30, 20}, {2, 3, 2, rgba});
    EXPECT_EQ(service.uploads, 2);
    canvas.image({0, 0, 30, 20}, {3, 0, 0, {}});
    EXPECT_EQ(service.uploads, 2) << "an empty picture is not uploaded";
}

TEST(TextureCache, IsBoundedAndNeverTakesAPictureInUse) {
    CountingTextures service;
    {
        TextureCache cache(service);
        const std::vector<std::uint32_t> rgba(6, 0);
        const auto picture = [&](std::uint64_t key) { return Pixels{key, 3, 2, rgba}; };
        const ImTextureID still = cache.get(picture(1), 0);
        for (int frame = 0; frame < 500; ++frame) { // a drag: one picture changes, one stays
            EXPECT_EQ(cache.get(picture(1), frame), still);
            EXPECT_NE(cache.get(picture(1000 + static_cast<std::uint64_t>(frame)), frame), still);
        }
        EXPECT_LE(cache.size(), 4u);
        for (std::uint64_t key = 1; key < 40; ++key) cache.get(picture(key), 600);
        EXPECT_EQ(service.alive.size(), cache.size());
        cache.get(picture(5000), 700);
        EXPECT_LE(cache.size(), 10u) << "what is out of use is given back";
    }
    EXPECT_TRUE(service.alive.empty());
}

} // namespace
} // namespace normscope
