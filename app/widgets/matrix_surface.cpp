#include "app/widgets/imgui_compat.h"
#include "app/widgets/matrix_editor.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <imgui_internal.h>

namespace normscope {
namespace {

constexpr float k_drag_threshold = 4; // before a click becomes a drag

float largest_zoom(Rect area, Index rows, Index cols, Size most) {
    const float zx = most.w * static_cast<float>(cols) / std::max(1.0f, area.w);
    const float zy = most.h * static_cast<float>(rows) / std::max(1.0f, area.h);
    return std::max(1.0f, std::max(zx, zy));
}

// Zoomed out as far as it goes, a matrix leaves the wheel to the page, which ImGui does not scroll
// where a widget has claimed it.
void scroll_page(float wheel) {
    const ImGuiWindow* page = ImGui::GetCurrentWindow();
    const float step = std::min(5 * ImGui::GetFontSize(), 0.67f * page->InnerRect.GetHeight());
    ImGui::SetScrollY(page->Scroll.y - wheel * step); // as ImGui's own
}

// The viewport after `notches` of the wheel, inwards if positive. The cell at `still` stays there.
MatrixViewport zoomed(const MatrixSurface& s, float notches, Point still) {
    MatrixViewport next = s.viewport;
    next.zoom = std::max(1.0f, s.viewport.zoom * std::pow(1.25f, notches));
    const float grown = next.zoom / std::max(1.0f, s.viewport.zoom);
    const float row = s.port.row + (still.y - s.area.y) / s.port.cell_h * (1 - 1 / grown);
    const float col = s.port.col + (still.x - s.area.x) / s.port.cell_w * (1 - 1 / grown);
    next.row = std::max(0.0f, row);
    next.col = std::max(0.0f, col);
    return next;
}

// A small matrix whose digits are all there has nothing to move.
bool moves(const MatrixSurface& s) {
    const bool fits = static_cast<float>(s.values.rows()) * s.port.cell_h <= s.area.h + 1 &&
                      static_cast<float>(s.values.cols()) * s.port.cell_w <= s.area.w + 1;
    return s.pannable || !fits;
}

// The first visible cell: `first`, moved no farther than it takes to have cell `i` whole among the
// `seen` cells in sight.
float first_with(float first, Index i, float seen) {
    const auto at = static_cast<float>(i);
    return std::min(std::max(first, at + 1 - seen), at);
}

} // namespace

HeatmapPort port_of(const MatrixViewport& viewport, Rect area, Index rows, Index cols, Size most,
                    float scale) {
    HeatmapPort port = fit_port(area, rows, cols, most, scale);
    const float zoom = std::clamp(viewport.zoom, 1.0f, largest_zoom(area, rows, cols, most));
    port.cell_w = std::min(port.cell_w * zoom, most.w);
    port.cell_h = std::min(port.cell_h * zoom, most.h);
    const float seen_rows = area.h / port.cell_h;
    const float seen_cols = area.w / port.cell_w;
    port.row = std::clamp(viewport.row, 0.0f, std::max(0.0f, static_cast<float>(rows) - seen_rows));
    port.col = std::clamp(viewport.col, 0.0f, std::max(0.0f, static_cast<float>(cols) - seen_cols));
    return port;
}

void zoom_at(const MatrixSurface& s, const Cell& cursor, float notches, MatrixEvents& events) {
    if (!moves(s)) return;
    const Point center = cell_rect(s.area, s.port, cursor.token, cursor.feature).center();
    events.viewport = zoomed(s, notches, s.area.nearest_to(center));
}

void move_view(Ui& ui, const Hit& hit, const MatrixSurface& s, bool panning, MatrixEvents& events) {
    if (!moves(s)) return;
    MatrixViewport next = s.viewport;
    next.row = s.port.row;
    next.col = s.port.col;
    const ImGuiIO& io = ImGui::GetIO();
    if (hit.hovered) claim_mouse_wheel();
    const bool wheels = hit.hovered && io.MouseWheel != 0 && !shift_down() && !ctrl_down();
    if (wheels && io.MouseWheel < 0 && s.viewport.zoom <= 1) {
        scroll_page(io.MouseWheel);
    } else if (wheels) {
        next = zoomed(s, io.MouseWheel, ui.mouse());
    } else if (hit.hovered && shift_down()) {
        next.col -= (io.MouseWheel + io.MouseWheelH) * 3;
    } else if (hit.hovered && ctrl_down()) {
        next.row -= io.MouseWheel * 3;
    }
    const bool middle = hit.hovered && ImGui::IsMouseDown(ImGuiMouseButton_Middle);
    if (panning || middle) {
        next.row -= ui.mouse_moved().y / s.port.cell_h;
        next.col -= ui.mouse_moved().x / s.port.cell_w;
    }
    next.row = std::max(0.0f, next.row);
    next.col = std::max(0.0f, next.col);
    if (!(next == s.viewport)) events.viewport = next;
}

std::optional<MatrixViewport> bring_into_sight(const MatrixSurface& s, const Cell& cell) {
    MatrixViewport next = s.viewport;
    next.row = first_with(s.port.row, cell.token, s.area.h / s.port.cell_h);
    next.col = first_with(s.port.col, cell.feature, s.area.w / s.port.cell_w);
    if (next.row == s.port.row && next.col == s.port.col) return std::nullopt;
    return next;
}

std::optional<Cell> cell_under_mouse(const Ui& ui, const MatrixSurface& s) {
    if (const auto c = cell_at(s.area, s.port, s.values.rows(), s.values.cols(), ui.mouse()))
        return Cell{c->row, c->col};
    return std::nullopt;
}

bool dragged_far(const Ui& ui) {
    return ImGui::IsMouseDragging(ImGuiMouseButton_Left, ui.pixels(k_drag_threshold));
}

MatrixEvents matrix_surface(Ui& ui, NamePart part, const MatrixSurface& s) {
    MatrixEvents events;
    const Hit hit = ui.hit(
        part, s.area,
        {.kind = PartKind::cells, .focusable = false, .first_cell = first_cell(s.area, s.port)});
    const auto under = cell_under_mouse(ui, s);
    if (hit.hovered || hit.held) events.hovered = under;
    if (hit.clicked && ImGui::GetIO().MouseDragMaxDistanceSqr[0] < 16) events.clicked = under;
    if (hit.right_clicked) events.menu = under;
    move_view(ui, hit, s, hit.held && dragged_far(ui), events);
    return events;
}

} // namespace normscope
