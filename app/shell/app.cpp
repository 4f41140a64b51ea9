#include "app/shell/app.h"

#include "app/shell/state.h"
#include "app/shell/style.h"
#include "app/shell/top_bar.h"
#include "app/widgets/imgui_canvas.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <imgui.h>
#include <imgui_internal.h>

namespace normscope {

namespace {

constexpr float k_top_bar = 46;
constexpr int k_most_passes = 3;
constexpr ImGuiWindowFlags k_root_flags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
    ImGuiWindowFlags_NoScrollWithMouse;

// Tab and Shift+Tab walk through the widgets in drawing order.
void move_focus(UiState& ui) {
    ui.order.swap(ui.next_order);
    ui.next_order.clear();
    if (ImGui::GetIO().WantTextInput || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
    if (key_pressed(Key::escape)) ui.focus_visible = false;
    if (!key_pressed(Key::tab, true) || ctrl_down() || ui.order.empty()) return;
    const auto n = static_cast<std::ptrdiff_t>(ui.order.size());
    const auto found = std::find(ui.order.begin(), ui.order.end(), ui.focus);
    std::ptrdiff_t i = found == ui.order.end() ? (shift_down() ? 0 : -1) : found - ui.order.begin();
    i = (i + (shift_down() ? n - 1 : 1)) % n;
    ui.focus = ui.order[static_cast<std::size_t>(i)];
    ui.focus_visible = true;
}

} // namespace

bool App::State::apply_edits(const std::vector<Edit>& edits) {
    bool changed = false;
    for (const Edit& edit : edits) {
        auto next = apply(document(), edit);
        if (!next) {
            complain(next.error().message);
            continue;
        }
        history.change(std::move(*next), describe(edit, document()));
        changed = true;
    }
    if (changed && !status_is_error) status.clear();
    return changed;
}

void App::State::complain(std::string what) {
    status = std::move(what);
    status_is_error = true;
}

void App::State::say(std::string what) {
    status = std::move(what);
    status_is_error = false;
}

namespace {

// Draws the whole window once. True if what was drawn is out of date now.
bool draw_pass(App::State& s) {
    if (!s.derived || !(s.derived->document() == s.document()))
        s.derived = Derived::of(s.document(), s.derived);

    Actions actions;
    actions.view = s.view;
    actions.view.hover = {};
    const Frame frame{s.document(), *s.derived, s.view, s.ghost.get(), s.distributions};

    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const Theme& look = theme(s.view.theme);
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(display);
    ImGui::Begin("##normscope", nullptr, k_root_flags);
    {
        ImGuiCanvas canvas(*ImGui::GetWindowDrawList(), s.fonts, &s.textures);
        Ui ui(canvas, look, s.ui);
        Rect window{0, 0, display.x, display.y};
        canvas.fill_rect(window, look.background);
        draw_top_bar(ui, cut_top(window, ui.px(k_top_bar)), s, actions);
        draw_status_line(ui, window, s);

        ImGui::SetCursorScreenPos({window.x, window.y});
        ImGui::BeginChild("##workspace", {window.w, window.h}, false,
                          ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoSavedSettings);
        const bool scrolls = s.content_height > window.h + 0.5f;
        ImGuiCanvas child(*ImGui::GetWindowDrawList(), s.fonts, &s.textures);
        Ui inner(child, look, s.ui);
        const float bar = scrolls ? ImGui::GetStyle().ScrollbarSize : 0;
        const Rect area{window.x, window.y - ImGui::GetScrollY(), window.w - bar, window.h};
        const WorkspaceEntry& workspace = workspace_table()[s.view.workspace];
        const IdScope scope(workspace.id);
        s.content_height = workspace.draw(inner, area, frame, actions);
        ImGui::SetCursorScreenPos({area.x, area.y});
        if (scrolls) ImGui::Dummy({1, s.content_height});
        ImGui::EndChild();
    }
    ImGui::End();

    move_focus(s.ui);
    if (!s.ui.complaint.empty()) {
        s.complain(s.ui.complaint);
        s.ui.complaint.clear();
    }
    if (!actions.status.empty()) s.say(actions.status);

    if (!actions.edits.empty() && !s.ghost) s.ghost = s.derived;
    const bool edited = s.apply_edits(actions.edits);
    const bool looked = !(actions.view == s.view);
    s.view = actions.view;
    return edited || looked;
}

} // namespace

App::App(Services services) : state_(std::make_unique<State>(std::move(services))) {}
App::~App() = default;

void App::set_fonts(const FontSet& fonts) {
    state_->fonts = fonts;
    apply_style(theme(state_->view.theme), fonts);
}

float App::wanted_scale() const { return state_->view.ui_scale; }

void App::frame() {
    State& s = *state_;
    apply_style(theme(s.view.theme), s.fonts);
    for (int pass = 1; draw_pass(s) && pass < k_most_passes; ++pass) {
        // The same instant again: what the input did is seen in this frame, not in the next.
        ImGui::EndFrame();
        ImGui::GetIO().DeltaTime = 1e-5f;
        ImGui::NewFrame();
    }
    const bool interacting = ImGui::IsAnyItemActive();
    s.history.settle(interacting);
    if (!interacting) s.ghost.reset();
}

bool App::wants_quit() const { return state_->quit; }

} // namespace normscope
