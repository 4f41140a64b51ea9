#include "app/shell/menus/menu.h"

#include "app/shell/frame/state.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <iterator>

namespace normscope {
namespace {

constexpr float k_item_h = 30;
constexpr float k_separator_h = 9;
constexpr float k_pad = 6;
constexpr float k_check = 26; // left of the words
constexpr float k_hint_w = 300;

// One open level of a menu: where it lies, and where its rows do.
struct Panel {
    const std::vector<MenuItem>* items = nullptr;
    Rect rect;
    float content = 0; // height of all rows
    float scroll = 0;

    Rect row(const Ui& ui, std::size_t i) const {
        float y = rect.y + ui.px(k_pad) - scroll;
        for (std::size_t above = 0; above < i; ++above)
            y += ui.px(k_item_h + ((*items)[above].line_above ? k_separator_h : 0));
        if ((*items)[i].line_above) y += ui.px(k_separator_h);
        return {rect.x + ui.px(4), y, rect.w - ui.px(8), ui.px(k_item_h)};
    }
    int row_at(const Ui& ui, Point p) const {
        if (!rect.contains(p)) return -1;
        for (std::size_t i = 0; i < items->size(); ++i)
            if (row(ui, i).contains(p)) return static_cast<int>(i);
        return -1;
    }
};

Size content_size(const Ui& ui, const std::vector<MenuItem>& items) {
    Size size{ui.px(180), ui.px(2 * k_pad)};
    for (const MenuItem& item : items) {
        float w = ui.px(k_check + 22) + ui.canvas.text_size(item.label, TextRole::label).w;
        if (!item.children.empty()) w += ui.px(24);
        if (!item.chords.empty())
            w += ui.px(28) + ui.canvas.text_size(chord_text(item.chords[0]), TextRole::small).w;
        size.w = std::max(size.w, w);
        size.h += ui.px(k_item_h + (item.line_above ? k_separator_h : 0));
    }
    return {std::ceil(size.w), std::ceil(size.h)};
}

// The levels that are open, each inside the window.
std::vector<Panel> lay_out(const Ui& ui, const Menu& menu, MenuState& state, Size window) {
    std::vector<Panel> panels;
    const std::vector<MenuItem>* items = &menu.items;
    const float margin = ui.px(4);
    for (std::size_t level = 0; level < state.path.size() && !items->empty(); ++level) {
        const Size size = content_size(ui, *items);
        Panel p{items, {0, 0, std::min(size.w, window.w - 2 * margin), size.h}, size.h, 0};
        p.rect.h = std::min(size.h, window.h - 2 * margin);
        if (level == 0) {
            p.rect.x = state.anchor.x;
            p.rect.y = state.anchor.bottom() + ui.px(3);
            p.rect.h = std::min(size.h, window.h - p.rect.y - margin);
        } else {
            const Panel& parent = panels.back();
            const Rect row = parent.row(ui, static_cast<std::size_t>(state.path[level - 1]));
            p.rect.x = row.right();
            if (p.rect.right() > window.w - margin && row.x - p.rect.w >= margin)
                p.rect.x = row.x - p.rect.w;
            p.rect.y = row.y - ui.px(k_pad);
        }
        p.rect.x = std::clamp(p.rect.x, margin, std::max(margin, window.w - margin - p.rect.w));
        p.rect.y = std::clamp(p.rect.y, margin, std::max(margin, window.h - margin - p.rect.h));
        state.scroll.resize(state.path.size());
        state.scroll[level] =
            std::clamp(state.scroll[level], 0.0f, std::max(0.0f, p.content - p.rect.h));
        p.scroll = state.scroll[level];
        panels.push_back(p);
        const int lit = state.path[level];
        if (lit < 0) break;
        items = &(*items)[static_cast<std::size_t>(lit)].children;
    }
    return panels;
}

void draw_panel(Ui& ui, const Panel& panel, int lit) {
    const Theme& t = ui.theme;
    ui.canvas.fill_rect(panel.rect.inset(-ui.px(1)), t.ink.with_alpha(0.10f), ui.px(8));
    ui.canvas.fill_rect(panel.rect, t.panel, ui.px(7));
    ui.canvas.stroke_rect(panel.rect, t.border, ui.px(1), ui.px(7));
    const Rect seen = panel.rect.inset(0, ui.px(2));
    ui.canvas.push_clip(seen);
    for (std::size_t i = 0; i < panel.items->size(); ++i) {
        const MenuItem& item = (*panel.items)[i];
        Rect row = panel.row(ui, i);
        if (row.bottom() < seen.y || row.y > seen.bottom()) continue;
        if (item.line_above)
            ui.canvas.line({row.x + ui.px(6), row.y - ui.px(k_separator_h / 2)},
                           {row.right() - ui.px(6), row.y - ui.px(k_separator_h / 2)}, t.border,
                           ui.px(1));
        ui.name(item.id, row, PartKind::button, item.enabled);
        const bool on = static_cast<int>(i) == lit && item.enabled;
        if (on) ui.canvas.fill_rect(row, t.accent, ui.px(4));
        const Color ink = on ? t.on_accent : item.enabled ? t.ink : t.ink_soft;
        const Rect check = cut_left(row, ui.px(k_check));
        if (item.checked) ui.canvas.text_in(check, "✓", TextRole::label, ink);
        cut_right(row, ui.px(10));
        if (!item.children.empty())
            ui.canvas.text_in(cut_right(row, ui.px(14)), "▸", TextRole::label, ink);
        if (!item.chords.empty()) {
            const std::string text = chord_text(item.chords[0]);
            const float w = ui.canvas.text_size(text, TextRole::small).w;
            ui.canvas.text_in(cut_right(row, w, ui.px(10)), text, TextRole::small,
                              on ? ink : t.ink_soft, Align::right);
        }
        if (item.as_typed)
            ui.name_label(row, item.label, TextRole::label, ink);
        else
            ui.label(row, item.label, TextRole::label, ink);
    }
    ui.canvas.pop_clip();
    if (panel.content > panel.rect.h + 1) { // how far it is scrolled
        const float share = panel.rect.h / panel.content;
        const Rect bar{panel.rect.right() - ui.px(5),
                       panel.rect.y + ui.px(4) +
                           (panel.rect.h - ui.px(8)) * panel.scroll / panel.content,
                       ui.px(3), (panel.rect.h - ui.px(8)) * share};
        ui.canvas.fill_rect(bar, t.ink_soft, ui.px(1.5f));
    }
}

// What is said of the lit item, beside its panel: at the left where there is room, as the examples
// hang at the right edge.
void draw_hint(Ui& ui, const Panel& panel, int lit) {
    if (lit < 0) return;
    const std::string& words = (*panel.items)[static_cast<std::size_t>(lit)].hint;
    if (words.empty()) return;
    const float w = ui.px(k_hint_w), gap = ui.px(6), pad = ui.px(12);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const bool left = panel.rect.x >= w + 2 * gap;
    if (!left && display.x - panel.rect.right() < w + 2 * gap) return;
    const float h = paragraph_height(ui, w - 2 * pad, words, TextRole::small) + 2 * pad;
    const float row = panel.row(ui, static_cast<std::size_t>(lit)).y;
    const Rect note{left ? panel.rect.x - gap - w : panel.rect.right() + gap,
                    std::clamp(row, gap, std::max(gap, display.y - gap - h)), w, h};
    ui.canvas.fill_rect(note, ui.theme.panel, ui.px(7));
    ui.canvas.stroke_rect(note, ui.theme.border, ui.px(1), ui.px(7));
    paragraph(ui, note.inset(pad, pad), words, TextRole::small, ui.theme.ink);
}

// The input of one frame, against the panels as they were laid out.
class MenuInput {
  public:
    MenuInput(Ui& ui, App::State& app, const Menu& menu, const std::vector<MenuTitle>& bar,
              const std::vector<Panel>& panels)
        : ui_(ui), app_(app), state_(app.menu), menu_(menu), bar_(bar), panels_(panels) {}

