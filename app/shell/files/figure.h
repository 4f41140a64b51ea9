#pragma once
#include "app/charts/cairo_canvas.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/result.h"

#include <imgui.h>
#include <memory>
#include <string>
#include <vector>

namespace normscope {

// A picture of a part of a workspace, or of all of it.
struct FigureRequest {
    Document document;
    View view;                        // its workspace, theme, pins and choices of curves
    std::string figure = "workspace"; // an id of the workspace's figures, or all of it
    Size size = {0, 0};               // pixels; 0: the figure's own width or height times `scale`
    float scale = 1;                  // of text and lines; less where `size` has no room for them
    // For draw_figure_at(): names of parts, as a lesson has them, that are covered with a “?”.
    std::vector<std::string> covered = {};
};

// The computed numbers of a picture, and the memory of its drawing.
struct FigureNumbers {
    std::shared_ptr<const Derived> derived;
    DrawMemory memory;
    // Heights of the page's parts as they were drawn last.
    std::unordered_map<ImGuiID, float> heights;
    bool unsettled = false; // a height changed in the last pass
};
// `shown`: the values derived from the request's document or from another one, or null.
std::shared_ptr<FigureNumbers> figure_numbers(const FigureRequest& request,
                                              std::shared_ptr<const Derived> shown = nullptr);

// The bytes of the picture, drawn by the very code that draws the screen, on Cairo. Needs neither a
// window nor a display; call it on the thread that draws. Errors: there is no such figure (the
// message lists them), or the size is beyond what Cairo draws.
Result<std::string> render_figure(const FigureRequest& request, FigureFormat format,
                                  std::shared_ptr<const Derived> shown = nullptr);

// ImGui without a window, and the one of before once it goes.
class UnseenContext {
  public:
    UnseenContext();
    ~UnseenContext();
    UnseenContext(const UnseenContext&) = delete;
    UnseenContext& operator=(const UnseenContext&) = delete;

    void use() const { ImGui::SetCurrentContext(own_); }

  private:
    ImGuiContext* before_;
    ImGuiContext* own_;
};

// An ImGui frame that nobody sees: the panels ask it for the mouse and the keyboard, which are not
// there. The context that was current before is so again at the end.
class UnseenFrame {
  public:
    explicit UnseenFrame(Size size);
    ~UnseenFrame();

  private:
    UnseenContext context_;
};

// The figure within `area` of a canvas that has other things too, in the canvas' scale. Nothing
// where there is no such figure.
void draw_figure_at(Canvas& canvas, Rect area, const FigureRequest& request,
                    FigureNumbers& numbers);

} // namespace normscope
