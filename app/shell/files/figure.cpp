#include "app/shell/files/figure.h"

#include "app/lessons/panel.h"
#include "app/widgets/ui.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <ranges>

namespace normscope {
namespace {

constexpr std::string_view k_whole = "workspace";
constexpr float k_whole_width = 1600; // at scale 1
constexpr float k_whole_height = 1000;
// A whole workspace that is higher than asked for is drawn smaller, step by step, down to this.
constexpr float k_least_whole_scale = 0.4f;
constexpr float k_smaller = 0.94f;

// A figure, or the whole workspace where there is none. Returns the height it would like to have; a
// workspace is laid out as in a window of height `window_h`, whose panels it stretches to. `parts`:
// what stands where.
float draw_part(Canvas& canvas, Rect area, float window_h, const View& view,
                const FigureEntry* figure, FigureNumbers& numbers,
                std::vector<NamedPart>* parts = nullptr) {
    const Workspace& workspace = workspace_table()[view.workspace];
    const Frame frame{numbers.derived->document(), *numbers.derived, view, nullptr, numbers.memory};
    const Rect drawn = canvas.pixels(area);
    const UnseenFrame unseen({drawn.right(), drawn.bottom()});
    const Theme& look = theme(view.theme);
    UiState state;
    state.picture = true;
    state.parts = parts;
    state.heights = std::move(numbers.heights);
    const AtEnd end([&] {
        numbers.heights = std::move(state.heights);
        numbers.unsettled = state.unsettled;
    });
    Ui ui(canvas, look, state);
    Actions actions;
    actions.view = view;
    canvas.fill_rect(area, figure ? look.panel : look.background);
    const IdScope scope(ui, workspace.id);
    if (figure) {
        figure->draw({ui, area, frame, actions});
        return area.h;
    }
    Rect page{area.x, area.y, area.w, window_h};
    const float head = workspace.draw_head({ui, page, frame, actions});
    cut_top(page, head);
    return head + workspace.draw({ui, page, frame, actions});
}

Result<const FigureEntry*> find_figure(const Workspace& workspace, const std::string& id) {
    if (id == k_whole) return nullptr;
    if (const FigureEntry* const figure = find_in(workspace.figures, id, &FigureEntry::id))
        return figure;
    return fail("“{}” is not a figure of {}: expected one of {}", id, std::string(workspace.id),
                fmt::format("{}, {}", k_whole, joined(workspace.figures, &FigureEntry::id)));
}

// The view for a picture: choices stay, while hover, menu and a hand's next act are left out.
View at_rest(View view) {
    view.hover = {};
    view.menu.reset();
    for (const Workspace& workspace : workspace_table()) workspace.at_rest(view);
    return view;
}

// As asked for, or less where a figure of at least that size would not fit.
float scale_within(float scale, Size size, const FigureEntry& figure, const View& view) {
    const Size least = figure.looked_at(view).needed();
    return std::min({scale, size.w / least.w, size.h / least.h});
}

// How high the workspace would like to be at this width and scale, its parts settled.
Result<float> height_wanted(const View& view, FigureNumbers& numbers, Size size, float scale) {
    constexpr int k_most_passes = 4;
    float wanted = size.h;
    numbers.unsettled = true;
    for (int pass = 0; numbers.unsettled && pass < k_most_passes; ++pass)
        // Nearly nothing is painted on 1 × 1.
        TRY(draw_for(FigureFormat::png, {1, 1}, scale, [&](Canvas& canvas) {
            const Rect area = canvas.from_pixels({0, 0, size.w, size.h});
            wanted = draw_part(canvas, area, area.h, view, nullptr, numbers) * scale;
        }));
    return wanted;
}

// How a picture is laid out.
struct FigureLayout {
    const FigureEntry* figure = nullptr; // none: the whole workspace
    Size size;
    float scale = 1;
    float window_h = 0; // of the window that the workspace is laid out in
};

Result<FigureLayout> lay_out_figure(const FigureRequest& request, FigureNumbers& numbers) {
    if (request.view.workspace >= workspace_table().size())
        return fail("there is no workspace {}", request.view.workspace + 1);
    const auto figure = TRY(find_figure(workspace_table()[request.view.workspace], request.figure));
    const Size natural =
        figure ? figure->looked_at(request.view).size : Size{k_whole_width, k_whole_height};
    FigureLayout out{figure,
                     {request.size.w > 0 ? request.size.w : natural.w * request.scale,
                      request.size.h > 0 ? request.size.h : natural.h * request.scale},
                     request.scale,
                     0};
    out.window_h = out.size.h;
    if (figure) {
        out.scale = scale_within(out.scale, out.size, *figure, request.view);
        return out;
    }
    const View view = at_rest(request.view);
    float wanted = TRY(height_wanted(view, numbers, out.size, out.scale));
    if (request.size.h > 0)
        while (wanted > out.size.h) {
            if (out.scale < k_least_whole_scale)
                return fail("the workspace does not fit into {} × {} pixels: leave out the height, "
                            "or ask for one figure of it",
                            static_cast<int>(out.size.w), static_cast<int>(out.size.h));
            out.scale *= k_smaller;
            wanted = TRY(height_wanted(view, numbers, out.size, out.scale));
        }
    if (request.size.h <= 0) out.size.h = std::max(1.0f, std::ceil(wanted));
    return out;
}

} // namespace

UnseenContext::UnseenContext() : before_(ImGui::GetCurrentContext()), own_(ImGui::CreateContext()) {
    use();
    ImGui::GetIO().IniFilename = nullptr;
}

UnseenContext::~UnseenContext() {
    ImGui::DestroyContext(own_);
    ImGui::SetCurrentContext(before_);
}

UnseenFrame::UnseenFrame(Size size) {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {size.w, size.h};
    io.DeltaTime = 1.0f / 60;
    unsigned char* pixels = nullptr;
    int w = 0, h = 0;
    io.Fonts->GetTexDataAsRGBA32(&pixels, &w, &h);
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(io.DisplaySize);
    ImGui::Begin("figure", nullptr, ImGuiWindowFlags_NoDecoration);
}

UnseenFrame::~UnseenFrame() {
    ImGui::End();
    ImGui::EndFrame();
}

std::shared_ptr<FigureNumbers> figure_numbers(const FigureRequest& request,
                                              std::shared_ptr<const Derived> shown) {
    auto numbers = std::make_shared<FigureNumbers>();
    numbers->derived = Derived::of(request.document, std::move(shown));
    if (request.view.workspace < workspace_table().size())
        workspace_table()[request.view.workspace].compute(numbers->memory,
                                                          numbers->derived->document());
    return numbers;
}

void draw_figure_at(Canvas& canvas, Rect area, const FigureRequest& request,
                    FigureNumbers& numbers) {
    const View view = at_rest(request.view);
    const auto figure = find_figure(workspace_table()[view.workspace], request.figure);
    if (!figure) return;
    UiState state;
    state.picture = true;
    Ui ui(canvas, theme(view.theme), state);
    std::vector<NamedPart> parts;
    if (!request.covered.empty()) {
        // Nearly nothing is painted on 1 × 1.
        const auto look_for_parts = [&](Canvas& unseen) {
            draw_part(unseen, area, area.h, view, *figure, numbers, &parts);
        };
        if (!draw_for(FigureFormat::png, {1, 1}, canvas.scale(), look_for_parts)) return;
    }
    canvas.untold = lesson_cover_places(ui, request.covered, parts);
    draw_part(canvas, area, area.h, view, *figure, numbers);
    canvas.untold.clear();
    draw_lesson_covers(ui, request.covered, parts, false);
}

Result<std::string> render_figure(const FigureRequest& request, FigureFormat format,
                                  std::shared_ptr<const Derived> shown) {
    const auto numbers = figure_numbers(request, std::move(shown));
    const FigureLayout layout = TRY(lay_out_figure(request, *numbers));
    const View view = at_rest(request.view);
    return draw_for(format, layout.size, layout.scale, [&](Canvas& canvas) {
        const Rect area = canvas.from_pixels({0, 0, layout.size.w, layout.size.h});
        draw_part(canvas, area, layout.window_h / layout.scale, view, layout.figure, *numbers);
    });
}

} // namespace normscope
