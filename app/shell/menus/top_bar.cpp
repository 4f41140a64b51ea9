#include "app/shell/menus/top_bar.h"

#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/menus/menus.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

enum class Tabs { names, numbers, dropdown, dropdown_number };

// What the bar shows at a width; wider plans come first.
struct Plan {
    bool brand = true;
    bool menus = true; // each, or all in one
    Tabs tabs = Tabs::names;
    bool example_word = true;
    float picker = 210;
};
constexpr Plan k_plans[] = {
    {},
    {.example_word = false},
    {.example_word = false, .picker = 150},
    {.tabs = Tabs::numbers, .example_word = false, .picker = 150},
    {.menus = false, .tabs = Tabs::numbers, .example_word = false, .picker = 150},
    {.brand = false, .menus = false, .tabs = Tabs::numbers, .example_word = false, .picker = 150},
    {.brand = false, .menus = false, .tabs = Tabs::dropdown, .example_word = false, .picker = 130},
    {.brand = false,
     .menus = false,
     .tabs = Tabs::dropdown_number,
     .example_word = false,
     .picker = 90},
};

constexpr float k_button = 32; // height of what can be pressed, and width of icons
constexpr float k_edge = 16;
constexpr std::string_view k_brand = "NormScope";
constexpr std::string_view k_example = "Example";

struct Bar {
    Ui& ui;
    App::State& s;
    const Plan& plan;

    float text_width(std::string_view text, TextRole role) const {
        return std::ceil(ui.canvas.text_size(text, role).w);
    }
    float padded(std::string_view text) const {
        return text_width(text, TextRole::label) + ui.px(20);
    }
    std::string tab_name(std::size_t i) const {
        const bool current = i == s.view.workspace;
        const WorkspaceEntry& entry = workspace_table()[i];
        if (plan.tabs == Tabs::dropdown_number) return worded("{} ▾", entry.key);
        if (plan.tabs == Tabs::dropdown) return worded("{} {} ▾", entry.key, entry.label);
        if (plan.tabs == Tabs::numbers && !current) return std::to_string(entry.key);
        return worded("{} {}", entry.key, entry.label);
    }
    bool one_tab() const {
        return plan.tabs == Tabs::dropdown || plan.tabs == Tabs::dropdown_number;
    }

    float left_width() const {
        float w = ui.px(k_edge);
        if (plan.brand) w += text_width(k_brand, TextRole::brand) + ui.px(12);
        if (!plan.menus) return w + ui.px(k_button);
        for (const MenuHead& m : menu_heads()) w += padded(m.label);
        return w;
    }
    float tabs_width() const {
        if (one_tab()) return padded(tab_name(s.view.workspace));
        float w = 0;
        for (std::size_t i = 0; i < workspace_table().size(); ++i) w += padded(tab_name(i));
        return w;
    }
    float right_width() const {
        float w = ui.px(plan.picker + 8 + k_button + k_edge / 2);
        if (plan.example_word) w += text_width(k_example, TextRole::label) + ui.px(10);
        return w;
    }
    // Pixels at scale 1 in which the name stands whole.
    float picker_for_name() const {
        return (text_width(document_name(s), TextRole::label) + ui.px(10 + 16 + 10 + 2)) / ui.px(1);
    }
    float width() const { return left_width() + tabs_width() + right_width() + ui.px(2 * 12); }

    void title(const std::string& id, std::string_view words, Rect r, bool bar_menu = true) {
        const Hit hit = ui.hit(id, r, {.kind = PartKind::button, .focusable = false});
        const bool open = s.menu.id == id;
        if (hit.hovered || open) ui.canvas.fill_rect(r, ui.theme.control_hover, ui.px(5));
        ui.label(r, words, TextRole::label, ui.theme.ink, Align::center);
        if (bar_menu) s.menu_titles.push_back({id, r});
        if (hit.pressed) s.defer([id, r](App::State& app) { open_menu(app.menu, id, r, false); });
    }

    void draw_left(Rect r) {
        cut_left(r, ui.px(k_edge));
        if (plan.brand) {
            const Rect name = cut_left(r, text_width(k_brand, TextRole::brand));
            ui.canvas.text_in(name, k_brand, TextRole::brand, ui.theme.ink, Align::left);
            cut_left(r, ui.px(12));
        }
        if (!plan.menus) return title(std::string(k_all_menus), "☰", cut_left(r, ui.px(k_button)));
        for (const MenuHead& m : menu_heads()) title(m.id, m.label, cut_left(r, padded(m.label)));
    }

