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

void sample(ImTextureID texture, bool smooth) {
    const int filter = smooth ? GL_LINEAR : GL_NEAREST;
    glBindTexture(GL_TEXTURE_2D, as_name(texture));
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

GlTextures::~GlTextures() {
    collect();
}

ImTextureID GlTextures::upload(const Pixels& pixels) {
    unsigned int name = 0;
    glGenTextures(1, &name);
    sample(as_id(name), pixels.smooth);
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, pixels.w, pixels.h, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                 pixels.rgba.data());
    return as_id(name);
}

void GlTextures::release(ImTextureID texture) {
    released_.push_back(as_name(texture));
}

void GlTextures::collect() {
    if (!released_.empty()) glDeleteTextures(static_cast<int>(released_.size()), released_.data());
    released_.clear();
}

} // namespace normscope
