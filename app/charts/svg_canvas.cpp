// Figures where Cairo is not there: SVG by itself, whose text is outlines. A page makes a PNG of
// it.
#include "app/charts/cairo_canvas.h"
#include "app/charts/font_files.h"
#include "core/base/base64.h"
#include "core/base/printable.h"

#include <cmath>
#include <fmt/format.h>
#include <ft2build.h>
#include <initializer_list>
#include <iterator>
#include <map>
#include <utility>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

namespace normscope {
namespace {

constexpr const char* k_reason =
    "This build draws figures as SVG only: open the session with the desktop program.";

int put(void* to, char command, std::initializer_list<const FT_Vector*> points) {
    auto& path = *static_cast<std::string*>(to);
    path += command;
    for (const FT_Vector* p : points)
        fmt::format_to(std::back_inserter(path), "{} {} ", p->x, -p->y);
    return 0;
}

// In units of the font, downwards.
std::string path_of(FT_Outline& outline) {
    using V = const FT_Vector*;
    static constexpr FT_Outline_Funcs k_commands{
        [](V to, void* path) { return put(path, 'M', {to}); },
        [](V to, void* path) { return put(path, 'L', {to}); },
        [](V by, V to, void* path) {
            return put(path, 'Q', {by, to});
        },
        [](V by, V then, V to, void* path) {
            return put(path, 'C', {by, then, to});
        },
        0,
        0};
    std::string path;
    FT_Outline_Decompose(&outline, &k_commands, &path);
    return path;
}

class SvgCanvas final : public Canvas {
  public:
    explicit SvgCanvas(float ui_scale) : scale_(ui_scale) { FT_Init_FreeType(&library_); }
    ~SvgCanvas() override { FT_Done_FreeType(library_); } // closes the faces
    SvgCanvas(const SvgCanvas&) = delete;

    // The SVG of all that was drawn since the last take().
    std::string take(Size size) {
        return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}\" height=\"{}\" "
                           "viewBox=\"0 0 {} {}\">\n<defs>\n{}</defs>\n{}</svg>\n",
                           size.w, size.h, size.w / scale_, size.h / scale_,
                           std::exchange(defs_, {}), std::exchange(body_, {}));
    }
    void enlarge(float by) {
        if (larger_ != 1) body_ += "</g>\n";
        larger_ *= by;
        if (std::abs(larger_ - 1) < 1e-4f) larger_ = 1;
        if (larger_ != 1) add("<g transform=\"scale({})\">\n", larger_);
    }

    float scale() const override { return scale_; }

    void fill_rect(Rect r, Color color, float rounding) override {
        if (r.w > 0 && r.h > 0)
            add("<rect {} rx=\"{}\"{}/>\n", sides(r), corner(r, rounding), paint("fill", color));
    }
    void stroke_rect(Rect r, Color color, float width, float rounding) override {
        if (r.w > width && r.h > width)
            add("<rect {} rx=\"{}\"{}/>\n", sides(r.inset(width / 2)), corner(r, rounding),
                stroke(color, width, Dash::solid));
    }
    void line(Point a, Point b, Color color, float width, Dash dash) override {
        polyline(std::initializer_list{a, b}, color, width, dash);
    }
    void polyline(std::span<const Point> points, Color color, float width, Dash dash) override {
        add("<polyline points=\"{}\"{}/>\n", listed(points), stroke(color, width, dash));
    }
    void fill_between(std::span<const Point> upper, std::span<const Point> lower,
                      Color color) override {
        const std::size_t n = std::min(upper.size(), lower.size());
        std::vector<Point> around(upper.begin(), upper.begin() + static_cast<std::ptrdiff_t>(n));
        for (std::size_t i = n; i-- > 0;) around.push_back(lower[i]);
        polygon(around, color);
    }
    void fill_circle(Point center, float radius, Color color) override {
        circle(center, radius, paint("fill", color));
    }
    void stroke_circle(Point center, float radius, Color color, float width) override {
        circle(center, radius, stroke(color, width, Dash::solid));
    }
    void fill_triangle(Point a, Point b, Point c, Color color) override {
        polygon(std::initializer_list{a, b, c}, color);
    }
    void image(Rect r, const Pixels& pixels) override;

