#pragma once
#include "app/charts/font_files.h"
#include "app/widgets/fonts.h"

#include <imgui.h>
#include <map>
#include <string>
#include <string_view>

namespace normscope {

// More would take seconds and more room than a texture has.
inline constexpr std::size_t k_most_letters = 500;

// By how much text is larger in a window of w×h pixels where the desktop enlarges by `pixels`:
// words of 14 pixels in a window 1280 wide, of 16 in 1920, of 20 in 2560, in whole pixels.
float text_growth(Size window, float pixels);

// Fills an ImGui font atlas with one font a text role. Needs no window and no OpenGL: the window,
// the tests and the benchmarks load fonts the same way.
class FontLoader {
  public:
    // Clears the atlas and rasterizes every role at its size × `scale`, but TextRole::bar × `bar`
    // (0: the same), with the signs the program uses and the first k_most_letters other letters of
    // `extra_text` (UTF-8; token and feature names in any script). The atlas must outlive neither
    // this loader nor be locked by a running frame. Where no usable font is installed, ImGui's
    // built-in one is taken and warning() says so.
    FontSet load(ImFontAtlas& atlas, float scale, std::string_view extra_text = {}, float bar = 0);

    // Notes the letters that were drawn without a glyph since the last load(). True if it left some
    // of them out: those come first in the next load().
    bool note_drawn();
    // More letters were drawn than one load() takes.
    bool full() const { return full_; }
    // True if note_drawn(), or if `extra_text` has a letter that the last load() was not asked for.
    bool lacks(std::string_view extra_text);

    const std::string& warning() const { return warning_; }

  private:
    const std::string& bytes(const std::string& path);

    std::string complete_;                     // the extra text found without a new letter last
    std::map<std::string, std::string> files_; // their bytes
    std::u32string loaded_, left_out_;         // by the last load(); sorted
    std::u32string seen_;                      // left out once, and drawn
    std::shared_ptr<std::u32string> lacking_ = std::make_shared<std::u32string>();
    bool due_ = false, full_ = false;
    std::string warning_;
};

} // namespace normscope
