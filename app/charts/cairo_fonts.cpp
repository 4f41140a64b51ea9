#include "app/charts/cairo_fonts.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cairo-ft.h>
#include <fontconfig/fontconfig.h>

namespace normscope {

namespace {

std::unique_ptr<cairo_scaled_font_t, CairoDestroy> open_font(const FontFile& file, double em) {
    FcPattern* pattern = FcPatternCreate();
    FcPatternAddString(pattern, FC_FILE, reinterpret_cast<const FcChar8*>(file.path.c_str()));
    FcPatternAddInteger(pattern, FC_INDEX, file.index);
    cairo_font_face_t* face = cairo_ft_font_face_create_for_pattern(pattern);
    FcPatternDestroy(pattern);

    cairo_matrix_t size, identity;
    cairo_matrix_init_scale(&size, em, em);
    cairo_matrix_init_identity(&identity);
    cairo_font_options_t* options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    std::unique_ptr<cairo_scaled_font_t, CairoDestroy> scaled(
        cairo_scaled_font_create(face, &size, &identity, options));
    cairo_font_options_destroy(options);
    cairo_font_face_destroy(face);
    return scaled;
}

} // namespace

Result<CairoFonts> CairoFonts::load(float ui_scale) {
    CairoFonts fonts;
    for (const auto i : indices(k_text_roles)) {
        const TextRoleSpec spec = text_role_spec(static_cast<TextRole>(i));
        const Face face = spec.mono ? Face::mono : Face::sans;
        Role& role = fonts.roles[i];
        // Roles that differ in size only share their files.
        for (std::size_t j = 0; j < i && role.files.empty(); ++j) {
            const TextRoleSpec other = text_role_spec(static_cast<TextRole>(j));
            if (other.mono == spec.mono && other.weight == spec.weight)
                role.files = fonts.roles[j].files;
        }
        if (role.files.empty()) role.files = font_chain(face, spec.weight);
        if (role.files.empty())
            return fail("no scalable font is installed: install one, for instance the package "
                        "fonts-dejavu-core");
        const FaceMetrics m = TRY(face_metrics(role.files.front()));
        const double line = line_height_of(static_cast<TextRole>(i), ui_scale);
        const double ascent = m.ascent, descent = m.descent, x_height = m.x_height;
        role.em = line / (ascent + descent);
        role.ascent = ascent * role.em;
        role.x_top = (ascent - x_height) * role.em;
        for (const FontFile& file : role.files) role.fonts.push_back(open_font(file, role.em));
        if (cairo_scaled_font_status(role.fonts.front().get()) != CAIRO_STATUS_SUCCESS)
            return fail("{}: Cairo cannot use this font", role.files.front().path);
    }
    return fonts;
}

const CairoFonts::Glyph& CairoFonts::glyph(char32_t code_point, TextRole role) {
    Role& r = of(role);
    if (const auto known = r.glyphs.find(code_point); known != r.glyphs.end()) return known->second;

    std::size_t font = 0;
    while (font < r.files.size() && !r.files[font].covers(code_point)) ++font;
    if (font == r.files.size()) {
        const TextRoleSpec spec = text_role_spec(role);
        const auto more =
            font_chain(spec.mono ? Face::mono : Face::sans, spec.weight, {&code_point, 1});
        if (!more.empty() && more.back().covers(code_point)) {
            r.files.push_back(more.back());
            r.fonts.push_back(open_font(more.back(), r.em));
        } else {
            font = 0; // nobody has it: the first face's box
        }
    }
    cairo_scaled_font_t* scaled = r.fonts[font].get();
    Glyph g{font, 0, 0};
    if (FT_Face face = cairo_ft_scaled_font_lock_face(scaled)) {
        g.index = FT_Get_Char_Index(face, code_point);
        cairo_ft_scaled_font_unlock_face(scaled);
    }
    const cairo_glyph_t at_origin{g.index, 0, 0};
    cairo_text_extents_t extents;
    cairo_scaled_font_glyph_extents(scaled, &at_origin, 1, &extents);
    g.advance = extents.x_advance;
    return r.glyphs.emplace(code_point, g).first->second;
}

} // namespace normscope
