#include "app/widgets/matrix_editor.h"

#include "app/io/csv.h"
#include "app/io/text.h"
#include "app/language/language.h"
#include "app/widgets/controls.h"
#include "core/base/lists.h"
#include "core/base/rounding.h"

#include <algorithm>
#include <cmath>
#include <imgui.h>
#include <memory>
#include <utility>

namespace normscope {

CellBlock MatrixEditorState::block() const {
    const Index row = std::min(anchor.token, cursor.token);
    const Index col = std::min(anchor.feature, cursor.feature);
    return {row, col, std::max(anchor.token, cursor.token) - row + 1,
            std::max(anchor.feature, cursor.feature) - col + 1};
}

void keep_within(MatrixEditorState& editor, Index tokens, Index features) {
    const auto inside = [&](Cell c) { return c.token < tokens && c.feature < features; };
    if (!inside(editor.anchor) || !inside(editor.cursor)) editor = {};
}

void copy_block(Ui& ui, const MatrixView& values, const CellBlock& block) {
    Table copied{Matrix<double>(block.rows, block.cols), {}, {}};
    for (const auto r : indices(block.rows))
        for (const auto c : indices(block.cols))
            copied.values(r, c) = values(block.row + r, block.col + c);
    ui.state.copied = std::make_shared<const Table>(std::move(copied));
}

namespace {

Cell clamped(Cell c, Index rows, Index cols) {
    return {std::clamp<Index>(c.token, 0, rows - 1), std::clamp<Index>(c.feature, 0, cols - 1)};
}

void track_drag(Ui& ui, const Hit& hit) {
    if (hit.pressed) ui.state.drag_total = 0;
    if (hit.held && !hit.pressed) {
        const Point d = ui.mouse_moved();
        if (shift_down()) // finely; down, it takes the cells below too
            ui.state.drag_total += d.x * 0.1f;
        else // along whichever way the hand goes: to the right and up is more
            ui.state.drag_total += std::abs(d.x) >= std::abs(d.y) ? d.x : -d.y;
    }
}

// The keyboard on a selected block.
struct EditorKeys {
    Ui& ui;
    const MatrixSurface& s;
    Input input;
    MatrixEditorState& state;
    MatrixEvents& events;
    ImGuiID id;
    bool in_sight = false; // the cursor was moved, or its cells set: they are to be seen
    float zoom = 0;        // in notches of the wheel

    void move(Index dt, Index df, bool extend) {
        in_sight = true;
        Cell to{state.cursor.token + dt, state.cursor.feature + df};
        state.cursor = clamped(to, s.values.rows(), s.values.cols());
        if (!extend) state.anchor = state.cursor;
    }

    void set(const Cell& cell, double value) {
        events.edits.push_back(
            SetCells{input, cell.token, cell.feature, Matrix<double>::Constant(1, 1, value)});
    }

    void fill(double value) {
        in_sight = true;
        const CellBlock b = state.block();
        events.edits.push_back(FillCells{input, b.row, b.col, b.rows, b.cols, value});
    }

    void edit_text(const Cell& cell) {
        std::string text;
        append_number(text, s.values(cell.token, cell.feature));
        ui.begin_text_edit(id, text, true);
    }

    void take(const Paste& paste) {
        in_sight = true;
        const CellBlock& b = paste.block;
        const Matrix<double>& m = paste.numbers.values;
        const Index rows = s.values.rows(), cols = s.values.cols();
        const Index tokens = std::max(rows, b.row + m.rows());
        const Index features = std::max(cols, b.col + m.cols());
        const bool named =
            !paste.numbers.feature_names.empty() || !paste.numbers.token_names.empty();
        const bool grows = tokens > rows || features > cols;
        std::string& remark = ui.state.remark;
        if (named || grows) remark = worded("Pasted {}×{} numbers", m.rows(), m.cols());
        if (grows)
            remark = worded("{}; there are {}×{} now, where there were {}×{}", remark, tokens,
                            features, rows, cols);
        if (named) remark = worded("{}; the names around them were left out", remark);
        if (m.size() == 1)
            return events.edits.push_back(FillCells{input, b.row, b.col, b.rows, b.cols, m(0, 0)});
        state.pasted = CellBlock{b.row, b.col, m.rows(), m.cols()};
        events.edits.push_back(SetCells{input, b.row, b.col, m, true});
    }

