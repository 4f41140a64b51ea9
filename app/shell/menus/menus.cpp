#include "app/shell/menus/menus.h"

#include "app/language/language.h"
#include "app/session/link.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/files/spoken.h"
#include "app/shell/lessons/lessons.h"
#include "app/shell/present/present.h"
#include "app/shell/present/scenes.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <imgui.h>
#include <iterator>
#include <ranges>
#include <tuple>

namespace normscope {
namespace {

Key digit_key(const Workspace& workspace) {
    return static_cast<Key>('0' + workspace.key);
}

MenuItem unsaved_menu(App::State& s) {
    MenuItem unsaved{"unsaved", "Unsaved documents"};
    for (const Unsaved& left : s.files.left_unsaved | std::views::reverse)
        unsaved.children.push_back({.id = std::to_string(unsaved.children.size()),
                                    .label = document_name(left.document, left.kept->path),
                                    .run = does(s, go_back_to, left),
                                    .as_typed = true});
    unsaved.enabled = !unsaved.children.empty();
    return unsaved;
}

MenuItem export_menu(App::State& s) {
    const Workspace& workspace = s.workspace();
    std::vector<MenuItem> matrices, numbers, figures;
    for (const auto& [tensor, id, label] : k_tensor_names)
        matrices.push_back(
            {std::string(id), std::string(label) + "…", does(s, ask_export_matrix, tensor)});
    if (!workspace.numbers_label.empty())
        numbers.push_back({"numbers", std::string(tr(workspace.numbers_label)) + "…",
                           does(s, ask_export_numbers)});
    const auto add_figure = [&](const std::string& id, const std::string& label) {
        figures.push_back({id, label, does(s, ask_export_figure, id)});
    };
    for (const FigureEntry& figure : workspace.figures)
        add_figure(std::string(figure.id), worded("{} as a figure…", figure.label));
    add_figure("workspace", "Whole workspace as a figure…");
    return {.id = "export", .label = "Export", .children = in_groups({matrices, numbers, figures})};
}

std::vector<MenuItem> file_items(App::State& s) {
    std::vector<MenuItem> exchange{
        {"import-x", "Import as X…", [&s] { ask_import(s, Input::x); }},
        {"import-f", "Import as F(X)…", [&s] { ask_import(s, Input::f); }}};
    if (const Workspace& workspace = s.workspace(); !workspace.file_label.empty())
        exchange.push_back(
            {"own-file", std::string(tr(workspace.file_label)) + "…", does(s, ask_own_file)});
    exchange.push_back(export_menu(s));
    std::vector<MenuItem> leaving; // a page is left by the browser
    if (s.services.page.empty())
        leaving.push_back({"quit", "Quit", does(s, ask_quit), {{Key::q, true}}});
    return in_groups({{{"open", "Open…", does(s, ask_open), {{Key::o, true}}},
                       recent_menu(s, s.files.recent.paths()),
                       unsaved_menu(s)},
                      {{"save", "Save", does(s, save), {{Key::s, true}}},
                       {"save-as", "Save as…", does(s, ask_save_as), {{Key::s, true, true}}}},
                      exchange,
                      leaving});
}

std::vector<MenuItem> edit_items(App::State& s) {
    const bool leads_back = s.own && !s.history.can_undo();
    const std::string undone = leads_back ? worded("Open {}", s.own->part) : s.history.undo_label();
    const std::string redone = s.history.redo_label();
    const MenuItem undo_item{"undo",
                             undone.empty() ? "Undo" : worded("Undo {}", undone),
                             does(s, undo),
                             {{Key::z, true}},
                             leads_back || s.history.can_undo()};
    const MenuItem redo_item{"redo",
                             redone.empty() ? "Redo" : worded("Redo {}", redone),
                             does(s, redo),
                             {{Key::y, true}, {Key::z, true, true}},
                             s.history.can_redo()};
    constexpr std::tuple<const char*, const char*, BlockCommand, Key> k_of_cells[] = {
        {"cut", "Cut", BlockCommand::cut, Key::x},
        {"copy", "Copy", BlockCommand::copy, Key::c},
        {"paste", "Paste", BlockCommand::paste, Key::v},
        {"select-all", "Select all cells", BlockCommand::select_all, Key::a}};
    std::vector<MenuItem> of_cells, scripts;
    for (const auto& [id, label, command, key] : k_of_cells)
        of_cells.push_back({.id = id,
                            .label = label,
                            .run = [&s, asked = command] { s.ui.block_asks = asked; },
                            .chords = {{key, true}},
                            .enabled = s.ui.block != 0,
                            .of_widget = true});
    for (const auto& [library, id, label] : choices(ScriptFor{}))
        scripts.push_back({fmt::format("copy-as-{}", id), worded("Copy as {}", label),
                           does(s, copy_script, library)});
    scripts.push_back({"copy-link", "Copy link", does(s, copy_link, nullptr)});
    return in_groups({{undo_item, redo_item}, of_cells, scripts});
}

std::function<void()> step_scale(App::State& s, int step) {
    return [&s, step] {
        const float now = s.view.ui_scale;
        const auto nearest = std::ranges::min_element(
            k_ui_scales, {}, [now](float scale) { return std::abs(scale - now); });
        const auto to = nearest - std::begin(k_ui_scales) + step;
        s.view.ui_scale =
            k_ui_scales[std::clamp<std::ptrdiff_t>(to, 0, std::ssize(k_ui_scales) - 1)];
    };
}

MenuItem scale_menu(App::State& s) {
    std::vector<MenuItem> all;
    for (const float scale : k_ui_scales) {
        const long percent = std::lround(scale * 100);
        all.push_back({.id = std::to_string(percent),
                       .label = worded("{} %", percent),
                       .run = [&s, scale] { s.view.ui_scale = scale; },
                       .checked = scale == s.view.ui_scale});
    }
    return {.id = "scale",
            .label = "Size of everything",
            .children = in_groups(
                {{{"larger", "Larger", step_scale(s, 1), {{Key::plus, true}, {Key::equal, true}}},
                  {"smaller", "Smaller", step_scale(s, -1), {{Key::minus, true}}},
                  {"usual", "As it was", [&s] { s.view.ui_scale = 1; }, {{Key::n0, true}}}},
                 all})};
}

std::vector<MenuItem> workspace_items(App::State& s) {
    std::vector<MenuItem> items;
    const auto& workspaces = workspace_table();
    for (const auto i : indices(workspaces))
        items.push_back({.id = std::string(workspaces[i].id),
                         .label = worded("{} {}", workspaces[i].key, workspaces[i].label),
                         .run = [&s, i] { s.view.workspace = i; },
                         .chords = {{digit_key(workspaces[i]), true}},
                         .checked = i == s.view.workspace});
    return items;
}

// An empty `id`: that of the system.
MenuItem language_item(App::State& s, std::string_view label, const std::string& id) {
    const auto speak = [&s, id] {
        s.language = s.preferences.language = id;
        s.preferences.keep();
        use_language(s);
        translate_lessons(s);
        s.frames_wanted = 2;
    };
    return {.id = id.empty() ? "system" : id,
            .label = std::string(label),
            .run = speak,
            .checked = s.language == id};
}

MenuItem language_menu(App::State& s) {
    std::vector<MenuItem> all;
    for (const Language& language : languages())
        all.push_back(language_item(s, language.name, std::string(language.id)));
    return {.id = "language",
            .label = "Language",
            .children = in_groups({{language_item(s, "As the system", "")}, all})};
}

// The code that shows a panel on a page of somebody else.
MenuItem embed_menu(App::State& s) {
    MenuItem embed{"embed", "Copy embed code"};
    const Workspace& workspace = s.workspace();
    for (const FigureEntry& figure : workspace.figures)
        embed.children.push_back({.id = std::string(figure.id),
                                  .label = std::string(figure.label),
                                  .run = does(s, copy_link, &figure)});
    return embed;
}

std::vector<MenuItem> view_items(App::State& s) {
    std::vector<MenuItem> themes;
    constexpr std::array<std::string_view, k_themes.size()> k_labels = {
        "Light", "Dark", "High contrast, dark", "High contrast, light"};
    for (const auto i : indices(k_themes))
        themes.push_back({.id = std::string(theme(k_themes[i]).id),
                          .label = std::string(k_labels[i]),
                          .run = [&s, i] { choose_theme(s, k_themes[i]); },
                          .checked = s.view.theme == k_themes[i]});
    const auto turn_motion = [&s] {
        s.view.reduce_motion = !s.view.reduce_motion;
        s.preferences.reduce_motion = s.view.reduce_motion;
        s.preferences.keep();
    };
    return in_groups({themes,
                      {scale_menu(s),
                       language_menu(s),
                       {"present", "Present", does(s, begin_presenting), {{Key::f5}}},
                       {.id = "scenes", .label = "Scenes", .children = scene_items(s)},
                       embed_menu(s),
                       {.id = "reduce-motion",
                        .label = "Reduce motion",
                        .run = turn_motion,
                        .checked = s.view.reduce_motion,
                        .hint = "Steps are shown one after the other, and nothing flies"}},
                      workspace_items(s)});
}

std::vector<MenuItem> help_items(App::State& s) {
    return {{"first-steps", "First steps", does(s, show_first_steps)},
            {"keys", "Keyboard and mouse", does(s, show_help_sheet), {{Key::f1}}},
            {"about", "About NormScope", does(s, show_about_sheet)}};
}

bool run_chords(App::State& s, const std::vector<MenuItem>& items) {
    for (const MenuItem& item : items) {
        for (const Chord& chord : item.chords) {
            if (!item.enabled || !item.run || item.of_widget || !chord_pressed(chord)) continue;
            s.defer_after_typing([run = item.run](App::State&) { run(); });
            return true;
        }
        if (run_chords(s, item.children)) return true;
    }
    return false;
}

void open_by_key(App::State& s, const std::string& id) {
    for (const MenuTitle& title : s.menu_titles) {
        if (title.id != id && title.id != k_all_menus) continue;
        return open_later(s, title.id, title.rect, true);
    }
}

} // namespace

void choose_theme(App::State& s, ThemeKind kind) {
    s.view.theme = kind;
    s.preferences.theme = theme(kind).id;
    s.preferences.keep();
}

MenuItem recent_menu(App::State& s, const std::vector<std::filesystem::path>& paths) {
    MenuItem recent{"recent", "Open recent"};
    for (const auto& path : paths)
        recent.children.push_back({.id = std::to_string(recent.children.size()),
                                   .label = path.filename().string(),
                                   .run = does(s, open_path, path, OpenAs::ask),
                                   .hint = path.string(),
                                   .as_typed = true});
    recent.enabled = !recent.children.empty();
    return recent;
}

std::span<const MenuHead> menu_heads() {
    static constexpr MenuHead k_heads[] = {{"file", "File", Key::f, file_items},
                                           {"edit", "Edit", Key::e, edit_items},
                                           {"view", "View", Key::v, view_items},
                                           {"lessons", "Lessons", Key::l, lesson_items},
                                           {"help", "Help", Key::h, help_items}};
    return k_heads;
}

std::optional<Menu> find_menu(App::State& s, const std::string& id) {
    if (id == "example") return Menu{id, example_items(s)};
    if (id == "workspace") return Menu{id, workspace_items(s)};
    std::vector<MenuItem> all;
    for (const MenuHead& head : menu_heads()) {
        if (head.id == id) return Menu{id, head.items(s)};
        all.push_back({.id = head.id, .label = head.label, .children = head.items(s)});
    }
    if (id != k_all_menus) return std::nullopt;
    const MenuItem examples{.id = "example", .label = "Example", .children = example_items(s)};
    return Menu{"", in_groups({all, {examples}})};
}

void open_later(App::State& s, std::string id, Rect anchor, bool by_key) {
    s.defer([=](App::State& app) { open_menu(app.menu, id, anchor, by_key); });
}

void draw_open_menu(Ui& ui, App::State& s) {
    if (!s.menu.is_open()) return;
    const IdScope scope(ui, "menu");
    const auto run = draw_menu(ui, s.menu, find_menu(s, s.menu.id).value_or(Menu{}), s.menu_titles);
    if (run) s.defer([run](App::State&) { run(); });
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
    if (!typing && s.ui.block == 0 && key_pressed(Key::v))
        if (const char* text = ImGui::GetClipboardText(); text && is_link(text))
            return s.defer([link = std::string(text)](App::State& app) { open_path(app, link); });
    run_chords(s, find_menu(s, k_all_menus)->items);
}

void run_workspace_keys(App::State& s) {
    if (s.menu.is_open() || !s.dialogs.empty() || ImGui::GetIO().WantTextInput || ctrl_down() ||
        alt_down() || s.ui.text_edit != 0 || !s.alone.empty())
        return;
    const auto& workspaces = workspace_table();
    for (const auto i : indices(workspaces))
        if (key_pressed(digit_key(workspaces[i])) && i != s.view.workspace)
            s.defer([i](App::State& app) {
                app.view.workspace = i;
                if (app.view.came_from) workspace_table()[i].come_back(app.view);
                app.unsay();
                app.ui.focus = 0; // what had it is not there; Tab begins with the page
            });
}

void use_language(App::State& s) {
    const auto problems = speak_language(s.assets, s.language);
    s.effect = {};
    if (s.complains_of(problems)) return;
    for (const std::string& problem : *problems) s.complain(problem);
}

} // namespace normscope
