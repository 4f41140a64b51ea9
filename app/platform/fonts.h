#pragma once
#include "app/charts/font_files.h"
#include "app/widgets/fonts.h"

#include <imgui.h>
#include <map>
#include <string>
#include <string_view>

namespace normscope {

// Fills an ImGui font atlas with one font a text role. Needs no window and no OpenGL: the window,
// the tests and the benchmarks load fonts the same way.
class FontLoader {
  public:
    // Clears the atlas and rasterizes every role at its size × `scale`, with the signs the program
    // uses and the letters of `extra_text` (UTF-8; token and feature names in any script). The
    // atlas must outlive neither this loader nor be locked by a running frame. Where no usable font
    // is installed, ImGui's built-in one is taken and warning() says so.
    FontSet load(ImFontAtlas& atlas, float scale, std::string_view extra_text = {});

    // True if `extra_text` has a code point that was not asked for in the last load().
    bool lacks(std::string_view extra_text) const;

    const std::string& warning() const { return warning_; }

  private:
    const std::string& bytes(const std::string& path);

    std::map<std::string, std::string> files_; // their bytes
    std::u32string loaded_;                    // sorted
    std::string warning_;
};

} // namespace normscope