    void arrows() {
        ui.state.scroll_keys_used = true;
        const bool far = ctrl_down();
        const bool extend = shift_down();
        const Index rows = far ? s.values.rows() : 1;
        const Index cols = far ? s.values.cols() : 1;
        if (key_pressed(Key::left, true)) move(0, -cols, extend);
        if (key_pressed(Key::right, true)) move(0, cols, extend);
        if (key_pressed(Key::up, true)) move(-rows, 0, extend);
        if (key_pressed(Key::down, true)) move(rows, 0, extend);
        if (key_pressed(Key::home)) move(far ? -rows : 0, -s.values.cols(), extend);
        if (key_pressed(Key::end)) move(far ? rows : 0, s.values.cols(), extend);
        if (key_pressed(Key::page_up, true) && !far) move(-10, 0, extend);
        if (key_pressed(Key::page_down, true) && !far) move(10, 0, extend);
    }

    void run(BlockCommand command) {
        if (command == BlockCommand::paste) {
            const char* text = ImGui::GetClipboardText();
            if (text == nullptr || *text == '\0')
                ui.state.complaint = "Nothing to paste: the clipboard holds no text";
            else
                ui.state.paste = std::make_shared<Paste>(Paste{id, state.block(), text});
            return;
        }
        if (command == BlockCommand::select_all) {
            state.anchor = {0, 0};
            state.cursor = {s.values.rows() - 1, s.values.cols() - 1};
            return;
        }
        copy_block(ui, s.values, state.block());
        if (command == BlockCommand::cut) fill(0);
    }

