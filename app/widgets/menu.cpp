#include "app/widgets/menu.h"

#include "app/widgets/imgui_canvas.h"
#include "app/widgets/ui.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <iterator>

namespace normscope {
namespace {

constexpr const char* k_popup = "##menu";
constexpr float k_item_h = 30;
constexpr float k_line_h = 9; // of a line between two groups
constexpr float k_heading_h = 22;
constexpr float k_menu_pad = 6;
constexpr float k_check = 26; // left of the words
constexpr float k_hint_w = 300;

// One open level of a menu: where it lies, and where its rows do.
struct Level {
    const std::vector<MenuItem>& items;
    int lit;           // −1: none
    float content = 0; // height of all rows
    std::vector<Rect> rows = {};
    Rect rect = {};

    const MenuItem* item(int i) const { return i < 0 ? nullptr : &entry_at(items, i); }
    Rect lit_row() const { return entry_at(rows, lit); }
    int row_at(Point p) const {
        const auto at = std::ranges::find_if(rows, [&](Rect row) { return row.contains(p); });
        return at == rows.end() ? -1 : static_cast<int>(at - rows.begin());
    }
};

Text label_of(const MenuItem& item) {
    return item.as_typed ? Text::typed(item.label) : item.label;
}

float row_width(const Ui& ui, const MenuItem& item) {
    float w = (k_check + 22) + ui.text_width(label_of(item), TextRole::label);
    if (!item.children.empty()) w += 24;
    if (!item.chords.empty()) w += 28 + ui.text_width(chord_text(item.chords[0]), TextRole::small);
    return std::ceil(w);
}

// Stacks the rows at 0, 0 and takes the size that they need.
Level stacked(const Ui& ui, const std::vector<MenuItem>& items, int lit) {
    Level level{items, lit};
    const float pad = k_menu_pad, row_h = k_item_h;
    float w = 180, y = pad;
    for (const MenuItem& item : items) {
        if (item.line_above) y += k_line_h;
        if (!item.heading.empty()) y += k_heading_h;
        level.rows.push_back({4, y, 0, row_h});
        y += row_h;
        w = std::max(w, row_width(ui, item));
    }
    level.content = std::ceil(y + pad);
    level.rect = {0, 0, w, level.content};
    return level;
}

// The levels that are open, each inside the window; a lit item that the keyboard moved is in sight.
std::vector<Level> lay_out(const Ui& ui, const Menu& menu, MenuState& state) {
    const Rect window = ui.window().inset(4);
    const float pad = k_menu_pad;
    std::vector<Level> levels;
    const std::vector<MenuItem>* items = &menu.items;
    state.scroll.resize(state.path.size());
    for (std::size_t i = 0; i < state.path.size() && !items->empty(); ++i) {
        Level level = stacked(ui, *items, state.path[i]);
        Rect& r = level.rect;
        r.w = std::min(r.w, window.w);
        if (i == 0) {
            // Below the anchor, or above it where there is more room.
            r.x = state.anchor.x;
            r.y = state.anchor.bottom() + 3;
            const float below = window.bottom() - r.y, above = state.anchor.y - window.y;
            r.h = std::min(r.h, std::max(below, above));
            if (r.h > below) r.y = state.anchor.y - r.h;
        } else {
            const Rect row = levels.back().lit_row();
            r.h = std::min(r.h, window.h);
            r.x = row.right();
            if (r.right() > window.right() && row.x - r.w >= window.x) r.x = row.x - r.w;
            r.y = row.y - pad;
        }
        r.x = std::max(window.x, std::min(r.x, window.right() - r.w));
        r.y = std::max(window.y, std::min(r.y, window.bottom() - r.h));
        float& scroll = state.scroll[i];
        if (state.keyboard && level.lit >= 0) {
            const Rect row = level.lit_row();
            scroll = std::min(std::max(scroll, row.bottom() + pad - r.h), row.y - pad);
        }
        scroll = std::max(0.0f, std::min(scroll, level.content - r.h));
        for (Rect& row : level.rows)
            row = {r.x + row.x, r.y + row.y - scroll, r.w - 2 * row.x, row.h};
        levels.push_back(std::move(level));
        const MenuItem* lit = levels.back().item(levels.back().lit);
        if (!lit) break;
        items = &lit->children;
    }
    return levels;
}

void draw_row(Ui& ui, const MenuItem& item, Rect row, bool lit) {
    const Theme& t = ui.theme;
    Rect above = row;
    if (!item.heading.empty()) {
        above.y -= k_heading_h;
        ui.label({row.x + 6, above.y, row.w - 12, k_heading_h}, item.heading, TextRole::small,
                 t.ink_soft);
    }
    if (item.line_above) {
        const float y = above.y - (k_line_h / 2);
        ui.canvas.line({row.x + 6, y}, {row.right() - 6, y}, t.border);
    }
    ui.name(item.id, row, PartKind::button, item.enabled);
    const bool on = lit && item.enabled;
    if (on) ui.canvas.fill_rect(row, t.accent, 4);
    const Color ink = on ? t.on_accent : item.enabled ? t.ink : t.ink_soft;
    const Rect check = cut_left(row, k_check);
    if (item.checked) ui.canvas.text_in(check, "✓", TextRole::label, ink);
    cut_right(row, 10);
    if (!item.children.empty()) ui.canvas.text_in(cut_right(row, 14), "▸", TextRole::label, ink);
    if (!item.chords.empty()) {
        const std::string text = chord_text(item.chords[0]);
        const float w = ui.text_width(text, TextRole::small);
        ui.canvas.text_in(cut_right(row, w, 10), text, TextRole::small, on ? ink : t.ink_soft,
                          Align::right);
    }
    ui.label(row, label_of(item), TextRole::label, ink);
}

void draw_level(Ui& ui, const Level& level, float scroll) {
    const Theme& t = ui.theme;
    const Rect r = level.rect;
    ui.canvas.fill_rect(r.inset(-1), t.ink.with_alpha(0.10f), 9);
    draw_ground(ui, r);
    const Rect seen = r.inset(0, 2);
    ui.canvas.push_clip(seen);
    for (const auto i : indices(level.rows)) {
        const Rect row = level.rows[i];
        if (row.bottom() >= seen.y && row.y <= seen.bottom())
            draw_row(ui, level.items[i], row, static_cast<int>(i) == level.lit);
    }
    ui.canvas.pop_clip();
    if (level.content <= r.h + 1) return;
    const float room = (r.h - 8) / level.content; // how far it is scrolled
    ui.canvas.fill_rect({r.right() - 5, r.y + 4 + room * scroll, 3, room * r.h}, t.ink_soft, 1.5f);
}

std::string words_of(const MenuItem& item) {
    std::string words(label_of(item).view());
    if (!item.chords.empty()) words += " " + chord_text(item.chords[0]);
    return item.checked ? words + " ✓" : words;
}

// The hint of the lit item, beside its level: at the left where there is room, as the examples
// hang at the right edge.
void draw_hint(Ui& ui, const Level& level) {
    const MenuItem* lit = level.item(level.lit);
    if (!lit || lit->hint.empty()) return;
    const float w = k_hint_w, gap = 6, pad = 12;
    const Rect window = ui.window();
    const bool left = level.rect.x >= w + 2 * gap;
    if (!left && window.w - level.rect.right() < w + 2 * gap) return;
    const float h = paragraph_height(ui, w - 2 * pad, lit->hint, TextRole::small) + 2 * pad;
    const Rect note{left ? level.rect.x - gap - w : level.rect.right() + gap,
                    std::clamp(level.lit_row().y, gap, std::max(gap, window.h - gap - h)), w, h};
    draw_ground(ui, note);
    paragraph(ui, note.inset(pad, pad), lit->hint, TextRole::small);
}

// The input of one frame, against the levels as they were laid out.
struct MenuInput {
    const Ui& ui;
    MenuState& state;
    const std::vector<MenuTitle>& bar;
    const std::vector<Level>& levels;
    std::function<void()> chosen = {};

