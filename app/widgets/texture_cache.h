#pragma once
#include "app/charts/canvas.h"

#include <cstddef>
#include <cstdint>
#include <imgui.h>
#include <vector>

namespace normscope {

// Pictures on the graphics card. The window's platform implements it with OpenGL.
class TextureService {
  public:
    virtual ~TextureService() = default;

    virtual ImTextureID upload(const Pixels& pixels) = 0;
    virtual void release(ImTextureID texture) = 0;
};

// Its stand-in without a window: hands out numbers.
class NoTextures final : public TextureService {
  public:
    ImTextureID upload(const Pixels&) override { return (ImTextureID)++last_; }
    void release(ImTextureID) override {}

  private:
    std::uintptr_t last_ = 1;
};

// Uploaded pictures by their content's key, so that a heat map at rest is uploaded once. Where a
// new one comes, those that the last frames did not draw are given back, so that the number of
// textures is bounded by what is shown at a time.
class TextureCache {
  public:
    explicit TextureCache(TextureService& service) : service_(&service) {}
    ~TextureCache();
    TextureCache(const TextureCache&) = delete;
    TextureCache& operator=(const TextureCache&) = delete;

    // `frame` counts up with every frame drawn. Null if the picture is empty.
    ImTextureID get(const Pixels& pixels, int frame);

    std::size_t size() const { return entries_.size(); }

  private:
    struct Entry {
        std::uint64_t key;
        ImTextureID texture;
        int last_used;
    };
    TextureService* service_;
    std::vector<Entry> entries_;
};

} // namespace normscope
