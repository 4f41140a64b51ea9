#pragma once

namespace normscope {

// A colour buffer to draw into instead of the window. Needs the current OpenGL context.
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

  private:
    int width_, height_;
    unsigned int texture_ = 0, buffer_ = 0;
};

} // namespace normscope
