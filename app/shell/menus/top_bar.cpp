#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/menus/menus.h"
#include "app/widgets/controls.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>

namespace normscope {
namespace {

// Everything in one line; the tabs on a line below; or one menu of all menus, and another one of
// the workspaces.
enum class Plan { one_line, tabs_below, list };

constexpr float k_button = 32;     // height of what can be pressed, and width of icons
constexpr float k_height = 46;     // of one line
constexpr float k_low_button = 28; // of what can be pressed in two lines
constexpr float k_low_height = 66;
constexpr float k_edge = 16;
constexpr float k_apart = 12;                        // the tabs from what is beside them
constexpr float k_padding = 10, k_least_padding = 6; // of a tab, at each side
constexpr float k_picker = 210, k_least_picker = 110;
constexpr std::string_view k_brand = "NormScope";
constexpr std::string_view k_example = "Example";

struct Bar {
    Ui& ui;
    App::State& s;
    Plan plan;

    float text_width(std::string_view text, TextRole role) const {
        return std::ceil(ui.text_width(text, role));
    }
    float padded(std::string_view text, float padding = k_padding) const {
        return text_width(text, TextRole::label) + (2 * padding);
    }
    std::string tab_name(std::size_t i) const {
        const Workspace& entry = workspace_table()[i];
        return worded("{} {}", entry.key, entry.label);
    }
    std::vector<std::pair<std::string, std::string>> titles() const {
        if (plan == Plan::list)
            return {{k_all_menus, "☰"}, {"workspace", tab_name(s.view.workspace) + " ▾"}};
        std::vector<std::pair<std::string, std::string>> all;
        for (const MenuHead& m : menu_heads()) all.emplace_back(m.id, m.label);
        return all;
    }
    bool low() const { return plan == Plan::tabs_below; }
    float height() const { return low() ? k_low_height : k_height; }

    float tabs_width(float padding) const {
        float w = 0;
        for (const auto i : indices(workspace_table())) w += padded(tab_name(i), padding);
        return w;
    }
    // The least width of the line with the menus.
    float line_width() const {
        float w = k_edge + k_apart + k_least_picker + 8 + k_button + k_edge / 2;
        for (const auto& [id, words] : titles()) w += padded(words);
        return plan == Plan::one_line ? w + tabs_width(k_padding) + k_apart : w;
    }
    bool fits(float window) const {
        return line_width() <= window &&
               (!low() || tabs_width(k_least_padding) + (k_edge + k_edge / 2) <= window);
    }

    void title(const std::string& id, std::string_view words, Rect r) {
        Hit hit = ui.hit(id, r, {.kind = PartKind::button, .focusable = false});
        hit.hovered |= s.menu.id == id;
        draw_button(ui, hit, r, {.label = words, .look = ButtonLook::quiet});
        s.menu_titles.push_back({id, r});
        if (hit.pressed) open_later(s, id, r);
    }

    void draw_tabs(Rect r, float padding) {
        for (const auto i : indices(workspace_table())) {
            const Workspace& workspace = workspace_table()[i];
            const Rect tab = cut_left(r, padded(tab_name(i), padding)).inset(1, 0);
            Hit hit = ui.hit(workspace.id, tab, {.kind = PartKind::choice});
            ui.tooltip(hit, worded("{}, key {}", workspace.label, workspace.key));
            const bool current = i == s.view.workspace;
            hit.hovered &= !current; // what is chosen does not light up
            draw_button(
                ui, hit, tab,
                {.label = tab_name(i), .look = current ? ButtonLook::primary : ButtonLook::quiet});
            if (hit.clicked)
                s.defer([i](App::State& app) {
                    app.view.workspace = i;
                    app.unsay();
                });
        }
    }

