#include "app/charts/cairo_canvas.h"

#include "app/charts/cairo_fonts.h"
#include "core/base/printable.h"

#include <algorithm>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <cmath>
#include <map>
#include <numbers>
#include <vector>

namespace normscope {
namespace {

using Surface = std::unique_ptr<cairo_surface_t, CairoDestroy>;
using Context = std::unique_ptr<cairo_t, CairoDestroy>;

cairo_status_t append(void* to, const unsigned char* bytes, unsigned int n) {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), n);
    return CAIRO_STATUS_SUCCESS;
}

// Whether edges are moved to whole pixels: right for a picture of pixels, wrong for one that is
// printed at any size.
enum class Snap : bool { off, on };

class CairoCanvas final : public Canvas {
  public:
    CairoCanvas(cairo_t* context, CairoFonts& fonts, float ui_scale, Snap snap)
        : cr_(context), fonts_(&fonts), scale_(ui_scale), snap_(snap) {}

    float scale() const override { return scale_; }

    void fill_rect(Rect r, Color color, float rounding) override {
        if (r.w <= 0 || r.h <= 0) return;
        rounded(edges(r), rounding);
        fill(color);
    }
    void stroke_rect(Rect r, Color color, float width, float rounding) override {
        if (r.w <= 0 || r.h <= 0) return;
        rounded(edges(r).inset(width * scale_ / 2), std::max(0.0f, rounding - width / 2));
        stroke(color, width, Dash::solid);
    }
    void line(Point a, Point b, Color color, float width, Dash dash) override {
        if (snap_ == Snap::on) {
            const float w = std::max(1.0f, std::round(width * scale_));
            const auto snap = [&](float& from, float& to) {
                if (from != to) return;
                from = to = (std::round(from * scale_ - w / 2) + w / 2) / scale_;
                width = w / scale_;
            };
            snap(a.x, b.x);
            snap(a.y, b.y);
        }
        const Point ends[2] = {a, b};
        polyline(ends, color, width, dash);
    }
    void polyline(std::span<const Point> points, Color color, float width, Dash dash) override {
        if (points.size() < 2) return;
        trace(points);
        stroke(color, width, dash);
    }
    void fill_between(std::span<const Point> upper, std::span<const Point> lower,
                      Color color) override {
        const std::size_t n = std::min(upper.size(), lower.size());
        if (n < 2) return;
        trace(upper.first(n));
        for (std::size_t i = n; i-- > 0;) cairo_line_to(cr_, x(lower[i]), y(lower[i]));
        cairo_close_path(cr_);
        fill(color);
    }
    void fill_circle(Point center, float radius, Color color) override {
        circle(center, radius);
        fill(color);
    }
    void stroke_circle(Point center, float radius, Color color, float width) override {
        circle(center, radius);
        stroke(color, width, Dash::solid);
    }
    void fill_triangle(Point a, Point b, Point c, Color color) override {
        const Point corners[3] = {a, b, c};
        trace(corners);
        cairo_close_path(cr_);
        fill(color);
    }
    void image(Rect r, const Pixels& pixels) override;

    void push_clip(Rect r) override {
        const Rect e = edges(r);
        cairo_save(cr_);
        cairo_rectangle(cr_, e.x, e.y, std::max(0.0f, e.w), std::max(0.0f, e.h));
        cairo_clip(cr_);
    }
    void pop_clip() override { cairo_restore(cr_); }

  protected:
    void draw_run(Point at, std::string_view run, TextRole role, Color color) override;
    float run_width(std::string_view run, TextRole role) const override {
        double w = 0;
        while (!run.empty()) w += fonts_->glyph(next_code_point(run), role).advance;
        return static_cast<float>(w) / scale_;
    }
    float ascent_to_x_height(TextRole role) const override {
        return static_cast<float>(fonts_->of(role).x_top) / scale_;
    }

  private:
    double x(Point p) const { return static_cast<double>(p.x * scale_); }
    double y(Point p) const { return static_cast<double>(p.y * scale_); }