    void run() {
        if (key_pressed(Key::escape)) return leave();
        if (!arrows()) mouse();
    }

  private:
    const MenuItem* item(std::size_t level, int i) const {
        if (level >= panels_.size() || i < 0) return nullptr;
        return &(*panels_[level].items)[static_cast<std::size_t>(i)];
    }

    void close() { state_ = {}; }

    void leave() {
        if (state_.path.size() == 1) return close();
        state_.path.pop_back();
        state_.keyboard = true; // the mouse opens it again only when it is moved
    }

    void activate(const MenuItem& chosen) {
        if (!chosen.enabled || !chosen.run) return;
        app_.defer(chosen.run);
        close();
    }

    // False where there is nothing below the item.
    bool enter(const MenuItem* lit) {
        if (!lit || lit->children.empty()) return false;
        state_.path.push_back(0);
        skip_disabled(1);
        return true;
    }

    // Moves the lit item of the deepest level on to one that can be chosen.
    void skip_disabled(int step) {
        const std::vector<MenuItem>* items = &menu_.items;
        for (std::size_t l = 0; l + 1 < state_.path.size(); ++l)
            items = &(*items)[static_cast<std::size_t>(state_.path[l])].children;
        const int n = static_cast<int>(items->size());
        int& lit = state_.path.back();
        for (int tries = 0; tries < n && !(*items)[static_cast<std::size_t>(lit)].enabled; ++tries)
            lit = (lit + step + n) % n;
    }

