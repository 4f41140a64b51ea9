#include "app/platform/offscreen.h"

#include "app/platform/gl_function.h"

#include <GL/gl.h>
#include <GL/glext.h>

namespace normscope {
namespace {

void bind_to(GLenum target, GLuint buffer) {
    gl_function<PFNGLBINDFRAMEBUFFERPROC>("glBindFramebuffer")(target, buffer);
}

} // namespace

Offscreen::Offscreen(int width, int height) : width_(width), height_(height) {
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_BGRA, GL_UNSIGNED_INT_8_8_8_8_REV,
                 nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl_function<PFNGLGENFRAMEBUFFERSPROC>("glGenFramebuffers")(1, &buffer_);
    bind();
    gl_function<PFNGLFRAMEBUFFERTEXTURE2DPROC>("glFramebufferTexture2D")(
        GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
}

Offscreen::~Offscreen() {
    bind_to(GL_FRAMEBUFFER, 0);
    gl_function<PFNGLDELETEFRAMEBUFFERSPROC>("glDeleteFramebuffers")(1, &buffer_);
    glDeleteTextures(1, &texture_);
}

bool Offscreen::complete() const {
    bind();
    return gl_function<PFNGLCHECKFRAMEBUFFERSTATUSPROC>("glCheckFramebufferStatus")(
               GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

void Offscreen::bind() const {
    bind_to(GL_FRAMEBUFFER, buffer_);
}

} // namespace normscope
