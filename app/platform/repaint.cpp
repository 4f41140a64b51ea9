#include "app/platform/repaint.h"

#include "app/widgets/imgui_compat.h"

#include <bit>
#include <cmath>
#include <utility>

namespace normscope {
namespace {

constexpr int k_tile = 32;
// Each rectangle is a pass over the frame's triangles: few and a little larger is cheaper.
constexpr std::size_t k_most_rects = 6;

std::uint64_t mixed(std::uint64_t sum, std::uint64_t value) {
    sum = (sum ^ value) * 0x9E3779B97F4A7C15u; // 2^64 / golden ratio
    return sum ^ (sum >> 29);
}

std::uint64_t bits(float a, float b) {
    return std::uint64_t{std::bit_cast<std::uint32_t>(a)} << 32 | std::bit_cast<std::uint32_t>(b);
}

// The scissor that the OpenGL backend makes of a clip rectangle: it counts from below and rounds
// the corner and the size, not both corners.
PixelRect scissor(const ImVec4& clip, int height) {
    const float h = static_cast<float>(height);
    const int x0 = static_cast<int>(clip.x);
    const int below = static_cast<int>(h - clip.w);
    const int tall = static_cast<int>(clip.w - clip.y);
    return {x0, height - below - tall, x0 + static_cast<int>(clip.z - clip.x), height - below};
}

int pixel(float v) { // far outside stays outside, and NaN does too
    return v > -1e6f ? static_cast<int>(std::floor(std::min(v, 1e6f))) : -1000000;
}

PixelRect bounds_of(const ImVec2& a, const ImVec2& b, const ImVec2& c) {
    return {pixel(std::min({a.x, b.x, c.x})), pixel(std::min({a.y, b.y, c.y})),
            pixel(std::max({a.x, b.x, c.x})) + 1, pixel(std::max({a.y, b.y, c.y})) + 1};
}

} // namespace

std::vector<PixelRect> Repaint::compare(const ImDrawData& data, ImU32 ground,
                                        const TextureVersion& version) {
    const PixelRect window{0, 0, static_cast<int>(data.DisplaySize.x),
                           static_cast<int>(data.DisplaySize.y)};
    if (!(window == window_)) forget();
    window_ = window;
    columns_ = (window.x1 + k_tile - 1) / k_tile;
    const int rows = (window.y1 + k_tile - 1) / k_tile;
    std::swap(tiles_, before_);
    tiles_.assign(static_cast<std::size_t>(columns_ * rows), mixed(1, ground));
    take_sums(data, version);
    return differing();
}

void Repaint::take_sums(const ImDrawData& data, const TextureVersion& version) {
    bounds_.clear();
    std::vector<std::uint64_t> vertices;
    for (const ImDrawList* drawn : lists_of(data)) {
        const ImDrawList& list = *drawn;
        vertices.clear();
        for (const ImDrawVert& v : list.VtxBuffer)
            vertices.push_back(mixed(mixed(bits(v.pos.x, v.pos.y), bits(v.uv.x, v.uv.y)), v.col));
        for (const ImDrawCmd& command : list.CmdBuffer) {
            const PixelRect clip = scissor(command.ClipRect, window_.y1).within(window_);
            const auto texture = texture_of(command);
            const std::uint64_t look =
                mixed(mixed(mixed(version(texture), (std::uint64_t)(std::uintptr_t)texture),
                            bits(command.ClipRect.x, command.ClipRect.y)),
                      bits(command.ClipRect.z, command.ClipRect.w));
            const ImDrawIdx* const corners = list.IdxBuffer.Data + command.IdxOffset;
            for (unsigned i = 0; i + 2 < command.ElemCount; i += 3) {
                const auto vertex = [&](unsigned k) { return command.VtxOffset + corners[i + k]; };
                const auto at = [&](unsigned k) { return list.VtxBuffer.Data[vertex(k)].pos; };
                const PixelRect box = bounds_of(at(0), at(1), at(2)).within(clip);
                bounds_.push_back(box);
                if (box.empty()) continue;
                const std::uint64_t sum =
                    mixed(mixed(mixed(look, vertices[vertex(0)]), vertices[vertex(1)]),
                          vertices[vertex(2)]);
                for (int row = box.y0 / k_tile; row <= (box.y1 - 1) / k_tile; ++row)
                    for (int column = box.x0 / k_tile; column <= (box.x1 - 1) / k_tile; ++column) {
                        auto& tile = tiles_[static_cast<std::size_t>(row * columns_ + column)];
                        tile = mixed(tile, sum);
                    }
            }
        }
    }
}

std::vector<PixelRect> Repaint::differing() const {
    if (before_.size() != tiles_.size()) return {window_};
    std::vector<PixelRect> out;
    for (int y = 0; y * columns_ < static_cast<int>(tiles_.size()); ++y) {
        std::vector<PixelRect> row;
        for (int x = 0; x < columns_; ++x) {
            const auto i = static_cast<std::size_t>(y * columns_ + x);
            if (tiles_[i] == before_[i]) continue;
            const PixelRect tile{x * k_tile, y * k_tile, (x + 1) * k_tile, (y + 1) * k_tile};
            if (!row.empty() && row.back().x1 == tile.x0)
                row.back().x1 = tile.x1;
            else
                row.push_back(tile);
        }
        for (const PixelRect& run : row) {
            const auto same = std::ranges::find_if(out, [&](const PixelRect& r) {
                return r.x0 == run.x0 && r.x1 == run.x1 && r.y1 == run.y0;
            });
            if (same != out.end())
                same->y1 = run.y1;
            else
                out.push_back(run);
        }
    }
    while (out.size() > k_most_rects) { // join the two that cost least together
        std::size_t a = 0, b = 1;
        std::int64_t least = -1;
        for (std::size_t i = 0; i < out.size(); ++i)
            for (std::size_t j = i + 1; j < out.size(); ++j) {
                const auto more = out[i].joined(out[j]).area() - out[i].area() - out[j].area();
                if (least >= 0 && more >= least) continue;
                least = std::max<std::int64_t>(more, 0);
                a = i, b = j;
            }
        out[a] = out[a].joined(out[b]);
        out.erase(out.begin() + static_cast<std::ptrdiff_t>(b));
    }
    for (PixelRect& r : out) r = r.within(window_);
    return out;
}

void Repaint::draw_within(ImDrawData& data, const PixelRect& rect,
                          const std::function<void(ImDrawData*)>& draw) const {
    struct Whole {
        ImVector<ImDrawIdx> corners;
        ImVector<ImDrawCmd> commands;
    };
    const auto lists = lists_of(data);
    std::vector<Whole> whole(lists.size());
    auto box = bounds_.begin();
    for (std::size_t l = 0; l < whole.size(); ++l) {
        ImDrawList& list = *lists[l];
        whole[l].corners.swap(list.IdxBuffer);
        whole[l].commands.swap(list.CmdBuffer);
        for (const ImDrawCmd& command : whole[l].commands) {
            ImDrawCmd part = command;
            const PixelRect clip = scissor(command.ClipRect, window_.y1).within(rect);
            part.IdxOffset = static_cast<unsigned>(list.IdxBuffer.Size);
            const ImDrawIdx* corner = whole[l].corners.Data + command.IdxOffset;
            for (unsigned i = 0; i + 2 < command.ElemCount; i += 3, ++box) {
                if (box->within(clip).empty()) continue;
                for (unsigned k = 0; k < 3; ++k) list.IdxBuffer.push_back(corner[i + k]);
            }
            part.ElemCount = static_cast<unsigned>(list.IdxBuffer.Size) - part.IdxOffset;
            part.ClipRect = {static_cast<float>(clip.x0), static_cast<float>(clip.y0),
                             static_cast<float>(clip.x1), static_cast<float>(clip.y1)};
            if (part.ElemCount > 0) list.CmdBuffer.push_back(part);
        }
    }
    draw(&data);
    for (std::size_t l = 0; l < whole.size(); ++l) {
        ImDrawList& list = *lists[l];
        whole[l].corners.swap(list.IdxBuffer);
        whole[l].commands.swap(list.CmdBuffer);
    }
}

} // namespace normscope
