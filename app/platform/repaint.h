#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <imgui.h>
#include <vector>

namespace normscope {

// Whole pixels [x0, x1) × [y0, y1), y downwards.
struct PixelRect {
    int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    bool operator==(const PixelRect&) const = default;

    bool empty() const { return x0 >= x1 || y0 >= y1; }
    PixelRect within(const PixelRect& o) const {
        return {std::max(x0, o.x0), std::max(y0, o.y0), std::min(x1, o.x1), std::min(y1, o.y1)};
    }
    PixelRect joined(const PixelRect& o) const {
        return {std::min(x0, o.x0), std::min(y0, o.y0), std::max(x1, o.x1), std::max(y1, o.y1)};
    }
    std::int64_t area() const { return empty() ? 0 : std::int64_t{x1 - x0} * (y1 - y0); }
};

// Finds what a frame shows otherwise than the frame before, so that only that is drawn again: where
// OpenGL is software, filling pixels is what a frame costs. A drag of one fader leaves most of the
// window as it was.
//
// The window is divided into tiles; a tile's sum is taken over the triangles that may touch it, in
// their order, with their vertices, clip rectangle and texture. Equal sums show equal pixels.
class Repaint {
  public:
    // Changes whenever the pixels of the texture do.
    using TextureVersion = std::function<std::uint64_t(ImTextureID)>;

    // What is not as in the last call, as a few rectangles; everything where the size or `ground`
    // (what is behind all triangles) is another. ImGui's coordinates are taken for pixels.
    std::vector<PixelRect> compare(const ImDrawData& data, ImU32 ground,
                                   const TextureVersion& version);

    // Calls `draw` while `data`, which was compared last, holds only the triangles that may touch
    // `rect` and clips them to it.
    void draw_within(ImDrawData& data, const PixelRect& rect,
                     const std::function<void(ImDrawData*)>& draw) const;

    // The pixels of the last frame are gone: the next comparison finds everything changed.
    void forget() { tiles_.clear(); }

  private:
    void take_sums(const ImDrawData& data, const TextureVersion& version);
    std::vector<PixelRect> differing() const;

    PixelRect window_;
    int columns_ = 0;
    std::vector<std::uint64_t> tiles_, before_;
    std::vector<PixelRect> bounds_; // of all triangles in their order
};

} // namespace normscope
