#include "app/platform/repaint.h"
#include "app/widgets/imgui_compat.h"

#include <algorithm>
#include <array>
#include <gtest/gtest.h>
#include <random>

namespace normscope {
namespace {

constexpr int k_width = 210, k_height = 130; // no multiple of a tile
constexpr ImU32 k_ground = IM_COL32(9, 9, 9, 255), k_red = IM_COL32(200, 0, 0, 255);

struct Box {
    float x, y, w, h;
    ImU32 color;
};

// Draws boxes into ImGui's lists, and paints such lists pixel by pixel as OpenGL would.
class RepaintTest : public ::testing::Test {
  protected:
    RepaintTest() : context_(ImGui::CreateContext()), list_(ImGui::GetDrawListSharedData()) {
        lists_[0] = &list_;
    }
    ~RepaintTest() override { ImGui::DestroyContext(context_); }

    ImDrawData& drawn(const std::vector<Box>& boxes) {
        list_._ResetForNewFrame();
        list_.Flags = ImDrawListFlags_None;
        for (const Box& b : boxes) {
            // A clip rectangle of its own for some, with a fraction of a pixel.
            const bool own = b.w > 60;
            list_.PushClipRect(own ? ImVec2{b.x + 3.5f, b.y} : ImVec2{0, 0},
                               own ? ImVec2{b.x + b.w - 4, b.y + b.h - 0.3f}
                                   : ImVec2{k_width, k_height});
            list_.AddRectFilled({b.x, b.y}, {b.x + b.w, b.y + b.h}, b.color);
            list_.PopClipRect();
        }
        data_.Valid = true;
        set_lists(data_, lists_);
        data_.DisplaySize = {k_width, k_height};
        return data_;
    }

    using Picture = std::vector<ImU32>;

    static void paint(const ImDrawData& data, Picture& on) {
        for (const ImDrawCmd& c : data.CmdLists[0]->CmdBuffer) {
            const auto& list = *data.CmdLists[0];
            const int x0 = static_cast<int>(c.ClipRect.x);
            const int x1 = x0 + static_cast<int>(c.ClipRect.z - c.ClipRect.x);
            const int below = static_cast<int>(k_height - c.ClipRect.w);
            const int y1 = k_height - below;
            const int y0 = y1 - static_cast<int>(c.ClipRect.w - c.ClipRect.y);
            for (unsigned i = 0; i < c.ElemCount; i += 3) {
                std::array<ImDrawVert, 3> v{};
                for (unsigned k = 0; k < 3; ++k)
                    v[k] = list.VtxBuffer[static_cast<int>(
                        c.VtxOffset + list.IdxBuffer[static_cast<int>(c.IdxOffset + i + k)])];
                for (int y = std::max(y0, 0); y < std::min(y1, k_height); ++y)
                    for (int x = std::max(x0, 0); x < std::min(x1, k_width); ++x)
                        if (inside(v, static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f))
                            on[static_cast<std::size_t>(y * k_width + x)] = v[0].col;
            }
        }
    }

    static bool inside(const std::array<ImDrawVert, 3>& v, float x, float y) {
        bool left = false, right = false;
        for (std::size_t k = 0; k < 3; ++k) {
            const ImVec2 a = v[k].pos, b = v[(k + 1) % 3].pos;
            const float side = (b.x - a.x) * (y - a.y) - (b.y - a.y) * (x - a.x);
            left = left || side < 0;
            right = right || side > 0;
        }
        return !(left && right);
    }

    std::vector<PixelRect> compare(ImDrawData& data, std::uint64_t version = 0) {
        return repaint_.compare(data, k_ground, [version](ImTextureID) { return version; });
    }

    Repaint repaint_;

  private:
    ImGuiContext* context_;
    ImDrawList list_;
    std::array<ImDrawList*, 1> lists_{};
    ImDrawData data_;
};

std::vector<Box> random_boxes(std::mt19937& random, int count) {
    std::vector<Box> boxes;
    const auto up_to = [&](int n) {
        return static_cast<float>(random() % static_cast<unsigned>(n));
    };
    for (int i = 0; i < count; ++i)
        boxes.push_back({up_to(k_width) - 20, up_to(k_height) - 20, up_to(90) + 0.25f, up_to(50),
                         IM_COL32(random() % 256, random() % 256, random() % 256, 255)});
    return boxes;
}

TEST_F(RepaintTest, RedrawnTilesGiveTheWholePicture) {
    std::mt19937 random(7);
    std::vector<Box> boxes = random_boxes(random, 25);
    Picture shown(k_width * k_height, 0);
    std::int64_t painted = 0, whole = 0;
    for (int round = 0; round < 60; ++round) {
        ImDrawData& data = drawn(boxes);
        for (const PixelRect& r : compare(data)) {
            for (int y = r.y0; y < r.y1; ++y)
                std::fill_n(shown.begin() + y * k_width + r.x0, r.x1 - r.x0, k_ground);
            repaint_.draw_within(data, r, [&](ImDrawData* part) { paint(*part, shown); });
            painted += round == 0 ? 0 : r.area();
        }
        whole += round == 0 ? 0 : k_width * k_height;
        Picture wanted(k_width * k_height, k_ground);
        paint(data, wanted);
        ASSERT_EQ(shown, wanted) << "round " << round;

        const auto which = random() % boxes.size();
        switch (round % 4) {
        case 0:
            boxes[which].x += 3;
            break;
        case 1:
            std::swap(boxes[which], boxes[random() % boxes.size()]);
            break;
        case 2:
            boxes[which] = random_boxes(random, 1).front();
            break;
        default:
            break; // nothing
        }
    }
    EXPECT_LT(painted, whole / 2) << "less is drawn than the whole";
}

TEST_F(RepaintTest, NothingChangedIsNothingToDraw) {
    const std::vector<Box> boxes{{10, 10, 30, 30, k_red}, {100, 60, 20, 20, k_red}};
    EXPECT_EQ(compare(drawn(boxes)), (std::vector<PixelRect>{{0, 0, k_width, k_height}}));
    EXPECT_TRUE(compare(drawn(boxes)).empty());
    repaint_.forget();
    EXPECT_EQ(compare(drawn(boxes)), (std::vector<PixelRect>{{0, 0, k_width, k_height}}));
}

TEST_F(RepaintTest, ATextureOfTheSameNameWithOtherPixelsIsDrawnAgain) {
    const std::vector<Box> boxes{{10, 10, 10, 10, k_red}};
    compare(drawn(boxes), 1);
    EXPECT_TRUE(compare(drawn(boxes), 1).empty());
    EXPECT_EQ(compare(drawn(boxes), 2), (std::vector<PixelRect>{{0, 0, 32, 32}}));
}

TEST_F(RepaintTest, TheListsAreWholeAgainAfterwards) {
    ImDrawData& data = drawn({{10, 10, 30, 30, k_red}, {100, 60, 20, 20, k_red}});
    compare(data);
    const int corners = data.CmdLists[0]->IdxBuffer.Size;
    int drawn_corners = -1;
    repaint_.draw_within(data, {0, 0, 64, 64}, [&](ImDrawData* part) {
        drawn_corners = part->CmdLists[0]->IdxBuffer.Size;
    });
    EXPECT_EQ(corners, 12);
    EXPECT_EQ(drawn_corners, 6);
    EXPECT_EQ(data.CmdLists[0]->IdxBuffer.Size, corners);
}

} // namespace
} // namespace normscope