    void run() {
        if (key_pressed(Key::escape)) {
            take_key(Key::escape); // the page below must not hear it too
            return leave();
        }
        if (!arrows()) mouse();
    }

    void leave() {
        if (state.path.size() == 1) return close();
        state.path.pop_back();
        state.keyboard = true; // the mouse opens it again only when it is moved
    }

    void close() { state = {}; }

    void activate(const MenuItem* item) {
        if (!item || !item->enabled || !item->run) return;
        chosen = item->run;
        close();
    }

    // False where there is nothing below the item.
    bool enter(const MenuItem* item) {
        if (!item || item->children.empty()) return false;
        state.path.push_back(-1);
        go(item->children, 0, 1);
        return true;
    }

    // Lights the item at `to` of the deepest level, or the next one that can be chosen.
    void go(const std::vector<MenuItem>& items, int to, int step) {
        const int n = static_cast<int>(items.size());
        to = (to + n) % n;
        for (int tries = 0; tries < n && !entry_at(items, to).enabled; ++tries)
            to = (to + step + n) % n;
        state.path.back() = to;
    }

    void next_menu(int step) {
        const auto here = std::ranges::find(bar, state.id, &MenuTitle::id);
        if (here == bar.end()) return;
        const auto n = std::ssize(bar);
        const auto at = (here - bar.begin() + step + n) % n;
        const MenuTitle& to = entry_at(bar, at);
        open_menu(state, to.id, to.rect, true);
    }

