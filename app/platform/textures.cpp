#include "app/platform/textures.h"

#include <GL/gl.h>
#include <GL/glext.h>

namespace normscope {
namespace {

// ImTextureID is a pointer in older releases of ImGui and an integer in newer ones.
ImTextureID as_id(unsigned int name) {
    return (ImTextureID)(std::uintptr_t)name;
}
unsigned int as_name(ImTextureID id) {
    return static_cast<unsigned int>((std::uintptr_t)id);
}

} // namespace

void sample_nearest(ImTextureID texture) {
    glBindTexture(GL_TEXTURE_2D, as_name(texture));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

GlTextures::~GlTextures() {
    collect();
    for (const auto& [name, picture] : pictures_) glDeleteTextures(1, &name);
}

ImTextureID GlTextures::upload(int w, int h, const std::uint32_t* rgba, ImTextureID reuse) {
    unsigned int name = as_name(reuse);
    const auto known = pictures_.find(name);
    if (known == pictures_.end()) {
        glGenTextures(1, &name);
        sample_nearest(as_id(name));
    } else {
        glBindTexture(GL_TEXTURE_2D, name);
    }
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    if (known != pictures_.end() && known->second.w == w && known->second.h == h)
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, w, h, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    else
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    pictures_[name] = {w, h};
    return as_id(name);
}

void GlTextures::release(ImTextureID texture) {
    if (pictures_.erase(as_name(texture)) > 0) released_.push_back(as_name(texture));
}

void GlTextures::collect() {
    if (!released_.empty()) glDeleteTextures(static_cast<int>(released_.size()), released_.data());
    released_.clear();
}

} // namespace normscope
