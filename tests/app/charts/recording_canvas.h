#pragma once
#include "app/charts/canvas.h"
#include "app/charts/palette.h"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace normscope {

inline constexpr double k_nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double k_inf = std::numeric_limits<double>::infinity();
inline const Theme& k_look = theme(ThemeKind::light);
inline constexpr Color k_blue{0, 114, 178, 255};

// A surface that keeps what was drawn, for tests: every glyph is 0.6 of its role's size wide, so
// that geometry can be computed by hand.
class RecordingCanvas : public Canvas {
  public:
    enum class Kind { fill_rect, stroke_rect, line, polyline, area, circle, triangle, image };

    struct Mark {
        Kind kind;
        Rect bounds;
        Color color;
        float width = 0;
        Dash dash = Dash::solid;
        std::size_t points = 0;
        Rect clip;
    };
    struct Text {
        std::string text;
        Rect bounds;
        TextRole role;
        Color color;
        Rect clip;
    };

    explicit RecordingCanvas(float ui_scale = 1, Rect surface = {0, 0, 1e6f, 1e6f})
        : scale_(ui_scale), clips_{surface} {}

    std::vector<Mark> marks;
    std::vector<Text> texts;

    std::size_t open_clips() const { return clips_.size() - 1; }

    const Text* find_text(std::string_view wanted) const {
        for (const Text& t : texts)
            if (t.text == wanted) return &t;
        return nullptr;
    }
    std::size_t count(Kind kind) const {
        std::size_t n = 0;
        for (const Mark& m : marks) n += m.kind == kind ? 1u : 0u;
        return n;
    }

    // The first pair of texts that lie over each other by more than `slack` pixels, in words.
    std::optional<std::string> overlapping_texts(float slack = 0.5f) const {
        for (std::size_t i = 0; i < texts.size(); ++i)
            for (std::size_t j = i + 1; j < texts.size(); ++j) {
                const Rect& a = texts[i].bounds;
                const Rect& b = texts[j].bounds;
                if (std::min(a.right(), b.right()) - std::max(a.x, b.x) > slack &&
                    std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y) > slack)
                    return "\"" + texts[i].text + "\" over \"" + texts[j].text + "\"";
            }
        return std::nullopt;
    }
    // The first text that does not lie within `r`, or within the clip it was drawn under.
    std::optional<std::string> text_outside(Rect r, float slack = 0.5f) const {
        for (const Text& t : texts)
            if (!within(t.bounds, r, slack) || !within(t.bounds, t.clip, slack)) return t.text;
        return std::nullopt;
    }
    static bool within(Rect inner, Rect outer, float slack = 0.5f) {
        return inner.x >= outer.x - slack && inner.y >= outer.y - slack &&
               inner.right() <= outer.right() + slack && inner.bottom() <= outer.bottom() + slack;
    }

    float scale() const override { return scale_; }
    void fill_rect(Rect r, Color color, float) override { add(Kind::fill_rect, r, color); }
    void stroke_rect(Rect r, Color color, float width, float) override {
        add(Kind::stroke_rect, r, color, width);
    }
    void line(Point a, Point b, Color color, float width, Dash dash) override {
        add(Kind::line, bounds_of({{a, b}}), color, width, dash, 2);
    }
    void polyline(std::span<const Point> points, Color color, float width, Dash dash) override {
        add(Kind::polyline, bounds_of({points.begin(), points.end()}), color, width, dash,
            points.size());
    }
    void fill_between(std::span<const Point> upper, std::span<const Point> lower,
                      Color color) override {
        std::vector<Point> all(upper.begin(), upper.end());
        all.insert(all.end(), lower.begin(), lower.end());
        add(Kind::area, bounds_of(all), color, 0, Dash::solid, upper.size());
    }
    void fill_circle(Point c, float radius, Color color) override {
        add(Kind::circle, {c.x - radius, c.y - radius, 2 * radius, 2 * radius}, color);
    }
    void stroke_circle(Point c, float radius, Color color, float width) override {
        add(Kind::circle, {c.x - radius, c.y - radius, 2 * radius, 2 * radius}, color, width);
    }
    void fill_triangle(Point a, Point b, Point c, Color color) override {
        add(Kind::triangle, bounds_of({a, b, c}), color);
    }
    void image(Rect r, const Pixels& pixels) override {
        add(Kind::image, r, {}, 0, Dash::solid, pixels.rgba.size());
    }
    void push_clip(Rect r) override {
        const Rect& c = clips_.back();
        const float x = std::max(c.x, r.x), y = std::max(c.y, r.y);
        clips_.push_back({x, y, std::max(0.0f, std::min(c.right(), r.right()) - x),
                          std::max(0.0f, std::min(c.bottom(), r.bottom()) - y)});
    }
    void pop_clip() override { clips_.pop_back(); }

  protected:
    void draw_run(Point at, std::string_view run, TextRole role, Color color) override {
        texts.push_back({std::string(run),
                         {at.x, at.y, run_width(run, role), line_height(role)},
                         role,
                         color,
                         clips_.back()});
    }
    float run_width(std::string_view run, TextRole role) const override {
        std::size_t glyphs = 0;
        for (const char c : run) glyphs += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1u : 0u;
        return static_cast<float>(glyphs) * 0.6f * line_height(role);
    }
    float ascent_to_x_height(TextRole role) const override { return 0.3f * line_height(role); }

  private:
    static Rect bounds_of(const std::vector<Point>& points) {
        if (points.empty()) return {};
        Point low = points.front(), high = low;
        for (const Point p : points) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y)};
        }
        return {low.x, low.y, high.x - low.x, high.y - low.y};
    }
    void add(Kind kind, Rect bounds, Color color, float width = 0, Dash dash = Dash::solid,
             std::size_t points = 0) {
        marks.push_back({kind, bounds, color, width, dash, points, clips_.back()});
    }

    float scale_;
    std::vector<Rect> clips_;
};

} // namespace normscope