    // In pixels.
    Rect edges(Rect r) const {
        r = pixels(r);
        if (snap_ == Snap::off) return r;
        const float left = std::round(r.x), top = std::round(r.y);
        return {left, top, std::max(r.w > 0 ? 1.0f : 0.0f, std::round(r.right()) - left),
                std::max(r.h > 0 ? 1.0f : 0.0f, std::round(r.bottom()) - top)};
    }
    void source(Color c) {
        cairo_set_source_rgba(cr_, c.r / 255.0, c.g / 255.0, c.b / 255.0, c.a / 255.0);
    }
    void fill(Color color) {
        source(color);
        cairo_fill(cr_);
    }
    void stroke(Color color, float width, Dash dash) {
        source(color);
        cairo_set_line_width(cr_, static_cast<double>(width * scale_));
        cairo_set_line_join(cr_, CAIRO_LINE_JOIN_ROUND);
        const DashPattern p = dash_pattern(dash);
        const double lengths[2] = {static_cast<double>(p.on * scale_),
                                   static_cast<double>(p.off * scale_)};
        cairo_set_dash(cr_, lengths, p.off > 0 ? 2 : 0, 0);
        cairo_stroke(cr_);
    }
    void trace(std::span<const Point> points) {
        cairo_new_path(cr_);
        for (const Point p : points) cairo_line_to(cr_, x(p), y(p));
    }
    void circle(Point c, float radius) {
        cairo_new_path(cr_);
        cairo_arc(cr_, x(c), y(c), static_cast<double>(radius * scale_), 0, 2 * std::numbers::pi);
    }
    void rounded(Rect r, float rounding) {
        const double q = std::numbers::pi / 2;
        const double rad =
            static_cast<double>(std::max(0.0f, std::min({rounding * scale_, r.w / 2, r.h / 2})));
        const double l = r.x, t = r.y, right = r.right(), b = r.bottom();
        cairo_new_path(cr_);
        if (rad <= 0) {
            cairo_rectangle(cr_, l, t, right - l, b - t);
            return;
        }
        cairo_arc(cr_, right - rad, t + rad, rad, -q, 0);
        cairo_arc(cr_, right - rad, b - rad, rad, 0, q);
        cairo_arc(cr_, l + rad, b - rad, rad, q, 2 * q);
        cairo_arc(cr_, l + rad, t + rad, rad, 2 * q, 3 * q);
        cairo_close_path(cr_);
    }

    cairo_t* cr_;
    CairoFonts* fonts_;
    float scale_;
    Snap snap_;
};

void CairoCanvas::image(Rect r, const Pixels& pixels) {
    if (pixels.w <= 0 || pixels.h <= 0 || r.w <= 0 || r.h <= 0) return;
    const auto w = static_cast<std::size_t>(pixels.w), h = static_cast<std::size_t>(pixels.h);
    if (pixels.rgba.size() < w * h) return;
    const Surface picture(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, pixels.w, pixels.h));
    if (cairo_surface_status(picture.get()) != CAIRO_STATUS_SUCCESS) return;
    unsigned char* rows = cairo_image_surface_get_data(picture.get());
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(picture.get()));
    for (std::size_t row = 0; row < h; ++row) {
        auto* to = reinterpret_cast<std::uint32_t*>(rows + row * stride);
        for (std::size_t col = 0; col < w; ++col) {
            // Cairo wants alpha on top, then red, all multiplied by alpha.
            const std::uint32_t c = pixels.rgba[row * w + col], a = c >> 24;
            const auto times_a = [a](std::uint32_t v) { return (v * a + 127) / 255; };
            to[col] = a << 24 | times_a(c & 0xFF) << 16 | times_a(c >> 8 & 0xFF) << 8 |
                      times_a(c >> 16 & 0xFF);
        }
    }
    cairo_surface_mark_dirty(picture.get());
    const Rect e = edges(r);
    cairo_save(cr_);
    cairo_translate(cr_, static_cast<double>(e.x), static_cast<double>(e.y));
    cairo_scale(cr_, static_cast<double>(e.w) / pixels.w, static_cast<double>(e.h) / pixels.h);
    cairo_set_source_surface(cr_, picture.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(cr_), CAIRO_FILTER_NEAREST);
    cairo_rectangle(cr_, 0, 0, pixels.w, pixels.h);
    cairo_fill(cr_);
    cairo_restore(cr_);
}

