#include "app/workspaces/shared/matrix_menu.h"

#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "app/widgets/controls.h"
#include "app/widgets/ui.h"
#include "app/workspaces/shared/focus.h"

#include <imgui.h>

namespace normscope {

namespace {

constexpr const char* k_popup = "matrix menu";

// Only a card of Add & Norm has names that can be edited.
void axis_items(Ui& ui, const Frame& f, Actions& a, std::optional<Tensor> card, Axis axis,
                Index i) {
    const char* word = axis_word(axis);
    const IdScope scope(ui, word);
    const bool token = axis == Axis::token;
    const Index n = count_along(f.document, axis);
    if (card && menu_item(ui, "rename", worded("Rename {}…", word))) {
        a.view.renaming = NameRef{axis, i, *card};
        a.view.renaming_begins = true;
    }
    const auto item = [&](std::string_view id, const std::string& label, const Edit& edit,
                          bool enabled = true) {
        if (menu_item(ui, id, label, nullptr, enabled)) a.edits.push_back(edit);
    };
    const std::string_view before = token ? tr("above") : tr("to the left");
    const std::string_view after = token ? tr("below") : tr("to the right");
    item("add-before", worded("Add a {} {}", word, before), Insert{axis, i});
    item("add-after", worded("Add a {} {}", word, after), Insert{axis, i + 1});
    item("duplicate", worded("Duplicate {}", word), Duplicate{axis, i});
    item("move-back", worded("Move {} {}", word, token ? tr("up") : tr("left")),
         Move{axis, i, i - 1}, i > 0);
    item("move-on", worded("Move {} {}", word, token ? tr("down") : tr("right")),
         Move{axis, i, i + 1}, i + 1 < n);
    item("remove", worded("Remove {}", word), Remove{axis, i}, n > 1);
}

void cell_items(Ui& ui, const Frame& f, Actions& a, const MatrixMenu& menu,
                const MenuMatrix& matrix, std::vector<Edit>& edits) {
    const MatrixView& values = matrix.values;
    const CellBlock block = matrix.editor && matrix.editor->active
                                ? matrix.editor->block()
                                : CellBlock{menu.token, menu.feature, 1, 1};
    if (matrix.input && menu_item(ui, "cut", "Cut", "Ctrl+X"))
        ui.state.block_asks = BlockCommand::cut;
    if (menu_item(ui, "copy", "Copy", "Ctrl+C")) copy_block(ui, values, block);
    if (menu_item(ui, "copy-all", "Copy the whole matrix"))
        copy_block(ui, values, {0, 0, values.rows(), values.cols()});
    if (matrix.input) {
        const Input input = *matrix.input;
        if (menu_item(ui, "paste", "Paste", "Ctrl+V")) ui.state.block_asks = BlockCommand::paste;
        const double value = values(menu.token, menu.feature);
        const std::string fill = worded("Fill the selection with ") + short_text(value);
        if (menu_item(ui, "fill", fill, nullptr, block.rows * block.cols > 1))
            edits.push_back(FillCells{input, block.row, block.col, block.rows, block.cols, value});
        if (menu_item(ui, "zero", "Set to zero", "Del"))
            edits.push_back(FillCells{input, block.row, block.col, block.rows, block.cols, 0});
        if (menu_item(ui, "select-all", "Select all", "Ctrl+A"))
            ui.state.block_asks = BlockCommand::select_all;
    }
    ImGui::Separator();
    if (menu_item(ui, "pin",
                  pinned(f.view, menu.token, menu.feature) ? "Let go of this token and feature"
                                                           : "Pin this token and feature",
                  matrix.input ? "Space" : nullptr))
        toggle_pin(f, a, menu.token, menu.feature);
    const auto submenu = [&](NamePart part, const char* label, Axis axis, Index at) {
        const ImVec2 from = ImGui::GetCursorScreenPos();
        ui.name(part,
                {from.x, from.y, ImGui::GetContentRegionAvail().x, ImGui::GetTextLineHeight()},
                PartKind::button);
        if (!ImGui::BeginMenu(std::string(tr(label)).c_str())) return;
        const AtEnd end(ImGui::EndMenu);
        axis_items(ui, f, a, menu.tensor, axis, at);
    };
    submenu("token-menu", "Token", Axis::token, menu.token);
    submenu("feature-menu", "Feature", Axis::feature, menu.feature);
}

} // namespace

std::vector<Edit> matrix_menu(Ui& ui, const Frame& f, Actions& a, const MenuMatrix& matrix) {
    std::vector<Edit> edits;
    const auto items = [&] {
        const IdScope scope(ui, "cell-menu");
        const auto& menu = a.view.menu;
        if (!menu || menu->token >= matrix.values.rows() || menu->feature >= matrix.values.cols())
            return ImGui::CloseCurrentPopup();
        if (!menu->axis) return cell_items(ui, f, a, *menu, matrix, edits);
        axis_items(ui, f, a, menu->tensor, *menu->axis,
                   *menu->axis == Axis::token ? menu->token : menu->feature);
    };
    const bool open = popup_menu(ui, k_popup, a.view.menu && !f.view.menu, f.view.menu.has_value(),
                                 a.view.menu ? a.view.menu->at : std::nullopt, items);
    if (!open && f.view.menu) a.view.menu.reset();
    return edits;
}

Heatmap fitted_map(const Ui& ui, Rect area, const MatrixView& values, Size largest, int finest) {
    Heatmap map;
    map.values = values;
    map.port = fit_port(area, values.rows(), values.cols(), {ui.px(largest.w), ui.px(largest.h)});
    map.format = choose_cell_format(ui.canvas, area, map.port, values, finest);
    return map;
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
    a.edits.insert(a.edits.end(), events.edits.begin(), events.edits.end());
    if (!events.menu) return;
    a.view.menu = place;
    a.view.menu->token = events.menu->token;
    a.view.menu->feature = events.menu->feature;
    a.view.menu->at = events.menu_at;
}

} // namespace normscope
