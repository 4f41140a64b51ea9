#pragma once
#include <cstdint>
#include <imgui.h>

namespace normscope {

// Pictures on the graphics card. The window's platform implements it with OpenGL; without a window
// (tests, export) there is a stand-in that hands out numbers.
class TextureService {
  public:
    virtual ~TextureService() = default;

    // w×h pixels, RGBA with red in the lowest byte, drawn with nearest-neighbour sampling. `reuse`
    // (from an earlier upload, or null) is overwritten.
    virtual ImTextureID upload(int w, int h, const std::uint32_t* rgba, ImTextureID reuse) = 0;
    virtual void release(ImTextureID texture) = 0;
};

} // namespace normscope
