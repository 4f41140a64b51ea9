#include "app/platform/draw_parts.h"
#include "app/widgets/imgui_compat.h"

#include <array>
#include <gtest/gtest.h>
#include <tuple>
#include <vector>

namespace normscope {
namespace {

class DrawPartsTest : public ::testing::Test {
  protected:
    DrawPartsTest() : context_(ImGui::CreateContext()), list_(ImGui::GetDrawListSharedData()) {
        list_._ResetForNewFrame();
        list_.Flags = ImDrawListFlags_AllowVtxOffset;
        lists_[0] = &list_;
    }
    ~DrawPartsTest() override { ImGui::DestroyContext(context_); }

    void boxes(int count) {
        for (int i = 0; i < count; ++i) {
            const auto at = static_cast<float>(i);
            if (i % 1000 == 0) list_.PushClipRect({0, 0}, {at + 1, at + 1});
            list_.AddRectFilled({at, 0}, {at + 1, 1}, IM_COL32(i % 256, 0, 0, 255));
            if (i % 1000 == 999) list_.PopClipRect();
        }
    }

    const ImDrawData& data() {
        data_.Valid = true;
        set_lists(data_, lists_);
        data_.DisplaySize = {300, 200};
        return data_;
    }

  private:
    ImGuiContext* context_;

  protected:
    ImDrawList list_;

  private:
    std::array<ImDrawList*, 1> lists_{};
    ImDrawData data_;
};

using Corner = std::tuple<float, float, ImU32, float>; // and the clip rectangle's right edge

std::vector<Corner> corners(const ImDrawData& data) {
    std::vector<Corner> out;
    for (const ImDrawList* list : lists_of(data))
        for (const ImDrawCmd& c : list->CmdBuffer)
            for (unsigned i = 0; i < c.ElemCount; ++i) {
                const ImDrawVert& v = list->VtxBuffer[static_cast<int>(
                    c.VtxOffset + list->IdxBuffer[static_cast<int>(c.IdxOffset + i)])];
                out.emplace_back(v.pos.x, v.pos.y, v.col, c.ClipRect.z);
            }
    return out;
}

TEST_F(DrawPartsTest, ALongListIsCutWhereItsVerticesBeginAnew) {
    constexpr int k_boxes = 40000; // 160000 vertices
    boxes(k_boxes);
    ASSERT_GT(list_.CmdBuffer.back().VtxOffset, 0u);
    DrawParts parts;
    const ImDrawData& cut = parts.of(data());
    EXPECT_EQ(lists_of(cut).size(), 3u);
    for (const ImDrawList* list : lists_of(cut)) {
        EXPECT_LE(list->VtxBuffer.Size, 1 << 16);
        for (const ImDrawCmd& c : list->CmdBuffer) EXPECT_EQ(c.VtxOffset, 0u);
    }
    EXPECT_EQ(cut.DisplaySize.x, 300);
    EXPECT_EQ(cut.TotalIdxCount, 6 * k_boxes);
    EXPECT_EQ(corners(cut), corners(data()));
}

TEST_F(DrawPartsTest, AShortListIsTakenAsItIs) {
    boxes(10);
    DrawParts parts;
    const ImDrawData& same = parts.of(data());
    ASSERT_EQ(lists_of(same).size(), 1u);
    EXPECT_EQ(lists_of(same)[0], &list_);
    EXPECT_EQ(corners(same), corners(data()));
}

} // namespace
} // namespace normscope