    void commands() {
        if (ctrl_down()) {
            constexpr std::pair<Key, BlockCommand> k_commands[] = {
                {Key::a, BlockCommand::select_all},
                {Key::c, BlockCommand::copy},
                {Key::x, BlockCommand::cut},
                {Key::v, BlockCommand::paste}};
            for (const auto& [key, command] : k_commands)
                if (key_pressed(key)) run(command);
            return;
        }
        if (alt_down()) {
            if (key_pressed(Key::equal, true) || key_pressed(Key::plus, true)) zoom = 1;
            if (key_pressed(Key::minus, true)) zoom = -1;
            return;
        }
        if (key_pressed(Key::del) || key_pressed(Key::backspace)) fill(0);
        if (key_pressed(Key::space)) events.toggled = state.cursor;
        if (key_pressed(Key::escape)) {
            state.active = !(state.anchor == state.cursor); // one cell is let go
            state.anchor = state.cursor;
        }
        if (key_pressed(Key::menu) || (key_pressed(Key::f10) && shift_down())) {
            events.menu = state.cursor;
            const Rect cell = cell_rect(s.area, s.port, state.cursor.token, state.cursor.feature);
            events.menu_at = Point{cell.x, cell.bottom()};
        }
        if (key_pressed(Key::f2) || key_pressed(Key::enter)) return edit_text(state.cursor);
        // Whatever it is: a key that was passed over would leave another number.
        const std::string typed = ui.begun_text();
        if (!typed.empty()) ui.begin_text_edit(id, typed, false);
    }
};

} // namespace

MatrixEvents matrix_editor(Ui& ui, NamePart part, const MatrixSurface& s, Input input,
                           MatrixEditorState& state) {
    MatrixEvents events;
    const Index rows = s.values.rows();
    const Index cols = s.values.cols();
    if (const auto pasted = state.pasted) {
        state.pasted.reset();
        const Cell last{pasted->row + pasted->rows - 1, pasted->col + pasted->cols - 1};
        if (clamped(last, rows, cols) == last) { // else it was refused
            state.anchor = {pasted->row, pasted->col};
            state.cursor = last;
        }
    }
    state.anchor = clamped(state.anchor, rows, cols);
    state.cursor = clamped(state.cursor, rows, cols);
    const Cell before = state.cursor;
    const Hit hit =
        ui.hit(part, s.area, {.kind = PartKind::cells, .first_cell = first_cell(s.area, s.port)});
    const auto under = cell_under_mouse(ui, s);
    if (hit.hovered || hit.held) events.hovered = under;
    EditorKeys keys{ui, s, input, state, events, hit.id};
    if (ui.state.pasted && ui.state.pasted->into == hit.id)
        keys.take(*std::exchange(ui.state.pasted, {}));

    // A click elsewhere takes the text that is being typed before it moves the cursor.
    if (ui.editing_text(hit.id)) {
        const Rect cell = cell_rect(s.area, s.port, state.cursor.token, state.cursor.feature);
        const bool tab = key_pressed(Key::tab);
        const bool enter = key_pressed(Key::enter);
        const bool fill = enter && ctrl_down();
        const bool backwards = shift_down();
        if (const auto text = ui.edit_text(hit.id, cell, TextRole::number, Align::center)) {
            if (const auto value = number_in(ui, *text, "The cell stays as it was")) {
                if (fill)
                    keys.fill(*value);
                else
                    keys.set(state.cursor, *value);
                if (!fill && enter) keys.move(backwards ? -1 : 1, 0, false);
                if (tab) keys.move(0, backwards ? -1 : 1, false);
            }
            ui.state.focus = hit.id;
        }
    } else if (hit.focused && state.active) {
        if (const auto asked = std::exchange(ui.state.block_asks, std::nullopt)) keys.run(*asked);
        keys.arrows();
        keys.commands();
    } else if (hit.focused && ui.state.focus_visible) {
        state.active = true; // reached with Tab
    }

    const bool has_keys = ui.state.focus == hit.id || ui.editing_text(hit.id);
    if (has_keys && (!(state.cursor == before) || ui.state.focus_moved))
        ui.state.keys_lead = ui.state.focus_visible = true;

    if (hit.pressed && under) {
        state.active = true;
        state.cursor = *under;
        if (!shift_down()) state.anchor = *under;
        ui.state.drag_start = s.values(under->token, under->feature);
    }
    if (hit.pressed && !under) // beside the cells: there is nothing to drag
        ui.state.drag_start = std::nan("");
    track_drag(ui, hit);
    const bool digits = !s.pannable;
    const bool one_cell = state.anchor == state.cursor;
    const bool scrubs = hit.held && digits && one_cell && std::isfinite(ui.state.drag_start);
    if (hit.held && dragged_far(ui) && digits) {
        if (shift_down() && under &&
            (!one_cell || *under == state.cursor || ui.state.drag_total == 0)) {
            state.cursor = *under;
        } else if (scrubs) {
            const double by = static_cast<double>(ui.state.drag_total) * 0.01;
            const double value = to_hundredths(ui.state.drag_start + by);
            if (value != s.values(state.cursor.token, state.cursor.feature))
                keys.set(state.cursor, value);
        }
    }
    // Linked views show the cell that is being changed, not the cells that the mouse passes.
    if (scrubs) events.hovered = state.cursor;
    if (hit.hovered && digits && !hit.held) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
    if (hit.double_clicked && under && digits) keys.edit_text(*under);
    if (hit.released && hit.hovered && ImGui::GetIO().MouseDragMaxDistanceSqr[0] < 16)
        events.clicked = under;
    if (hit.right_clicked && under) {
        events.menu = under;
        if (!state.block().contains(under->token, under->feature))
            state.anchor = state.cursor = *under;
        state.active = true;
        ui.state.focus = hit.id;
    }
    if (has_keys && state.active && ui.state.focus_visible) events.keyed = state.cursor;
    if (ui.state.focus == hit.id && state.active) ui.state.next_block = hit.id;
    // The cell that is typed in or that the keys move to stays in sight.
    if (ui.editing_text(hit.id) || keys.in_sight)
        events.viewport = bring_into_sight(s, state.cursor);
    else if (keys.zoom != 0)
        zoom_at(s, state.cursor, keys.zoom, events);
    else
        move_view(ui, hit, s, hit.held && !digits && dragged_far(ui), events);
    return events;
}

} // namespace normscope
