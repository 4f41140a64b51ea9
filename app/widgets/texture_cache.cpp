#include "app/widgets/texture_cache.h"

#include <algorithm>

namespace normscope {
namespace {

constexpr int k_frames_to_keep = 3; // a pass between two that are shown may draw nothing
constexpr std::size_t k_idle_to_keep = 8;

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

    // Oldest first; only a picture that neither this frame nor the last one drew may go.
    std::ranges::sort(entries_, {}, &Entry::last_used);
    const auto idle = static_cast<std::size_t>(std::ranges::count_if(
        entries_, [&](const Entry& e) { return e.last_used + k_frames_to_keep <= frame; }));
    for (std::size_t i = k_idle_to_keep; i < idle; ++i) {
        service_->release(entries_.front().texture);
        entries_.erase(entries_.begin());
    }
    if (idle > 0) {
        Entry& oldest = entries_.front();
        oldest = {pixels.key,
                  service_->upload(pixels.w, pixels.h, pixels.rgba.data(), oldest.texture), frame};
        return oldest.texture;
    }
    const ImTextureID fresh = service_->upload(pixels.w, pixels.h, pixels.rgba.data(), {});
    entries_.push_back({pixels.key, fresh, frame});
    return fresh;
}

} // namespace normscope
