#pragma once
#include "app/charts/canvas.h"
#include "app/widgets/fonts.h"
#include "app/widgets/texture_cache.h"

#include <imgui.h>
#include <vector>

namespace normscope {

struct LoggedText;

// Whether what is drawn comes to the screen. Of a pass that is drawn anew in the same frame only
// sizes and clips are needed.
enum class Drawing : std::uint8_t { shown, discarded };

// The screen as a canvas: rectangles and axis-parallel lines sit on whole pixels, curves are
// anti-aliased. Cheap to make, one a panel and frame; an ImGui context must be current. Without
// `textures` images are not drawn; `texts` gets every run of text.
class ImGuiCanvas : public Canvas {
  public:
    ImGuiCanvas(ImDrawList& draw_list, const FontSet& fonts, TextureCache* textures,
                Drawing drawing = Drawing::shown, std::vector<LoggedText>* texts = nullptr)
        : list_(&draw_list), fonts_(&fonts), textures_(textures), shown_(drawing == Drawing::shown),
          texts_(texts) {}
    ImGuiCanvas(const ImGuiCanvas& other, ImDrawList& draw_list) // the same on another list
        : ImGuiCanvas(draw_list, *other.fonts_, other.textures_,
                      other.shown_ ? Drawing::shown : Drawing::discarded, other.texts_) {}
    ~ImGuiCanvas() override; // ends the clips that an exception left
    ImGuiCanvas(const ImGuiCanvas&) = delete;
    ImGuiCanvas& operator=(const ImGuiCanvas&) = delete;

    float scale() const override { return fonts_->scale; }
    bool sees(Rect r) const override;

    void fill_rect(Rect r, Color color, float rounding = 0) override;
    void stroke_rect(Rect r, Color color, float width = 1, float rounding = 0) override;
    void line(Point a, Point b, Color color, float width = 1, Dash dash = Dash::solid) override;
    void polyline(std::span<const Point> points, Color color, float width = 1,
                  Dash dash = Dash::solid) override;
    void fill_between(std::span<const Point> upper, std::span<const Point> lower,
                      Color color) override;
    void fill_circle(Point center, float radius, Color color) override;
    void stroke_circle(Point center, float radius, Color color, float width = 1) override;
    void fill_triangle(Point a, Point b, Point c, Color color) override;
    void image(Rect r, const Pixels& pixels) override;
    void push_clip(Rect r) override;
    void pop_clip() override;

  protected:
    void draw_run(Point at, std::string_view run, TextRole role, Color color) override;
    float run_width(std::string_view run, TextRole role) const override;
    float ascent_to_x_height(TextRole role) const override;

  private:
    const ImFont* font(TextRole role) const;
    void note_lacking(std::string_view run, TextRole role) const;
    ImVec2 vec(Point p) const { return {p.x * scale(), p.y * scale()}; }
    struct Snapped {
        ImVec2 min, max;
    };
    Snapped snapped(Rect r) const;
    void fill_rounded(const Snapped& s, float radius, ImU32 color);
    void solid_line(Point a, Point b, Color color, float width);
    void solid_polyline(std::span<const Point> points, Color color, float width);

    ImDrawList* list_;
    const FontSet* fonts_;
    TextureCache* textures_;
    bool shown_;
    std::vector<LoggedText>* texts_;
    int clips_ = 0;
};

} // namespace normscope