    void draw_tabs(Rect r) {
        if (one_tab()) return title("workspace", tab_name(s.view.workspace), r, false);
        const auto workspaces = workspace_table();
        for (std::size_t i = 0; i < workspaces.size(); ++i) {
            const std::string name = tab_name(i);
            const Rect tab = cut_left(r, padded(name)).inset(ui.px(1), 0);
            const Hit hit = ui.hit(workspaces[i].id, tab, {.kind = PartKind::choice});
            const bool current = i == s.view.workspace;
            if (current)
                ui.canvas.fill_rect(tab, ui.theme.accent, ui.px(6));
            else if (hit.hovered)
                ui.canvas.fill_rect(tab, ui.theme.control_hover, ui.px(6));
            ui.label(tab.inset(ui.px(2), 0), name, TextRole::label,
                     current ? ui.theme.on_accent : ui.theme.ink, Align::center);
            ui.focus_ring(hit, tab, ui.px(6));
            ui.tooltip(hit, worded("{}, key {}", workspaces[i].label, workspaces[i].key));
            if (hit.clicked) s.defer([i](App::State& app) { app.view.workspace = i; });
        }
    }

    void draw_right(Rect r) {
        cut_right(r, ui.px(k_edge / 2));
        draw_theme(cut_right(r, ui.px(k_button)));
        cut_right(r, ui.px(8));
        draw_picker(cut_right(r, ui.px(plan.picker)));
        if (!plan.example_word || shown_example() == s.examples.end()) return;
        cut_right(r, ui.px(10));
        ui.canvas.text_in(r, k_example, TextRole::label, ui.theme.ink_soft, Align::right);
    }

    void draw_theme(Rect r) {
        const Hit hit = ui.hit("theme", r, {.kind = PartKind::button});
        if (hit.hovered) ui.canvas.fill_rect(r, ui.theme.control_hover, ui.px(5));
        // A disc that is half light and half dark.
        const Point c = r.center();
        const float radius = ui.px(7);
        ui.canvas.stroke_circle(c, radius, ui.theme.ink, ui.px(1.5f));
        ui.canvas.push_clip({c.x, c.y - radius - 1, radius + 2, 2 * radius + 2});
        ui.canvas.fill_circle(c, radius, ui.theme.ink);
        ui.canvas.pop_clip();
        ui.focus_ring(hit, r, ui.px(5));
        ui.tooltip(hit, "Light, dark or high contrast");
        if (hit.clicked)
            s.defer([](App::State& app) {
                const auto now = std::ranges::find(k_themes, app.view.theme);
                app.view.theme = now + 1 == k_themes.end() ? k_themes.front() : now[1];
            });
    }

    std::vector<Example>::const_iterator shown_example() const {
        if (!s.history.kept()->path.empty()) return s.examples.end(); // it is a session's name
        return std::ranges::find(s.examples, s.document().title, &Example::title);
    }

    void draw_picker(Rect r) {
        const Hit hit = ui.hit("example", r, {.kind = PartKind::button});
        ui.canvas.fill_rect(r, hit.hovered ? ui.theme.control_hover : ui.theme.control, ui.px(5));
        ui.canvas.stroke_rect(r, ui.theme.border, ui.px(1), ui.px(5));
        Rect inside = r.inset(ui.px(10), 0);
        ui.canvas.text_in(cut_right(inside, ui.px(16)), "▾", TextRole::label, ui.theme.ink,
                          Align::right);
        ui.label(inside, document_name(s), TextRole::label, ui.theme.ink);
        ui.focus_ring(hit, r, ui.px(5));
        const auto shown = shown_example();
        ui.tooltip(hit, shown != s.examples.end() ? shown->about : s.history.kept()->path.string());
        const bool by_key = hit.clicked && !hit.released;
        if (hit.pressed || by_key)
            s.defer([r, by_key](App::State& app) { open_menu(app.menu, "example", r, by_key); });
    }
};

} // namespace

void draw_top_bar(Ui& ui, Rect bar, App::State& s) {
    ui.canvas.fill_rect(bar, ui.theme.panel);
    ui.canvas.line({bar.x, bar.bottom() - 1}, {bar.right(), bar.bottom() - 1}, ui.theme.border,
                   ui.px(1));
    s.menu_titles.clear();
    Plan plan = k_plans[std::size(k_plans) - 1];
    for (const Plan& candidate : k_plans) {
        const Bar wide{ui, s, candidate};
        if (wide.width() > bar.w) continue;
        plan = candidate;
        // A long name takes what is free.
        const float missing = wide.picker_for_name() - plan.picker;
        plan.picker += std::clamp(missing, 0.0f, (bar.w - wide.width()) / ui.px(1));
        break;
    }
    Bar b{ui, s, plan};
    Rect row = bar.inset(0, (bar.h - ui.px(k_button)) / 2);
    const IdScope scope(ui, "bar");
    ui.name("", bar, PartKind::panel);
    const float tabs = b.tabs_width();
    const float left = b.left_width(), right = b.right_width();
    b.draw_left(cut_left(row, left));
    b.draw_right(cut_right(row, right));
    // In the middle of the window where that is free, else in the middle of what is.
    float x = bar.center().x - tabs / 2;
    x = std::clamp(x, row.x + ui.px(12),
                   std::max(row.x + ui.px(12), row.right() - tabs - ui.px(12)));
    b.draw_tabs({std::round(x), row.y, std::min(tabs, row.right() - x), row.h});
}

} // namespace normscope
