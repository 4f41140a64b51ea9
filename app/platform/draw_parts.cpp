#include "app/platform/draw_parts.h"

#include "app/widgets/imgui_compat.h"

#include <algorithm>

namespace normscope {
namespace {

constexpr unsigned k_most_vertices = 1 << 16;

template<class T>
void append(ImVector<T>& to, const ImVector<T>& from, unsigned begin, unsigned count) {
    const int at = to.Size;
    to.resize(at + static_cast<int>(count));
    std::copy_n(from.Data + begin, count, to.Data + at);
}

} // namespace

ImDrawData& DrawParts::of(const ImDrawData& data) {
    lists_.clear();
    made_.clear();
    for (ImDrawList* whole : lists_of(data)) {
        const ImDrawList& list = *whole;
        if (std::ranges::all_of(list.CmdBuffer,
                                [](const ImDrawCmd& c) { return c.VtxOffset == 0; })) {
            lists_.push_back(whole);
            continue;
        }
        const ImDrawCmd* before = nullptr;
        for (const ImDrawCmd& command : list.CmdBuffer) {
            if (!before || before->VtxOffset != command.VtxOffset) {
                made_.push_back(std::make_unique<ImDrawList>(ImGui::GetDrawListSharedData()));
                lists_.push_back(made_.back().get());
                const auto vertices = static_cast<unsigned>(list.VtxBuffer.Size);
                append(made_.back()->VtxBuffer, list.VtxBuffer, command.VtxOffset,
                       std::min(k_most_vertices, vertices - command.VtxOffset));
            }
            ImDrawList& part = *made_.back();
            ImDrawCmd moved = command;
            moved.VtxOffset = 0;
            moved.IdxOffset = static_cast<unsigned>(part.IdxBuffer.Size);
            append(part.IdxBuffer, list.IdxBuffer, command.IdxOffset, command.ElemCount);
            part.CmdBuffer.push_back(moved);
            before = &command;
        }
    }
    parts_ = data;
    set_lists(parts_, lists_);
    return parts_;
}

} // namespace normscope