    void draw(Rect bar) {
        const float lines = low() ? 2 : 1, button_h = low() ? k_low_button : k_button;
        const float margin = (bar.h - lines * button_h) / (lines + 1);
        Rect line{bar.x + k_edge, bar.y + margin, bar.w - (1.5f * k_edge), button_h};
        Rect below{line.x, line.bottom() + margin, line.w, line.h};
        float free = std::max(0.0f, bar.w - line_width());
        const auto takes = [&](float w) {
            if (free < w) return false;
            free -= w;
            return true;
        };
        if (const float w = text_width(k_brand, TextRole::brand) + 12; takes(w))
            ui.canvas.text_in(cut_left(line, w), k_brand, TextRole::brand, ui.theme.ink,
                              Align::left);
        for (const auto& [id, words] : titles()) title(id, words, cut_left(line, padded(words)));
        draw_theme(cut_right(line, k_button, 8));
        // As wide as the name, where that is free.
        const float wanted = std::max(padded(picked_name()) + (16 + 2), k_picker);
        const float more = std::min(free, wanted - k_least_picker);
        free -= more;
        draw_picker(cut_right(line, k_least_picker + more, 10));
        const float word = text_width(k_example, TextRole::label) + 10;
        if (shown_example(s) && takes(word))
            ui.canvas.text_in(cut_right(line, word), k_example, TextRole::label, ui.theme.ink_soft,
                              Align::right);
        if (plan == Plan::one_line) {
            // In the middle of the window where that is free, else in the middle of what is.
            const float tabs = tabs_width(k_padding);
            cut_left(line, k_apart);
            cut_left(line, std::clamp(bar.center().x - tabs / 2 - line.x, 0.0f,
                                      std::max(0.0f, line.w - tabs)));
            draw_tabs(line, k_padding);
        } else if (low()) {
            const float all = 2 * static_cast<float>(workspace_table().size());
            draw_tabs(below,
                      std::clamp((below.w - tabs_width(0)) / all, k_least_padding, k_padding));
        }
    }

    void draw_theme(Rect r) {
        if (button(ui, "theme", r, {"", "Light, dark or high contrast", true, ButtonLook::quiet}))
            s.defer([](App::State& app) {
                const auto now = std::ranges::find(k_themes, app.view.theme);
                choose_theme(app, now + 1 == k_themes.end() ? k_themes.front() : now[1]);
            });
        // A disc that is half light and half dark.
        const Point c = r.center();
        const float radius = 7;
        ui.canvas.stroke_circle(c, radius, ui.theme.ink, 1.5f);
        ui.canvas.push_clip({c.x, c.y - radius - 1, radius + 2, 2 * radius + 2});
        ui.canvas.fill_circle(c, radius, ui.theme.ink);
        ui.canvas.pop_clip();
    }

    std::string picked_name() const {
        const Example* const shown = shown_example(s);
        if (!shown) return document_name(s);
        const auto& as_opened = s.history.kept()->saved;
        const bool edited =
            shown->title == s.document().title && as_opened && *as_opened != s.document();
        return edited ? worded("{} (edited)", tr(shown->title)) : std::string(tr(shown->title));
    }

    void draw_picker(Rect r) {
        const Hit hit = ui.hit("example", r, {.kind = PartKind::button});
        draw_button(ui, hit, r, {});
        Rect inside = r.inset(10, 0);
        ui.canvas.text_in(cut_right(inside, 16), "▾", TextRole::label, ui.theme.ink, Align::right);
        ui.label(inside, Text::typed(picked_name()));
        const Example* const shown = shown_example(s);
        ui.tooltip(hit, shown ? shown->about : s.history.kept()->path.string());
        const bool by_key = hit.clicked && !hit.released;
        if (hit.pressed || by_key) open_later(s, "example", r, by_key);
    }
};

} // namespace

void draw_top_bar(Ui& ui, Rect& window, App::State& s) {
    s.menu_titles.clear();
    Bar b{ui, s, Plan::one_line};
    if (!b.fits(window.w)) b.plan = Plan::tabs_below;
    if (!b.fits(window.w)) b.plan = Plan::list;
    const Rect bar = cut_top(window, b.height());
    ui.canvas.fill_rect(bar, ui.theme.panel);
    ui.canvas.across(bar, bar.bottom() - 1, ui.theme.border);
    const IdScope scope(ui, "bar");
    ui.name("", bar, PartKind::panel);
    if (!ui.passes_by(bar)) b.draw(bar);
}

} // namespace normscope
