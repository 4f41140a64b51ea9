#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/menus/menus.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <cmath>

namespace normscope {
namespace {

// Where the tabs stand: between the menus and the example, in a row below these, in two rows of
// three beside them, or, in a window that is narrower still, as a list that opens.
enum class Tabs { between, below, two_rows, dropdown };

// What the bar shows at a width; wider plans come first.
struct Plan {
    Tabs tabs = Tabs::between;
    bool brand = true;
    bool digits = true; // before a tab's words: its key
    bool example_word = false;
    float picker = 150; // 0: the examples are in the one menu
    float padding = 10; // of a tab, at each side

    // Each menu, or all in one.
    constexpr bool menus() const { return tabs == Tabs::between || tabs == Tabs::below; }
};
constexpr Plan k_plans[] = {
    {.example_word = true, .picker = 210},
    {.picker = 210},
    {},
    {.brand = false},
    {.tabs = Tabs::below, .example_word = true, .picker = 210},
    {.tabs = Tabs::below, .padding = 6},
    {.tabs = Tabs::below, .brand = false, .padding = 6},
    {.tabs = Tabs::below, .brand = false, .digits = false, .picker = 110, .padding = 5},
    {.tabs = Tabs::two_rows, .picker = 110},
    {.tabs = Tabs::two_rows, .picker = 110, .padding = 5},
    {.tabs = Tabs::two_rows, .digits = false, .picker = 110, .padding = 5},
    {.tabs = Tabs::two_rows, .digits = false, .picker = 0, .padding = 4},
    {.tabs = Tabs::dropdown, .picker = 90},
};

constexpr float k_button = 32;     // height of what can be pressed, and width of icons
constexpr float k_height = 46;     // of one row
constexpr float k_low_button = 28; // of what can be pressed in two rows
constexpr float k_low_height = 66;
constexpr float k_edge = 16;
constexpr float k_apart = 12;           // the tabs from what is beside them
constexpr std::size_t k_tabs_a_row = 3; // of two
constexpr std::string_view k_brand = "NormScope";
constexpr std::string_view k_example = "Example";

struct Bar {
    Ui& ui;
    App::State& s;
    const Plan& plan;

    float text_width(std::string_view text, TextRole role) const {
        return std::ceil(ui.canvas.text_size(text, role).w);
    }
    float padded(std::string_view text, float padding = 10) const {
        return text_width(text, TextRole::label) + ui.px(2 * padding);
    }
    std::string tab_name(std::size_t i) const {
        const WorkspaceEntry& entry = workspace_table()[i];
        if (plan.tabs == Tabs::dropdown) return worded("{} {} ▾", entry.key, entry.label);
        if (!plan.digits) return std::string(tr(entry.label));
        return worded("{} {}", entry.key, entry.label);
    }
    bool has_brand() const { return plan.brand && plan.menus(); }
    bool low() const { return plan.tabs == Tabs::below || plan.tabs == Tabs::two_rows; }
    float height() const { return ui.px(low() ? k_low_height : k_height); }

    float left_width() const {
        if (plan.tabs == Tabs::two_rows) return ui.px(k_edge / 2 + k_button);
        float w = ui.px(k_edge);
        if (has_brand()) w += text_width(k_brand, TextRole::brand) + ui.px(12);
        if (!plan.menus()) return w + ui.px(k_button);
        for (const MenuHead& m : menu_heads()) w += padded(m.label);
        return w;
    }
    // Of a tab; in two rows as wide as the one above or below it.
    float tab_width(std::size_t i) const {
        const auto own = [&](std::size_t tab) { return padded(tab_name(tab), plan.padding); };
        if (plan.tabs != Tabs::two_rows) return own(i);
        const std::size_t column = i % k_tabs_a_row;
        return std::max(own(column), own(column + k_tabs_a_row));
    }
    float tabs_width() const {
        if (plan.tabs == Tabs::dropdown) return padded(tab_name(s.view.workspace));
        const std::size_t all = workspace_table().size();
        float w = 0;
        for (std::size_t i = 0; i < (plan.tabs == Tabs::two_rows ? k_tabs_a_row : all); ++i)
            w += tab_width(i);
        return w;
    }
    float right_width() const {
        if (plan.picker == 0) return ui.px(k_edge / 2);
        float w = ui.px(plan.picker + k_edge / 2);
        if (plan.tabs != Tabs::two_rows) w += ui.px(8 + k_button);
        if (plan.example_word) w += text_width(k_example, TextRole::label) + ui.px(10);
        return w;
    }
    // Pixels at scale 1 in which the name stands whole.
    float picker_for_name() const {
        return (text_width(document_name(s), TextRole::label) + ui.px(10 + 16 + 10 + 2)) / ui.px(1);
    }
    // Of the row with the picker.
    float picker_row_width() const {
        const float beside = left_width() + right_width() + ui.px(k_apart);
        if (plan.tabs == Tabs::below) return beside;
        return beside + tabs_width() + ui.px(plan.tabs == Tabs::two_rows ? 0 : k_apart);
    }
    float width() const {
        if (plan.tabs != Tabs::below) return picker_row_width();
        return std::max(picker_row_width(), tabs_width() + ui.px(k_edge + k_edge / 2));
    }

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
        if (has_brand()) {
            const Rect name = cut_left(r, text_width(k_brand, TextRole::brand));
            ui.canvas.text_in(name, k_brand, TextRole::brand, ui.theme.ink, Align::left);
            cut_left(r, ui.px(12));
        }
        if (!plan.menus())
            return title(std::string(k_all_menus), "☰", cut_left(r, ui.px(k_button)));
        for (const MenuHead& m : menu_heads()) title(m.id, m.label, cut_left(r, padded(m.label)));
    }