void CairoCanvas::draw_run(Point at, std::string_view run, TextRole role, Color color) {
    double pen = x(at);
    double baseline = y(at) + fonts_->of(role).ascent;
    if (snap_ == Snap::on) {
        pen = std::round(pen);
        baseline = std::round(baseline);
    }
    source(color);
    std::vector<cairo_glyph_t> glyphs;
    std::vector<cairo_text_cluster_t> clusters;
    std::string utf8; // what the glyphs stand for, with malformed bytes replaced
    std::size_t font = 0;
    const auto show = [&] {
        if (glyphs.empty()) return;
        cairo_set_scaled_font(cr_, fonts_->of(role).fonts[font].get());
        cairo_show_text_glyphs(cr_, utf8.data(), static_cast<int>(utf8.size()), glyphs.data(),
                               static_cast<int>(glyphs.size()), clusters.data(),
                               static_cast<int>(clusters.size()),
                               static_cast<cairo_text_cluster_flags_t>(0));
        glyphs.clear();
        clusters.clear();
        utf8.clear();
    };
    while (!run.empty()) {
        const std::string_view before = run;
        const char32_t c = next_code_point(run);
        const CairoFonts::Glyph& g = fonts_->glyph(c, role);
        if (g.font != font) show();
        font = g.font;
        const std::string_view bytes =
            c == U'\uFFFD' ? "\uFFFD" : before.substr(0, before.size() - run.size());
        glyphs.push_back({g.index, pen, baseline});
        clusters.push_back({static_cast<int>(bytes.size()), 1});
        utf8 += bytes;
        pen += g.advance;
    }
    show();
}

Surface open_surface(FigureFormat format, Size size, std::string& bytes) {
    if (format == FigureFormat::png)
        return Surface(cairo_image_surface_create(CAIRO_FORMAT_ARGB32,
                                                  static_cast<int>(std::lround(size.w)),
                                                  static_cast<int>(std::lround(size.h))));
    const double w = static_cast<double>(size.w), h = static_cast<double>(size.h);
    if (format == FigureFormat::svg) {
        Surface s(cairo_svg_surface_create_for_stream(append, &bytes, w, h));
        cairo_svg_surface_set_document_unit(s.get(), CAIRO_SVG_UNIT_PX);
        return s;
    }
    Surface s(cairo_pdf_surface_create_for_stream(append, &bytes, w * 0.75, h * 0.75));
    // Without this a date is written, and the same figure would never be the same file.
    cairo_pdf_surface_set_metadata(s.get(), CAIRO_PDF_METADATA_CREATE_DATE, "");
    return s;
}

// Cairo writes no hint about sampling, and viewers smooth what is enlarged: cells would bleed into
// each other.
void keep_pixels_sharp(std::string& svg) {
    constexpr std::string_view k_tag = "<image ", k_hint = "image-rendering=\"optimizeSpeed\" "
                                                           "style=\"image-rendering:pixelated\" ";
    for (std::size_t at = svg.find(k_tag); at != std::string::npos; at = svg.find(k_tag, at)) {
        at += k_tag.size();
        svg.insert(at, k_hint);
    }
}

// Cairo numbers surfaces and images through the life of the process ("surface61", "source-14" from
// 1.18 on); counted from 0 in each file, the same figure is the same file.
void renumber_ids(std::string& svg) {
    std::string out;
    out.reserve(svg.size());
    std::map<std::string, std::size_t, std::less<>> known;
    std::size_t copied = 0;
    for (std::size_t at = svg.find_first_of("\"#"); at != std::string::npos;
         at = svg.find_first_of("\"#", at + 1)) {
        for (const std::string_view word : {"image", "surface", "source-"}) {
            const std::size_t digits = at + 1 + word.size();
            if (svg.compare(at + 1, word.size(), word) != 0) continue;
            const std::size_t end =
                std::min(svg.find_first_not_of("0123456789", digits), svg.size());
            if (end == digits) continue;
            const auto id = known.emplace(svg.substr(at + 1, end - at - 1), known.size()).first;
            out.append(svg, copied, digits - copied).append(std::to_string(id->second));
            copied = end;
        }
    }
    svg = out.append(svg, copied);
}

