#pragma once
#include "app/charts/canvas.h"
#include "app/widgets/textures.h"

#include <cstddef>
#include <vector>

namespace normscope {

// Uploaded pictures by their content's key, so that a heat map at rest is uploaded once. A new
// picture overwrites the one that has been out of use longest; what the last two frames drew is
// never overwritten, so the number of textures is bounded by what is shown at a time.
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