    bool arrows() {
        const Level& level = levels.back();
        const MenuItem* const lit = level.item(level.lit);
        const int last = static_cast<int>(level.items.size()) - 1;
        if (key_pressed(Key::down, true))
            go(level.items, level.lit + 1, 1);
        else if (key_pressed(Key::up, true))
            go(level.items, level.lit < 0 ? last : level.lit - 1, -1);
        else if (key_pressed(Key::home))
            go(level.items, 0, 1);
        else if (key_pressed(Key::end))
            go(level.items, last, -1);
        else if (key_pressed(Key::right)) {
            if (!enter(lit)) next_menu(1);
        } else if (key_pressed(Key::left))
            levels.size() > 1 ? leave() : next_menu(-1);
        else if (!key_pressed(Key::enter) && !key_pressed(Key::space))
            return false;
        else if (!enter(lit)) {
            take_key(Key::enter);
            activate(lit);
        }
        state.keyboard = state.is_open();
        return true;
    }

    void mouse() {
        const ImGuiIO& io = ImGui::GetIO();
        const Point at = ui.mouse();
        if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || io.MouseWheel != 0)
            state.keyboard = false;
        const bool pressed = ImGui::IsMouseClicked(0);
        for (std::size_t i = levels.size(); i-- > 0;) {
            if (!levels[i].rect.contains(at)) continue;
            if (io.MouseWheel != 0) state.scroll[i] -= io.MouseWheel * (3 * k_item_h);
            const int row = levels[i].row_at(at);
            if (!state.keyboard) light(i, row);
            if (ImGui::IsMouseReleased(0)) activate(levels[i].item(row));
            return;
        }
        for (const MenuTitle& title : bar) {
            if (!title.rect.contains(at)) continue;
            if (title.id == state.id && pressed) return close();
            if (title.id != state.id && !state.keyboard)
                open_menu(state, title.id, title.rect, false);
            return;
        }
        if (pressed || ImGui::IsMouseClicked(1)) close();
    }

    // The mouse is over a row: its submenu opens, and those of its neighbours close.
    void light(std::size_t i, int row) {
        const MenuItem* const item = levels[i].item(row);
        if (!item) return;
        if (state.path[i] != row) state.scroll.resize(i + 1);
        state.path.resize(i + 1);
        state.path[i] = row;
        if (item->enabled && !item->children.empty()) state.path.push_back(-1);
    }
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
    state = {id, anchor, {keyboard ? 0 : -1}, {0}, keyboard, {}};
}

std::function<void()> draw_menu(Ui& page, MenuState& state, const Menu& menu,
                                const std::vector<MenuTitle>& bar) {
    if (menu.items.empty() || !begin_cover(k_popup)) {
        state = {};
        return {};
    }
    const AtEnd end(ImGui::EndPopup);
    ImGuiCanvas canvas(dynamic_cast<const ImGuiCanvas&>(page.canvas), *ImGui::GetWindowDrawList());
    Ui ui(canvas, page.theme, page.state);
    const std::vector<Level> levels = lay_out(ui, menu, state);
    std::string path = menu.scope; // "file.export"
    for (const auto i : indices(levels)) {
        const IdScope scope(ui, path);
        draw_level(ui, levels[i], state.scroll[i]);
        const MenuItem* lit = levels[i].item(levels[i].lit);
        if (!lit) continue;
        state.words = words_of(*lit);
        if (!path.empty()) path += '.';
        path += lit->scope.empty() ? lit->id : lit->scope;
    }
    draw_hint(ui, levels.back());
    if (ImGui::IsWindowAppearing()) return {}; // what opened the menu does not close it
    MenuInput input{ui, state, bar, levels};
    input.run();
    if (!state.is_open()) ImGui::CloseCurrentPopup();
    return input.chosen;
}

bool page_menu(Ui& ui, const std::string& id, bool asked, std::optional<Point> at,
               std::vector<MenuItem> items) {
    MenuState& state = ui.state.menu;
    const Point from = at.value_or(ui.mouse());
    if (asked)
        open_menu(state, id, {from.x, from.y, 0, 0}, true);
    else if (state.id != id || !ImGui::IsPopupOpen(k_popup))
        return false;
    if (const auto run = draw_menu(ui, state, {"", std::move(items)})) run();
    return state.is_open();
}

} // namespace normscope
