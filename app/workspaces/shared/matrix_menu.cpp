#include "app/workspaces/shared/matrix_menu.h"

#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "app/widgets/popup_menu.h"
#include "app/widgets/ui.h"
#include "app/workspaces/shared/focus.h"

#include <imgui.h>

namespace normscope {

namespace {

constexpr const char* k_popup = "matrix menu";

bool submenu(Ui& ui, NamePart part, const char* label) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ui.name(part, {at.x, at.y, ImGui::GetContentRegionAvail().x, ImGui::GetTextLineHeight()},
            PartKind::button);
    return ImGui::BeginMenu(label);
}

// Only a card of Add & Norm has names that can be edited.
void axis_items(Ui& ui, const Frame& f, Actions& a, std::optional<Tensor> card, Axis axis,
                Index i) {
    const char* word = axis_word(axis);
    const IdScope scope(ui, word);
    const Index n = axis == Axis::token ? f.document.token_count() : f.document.feature_count();
    const std::string_view before = axis == Axis::token ? tr("above") : "to the left";
    const std::string_view after = axis == Axis::token ? tr("below") : "to the right";
    if (card && menu_item(ui, "rename", worded("Rename {}…", word))) {
        a.view.renaming = NameRef{axis, i, *card};
        a.view.renaming_begins = true;
    }
    if (menu_item(ui, "add-before", worded("Add a {} {}", word, before)))
        a.edits.push_back(Insert{axis, i});
    if (menu_item(ui, "add-after", worded("Add a {} {}", word, after)))
        a.edits.push_back(Insert{axis, i + 1});
    if (menu_item(ui, "duplicate", worded("Duplicate {}", word)))
        a.edits.push_back(Duplicate{axis, i});
    if (menu_item(ui, "move-back",
                  worded("Move {} {}", word, axis == Axis::token ? tr("up") : tr("left")), nullptr,
                  i > 0))
        a.edits.push_back(Move{axis, i, i - 1});
    if (menu_item(ui, "move-on",
                  worded("Move {} {}", word, axis == Axis::token ? tr("down") : tr("right")),
                  nullptr, i + 1 < n))
        a.edits.push_back(Move{axis, i, i + 1});
    if (menu_item(ui, "remove", worded("Remove {}", word), nullptr, n > 1))
        a.edits.push_back(Remove{axis, i});
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
    if (submenu(ui, "token-menu", "Token")) {
        const AtEnd end(ImGui::EndMenu);
        axis_items(ui, f, a, menu.tensor, Axis::token, menu.token);
    }
    if (submenu(ui, "feature-menu", "Feature")) {
        const AtEnd end(ImGui::EndMenu);
        axis_items(ui, f, a, menu.tensor, Axis::feature, menu.feature);
    }
}

} // namespace

std::vector<Edit> matrix_menu(Ui& ui, const Frame& f, Actions& a, const MenuMatrix& matrix) {
    std::vector<Edit> edits;
    const bool open =
        popup_menu(ui, k_popup, a.view.menu && !f.view.menu, f.view.menu.has_value(),
                   a.view.menu ? a.view.menu->at : std::nullopt, [&] {
                       const IdScope scope(ui, "cell-menu");
                       const auto& menu = a.view.menu;
                       const bool valid = menu && menu->token < matrix.values.rows() &&
                                          menu->feature < matrix.values.cols();
                       if (!valid) {
                           ImGui::CloseCurrentPopup();
                       } else if (menu->axis) {
                           axis_items(ui, f, a, menu->tensor, *menu->axis,
                                      *menu->axis == Axis::token ? menu->token : menu->feature);
                       } else {
                           cell_items(ui, f, a, *menu, matrix, edits);
                       }
                   });
    if (!open && f.view.menu) a.view.menu.reset();
    return edits;
}

} // namespace normscope