    void next_menu(int step) {
        const auto here = std::ranges::find(bar_, state_.id, &MenuTitle::id);
        if (here == bar_.end()) return;
        const auto n = static_cast<std::ptrdiff_t>(bar_.size());
        const auto at = (here - bar_.begin() + step + n) % n;
        const MenuTitle& to = bar_[static_cast<std::size_t>(at)];
        open_menu(state_, to.id, to.rect, true);
    }

    bool arrows() {
        const std::size_t level = state_.path.size() - 1;
        int& lit = state_.path[level];
        const int n = static_cast<int>(panels_[std::min(level, panels_.size() - 1)].items->size());
        const MenuItem* const lit_item = item(level, lit);
        const auto go = [&](int to, int step) {
            lit = (to + n) % n;
            skip_disabled(step);
        };
        if (key_pressed(Key::down, true))
            go(lit + 1, 1);
        else if (key_pressed(Key::up, true))
            go(lit < 0 ? n - 1 : lit - 1, -1);
        else if (key_pressed(Key::home))
            go(0, 1);
        else if (key_pressed(Key::end))
            go(n - 1, -1);
        else if (key_pressed(Key::right)) {
            if (!enter(lit_item)) next_menu(1);
        } else if (key_pressed(Key::left))
            level > 0 ? leave() : next_menu(-1);
        else if (!key_pressed(Key::enter) && !key_pressed(Key::space))
            return false;
        else if (!enter(lit_item) && lit_item)
            activate(*lit_item);
        if (state_.is_open()) {
            state_.keyboard = true;
            reveal();
        }
        return true;
    }

    // Scrolls the lit row into sight.
    void reveal() {
        const std::size_t level = state_.path.size() - 1;
        if (level >= panels_.size() || state_.path[level] < 0) return;
        const Panel& p = panels_[level];
        const Rect row = p.row(ui_, static_cast<std::size_t>(state_.path[level]));
        state_.scroll.resize(state_.path.size());
        float& scroll = state_.scroll[level];
        scroll = std::max(scroll, p.scroll + row.bottom() + ui_.px(k_pad) - p.rect.bottom());
        scroll = std::min(scroll, p.scroll + row.y - ui_.px(k_pad) - p.rect.y);
        scroll = std::max(scroll, 0.0f);
    }