// A finished drawing, on a surface that writes to `bytes`.
struct Drawn {
    explicit Drawn(CairoFonts loaded) : fonts(std::move(loaded)) {}

    CairoFonts fonts;
    std::string bytes;
    Surface surface;
    Context context;
};

Result<std::string> bytes_of(Drawn& drawn, FigureFormat format) {
    cairo_surface_t* surface = drawn.surface.get();
    cairo_status_t status = cairo_status(drawn.context.get());
    if (status == CAIRO_STATUS_SUCCESS && format == FigureFormat::png)
        status = cairo_surface_write_to_png_stream(surface, append, &drawn.bytes);
    cairo_surface_finish(surface);
    if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
    if (status != CAIRO_STATUS_SUCCESS)
        return fail("the figure could not be drawn: {}", cairo_status_to_string(status));
    if (format == FigureFormat::svg) {
        renumber_ids(drawn.bytes);
        keep_pixels_sharp(drawn.bytes);
    }
    return std::move(drawn.bytes);
}

Result<std::shared_ptr<Drawn>> draw_pages(FigureFormat format, Size size, float ui_scale,
                                          const DrawPages& draw) {
    const auto fits = [](float side) { return side >= 1 && side <= 30000; };
    if (!fits(size.w) || !fits(size.h))
        return fail("the figure's size must be between 1 and 30000 pixels a side");
    CairoFonts fonts = TRY(CairoFonts::load(ui_scale));

    const auto drawn = std::make_shared<Drawn>(std::move(fonts));
    drawn->surface = open_surface(format, size, drawn->bytes);
    drawn->context.reset(cairo_create(drawn->surface.get()));
    cairo_t* const context = drawn->context.get();
    if (format == FigureFormat::pdf) cairo_scale(context, 0.75, 0.75);
    CairoCanvas canvas(context, drawn->fonts, ui_scale,
                       format == FigureFormat::png ? Snap::on : Snap::off);
    draw(canvas, {[context] { cairo_show_page(context); },
                  [context](float by) {
                      cairo_scale(context, static_cast<double>(by), static_cast<double>(by));
                  }});
    return drawn;
}

} // namespace

const bool k_draws_pdf = true;
const std::string_view k_pages_ending = ".pdf";

Result<std::string> draw_for(FigureFormat format, Size size, float ui_scale,
                             const std::function<void(Canvas&)>& draw) {
    const auto drawn = TRY(draw_pages(
        format, size, ui_scale, [&](Canvas& canvas, const Pages& /*pages*/) { draw(canvas); }));
    return bytes_of(*drawn, format);
}

Result<std::string> render_pages(Size page, float ui_scale, const DrawPages& draw) {
    const auto drawn = TRY(draw_pages(FigureFormat::pdf, page, ui_scale, draw));
    return bytes_of(*drawn, FigureFormat::pdf);
}

Result<std::vector<std::uint32_t>> draw_pixels(Size size, float ui_scale,
                                               const std::function<void(Canvas&)>& draw) {
    const auto drawn =
        TRY(draw_pages(FigureFormat::png, size, ui_scale,
                       [&](Canvas& canvas, const Pages& /*pages*/) { draw(canvas); }));
    cairo_surface_t* const surface = drawn->surface.get();
    cairo_surface_flush(surface);
    const auto* data =
        reinterpret_cast<const std::uint32_t*>(cairo_image_surface_get_data(surface));
    return std::vector<std::uint32_t>(data, data + std::lround(size.w) * std::lround(size.h));
}

Result<std::string> png_of(std::vector<std::uint32_t>& pixels, int w, int h) {
    const int stride = cairo_format_stride_for_width(CAIRO_FORMAT_RGB24, w); // 4 · w
    const Surface image(cairo_image_surface_create_for_data(
        reinterpret_cast<unsigned char*>(pixels.data()), CAIRO_FORMAT_RGB24, w, h, stride));
    std::string bytes;
    const cairo_status_t status = cairo_surface_write_to_png_stream(image.get(), append, &bytes);
    if (status != CAIRO_STATUS_SUCCESS)
        return fail("the picture could not be made: {}", cairo_status_to_string(status));
    return bytes;
}

} // namespace normscope
