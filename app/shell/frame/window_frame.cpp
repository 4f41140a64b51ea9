#include "app/shell/frame/window_frame.h"

#include "app/language/language.h"
#include "app/layout/grid.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/lessons/lessons.h"
#include "app/shell/menus/menus.h"
#include "app/shell/present/present.h"
#include "app/shell/present/scenes.h"
#include "app/widgets/controls.h"
#include "app/widgets/ui.h"
#include "core/base/lists.h"

#include <algorithm>
#include <fmt/format.h>
#include <imgui.h>
#include <imgui_internal.h>
#include <utility>

namespace normscope {
namespace {

constexpr ImGuiWindowFlags k_root_flags =
    ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
    ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav |
    ImGuiWindowFlags_NoScrollWithMouse |
    ImGuiWindowFlags_NoBackground; // the frame is cleared in its colour

// Tab and Shift+Tab walk through the widgets in drawing order. True when they did.
bool move_focus(UiState& ui) {
    ui.order.swap(ui.next_order);
    ui.next_order.clear();
    ui.block = std::exchange(ui.next_block, 0);
    if (ui.block == 0) ui.block_asks.reset();
    const bool covered = !ui.modal && ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
    ui.focus_moved = false;
    const bool key_taken = std::exchange(ui.key_taken, false);
    const ImGuiID* const there = find_in(ui.order, ui.focus);
    if (there) ui.focus_at = static_cast<std::size_t>(there - ui.order.data());
    if (ImGui::GetIO().WantTextInput || covered || key_taken) return false;
    if (key_pressed(Key::escape)) ui.focus_visible = false;
    if (!key_pressed(Key::tab, true) || ctrl_down() || ui.order.empty()) return false;
    const auto n = static_cast<std::ptrdiff_t>(ui.order.size());
    // From nowhere to the page, not to the bar above it; from a widget that is gone, as a button
    // that was pressed may be, to what stands in its place.
    const std::size_t from = ui.focus != 0 ? ui.focus_at : ui.page_begins;
    const auto place = static_cast<std::ptrdiff_t>(std::min(from, ui.order.size()));
    const std::ptrdiff_t step = shift_down() ? n - 1 : there ? 1 : 0;
    ui.focus = entry_at(ui.order, (place + step) % n);
    ui.focus_visible = true;
    return ui.focus_moved = true;
}

void keep_within(std::optional<Index>& index, Index count) {
    if (index && *index >= count) index.reset();
}

// Clears pins, hover, renaming and menu beyond the document's edge: the document may have shrunk.
void fit_view(View& view, const Document& d) {
    const Index tokens = d.token_count(), features = d.feature_count();
    // The viewport stays where one token or feature comes or goes.
    if (std::abs(tokens - view.seen_tokens) + std::abs(features - view.seen_features) > 1)
        view.viewport = {};
    view.seen_tokens = tokens;
    view.seen_features = features;
    keep_within(view.pinned_token, tokens);
    keep_within(view.pinned_feature, features);
    keep_within(view.hover.token, tokens);
    keep_within(view.hover.feature, features);
    for (const Workspace& workspace : workspace_table()) workspace.fit(view, d);
    if (view.renaming &&
        view.renaming->index >= (view.renaming->axis == Axis::token ? tokens : features))
        view.renaming.reset();
    if (view.menu && (view.menu->token >= tokens || view.menu->feature >= features))
        view.menu.reset();
}

// Draws a note in place of a workspace whose first numbers are still being computed.
float draw_waiting(Ui& ui, Rect area, const Document& d) {
    ui.label({area.x, area.center().y - 20, area.w, 40},
             worded("Computing {} × {} values…", d.token_count(), d.feature_count()),
             TextRole::title, ui.theme.ink_soft, Align::center);
    return area.h;
}

// Scrolls the page by keys that no widget uses, and by Page Up and Down with Ctrl always.
void scroll_by_keys(const Ui& ui, const App::State& s, float page_h) {
    if (s.ui.text_edit != 0 || !s.dialogs.empty() || s.menu.is_open()) return;
    if (s.ui.scroll_keys_used && !ctrl_down()) return;
    const float step = 0.9f * page_h;
    if (key_pressed(Key::page_down, true)) ui.scroll_to(ui.scroll() + step);
    if (key_pressed(Key::page_up, true)) ui.scroll_to(ui.scroll() - step);
    if (s.ui.scroll_keys_used) return;
    if (key_pressed(Key::home)) ui.scroll_to(0);
    if (key_pressed(Key::end)) ImGui::SetScrollY(ImGui::GetScrollMaxY());
}

// The head of a workspace, which stays in sight above the page. Returns its height.
float draw_page_head(App::State& s, Rect window, const Frame& frame, Actions& actions) {
    const Workspace& workspace = s.workspace();
    ScreenCanvas canvas(s);
    Ui ui(canvas, theme(s.view.theme), s.ui);
    const IdScope scope(ui, workspace.id);
    const float height = workspace.draw_head({ui, window, frame, actions});
    window.h = height;
    if (s.lesson && height > 0) draw_lesson_marks(ui, window, s.lesson->player, *s.ui.parts);
    return height;
}

// One below the other: they share the window, or are as high as they must be.
float draw_alone(Turn turn, const std::vector<const FigureEntry*>& panels) {
    const float gap = k_panel_gap, share = static_cast<float>(panels.size());
    Rect area = turn.rect.inset(gap);
    for (const FigureEntry* panel : panels) {
        area.h = std::max((turn.rect.h - gap) / share - gap, panel->needed().h);
        panel->draw({turn, area, turn.frame, turn.actions});
        area.y = area.bottom() + gap;
    }
    return area.y - turn.rect.y;
}

void draw_workspace(const Ui& above, App::State& s, Rect window, const Frame& frame,
                    Actions& actions, bool ready) {
    const Workspace& workspace = s.workspace();
    float& content_height = s.content_height[s.view.workspace];
    const float window_h = window.h;
    s.ui.page_begins = s.ui.next_order.size();
    const bool scrolls = content_height > window_h + 0.5f;
    const float bar = scrolls ? above.from_pixels(ImGui::GetStyle().ScrollbarSize) : 0;
    Rect head = window;
    head.w -= bar;
    cut_top(window, ready && s.alone.empty() ? draw_page_head(s, head, frame, actions) : 0);
    {
        // Each is scrolled to where it was left.
        const auto end = scrolled(above, std::string(workspace.id).c_str(), window);
        // ImGui lets the wheel stay for a while with the page that it scrolled last.
        if (ImGui::IsWindowAppearing()) ImGui::GetCurrentContext()->WheelingWindow = nullptr;
        if (const auto by = std::exchange(s.scroll_by, std::nullopt)) {
            above.scroll_to(above.scroll() + *by);
            s.frames_wanted = 2;
        }
        PageScroll& scroll = s.scrolls[s.view.workspace];
        if (scroll.passes > 0) {
            --scroll.passes;
            above.scroll_to(scroll.to);
            s.frames_wanted = 2;
        }
        scroll.now = above.scroll();
        ScreenCanvas canvas(s);
        Ui ui(canvas, theme(s.view.theme), s.ui);
        const Rect area{window.x, window.y - ui.scroll(), window.w - bar, window.h};
        const IdScope scope(ui, workspace.id);
        ui.name("", window, PartKind::panel);
        s.ui.scroll_keys_used = false;
        const float height = window_h - window.h +
                             (!ready            ? draw_waiting(ui, area, frame.document)
                              : s.alone.empty() ? workspace.draw({ui, area, frame, actions})
                                                : draw_alone({ui, area, frame, actions}, s.alone));
        draw_lesson_on_page(ui, window, s);
        // Whether there is a scroll bar changes the width, and so what was just drawn.
        s.ui.unsettled |= scrolls != (height > window_h + 0.5f);
        content_height = height;
        if (scrolls) ui.scroll_room({area.x, area.y}, content_height - window_h + window.h);
        scroll_by_keys(ui, s, window.h);
    }
}

// Opens the Add & Norm that was asked for in a stack, once its numbers are there.
void take_opened_part(App::State& s) {
    // Only the open workspace is asked: a user who has left the stack stays where they are.
    const Workspace& workspace = s.workspace();
    const auto opened = workspace.take_opened(s.memory);
    // An Add & Norm of an older state of the document would take the edits since then back.
    if (!opened || !(opened->from == s.document())) return;
    if (s.complains_of(opened->document)) return;
    look_at_part(s, opened->name, *opened->document);
    s.view.workspace = workspace_index(opened->opens_in).value_or(s.view.workspace);
}

bool mouse_used() {
    const ImGuiIO& io = ImGui::GetIO();
    return io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || io.MouseWheel != 0 ||
           ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseDown(ImGuiMouseButton_Right);
}

// The numbers before the last edit, to compare the shown ones with, until the next edit, undo or
// Esc. A large document's are not kept: they would take too much memory.
std::shared_ptr<const Derived> before_last_edit(App::State& s, const Document& shown) {
    constexpr Index k_most_kept = Index{1} << 20; // values
    if (s.ghost) return s.ghost;
    const bool esc = key_pressed(Key::escape) && s.dialogs.empty() && !s.menu.is_open();
    if (s.before && (esc || shown.x->size() > k_most_kept || !s.before->fits(shown) ||
                     !same_objects(*s.before_led_to, s.document())))
        s.before.reset();
    return s.before;
}

} // namespace

bool draw_window(App::State& s) {
    if (mouse_used()) s.ui.keys_lead = false;
    take_opened_part(s);
    s.memory.derived.of(s.document());
    s.derived = s.memory.derived.last();
    const Document document = s.document();
    fit_view(s.view, document);
    keep_up_lesson(s);
    if (s.ghost && !drawn_together(s.ghost->document(), document)) s.end_gesture();
    const std::shared_ptr<const Derived> before = before_last_edit(s, document);
    if (!s.ui.parts) s.ui.parts = &s.parts;
    const std::vector<OutlinedPanel> outline = outline_of(s);
    s.ui.parts->clear();
    const bool read = s.ui.focus_visible || s.dialog_ui.focus_visible || !s.dialogs.empty();
    s.ui.letters_are_keys = s.present.on;
    if (s.services.tell) s.ui.texts = read ? &s.texts : nullptr;
    if (s.ui.texts) s.ui.texts->clear();

    Actions actions;
    actions.view = s.view;
    actions.view.hover = {};
    actions.view.running = false; // goes on only while its panel is there to say so
    actions.view.scales_move = false;
    const View drawn = s.view;
    const bool ready =
        s.workspace().keep_up(s.memory, document, s.ghost ? &s.ghost->document() : nullptr);
    s.memory.lab.end_frame();
    if (const auto error = s.memory.lab.take_error())
        s.complain(worded("{}. The numbers shown are those of before.", error_text(*error)));
    const Frame frame{document, *s.derived, drawn, s.ghost.get(), s.memory, before.get()};

    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
    ImGui::Begin("##normscope", nullptr, k_root_flags);
    {
        const AtEnd end(ImGui::End);
        ScreenCanvas canvas(s);
        Ui ui(canvas, theme(s.view.theme), s.ui);
        Rect window = ui.window();
        if (s.present.on) {
            draw_presented({ui, window, frame, actions}, s, ready);
        } else if (!s.alone.empty()) {
            draw_workspace(ui, s, window, frame, actions, ready);
        } else {
            draw_top_bar(ui, window, s);
            const Rect lesson = cut_right(window, lesson_width(ui, window, s));
            const Rect line = cut_bottom(window, k_bottom_line_h);
            const Rect below = cut_bottom(window, lesson_height(ui, window, s));
            const bool shows_page = window.h >= 1; // else a lesson is there in its place
            if (shows_page) draw_first_steps(ui, window, s);
            const bool is_long = shows_page && s.content_height[s.view.workspace] > window.h + 0.5f;
            draw_bottom_line(ui, line, s, {outline, window.y, is_long});
            if (shows_page) draw_workspace(ui, s, window, frame, actions, ready);
            draw_lesson(ui, lesson.w > 0 ? lesson : below, s);
        }
        if (!s.dialogs.empty()) s.menu = {};
        draw_dialogs(s);
        draw_open_menu(ui, s);
        run_presenter_keys(s);
        run_shortcuts(s);
        run_workspace_keys(s);
        ScreenCanvas above(s, *ImGui::GetForegroundDrawList());
        Ui note(above, ui.theme, s.ui);
        draw_busy_note(note, window, s);
    }

    const bool moved = move_focus(s.ui);
    // One frame to find the widget, and one to draw the page scrolled to it.
    if (move_focus(s.dialog_ui) || moved) s.frames_wanted = 2;
    if (const auto copied = std::exchange(s.ui.copied, {})) copy_to_clipboard(s, copied);
    if (std::exchange(s.ui.pasted, {}))
        s.refuse("Nothing was pasted: the cells are not shown any more. Paste again");
    if (const auto paste = std::exchange(s.ui.paste, {})) read_paste(s, paste);
    if (!s.ui.complaint.empty()) s.refuse(std::exchange(s.ui.complaint, {}));
    if (!s.dialog_ui.complaint.empty()) s.complain(std::exchange(s.dialog_ui.complaint, {}));
    if (actions.ask) actions.ask(s.memory, document);
    if (actions.open_file) s.defer(ask_open);
    if (actions.own_file) s.defer(ask_own_file);
    if (actions.own_numbers) s.defer(ask_export_numbers);
    if (!actions.status.empty() && actions.edits.empty()) s.say(actions.status);
    const std::string remark = std::exchange(s.ui.remark, {});
    // The sentence is said only if the edit is accepted.
    const bool edited = s.apply_edits(actions.edits, remark.empty() ? actions.status : remark);
    const bool on_data = actions.view.hover.token || actions.view.hover.feature;
    if (actions.keyed && (s.ui.keys_lead || !on_data))
        actions.view.hover = *actions.keyed;
    else if (s.ui.keys_lead)
        actions.view.hover = {};
    const bool looked = !(actions.view == drawn) || actions.ask;
    s.view = actions.view;
    const std::vector<Command> commands = std::exchange(s.commands, {});
    for (const Command& command : commands) command(s);
    if (s.view.workspace != drawn.workspace) s.view.running = false; // what the other one ran
    if (s.view.came_from && s.view.workspace == s.view.came_from->workspace) leave_part(s);
    return edited || looked || s.ui.pasted || !commands.empty();
}

std::vector<OutlinedPanel> outline_of(const App::State& s) {
    if (!s.ui.parts) return {};
    const Workspace& workspace = s.workspace();
    std::vector<OutlinedPanel> all;
    for (const FigureEntry& figure : workspace.figures)
        if (const NamedPart* part =
                find_part(*s.ui.parts, fmt::format("{}.{}", workspace.id, figure.id)))
            all.push_back({&figure, part->rect.times(1 / s.fonts.scale),
                           part->in_sight().times(1 / s.fonts.scale)});
    std::erase_if(all, [every = all](const OutlinedPanel& one) {
        return std::ranges::any_of(every, [&](const OutlinedPanel& other) {
            return other.figure != one.figure && other.rect.w > one.rect.w &&
                   other.rect.contains(one.rect.center());
        });
    });
    std::ranges::stable_sort(all, {}, [](const OutlinedPanel& l) { return l.rect.y; });
    return all;
}

} // namespace normscope
