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
}

ImTextureID GlTextures::upload(int w, int h, const std::uint32_t* rgba) {
    unsigned int name = 0;
    glGenTextures(1, &name);
    sample_nearest(as_id(name));
    glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, w, h, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
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
