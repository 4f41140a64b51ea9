#include "app/widgets/imgui_canvas.h"

#include "app/widgets/imgui_compat.h"
#include "app/widgets/ui.h"
#include "core/base/printable.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <imgui_internal.h>

namespace normscope {

ImU32 to_imgui(Color c) {
    return IM_COL32(c.r, c.g, c.b, c.a);
}

Rect clip_of(const ImDrawList& list) {
    const ImVec2 lo = list.GetClipRectMin(), hi = list.GetClipRectMax();
    return {lo.x, lo.y, hi.x - lo.x, hi.y - lo.y};
}

namespace {

// A longer piece is mostly out of sight, and a hand would wait for its dashes.
constexpr float k_longest_dashed = 8192;
constexpr std::size_t k_quads_at_once = 8192; // vertices must be within reach of 16-bit indices

// White discs of radius 1, 2, … k_discs pixels with soft edges, side by side in square cells. A dot
// is drawn as one of them: two triangles instead of a polygon's twenty.
constexpr int k_discs = 6, k_disc_cell = 2 * k_discs + 2;

Pixels disc_images() {
    static const std::vector<std::uint32_t> rgba = [] {
        std::vector<std::uint32_t> all;
        for (int y = 0; y < k_disc_cell; ++y)
            for (int x = 0; x < k_discs * k_disc_cell; ++x) {
                const auto from_center = [](int at) {
                    return static_cast<float>(at) + 0.5f - k_disc_cell / 2.0f;
                };
                const float off = std::hypot(from_center(x % k_disc_cell), from_center(y));
                const float covered = static_cast<float>(x / k_disc_cell) + 1.5f - off;
                all.push_back(
                    packed(Color{255, 255, 255}.with_alpha(std::clamp(covered, 0.0f, 1.0f))));
            }
        return all;
    }();
    return {std::uint64_t{0x64697363} << 32, k_discs * k_disc_cell, k_disc_cell, rgba, true};
}

// False where a side or a corner is no number, too: ImGui's roundings do not survive that.
bool has_area(Rect r) {
    return r.w > 0 && r.h > 0 && !std::isnan(r.x) && !std::isnan(r.y);
}

} // namespace

// Whole pixels; what has an extent keeps at least one.
ImGuiCanvas::Snapped ImGuiCanvas::snapped(Rect r) const {
    r = pixels(r);
    const ImVec2 min{std::round(r.x), std::round(r.y)};
    ImVec2 max{std::round(r.right()), std::round(r.bottom())};
    if (r.w > 0 && max.x <= min.x) max.x = min.x + 1;
    if (r.h > 0 && max.y <= min.y) max.y = min.y + 1;
    return {min, max};
}

ImGuiCanvas::~ImGuiCanvas() {
    while (clips_ > 0) ImGuiCanvas::pop_clip();
}

bool ImGuiCanvas::sees(Rect r) const {
    if (!shown_ || !Canvas::sees(r)) return false;
    return clip_of(*list_).overlaps(pixels(r.inset(-line_height(TextRole::title))));
}

void ImGuiCanvas::fill_rect(Rect r, Color color, float rounding) {
    if (!shown_ || !has_area(r)) return;
    const Snapped s = snapped(r);
    const float radius =
        std::min({std::round(rounding * scale()), std::floor((s.max.x - s.min.x) / 2),
                  std::floor((s.max.y - s.min.y) / 2)});
    if (radius < 1 || radius > k_corners || fonts_->corners.w <= 0)
        return list_->AddRectFilled(s.min, s.max, to_imgui(color), rounding * scale());
    fill_rounded(s, radius, to_imgui(color));
}

void ImGuiCanvas::fill_rounded(const Snapped& s, float radius, ImU32 color) {
    const Rect all = fonts_->corners;
    const float cell = all.w / k_corners;
    const ImVec2 outer{all.x + (radius - 1) * cell, all.y},
        inner{outer.x + cell * radius / k_corners, all.y + all.h * radius / k_corners};
    const ImVec2 in_min{s.min.x + radius, s.min.y + radius},
        in_max{s.max.x - radius, s.max.y - radius};
    const ImVec2 white = ImGui::GetFontTexUvWhitePixel();
    const auto plain = [&](ImVec2 lo, ImVec2 hi) {
        list_->PrimRectUV(lo, hi, white, white, color);
    };
    list_->PrimReserve(7 * 6, 7 * 4);
    plain({in_min.x, s.min.y}, {in_max.x, s.max.y});
    plain({s.min.x, in_min.y}, {in_min.x, in_max.y});
    plain({in_max.x, in_min.y}, {s.max.x, in_max.y});
    list_->PrimRectUV(s.min, in_min, outer, inner, color);
    list_->PrimRectUV(in_max, s.max, inner, outer, color);
    list_->PrimRectUV({in_max.x, s.min.y}, {s.max.x, in_min.y}, {inner.x, outer.y},
                      {outer.x, inner.y}, color);
    list_->PrimRectUV({s.min.x, in_max.y}, {in_min.x, s.max.y}, {outer.x, inner.y},
                      {inner.x, outer.y}, color);
}

void ImGuiCanvas::stroke_rect(Rect r, Color color, float width, float rounding) {
    if (!shown_ || !has_area(r)) return;
    const Snapped s = snapped(r);
    width *= scale();
    // AddRect puts the middle of its stroke half a pixel inside; thicker strokes move in further.
    const float in = (width - 1) / 2;
    list_->AddRect({s.min.x + in, s.min.y + in}, {s.max.x - in, s.max.y - in}, to_imgui(color),
                   std::max(0.0f, rounding * scale() - in), 0, width);
}

void ImGuiCanvas::solid_line(Point a, Point b, Color color, float width) {
    const float thick = std::max(1 / scale(), whole(width));
    if (a.x == b.x)
        fill_rect({whole(a.x - thick / 2), std::min(a.y, b.y), thick, std::abs(b.y - a.y)}, color);
    else if (a.y == b.y)
        fill_rect({std::min(a.x, b.x), whole(a.y - thick / 2), std::abs(b.x - a.x), thick}, color);
    else
        solid_polyline(std::initializer_list{a, b}, color, width);
}

void ImGuiCanvas::line(Point a, Point b, Color color, float width, Dash dash) {
    if (!shown_) return;
    const DashPattern pattern = dash_pattern(dash);
    const float length = distance(a, b);
    if (pattern.off <= 0 || length <= 0) return solid_line(a, b, color, width);
    const auto at = [&](float s) { return between(a, b, std::min(s / length, 1.0f)); };
    for (float s = 0; s < length; s += pattern.on + pattern.off)
        solid_line(at(s), at(s + pattern.on), color, width);
}

void ImGuiCanvas::solid_polyline(std::span<const Point> points, Color color, float width) {
    if (points.size() < 2) return;
    std::vector<ImVec2> placed;
    for (const Point p : points) placed.push_back(vec(p));
    list_->AddPolyline(placed.data(), static_cast<int>(placed.size()), to_imgui(color), 0,
                       width * scale());
}

void ImGuiCanvas::polyline(std::span<const Point> points, Color color, float width, Dash dash) {
    if (!shown_) return;
    const DashPattern pattern = dash_pattern(dash);
    if (pattern.off <= 0 || points.size() < 2) return solid_polyline(points, color, width);
    std::vector<Point> stroke{points.front()};
    bool on = true;
    float left = pattern.on; // of the stroke or gap we are in
    for (std::size_t i = 1; i < points.size(); ++i) {
        Point from = points[i - 1];
        const Point to = points[i];
        float length = distance(from, to);
        if (length > k_longest_dashed) {
            if (!on) stroke.assign(1, from);
            stroke.push_back(to);
            on = true;
            continue;
        }
        while (length > left) {
            from = between(from, to, left / length);
            length -= left;
            if (on) {
                stroke.push_back(from);
                solid_polyline(stroke, color, width);
                stroke.clear();
            } else {
                stroke.assign(1, from);
            }
            on = !on;
            left = on ? pattern.on : pattern.off;
        }
        left -= length;
        if (on) stroke.push_back(to);
    }
    solid_polyline(stroke, color, width);
}

// ImGui fills convex shapes only, so the area is a strip of quads, each of which is convex.
void ImGuiCanvas::fill_between(std::span<const Point> upper, std::span<const Point> lower,
                               Color color) {
    const std::size_t n = std::min(upper.size(), lower.size());
    if (!shown_ || n < 2) return;
    const ImVec2 uv = ImGui::GetFontTexUvWhitePixel();
    const ImU32 col = to_imgui(color);
    for (std::size_t first = 0; first + 1 < n; first += k_quads_at_once) {
        const std::size_t quads = std::min(k_quads_at_once, n - 1 - first);
        list_->PrimReserve(static_cast<int>(6 * quads), static_cast<int>(2 * quads + 2));
        const unsigned base = list_->_VtxCurrentIdx;
        for (std::size_t q = 0; q < quads; ++q) {
            const auto i = static_cast<unsigned>(base + 2 * q);
            for (const unsigned corner : {i, i + 2, i + 3, i, i + 3, i + 1})
                list_->PrimWriteIdx(static_cast<ImDrawIdx>(corner));
        }
        for (std::size_t p = first; p <= first + quads; ++p) {
            list_->PrimWriteVtx(vec(upper[p]), uv, col);
            list_->PrimWriteVtx(vec(lower[p]), uv, col);
        }
    }
}

void ImGuiCanvas::fill_circle(Point center, float radius, Color color) {
    if (!shown_) return;
    radius *= scale();
    const ImTextureID discs = radius <= k_discs && textures_
                                  ? textures_->get(disc_images(), ImGui::GetFrameCount())
                                  : ImTextureID{};
    if (discs == ImTextureID{}) return list_->AddCircleFilled(vec(center), radius, to_imgui(color));
    const float of_image = std::max(1.0f, std::ceil(radius)), reach = of_image + 1;
    const Rect drawn = square_around(center.times(scale()), radius * reach / of_image);
    const float cell_x = (of_image - 0.5f) / k_discs, part = reach / k_disc_cell;
    list_->AddImage(discs, {drawn.x, drawn.y}, {drawn.right(), drawn.bottom()},
                    {cell_x - part / k_discs, 0.5f - part}, {cell_x + part / k_discs, 0.5f + part},
                    to_imgui(color));
}

void ImGuiCanvas::stroke_circle(Point center, float radius, Color color, float width) {
    if (shown_)
        list_->AddCircle(vec(center), radius * scale(), to_imgui(color), 0, width * scale());
}

void ImGuiCanvas::fill_triangle(Point a, Point b, Point c, Color color) {
    if (!shown_) return;
    // Anti-aliasing needs the corners clockwise.
    const float turn = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (turn < 0) std::swap(b, c);
    list_->AddTriangleFilled(vec(a), vec(b), vec(c), to_imgui(color));
}

void ImGuiCanvas::image(Rect r, const Pixels& pixels) {
    if (!shown_ || !textures_) return;
    const ImTextureID texture = textures_->get(pixels, ImGui::GetFrameCount());
    if (texture == ImTextureID{}) return;
    const Snapped s = snapped(r);
    list_->AddImage(texture, s.min, s.max);
}

void ImGuiCanvas::push_clip(Rect r) {
    const Snapped s = snapped({r.x, r.y, std::max(r.w, 0.0f), std::max(r.h, 0.0f)});
    list_->PushClipRect(s.min, s.max, true);
    ++clips_;
}

void ImGuiCanvas::pop_clip() {
    list_->PopClipRect();
    --clips_;
}

const ImFont* ImGuiCanvas::font(TextRole role) const {
    const ImFont* f = (*fonts_)[role];
    return f ? f : ImGui::GetFont();
}

void ImGuiCanvas::note_lacking(std::string_view run, TextRole role) const {
    constexpr unsigned k_last_of_all_fonts = 0x17F; // Latin letters
    constexpr std::size_t k_most = 4096;
    if (!fonts_->lacking) return;
    while (!run.empty()) {
        const char32_t c = next_code_point(run);
        if (c > k_last_of_all_fonts && c <= IM_UNICODE_CODEPOINT_MAX &&
            fonts_->lacking->size() < k_most && !has_glyph(font(role), static_cast<ImWchar>(c)))
            *fonts_->lacking += c;
    }
}

void ImGuiCanvas::draw_run(Point at, std::string_view run, TextRole role, Color color) {
    if (texts_)
        texts_->push_back({std::string(run), role,
                           pixels(Rect{at.x, at.y, run_width(run, role), line_height(role)}),
                           clip_of(*list_)});
    if (!shown_) return;
    note_lacking(run, role);
    // AddText takes a mutable font in current releases.
    list_->AddText(const_cast<ImFont*>(font(role)), line_height_of(role, scale()),
                   {std::round(at.x * scale()), std::round(at.y * scale())}, to_imgui(color),
                   run.data(), run.data() + run.size());
}

float ImGuiCanvas::run_width(std::string_view run, TextRole role) const {
    return const_cast<ImFont*>(font(role))
               ->CalcTextSizeA(line_height_of(role, scale()), FLT_MAX, 0.0f, run.data(),
                               run.data() + run.size())
               .x /
           scale();
}

// The ratios of the preferred faces, Inter and DejaVu Sans Mono. Releases of ImGui differ in how a
// glyph's height is asked for, and other faces differ from these by less than a pixel.
float ImGuiCanvas::ascent_to_x_height(TextRole role) const {
    return line_height(role) * (text_role_spec(role).mono ? 0.33f : 0.35f);
}

} // namespace normscope
