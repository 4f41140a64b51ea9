#include "app/widgets/texture_cache.h"

#include <algorithm>

namespace normscope {
namespace {

constexpr int k_frames_to_keep = 3; // a pass between two that are shown may draw nothing

} // namespace

TextureCache::~TextureCache() {
    for (const Entry& e : entries_) service_->release(e.texture);
}

ImTextureID TextureCache::get(const Pixels& pixels, int frame) {
    const auto known = std::ranges::find(entries_, pixels.key, &Entry::key);
    if (known != entries_.end()) {
        known->last_used = frame;
        return known->texture;
    }
    const auto needed = static_cast<std::size_t>(std::max(pixels.w, 0)) *
                        static_cast<std::size_t>(std::max(pixels.h, 0));
    if (needed == 0 || pixels.rgba.size() < needed) return {};

    std::erase_if(entries_, [&](const Entry& e) {
        const bool idle = e.last_used + k_frames_to_keep <= frame;
        if (idle) service_->release(e.texture);
        return idle;
    });
    entries_.push_back({pixels.key, service_->upload(pixels), frame});
    return entries_.back().texture;
}

} // namespace normscope
