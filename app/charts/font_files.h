#pragma once
#include "core/base/result.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// Words are set in a sans face, numbers and formulas in a monospaced one.
enum class Face { sans, mono };

// One face in one font file, as fontconfig found it.
struct FontFile {
    std::string path;
    int index = 0; // face in the file; the upper 16 bits name an instance of a variable font, as in
                   // FreeType
    std::string family;

    // True if the file has a glyph of its own for this code point.
    bool covers(char32_t code_point) const;

    std::shared_ptr<const void> charset; // the code points that it covers
};

// How tall a face is, in ems. A TextRoleSpec's size is the height of a line, ascent + descent, of
// the role's own face: the em is size / (ascent + descent), and glyphs from fallback faces share
// that em.
struct FaceMetrics {
    float ascent = 0;   // baseline to the top of a line, > 0
    float descent = 0;  // baseline to the bottom of a line, > 0
    float x_height = 0; // of a small x
};

// Error: the file cannot be read as a scalable font.
Result<FaceMetrics> face_metrics(const FontFile& file);

// The face the program is drawn in, on the screen and in exported figures alike. sans: Inter, else
// DejaVu Sans, Noto Sans, any sans; mono: DejaVu Sans Mono, JetBrains Mono, Noto Sans Mono, any
// mono. weight: 400 regular, 500 medium, 600 semibold (OpenType scale); the nearest installed is
// taken. Then faces with the mathematical signs it may lack, then, for every code point of `text`
// that none of these has, the face fontconfig picks for it. A glyph is taken from the first file
// that covers it. Empty if no font is installed.
std::vector<FontFile> font_chain(Face face, int weight, std::u32string_view text = {});

} // namespace normscope