    void mouse() {
        const ImGuiIO& io = ImGui::GetIO();
        const Point at = ui_.mouse();
        if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0) state_.keyboard = false;
        const bool pressed = ImGui::IsMouseClicked(0);
        const bool released = ImGui::IsMouseReleased(0);
        for (std::size_t level = panels_.size(); level-- > 0;) {
            if (!panels_[level].rect.contains(at)) continue;
            if (io.MouseWheel != 0) state_.scroll[level] -= io.MouseWheel * ui_.px(3 * k_item_h);
            const int row = panels_[level].row_at(ui_, at);
            if (!state_.keyboard) light(level, row);
            const MenuItem* under = item(level, row);
            if (released && under) activate(*under);
            return;
        }
        for (const MenuTitle& title : bar_) {
            if (!title.rect.contains(at)) continue;
            if (title.id == state_.id && pressed) return close();
            if (title.id != state_.id && !state_.keyboard)
                open_menu(state_, title.id, title.rect, false);
            return;
        }
        if (pressed || ImGui::IsMouseClicked(1)) close();
    }

    // The mouse is over a row: its submenu opens, and those of its neighbours close.
    void light(std::size_t level, int row) {
        if (row < 0) return;
        state_.path.resize(level + 1, -1);
        const bool same = state_.path[level] == row && panels_.size() > level + 1;
        state_.path[level] = row;
        const MenuItem* under = item(level, row);
        if (under && under->enabled && !under->children.empty()) state_.path.push_back(-1);
        if (!same && state_.scroll.size() > level + 1) state_.scroll.resize(level + 1);
        state_.scroll.resize(state_.path.size());
    }

    Ui& ui_;
    App::State& app_;
    MenuState& state_;
    const Menu& menu_;
    const std::vector<MenuTitle>& bar_;
    const std::vector<Panel>& panels_;
};

} // namespace

std::vector<MenuItem> in_groups(std::vector<std::vector<MenuItem>> groups) {
    std::vector<MenuItem> items;
    for (std::vector<MenuItem>& group : groups) {
        if (!items.empty() && !group.empty()) group.front().line_above = true;
        std::ranges::move(group, std::back_inserter(items));
    }
    return items;
}

void open_menu(MenuState& state, const std::string& id, Rect anchor, bool keyboard) {
    state = {id, anchor, {keyboard ? 0 : -1}, {0}, keyboard};
}

void draw_menu(App::State& s, const Menu& menu, const std::vector<MenuTitle>& bar) {
    if (!begin_cover("##menu")) {
        s.menu = {};
        return;
    }
    const AtEnd end(ImGui::EndPopup);
    ScreenCanvas canvas(s);
    Ui ui(canvas, theme(s.view.theme), s.ui);
    const ImVec2 display = ImGui::GetIO().DisplaySize;
    const std::vector<Panel> panels = lay_out(ui, menu, s.menu, {display.x, display.y});
    // "menu.file.open", also where all menus are in one.
    const IdScope scope(ui, "menu");
    std::string path = menu.id == k_all_menus ? "" : menu.id;
    for (std::size_t level = 0; level < panels.size(); ++level) {
        const int lit = s.menu.path[level];
        const IdScope level_scope(ui, path);
        draw_panel(ui, panels[level], lit);
        if (lit < 0) continue;
        if (!path.empty()) path += '.';
        path += (*panels[level].items)[static_cast<std::size_t>(lit)].id;
    }
    if (!panels.empty()) draw_hint(ui, panels.back(), s.menu.path[panels.size() - 1]);
    const MenuState before = s.menu;
    if (!panels.empty()) MenuInput(ui, s, menu, bar, panels).run();
    if (!s.menu.is_open()) ImGui::CloseCurrentPopup();
    if (s.menu.id != before.id || s.menu.path != before.path || s.menu.scroll != before.scroll)
        s.frames_wanted = 2;
}

} // namespace normscope
