#include "app/shell/menus/menus.h"

#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/frame/undo.h"
#include "app/shell/lessons/lessons.h"
#include "app/shell/menus/first_steps.h"
#include "app/shell/menus/languages.h"
#include "app/shell/menus/sheets.h"
#include "app/shell/present/present.h"
#include "app/shell/present/scenes.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <tuple>

namespace normscope {

namespace {

constexpr std::array k_digit_keys{Key::n1, Key::n2, Key::n3, Key::n4, Key::n5,
                                  Key::n6, Key::n7, Key::n8, Key::n9};

MenuItem recent_menu(const App::State& s) {
    MenuItem recent{"recent", "Open recent"};
    for (const auto& path : s.files.recent.paths())
        recent.children.push_back({std::to_string(recent.children.size()),
                                   path.filename().string(),
                                   [path](App::State& app) { open_path(app, path); },
                                   {},
                                   true,
                                   false,
                                   false,
                                   path.string()});
    recent.enabled = !recent.children.empty();
    return recent;
}

MenuItem export_menu(const App::State& s) {
    MenuItem all{"export", "Export"};
    constexpr Choice<Tensor> k_matrices[] = {{Tensor::x, "x", "X…"},
                                             {Tensor::f, "f", "F(X)…"},
                                             {Tensor::z, "z", "Z…"},
                                             {Tensor::x_hat, "x-hat", "x\u0302…"},
                                             {Tensor::y, "y", "Y…"}};
    for (const auto& [tensor, id, label] : k_matrices)
        all.children.push_back(
            {std::string(id), std::string(label),
             [which = tensor](App::State& app) { ask_export_matrix(app, which); }});
    const WorkspaceEntry& workspace = workspace_table()[s.view.workspace];
    if (workspace.numbers) {
        all.children.push_back(
            {"numbers", std::string(tr(workspace.numbers_label)) + "…", ask_export_numbers});
        all.children.back().line_above = true;
    }
    bool first = true;
    for (const FigureEntry& figure : workspace.figures) {
        MenuItem item{
            std::string(figure.id), worded("{} as a figure…", figure.label),
            [id = std::string(figure.id)](App::State& app) { ask_export_figure(app, id); }};
        item.line_above = std::exchange(first, false);
        all.children.push_back(std::move(item));
    }
    MenuItem whole{"workspace", "Whole workspace as a figure…",
                   [](App::State& app) { ask_export_figure(app, "workspace"); }};
    whole.line_above = first;
    all.children.push_back(std::move(whole));
    return all;
}

std::vector<MenuItem> file_items(const App::State& s) {
    std::vector<MenuItem> items;
    items.push_back({"open", "Open…", ask_open, {{Key::o, true}}});
    items.push_back(recent_menu(s));
    items.push_back({"save", "Save", [](App::State& app) { save(app); }, {{Key::s, true}}});
    items.back().line_above = true;
    items.push_back({"save-as", "Save as…", ask_save_as, {{Key::s, true, true}}});
    items.push_back(
        {"import-x", "Import as X…", [](App::State& app) { ask_import(app, Input::x); }});
    items.back().line_above = true;
    items.push_back(
        {"import-f", "Import as F(X)…", [](App::State& app) { ask_import(app, Input::f); }});
    if (const WorkspaceEntry& workspace = workspace_table()[s.view.workspace]; workspace.take_file)
        items.push_back({"own-file", std::string(tr(workspace.file_label)) + "…", ask_own_file});
    items.push_back(export_menu(s));
    items.push_back({"quit", "Quit", ask_quit, {{Key::q, true}}});
    items.back().line_above = true;
    return items;
}

std::vector<MenuItem> edit_items(const App::State& s) {
    const Edit* awaited = s.edit_runner.waits_for();
    const bool leads_back = s.own && !s.history.can_undo();
    const std::string undone = awaited      ? describe(*awaited, s.document())
                               : leads_back ? worded("Open {}", s.own->part)
                                            : s.history.undo_label();
    const std::string redone = s.history.redo_label();
    std::vector<MenuItem> items;
    items.push_back(
        {"undo", undone.empty() ? "Undo" : worded("Undo ") + undone, undo, {{Key::z, true}}});
    items.back().enabled = awaited || leads_back || s.history.can_undo();
    items.push_back({"redo",
                     redone.empty() ? "Redo" : worded("Redo ") + redone,
                     redo,
                     {{Key::y, true}, {Key::z, true, true}}});
    items.back().enabled = s.history.can_redo();
    constexpr std::tuple<const char*, const char*, BlockCommand, Key> k_of_cells[] = {
        {"cut", "Cut", BlockCommand::cut, Key::x},
        {"copy", "Copy", BlockCommand::copy, Key::c},
        {"paste", "Paste", BlockCommand::paste, Key::v},
        {"select-all", "Select all cells", BlockCommand::select_all, Key::a}};
    for (const auto& [id, label, command, key] : k_of_cells) {
        MenuItem item{id, label, [asked = command](App::State& app) { app.ui.block_asks = asked; }};
        item.chords = {{key, true}};
        item.of_widget = true;
        item.enabled = s.ui.block != 0;
        item.line_above = command == BlockCommand::cut;
        items.push_back(std::move(item));
    }
    for (const auto& [library, id, label] : choices(ScriptFor{})) {
        MenuItem item{fmt::format("copy-as-{}", id), worded("Copy as {}", label),
                      [of = library](App::State& app) { copy_script(app, of); }};
        item.line_above = library == ScriptFor::numpy;
        items.push_back(std::move(item));
    }
    return items;
}

Command step_scale(int step) {
    return [step](App::State& app) {
        const auto n = static_cast<std::ptrdiff_t>(std::size(k_ui_scales));
        std::ptrdiff_t nearest = 0;
        for (std::ptrdiff_t i = 0; i < n; ++i)
            if (std::abs(k_ui_scales[i] - app.view.ui_scale) <
                std::abs(k_ui_scales[nearest] - app.view.ui_scale))
                nearest = i;
        app.view.ui_scale = k_ui_scales[std::clamp<std::ptrdiff_t>(nearest + step, 0, n - 1)];
    };
}

MenuItem scale_menu(const App::State& s) {
    MenuItem all{"scale", "Size of everything"};
    all.children.push_back(
        {"larger", "Larger", step_scale(1), {{Key::plus, true}, {Key::equal, true}}});
    all.children.push_back({"smaller", "Smaller", step_scale(-1), {{Key::minus, true}}});
    all.children.push_back(
        {"usual", "As it was", [](App::State& app) { app.view.ui_scale = 1; }, {{Key::n0, true}}});
    for (const float scale : k_ui_scales) {
        const long percent = std::lround(scale * 100);
        MenuItem item{std::to_string(percent), worded("{} %", percent),
                      [scale](App::State& app) { app.view.ui_scale = scale; }};
        item.checked = scale == s.view.ui_scale;
        item.line_above = scale == k_ui_scales[0];
        all.children.push_back(std::move(item));
    }
    return all;
}

std::vector<MenuItem> workspace_items(const App::State& s) {
    std::vector<MenuItem> items;
    const auto workspaces = workspace_table();
    for (std::size_t i = 0; i < workspaces.size(); ++i) {
        MenuItem item{std::string(workspaces[i].id),
                      worded("{} {}", workspaces[i].key, workspaces[i].label),
                      [i](App::State& app) { app.view.workspace = i; }};
        item.chords = {{k_digit_keys.at(static_cast<std::size_t>(workspaces[i].key - 1)), true}};
        item.checked = i == s.view.workspace;
        items.push_back(std::move(item));
    }
    return items;
}

std::vector<MenuItem> view_items(const App::State& s) {
    std::vector<MenuItem> items;
    constexpr std::array<std::string_view, k_themes.size()> k_labels = {
        "Light", "Dark", "High contrast, dark", "High contrast, light"};
    for (std::size_t i = 0; i < k_themes.size(); ++i) {
        const ThemeKind kind = k_themes[i];
        items.push_back({std::string(theme(kind).id), std::string(k_labels[i]),
                         [theme = kind](App::State& app) { app.view.theme = theme; }});
        items.back().checked = s.view.theme == kind;
    }
    items.push_back(scale_menu(s));
    items.back().line_above = true;
    items.push_back(language_menu(s));
    items.push_back({"present", "Present", begin_presenting, {{Key::f5}}});
    items.push_back({"scenes", "Scenes"});
    items.back().children = scene_items(s);
    items.push_back({"reduce-motion", "Reduce motion", [](App::State& app) {
                         app.view.reduce_motion = !app.view.reduce_motion;
                         app.preferences.reduce_motion = app.view.reduce_motion;
                         app.preferences.keep();
                     }});
    items.back().checked = s.view.reduce_motion;
    items.back().hint = "Steps are shown one after the other, and nothing flies";
    std::vector<MenuItem> workspaces = workspace_items(s);
    workspaces.front().line_above = true;
    std::move(workspaces.begin(), workspaces.end(), std::back_inserter(items));
    return items;
}

std::vector<MenuItem> help_items(const App::State&) {
    std::vector<MenuItem> items;
    items.push_back({"first-steps", "First steps", show_first_steps});
    items.push_back({"keys", "Keyboard and mouse", show_help_sheet, {{Key::f1}}});
    items.push_back({"about", "About NormScope", show_about_sheet});
    return items;
}

// Those of the workspace that is open come first.
Menu example_menu(const App::State& s) {
    Menu m{"example", "Example", {}};
    const WorkspaceEntry& here = workspace_table()[s.view.workspace];
    const auto of_here = [&](const Example& e) {
        return e.workspace.empty() ? !here.hides_matrices : e.workspace == here.id;
    };
    const auto add = [&](bool own) {
        for (std::size_t i = 0; i < s.examples.size(); ++i) {
            const Example& example = s.examples[i];
            if (of_here(example) != own) continue;
            MenuItem item{example.id, example.title,
                          [i](App::State& app) { open_example(app, i); }};
            item.checked = example.title == document_name(s);
            item.hint = example.about;
            m.items.push_back(std::move(item));
        }
    };
    add(true);
    const std::size_t own = m.items.size();
    add(false);
    if (own > 0 && own < m.items.size()) m.items[own].line_above = true;
    return m;
}

bool run_chords(App::State& s, const std::vector<MenuItem>& items) {
    for (const MenuItem& item : items) {
        for (const Chord& chord : item.chords) {
            if (!item.enabled || !item.run || item.of_widget || !chord_pressed(chord)) continue;
            s.defer_after_typing(item.run);
            return true;
        }
        if (run_chords(s, item.children)) return true;
    }
    return false;
}

void open_by_key(App::State& s, const std::string& id) {
    for (const MenuTitle& title : s.menu_titles) {
        if (title.id != id && title.id != k_all_menus) continue;
        s.defer([title](App::State& app) { open_menu(app.menu, title.id, title.rect, true); });
        return;
    }
}

} // namespace

std::span<const MenuHead> menu_heads() {
    static constexpr std::array<MenuHead, 5> k_heads{{{"file", "File", Key::f},
                                                      {"edit", "Edit", Key::e},
                                                      {"view", "View", Key::v},
                                                      {"lessons", "Lessons", Key::l},
                                                      {"help", "Help", Key::h}}};
    return k_heads;
}

std::vector<Menu> menu_bar(const App::State& state) {
    constexpr std::array k_items{file_items, edit_items, view_items, lesson_items, help_items};
    std::vector<Menu> bar;
    for (std::size_t i = 0; i < k_items.size(); ++i)
        bar.push_back({menu_heads()[i].id, menu_heads()[i].label, k_items[i](state)});
    return bar;
}

std::optional<Menu> find_menu(const App::State& state, const std::string& id) {
    if (id == "example") return example_menu(state);
    if (id == "workspace") return Menu{"workspace", "Workspace", workspace_items(state)};
    if (id == k_all_menus) {
        Menu all{id, "Menu", {}};
        for (Menu& m : menu_bar(state)) {
            MenuItem item{m.id, m.label};
            item.children = std::move(m.items);
            all.items.push_back(std::move(item));
        }
        Menu examples = example_menu(state); // which a narrow bar has no room for
        all.items.push_back({examples.id, examples.label});
        all.items.back().children = std::move(examples.items);
        all.items.back().line_above = true;
        return all;
    }
    for (Menu& m : menu_bar(state))
        if (m.id == id) return std::move(m);
    return std::nullopt;
}

void run_shortcuts(App::State& s) {
    if (s.menu.is_open() || !s.dialogs.empty()) return;
    if (key_pressed(Key::f1)) return s.defer(show_help_sheet);
    const bool bar = !s.present.on; // from which menus hang
    if (bar && key_pressed(Key::f10) && !shift_down()) return open_by_key(s, "file");
    if (bar && alt_down()) {
        for (const MenuHead& head : menu_heads())
            if (key_pressed(head.mnemonic)) return open_by_key(s, head.id);
    }
    // While a field is typed in, Ctrl+Z and Ctrl+Y are its own.
    const bool typing = ImGui::GetIO().WantTextInput;
    if (!ctrl_down() || (typing && (key_pressed(Key::z, true) || key_pressed(Key::y, true))))
        return;
    for (const Menu& m : menu_bar(s))
        if (run_chords(s, m.items)) return;
}

void run_workspace_keys(App::State& s) {
    if (s.menu.is_open() || !s.dialogs.empty() || ImGui::GetIO().WantTextInput || ctrl_down() ||
        alt_down() || s.ui.text_edit != 0)
        return;
    const auto workspaces = workspace_table();
    for (std::size_t i = 0; i < workspaces.size(); ++i)
        if (key_pressed(k_digit_keys.at(static_cast<std::size_t>(workspaces[i].key - 1))) &&
            i != s.view.workspace)
            s.defer([i](App::State& app) {
                app.view.workspace = i;
                if (app.view.came_from) workspace_table()[i].come_back(app.view);
                app.ui.focus = 0; // what had it is not there; Tab begins with the page
            });
}

} // namespace normscope
