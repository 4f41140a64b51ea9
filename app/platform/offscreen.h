#pragma once

namespace normscope {

// A colour buffer to draw into instead of the window; its pixels stay from frame to frame. Needs
// the current OpenGL context.
class Offscreen {
  public:
    Offscreen(int width, int height);
    ~Offscreen();
    Offscreen(const Offscreen&) = delete;
    Offscreen& operator=(const Offscreen&) = delete;

    int width() const { return width_; }
    int height() const { return height_; }
    bool complete() const; // false: this OpenGL has no buffer of that size
    void bind() const;     // what is drawn from now on goes here
    void show() const;     // copies it to the window, which is drawn into from now on

  private:
    int width_, height_;
    unsigned int texture_ = 0, buffer_ = 0;
};

} // namespace normscope
