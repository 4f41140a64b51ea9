#pragma once
#include "app/widgets/texture_cache.h"

#include <cstdint>
#include <vector>

namespace normscope {

// From here on the texture's pixels are drawn as they are, or blended with their neighbours.
void sample(ImTextureID texture, bool smooth);

// Textures in the current OpenGL context. Call everything on the thread that owns it.
class GlTextures : public TextureService {
  public:
    GlTextures() = default;
    ~GlTextures() override;
    GlTextures(const GlTextures&) = delete;
    GlTextures& operator=(const GlTextures&) = delete;

    ImTextureID upload(const Pixels& pixels) override;
    void release(ImTextureID texture) override;

    // Deletes what was released. The frame that is being built may still draw with it, so the loop
    // calls this after the frame was rendered.
    void collect();

  private:
    std::vector<unsigned int> released_;
};

} // namespace normscope
