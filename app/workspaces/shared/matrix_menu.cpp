#include "app/workspaces/shared/matrix_menu.h"

#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "app/widgets/controls.h"
#include "app/widgets/ui.h"
#include "app/workspaces/shared/focus.h"
#include "core/base/lists.h"

#include <imgui.h>

namespace normscope {

namespace {

using Items = std::vector<MenuItem>;

// Only a card of Add & Norm has names that can be edited.
Items axis_items(const Frame& f, Actions& a, std::optional<Tensor> card, Axis axis, Index i) {
    const char* word = axis_word(axis);
    const bool token = axis == Axis::token;
    const Index n = count_along(f.document, axis);
    Items items;
    if (card)
        items.push_back(
            {"rename", worded("Rename {}…", word), [&a, name = NameRef{axis, i, *card}] {
                 a.view.renaming = name;
                 a.view.renaming_begins = true;
             }});
    const auto item = [&](const char* id, const std::string& label, const Edit& edit,
                          bool enabled = true) {
        items.push_back({id, label, [&a, edit] { a.edits.push_back(edit); }, {}, enabled});
    };
    const std::string_view before = token ? tr("above") : tr("to the left");
    const std::string_view after = token ? tr("below") : tr("to the right");
    item("add-before", worded("Add a {} {}", word, before), Insert{axis, i});
    item("add-after", worded("Add a {} {}", word, after), Insert{axis, i + 1});
    item("duplicate", worded("Duplicate {}", word), Duplicate{axis, i});
    item("move-back", worded("Move {} {}", word, token ? tr("up") : tr("left")),
         Move{axis, i, i - 1}, i > 0);
    item("move-on", worded("Move {} {}", word, token ? tr("down") : tr("right", "direction")),
         Move{axis, i, i + 1}, i + 1 < n);
    item("remove", worded("Remove {}", word), Remove{axis, i}, n > 1);
    return items;
}

// `edits`: of the cells.
Items cell_items(Turn& turn, const MatrixMenu& menu, const MenuMatrix& matrix,
                 std::vector<Edit>& edits) {
    const Frame& f = turn.frame;
    Actions& a = turn.actions;
    const MatrixView& values = matrix.values;
    const bool active = matrix.editor && matrix.editor->active;
    const CellBlock block =
        active ? matrix.editor->block() : CellBlock{menu.token, menu.feature, 1, 1};
    const auto asks = [&](const char* id, const char* label, BlockCommand command, Key key) {
        return MenuItem{
            id, label, [&turn, command] { turn.state.block_asks = command; }, {{key, true}}};
    };
    const auto copies = [&](const CellBlock& what) {
        return [&turn, &values, what] { copy_block(turn, values, what); };
    };
    const auto fills = [&](double value) {
        return [&edits, &matrix, block, value] {
            edits.push_back(
                FillCells{*matrix.input, block.row, block.col, block.rows, block.cols, value});
        };
    };
    Items cells{
        {"copy", "Copy", copies(block), {{Key::c, true}}},
        {"copy-all", "Copy the whole matrix", copies({0, 0, values.rows(), values.cols()})}};
    if (matrix.input) {
        const double value = values(menu.token, menu.feature);
        cells.insert(cells.begin(), asks("cut", "Cut", BlockCommand::cut, Key::x));
        cells.push_back(asks("paste", "Paste", BlockCommand::paste, Key::v));
        cells.push_back({"fill",
                         worded("Fill the selection with {}", short_text(value)),
                         fills(value),
                         {},
                         block.rows * block.cols > 1});
        cells.push_back({"zero", "Set to zero", fills(0), {{Key::del}}});
        cells.push_back(asks("select-all", "Select all", BlockCommand::select_all, Key::a));
    }
    MenuItem pin{"pin",
                 pinned(f.view, menu.token, menu.feature) ? "Let go of this token and feature"
                                                          : "Pin this token and feature",
                 [&] { toggle_pin(f, a, menu.token, menu.feature); }};
    if (matrix.input) pin.chords = {{Key::space}};
    const auto submenu = [&](const char* id, const char* label, Axis axis, Index at) {
        return MenuItem{.id = id,
                        .label = label,
                        .children = axis_items(f, a, menu.tensor, axis, at),
                        .scope = axis_word(axis)};
    };
    return in_groups({cells,
                      {pin, submenu("token-menu", "Token", Axis::token, menu.token),
                       submenu("feature-menu", "Feature", Axis::feature, menu.feature)}});
}

} // namespace

std::vector<Edit> matrix_menu(Turn turn, const MenuMatrix& matrix) {
    const Frame& f = turn.frame;
    Actions& a = turn.actions;
    std::vector<Edit> edits;
    if (!a.view.menu) return edits;
    const MatrixMenu menu = *a.view.menu;
    const IdScope scope(turn, "cell-menu");
    const IdScope axis(turn, menu.axis ? axis_word(*menu.axis) : "");
    const auto items = [&] {
        if (!menu.axis) return cell_items(turn, menu, matrix, edits);
        return axis_items(f, a, menu.tensor, *menu.axis,
                          *menu.axis == Axis::token ? menu.token : menu.feature);
    };
    if (menu.token >= matrix.values.rows() || menu.feature >= matrix.values.cols() ||
        !page_menu(turn, "cells", !f.view.menu, menu.at, items()))
        a.view.menu.reset();
    return edits;
}

Heatmap fitted_map(const Ui& ui, Rect area, const MatrixView& values, Size largest, int finest) {
    Heatmap map;
    map.values = values;
    map.port = fit_port(area, values.rows(), values.cols(), largest, ui.canvas.scale());
    map.format = choose_cell_format(ui.canvas, area, map.port, values, finest);
    return map;
}

ReadCells read_cells(Ui& ui, NamePart part, Rect area, const Heatmap& map) {
    const Hit hit = ui.hit(
        part, area,
        {.kind = PartKind::cells, .focusable = false, .first_cell = first_cell(area, map.port)});
    if (!hit.hovered) return {hit, std::nullopt};
    return {hit, cell_at(area, map.port, map.values.rows(), map.values.cols(), ui.mouse())};
}

void name_edges(Heatmap& map, std::span<const std::string> rows, float rows_w,
                std::span<const std::string> columns, float columns_h) {
    map.row_names = rows;
    map.row_names_w = rows_w;
    map.col_names = columns;
    map.col_names_h = columns_h;
}

HeatmapMarks marks_of_focus(const Frame& f) {
    HeatmapMarks marks;
    marks.row_name = token_in_focus(f);
    marks.col_name = feature_in_focus(f);
    const Hover& hover = f.view.hover;
    if (hover.token && hover.feature && marks.row_name && marks.col_name)
        marks.strong = CellBlock{*marks.row_name, *marks.col_name, 1, 1};
    return marks;
}

bool has_keyboard(const Ui& ui, NamePart part) {
    const ImGuiID id = part.id();
    return ui.state.focus == id || ui.editing_text(id);
}

MatrixSurface surface_of(const Frame& f, Rect area, const Heatmap& map) {
    return {area, map.port, map.values, f.view.viewport, map.format.decimals < 0};
}

void take_events(const MatrixEvents& events, const Frame& f, Actions& a, const MatrixMenu& place,
                 bool toggle) {
    if (events.hovered)
        a.view.hover = {place.tensor, events.hovered->token, events.hovered->feature};
    if (events.clicked) pin(a.view, f, events.clicked->token, events.clicked->feature, toggle);
    if (events.keyed) a.keyed = Hover{place.tensor, events.keyed->token, events.keyed->feature};
    if (events.toggled) toggle_pin(f, a, events.toggled->token, events.toggled->feature);
    if (events.viewport) a.view.viewport = *events.viewport;
    add_all(a.edits, events.edits);
    if (!events.menu) return;
    a.view.menu = place;
    a.view.menu->token = events.menu->token;
    a.view.menu->feature = events.menu->feature;
    a.view.menu->at = events.menu_at;
}

} // namespace normscope
