#include "app/shell/frame/window_frame.h"

#include "app/widgets/ui.h"

#include <cmath>
#include <imgui.h>

namespace normscope {
namespace {

ImVec4 of(Color c) {
    return ImGui::ColorConvertU32ToFloat4(to_imgui(c));
}

void apply_colors(ImGuiStyle& style, const Theme& t) {
    const Color grab = mix(t.rule, t.ink_soft, 0.5f);
    const Color none = t.panel.with_alpha(0);
    for (ImVec4& color : style.Colors) color = of(t.control);
    const auto set = [&](ImGuiCol which, Color color) { style.Colors[which] = of(color); };
    set(ImGuiCol_Text, t.ink);
    set(ImGuiCol_TextDisabled, t.ink_soft);
    set(ImGuiCol_WindowBg, t.background);
    set(ImGuiCol_ChildBg, none);
    set(ImGuiCol_Border, t.border);
    set(ImGuiCol_BorderShadow, none);
    for (const ImGuiCol which :
         {ImGuiCol_PopupBg, ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive})
        set(which, t.panel);
    set(ImGuiCol_ScrollbarBg, none);
    set(ImGuiCol_ScrollbarGrab, t.rule);
    set(ImGuiCol_ScrollbarGrabHovered, grab);
    set(ImGuiCol_ScrollbarGrabActive, t.ink_soft);
    set(ImGuiCol_Separator, t.border);
    set(ImGuiCol_TextSelectedBg, t.focus.with_alpha(0.35f));
    set(ImGuiCol_NavHighlight, t.focus);
    set(ImGuiCol_ModalWindowDimBg, t.ink.with_alpha(0.35f));
}

} // namespace

void apply_style(const Theme& theme, const FontSet& fonts) {
    ImGuiStyle& style = ImGui::GetStyle();
    const auto px = [&](float logical) { return std::round(logical * fonts.scale); };
    style.WindowPadding = {0, 0};
    style.WindowRounding = 0;
    style.WindowBorderSize = 0;
    style.WindowMinSize = {1, 1};
    style.ChildRounding = 0;
    style.ChildBorderSize = 0;
    style.PopupRounding = px(6);
    style.PopupBorderSize = std::max(1.0f, px(1));
    style.FramePadding = {px(8), px(5)};
    style.FrameRounding = px(5);
    style.FrameBorderSize = std::max(1.0f, px(1));
    style.ItemSpacing = {px(6), px(6)};
    style.ItemInnerSpacing = {px(6), px(4)};
    style.ScrollbarSize = px(12);
    style.ScrollbarRounding = px(6);
    style.GrabMinSize = px(20);
    style.DisplaySafeAreaPadding = {px(4), px(4)};
    style.DisplayWindowPadding = {px(4), px(4)};
    style.AntiAliasedLinesUseTex = false; // lines look the same at every width and scale
    apply_colors(style, theme);

    ImGuiIO& io = ImGui::GetIO();
    io.FontDefault = fonts[TextRole::label];
    io.ConfigInputTextCursorBlink = false; // a blinking caret would draw frames at rest
    io.IniFilename = nullptr;              // panels do not float: there is nothing to remember
}

} // namespace normscope
