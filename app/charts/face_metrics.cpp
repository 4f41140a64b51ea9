#include "app/charts/font_files.h"

#include <ft2build.h>
#include FT_FREETYPE_H

namespace normscope {

Result<FaceMetrics> face_metrics(const FontFile& file) {
    const auto unreadable = [&] {
        return fail("{}: cannot be read as a scalable font", file.path);
    };
    FT_Library library = nullptr;
    if (FT_Init_FreeType(&library) != 0) return unreadable();
    const std::unique_ptr<FT_LibraryRec_, decltype(&FT_Done_FreeType)> close(library,
                                                                             FT_Done_FreeType);
    FT_Face face = nullptr; // closed with the library
    if (FT_New_Face(library, file.path.c_str(), file.index, &face) != 0 || !FT_IS_SCALABLE(face) ||
        face->units_per_EM == 0 || face->ascender <= face->descender)
        return unreadable();
    const float em = face->units_per_EM;
    FaceMetrics m{static_cast<float>(face->ascender) / em,
                  static_cast<float>(-face->descender) / em, 0.5f};
    if (FT_Load_Char(face, 'x', FT_LOAD_NO_SCALE) == 0)
        m.x_height = static_cast<float>(face->glyph->metrics.horiBearingY) / em;
    return m;
}

} // namespace normscope
