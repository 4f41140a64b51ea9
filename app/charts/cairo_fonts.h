#pragma once
#include "app/charts/canvas.h"
#include "app/charts/font_files.h"
#include "core/base/lists.h"
#include "core/base/result.h"

#include <array>
#include <cairo.h>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace normscope {

struct CairoDestroy {
    void operator()(cairo_scaled_font_t* f) const { cairo_scaled_font_destroy(f); }
    void operator()(cairo_surface_t* s) const { cairo_surface_destroy(s); }
    void operator()(cairo_t* c) const { cairo_destroy(c); }
};

// The type scale for Cairo: the screen's font files, glyph by glyph from the first that has it, so
// that mathematical signs show in exported figures too. Metrics are unhinted and kerning is left
// out, as on the screen.
struct CairoFonts {
    // `ui_scale` multiplies the roles' sizes. Error: no usable font is installed.
    static Result<CairoFonts> load(float ui_scale);

    struct Glyph {
        std::size_t font = 0; // in the role's chain
        unsigned long index = 0;
        double advance = 0; // pixels
    };
    struct Role {
        std::vector<FontFile> files;
        std::vector<std::unique_ptr<cairo_scaled_font_t, CairoDestroy>> fonts; // as many
        double em = 0;                                                         // pixels
        double ascent = 0; // top of the line to the baseline, pixels
        double x_top = 0;  // top of the line to the top of a small x, pixels
        std::unordered_map<char32_t, Glyph> glyphs;
    };

    Role& of(TextRole role) { return entry_at(roles, role); }
    const Glyph& glyph(char32_t code_point, TextRole role);

    std::array<Role, k_text_roles> roles;
};

} // namespace normscope