    void push_clip(Rect r) override {
        fmt::format_to(std::back_inserter(defs_), "<clipPath id=\"c{}\"><rect {}/></clipPath>\n",
                       ++clips_, sides({r.x, r.y, std::max(r.w, 0.0f), std::max(r.h, 0.0f)}));
        add("<g clip-path=\"url(#c{})\">\n", clips_);
    }
    void pop_clip() override { body_ += "</g>\n"; }

  protected:
    void draw_run(Point at, std::string_view run, TextRole role, Color color) override {
        const Role& r = of(role);
        add("<g transform=\"translate({} {}) scale({})\"{}>", at.x, at.y + r.em * r.ascent, r.em,
            paint("fill", color));
        for_each_glyph(run, role, [&](const Glyph& glyph, float pen) {
            add("<use href=\"#{}\" x=\"{:.4g}\"/>", glyph.id, pen);
        });
        body_ += "</g>\n";
    }
    float run_width(std::string_view run, TextRole role) const override {
        const auto nothing = [](const Glyph&, float) {};
        return const_cast<SvgCanvas*>(this)->for_each_glyph(run, role, nothing) *
               const_cast<SvgCanvas*>(this)->of(role).em;
    }
    float ascent_to_x_height(TextRole role) const override {
        const Role& r = const_cast<SvgCanvas*>(this)->of(role);
        return r.em * (r.ascent - r.x_height);
    }

  private:
    struct Role {
        std::vector<FontFile> files;
        float em = 0, ascent = 0, x_height = 0; // pixels; ems
    };
    struct Glyph {
        std::string id;    // begins with its code point, so that text can be read from a file
        float advance = 0; // ems
    };

