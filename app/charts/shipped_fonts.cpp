// Fonts where there is no fontconfig.
#include "app/charts/font_files.h"

#include <ft2build.h>
#include <set>
#include FT_FREETYPE_H

namespace normscope {
namespace {

using CodePoints = std::set<char32_t>;

CodePoints code_points_of(const std::string& path) {
    CodePoints all;
    FT_Library library = nullptr;
    if (FT_Init_FreeType(&library) != 0) return all;
    FT_Face face = nullptr; // closed with the library
    if (FT_New_Face(library, path.c_str(), 0, &face) == 0) {
        FT_UInt glyph = 0;
        for (FT_ULong c = FT_Get_First_Char(face, &glyph); glyph != 0;
             c = FT_Get_Next_Char(face, c, &glyph))
            all.insert(static_cast<char32_t>(c));
    }
    FT_Done_FreeType(library);
    return all;
}

// A font that is not there covers nothing.
FontFile shipped(const std::string& name) {
    FontFile file;
    file.path = NORMSCOPE_FONTS "/" + name;
    file.family = name;
    file.charset = std::make_shared<const CodePoints>(code_points_of(file.path));
    return file;
}

} // namespace

bool FontFile::covers(char32_t code_point) const {
    return charset && static_cast<const CodePoints*>(charset.get())->contains(code_point);
}

std::vector<FontFile> font_chain(Face face, int weight, std::u32string_view) {
    const bool medium = weight >= 500, semibold = weight >= 600;
    std::vector<FontFile> chain;
    if (face == Face::mono)
        chain.push_back(shipped("truetype/dejavu/DejaVuSansMono.ttf"));
    else
        chain.push_back(shipped(semibold ? "opentype/inter/Inter-SemiBold.otf"
                                : medium ? "opentype/inter/Inter-Medium.otf"
                                         : "opentype/inter/Inter-Regular.otf"));
    if (semibold) chain.push_back(shipped("truetype/dejavu/DejaVuSans-Bold.ttf"));
    chain.push_back(shipped("truetype/dejavu/DejaVuSans.ttf"));
    return chain;
}

} // namespace normscope