    void draw_tab(std::size_t i, Rect tab) {
        const WorkspaceEntry& workspace = workspace_table()[i];
        const Hit hit = ui.hit(workspace.id, tab, {.kind = PartKind::choice});
        const bool current = i == s.view.workspace;
        if (current)
            ui.canvas.fill_rect(tab, ui.theme.accent, ui.px(6));
        else if (hit.hovered)
            ui.canvas.fill_rect(tab, ui.theme.control_hover, ui.px(6));
        ui.label(tab.inset(ui.px(2), 0), tab_name(i), TextRole::label,
                 current ? ui.theme.on_accent : ui.theme.ink, Align::center);
        ui.focus_ring(hit, tab, ui.px(6));
        ui.tooltip(hit, worded("{}, key {}", workspace.label, workspace.key));
        if (hit.clicked) s.defer([i](App::State& app) { app.view.workspace = i; });
    }

    // From `begin` on, as many as `r` has room for.
    void draw_tabs(Rect r, std::size_t begin = 0) {
        if (plan.tabs == Tabs::dropdown)
            return title("workspace", tab_name(s.view.workspace), r, false);
        const std::size_t all = workspace_table().size();
        const std::size_t end = plan.tabs == Tabs::two_rows ? begin + k_tabs_a_row : all;
        for (std::size_t i = begin; i < end; ++i)
            draw_tab(i, cut_left(r, tab_width(i)).inset(ui.px(1), 0));
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

    void draw(Rect bar) {
        const float button = ui.px(low() ? k_low_button : k_button);
        if (plan.tabs == Tabs::two_rows) return draw_two_rows(bar, button);
        Rect row = bar.inset(0, (bar.h - button) / 2);
        if (plan.tabs == Tabs::below) {
            const float margin = (bar.h - 2 * button) / 3;
            draw_tabs({bar.x + ui.px(k_edge - 1), bar.bottom() - margin - button,
                       bar.w - ui.px(k_edge), button});
            row = {bar.x, bar.y + margin, bar.w, button};
        }
        const float tabs = tabs_width();
        draw_left(cut_left(row, left_width()));
        draw_right(cut_right(row, right_width()));
        if (plan.tabs == Tabs::below) return;
        // In the middle of the window where that is free, else in the middle of what is.
        const float least = row.x + ui.px(k_apart);
        const float x = std::clamp(bar.center().x - tabs / 2, least,
                                   std::max(least, row.right() - tabs - ui.px(k_apart)));
        draw_tabs({std::round(x), row.y, std::min(tabs, row.right() - x), row.h});
    }

    // Menu and theme one above the other, three tabs beside each, and the example.
    void draw_two_rows(Rect bar, float button) {
        const float margin = (bar.h - 2 * button) / 3;
        Rect left = cut_left(bar, left_width());
        cut_left(left, ui.px(k_edge / 2));
        const Rect right = cut_right(bar, right_width());
        const float tabs = tabs_width();
        const float x = bar.x + std::max(0.0f, (bar.w - tabs) / 2);
        const Rect above{left.x, bar.y + margin, left.w, button};
        const Rect below{left.x, bar.bottom() - margin - button, left.w, button};
        title(std::string(k_all_menus), "☰", above);
        draw_theme(below);
        draw_tabs({x, above.y, tabs, button});
        draw_tabs({x, below.y, tabs, button}, k_tabs_a_row);
        if (plan.picker > 0)
            draw_picker({right.x, bar.y + (bar.h - button) / 2, ui.px(plan.picker), button});
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
        const auto shown = shown_example();
        if (shown != s.examples.end())
            ui.label(inside, shown->title, TextRole::label, ui.theme.ink);
        else
            ui.name_label(inside, document_name(s), TextRole::label, ui.theme.ink);
        ui.focus_ring(hit, r, ui.px(5));
        ui.tooltip(hit, shown != s.examples.end() ? shown->about : s.history.kept()->path.string());
        const bool by_key = hit.clicked && !hit.released;
        if (hit.pressed || by_key)
            s.defer([r, by_key](App::State& app) { open_menu(app.menu, "example", r, by_key); });
    }
};

} // namespace

void draw_top_bar(Ui& ui, Rect& window, App::State& s) {
    s.menu_titles.clear();
    Plan plan = k_plans[std::size(k_plans) - 1];
    for (const Plan& candidate : k_plans) {
        const Bar wide{ui, s, candidate};
        if (wide.width() > window.w) continue;
        plan = candidate;
        // A long name takes what is free.
        const float free = (window.w - wide.picker_row_width()) / ui.px(1);
        if (plan.picker > 0)
            plan.picker += std::clamp(wide.picker_for_name() - plan.picker, 0.0f, free);
        break;
    }
    Bar b{ui, s, plan};
    const Rect bar = cut_top(window, b.height());
    ui.canvas.fill_rect(bar, ui.theme.panel);
    ui.canvas.line({bar.x, bar.bottom() - 1}, {bar.right(), bar.bottom() - 1}, ui.theme.border,
                   ui.px(1));
    const IdScope scope(ui, "bar");
    ui.name("", bar, PartKind::panel);
    b.draw(bar);
}

} // namespace normscope
