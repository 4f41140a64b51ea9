#pragma once
#include "app/charts/canvas.h"
#include "core/base/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

enum class FigureFormat : std::uint8_t { png, svg, pdf };
extern const bool k_draws_pdf;
extern const std::string_view k_pages_ending; // of what render_pages() makes: ".pdf", or ".html"

// By a file name's ending, in either case; nothing if it is none of the three.
std::optional<FigureFormat> figure_format_of(std::string_view file_name);

// The bytes of a picture file of `size` pixels (in a PDF, 96 of them are an inch), drawn by `draw`
// with text sizes at `ui_scale`. The ground is transparent (PNG, SVG) or white (PDF) where nothing
// is drawn. Text in a PDF can be selected and searched, in SVG it is outlines, so that it looks the
// same where the font is missing. The same drawing gives the same bytes. Error: a size that is not
// between 1 and 30000 pixels a side, no usable font, out of memory.
Result<std::string> draw_for(FigureFormat format, Size size, float ui_scale,
                             const std::function<void(Canvas&)>& draw);

// The bytes of a PDF of pages of one size, as above, or of HTML with an SVG a page, to be printed;
// `draw` calls `next_page` where one ends, and `scale` where all that follows is to be drawn so
// many times as large.
struct Pages {
    std::function<void()> next_page;
    std::function<void(float by)> scale;
};
using DrawPages = std::function<void(Canvas&, const Pages&)>;
Result<std::string> render_pages(Size page, float ui_scale, const DrawPages& draw);

// The pixels of the same drawing, row by row, each 0xAARRGGBB.
Result<std::vector<std::uint32_t>> draw_pixels(Size size, float ui_scale,
                                               const std::function<void(Canvas&)>& draw);

// The bytes of a PNG file of w×h such pixels, whose alpha is not looked at.
Result<std::string> png_of(std::vector<std::uint32_t>& pixels, int w, int h);

} // namespace normscope
