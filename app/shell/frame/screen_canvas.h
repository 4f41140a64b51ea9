#pragma once
#include "app/shell/frame/state.h"
#include "app/widgets/imgui_canvas.h"

#include <imgui.h>

namespace normscope {

// The canvas of ImGui's current window in the app's fonts. Notes its texts where somebody asks for
// them.
class ScreenCanvas final : public ImGuiCanvas {
  public:
    ScreenCanvas(App::State& state, ImDrawList& list)
        : ImGuiCanvas(list, state.fonts, &state.textures, state.drawing), list_(&list),
          texts_(state.ui.texts) {}
    explicit ScreenCanvas(App::State& state) : ScreenCanvas(state, *ImGui::GetWindowDrawList()) {}

  protected:
    void draw_run(Point at, std::string_view run, TextRole role, Color color) override {
        if (texts_) {
            const ImVec2 lo = list_->GetClipRectMin();
            const ImVec2 hi = list_->GetClipRectMax();
            texts_->push_back({std::string(run),
                               role,
                               {at.x, at.y, run_width(run, role), line_height(role)},
                               {lo.x, lo.y, hi.x - lo.x, hi.y - lo.y}});
        }
        ImGuiCanvas::draw_run(at, run, role, color);
    }

  private:
    ImDrawList* list_;
    std::vector<LoggedText>* texts_;
};

} // namespace normscope