    template<class... T>
    void add(fmt::format_string<T...> pattern, T&&... values) {
        fmt::format_to(std::back_inserter(body_), pattern, std::forward<T>(values)...);
    }
    static std::string sides(Rect r) {
        return fmt::format("x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"", r.x, r.y, r.w, r.h);
    }
    float corner(Rect r, float rounding) const { return std::min({rounding, r.w / 2, r.h / 2}); }
    static std::string paint(const char* what, Color c) {
        return fmt::format(" {0}=\"#{1:02x}{2:02x}{3:02x}\" {0}-opacity=\"{4:.3g}\"", what, c.r,
                           c.g, c.b, static_cast<float>(c.a) / 255);
    }
    std::string stroke(Color color, float width, Dash dash) const {
        const DashPattern p = dash_pattern(dash);
        std::string out =
            fmt::format(" fill=\"none\" stroke-width=\"{}\" stroke-linejoin=\"round\"", width) +
            paint("stroke", color);
        if (p.off > 0) out += fmt::format(" stroke-dasharray=\"{} {}\"", p.on, p.off);
        return out;
    }
    static std::string listed(std::span<const Point> points) {
        std::string out;
        for (const Point p : points)
            fmt::format_to(std::back_inserter(out), "{:.6g},{:.6g} ", p.x, p.y);
        return out;
    }
    void polygon(std::span<const Point> points, Color color) {
        add("<polygon points=\"{}\"{}/>\n", listed(points), paint("fill", color));
    }
    void circle(Point at, float radius, const std::string& how) {
        add("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", at.x, at.y, radius, how);
    }

    Role& of(TextRole role);
    FT_Face face(const FontFile& file) {
        const auto [known, is_new] = faces_.try_emplace(file.path);
        if (is_new) FT_New_Face(library_, file.path.c_str(), file.index, &known->second);
        return known->second;
    }
    const Glyph& glyph(char32_t code, const Role& role);
    // Draws each glyph at its place; returns the width of all, in ems.
    template<class Draw>
    float for_each_glyph(std::string_view run, TextRole role, const Draw& draw) {
        float pen = 0;
        while (!run.empty()) {
            const auto [code, bytes] = first_character(run);
            run.remove_prefix(std::max<std::size_t>(bytes, 1));
            const Glyph& g = glyph(bytes > 0 ? code : U'\uFFFD', of(role));
            draw(g, pen);
            pen += g.advance;
        }
        return pen;
    }

    float scale_;
    FT_Library library_ = nullptr;
    std::map<std::string, FT_Face> faces_;
    std::map<TextRole, Role> roles_;
    std::map<std::pair<FT_Face, char32_t>, Glyph> glyphs_;
    std::string defs_, body_;
    int clips_ = 0;
    float larger_ = 1;
};

SvgCanvas::Role& SvgCanvas::of(TextRole role) {
    const auto [known, is_new] = roles_.try_emplace(role);
    Role& r = known->second;
    if (!is_new) return r;
    const TextRoleSpec spec = text_role_spec(role);
    r.files = font_chain(spec.mono ? Face::mono : Face::sans, spec.weight);
    const auto m = face_metrics(r.files.front()).value_or(FaceMetrics{0.9f, 0.3f, 0.5f});
    r.em = line_height(role) / (m.ascent + m.descent);
    r.ascent = m.ascent;
    r.x_height = m.x_height;
    return r;
}

const SvgCanvas::Glyph& SvgCanvas::glyph(char32_t code, const Role& role) {
    const auto covers = [&](const FontFile& file) { return file.covers(code); };
    const auto file = std::ranges::find_if(role.files, covers);
    const FT_Face from = face(file == role.files.end() ? role.files.front() : *file);
    const auto [known, is_new] = glyphs_.try_emplace({from, code});
    Glyph& g = known->second;
    if (!is_new || !from || FT_Load_Char(from, code, FT_LOAD_NO_SCALE) != 0) return g;
    g.id = fmt::format("u{:x}-{}", static_cast<std::uint32_t>(code), glyphs_.size());
    g.advance = static_cast<float>(from->glyph->metrics.horiAdvance) / from->units_per_EM;
    fmt::format_to(std::back_inserter(defs_),
                   "<path id=\"{}\" transform=\"scale({})\" d=\"{}\"/>\n", g.id,
                   1.0f / from->units_per_EM, path_of(from->glyph->outline));
    return g;
}

void SvgCanvas::image(Rect r, const Pixels& pixels) {
    const std::size_t count =
        static_cast<std::size_t>(pixels.w) * static_cast<std::size_t>(pixels.h);
    if (count == 0 || pixels.rgba.size() < count) return;
    std::string bitmap = "BM"; // BITMAPFILEHEADER, BITMAPINFOHEADER, the highest row first
    const auto put = [&](std::int64_t value, int bytes) {
        for (; bytes-- > 0; value >>= 8) bitmap += static_cast<char>(value & 0xFF);
    };
    put(static_cast<std::int64_t>(54 + 4 * count), 4);
    put(0, 4);
    put(54, 4);
    put(40, 4);
    put(pixels.w, 4);
    put(-pixels.h, 4);
    put(1, 2);
    put(32, 2);
    for (int i = 0; i < 6; ++i) put(0, 4);
    for (const std::uint32_t c : pixels.rgba.first(count))
        put((c & 0xFF00) | (c & 0xFF) << 16 | (c >> 16 & 0xFF), 4);
    while (bitmap.size() % 3 != 0) bitmap += '\0';
    add("<image {} preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" "
        "href=\"data:image/bmp;base64,{}\"/>\n",
        sides(r), to_base64(bitmap, Base64::usual));
}

} // namespace

const bool k_draws_pdf = false;
const std::string_view k_pages_ending = ".html";

Result<std::string> draw_for(FigureFormat format, Size size, float ui_scale,
                             const std::function<void(Canvas&)>& draw) {
    if (format == FigureFormat::pdf || (format == FigureFormat::png && !NORMSCOPE_PAINTS))
        return fail(k_reason);
    SvgCanvas canvas(ui_scale);
    draw(canvas);
    return canvas.take(size);
}

// A page shows what a page before it has defined.
Result<std::string> render_pages(Size page, float ui_scale, const DrawPages& draw) {
    SvgCanvas canvas(ui_scale);
    std::string all =
        fmt::format("<!doctype html>\n<meta charset=\"utf-8\">\n<style>@page {{ size: {}px {}px; "
                    "margin: 0 }} body {{ margin: 0 }} svg {{ display: block; break-after: page }}"
                    "</style>\n",
                    page.w, page.h);
    const auto next_page = [&] { all += canvas.take(page); };
    draw(canvas, {next_page, [&](float by) { canvas.enlarge(by); }});
    next_page();
    return all;
}

Result<std::vector<std::uint32_t>> draw_pixels(Size, float, const std::function<void(Canvas&)>&) {
    return fail(k_reason);
}

Result<std::string> png_of(std::vector<std::uint32_t>&, int, int) {
    return fail(k_reason);
}

} // namespace normscope
