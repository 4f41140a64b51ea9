#include "app/charts/heatmap.h"
#include "app/workspaces/transformer/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <functional>

namespace normscope {

const TransformerStudy& transformer_of(const TransformerPanel& p) {
    return p.frame.memory.of<TransformerMemory>().study.of(p.document.transformer);
}

TokenOf token_in_focus(const TransformerPanel& p) {
    const TransformerStudy& study = transformer_of(p);
    const auto& pinned = p.view.pinned;
    const TokenOf last{study.head(), static_cast<Index>(study.tokens(study.head()).size()) - 1};
    if (!pinned || !study.has(pinned->side)) return last;
    const auto count = static_cast<Index>(study.tokens(pinned->side).size());
    return {pinned->side, std::min(pinned->token, count - 1)};
}

std::optional<Index> pinned_in(const TransformerPanel& p, StackSide side) {
    const TokenOf token = token_in_focus(p);
    return token.side == side ? std::optional(token.token) : std::nullopt;
}

std::optional<HeatmapCell> small_map(TransformerPanel& p, Rect r, const SmallMap& map) {
    if (map.values.size() == 0 || r.w < 1 || r.h < 1) return std::nullopt;
    const Index rows = map.values.rows(), cols = map.values.cols();
    Heatmap heat;
    heat.values = MatrixView(map.values);
    heat.version = std::hash<std::string_view>{}(
        {reinterpret_cast<const char*>(map.values.data()),
         static_cast<std::size_t>(map.values.size()) * sizeof(float)});
    heat.limit = map.limit;
    heat.port = {0, 0, r.w / static_cast<float>(cols), r.h / static_cast<float>(rows),
                 p.canvas.scale()};
    HeatmapPicture& picture = p.frame.memory.of<TransformerMemory>().pictures[map.slot];
    draw_heatmap_picture(p.canvas, p.theme, r, heat, picture);
    if (map.outlined_row) { // around the row: its colours are seen, however low it is
        const float top = r.y + heat.port.cell_h * static_cast<float>(*map.outlined_row);
        const Rect row{r.x, top, r.w, heat.port.cell_h};
        p.canvas.stroke_rect(row.inset(-1), p.theme.ink, 1);
    }
    draw_lights(p, r, heat.port, map.lights);
    return cell_at(r, heat.port, rows, cols, p.mouse());
}

void draw_lights(Ui& ui, Rect r, const HeatmapPort& port, const Lights& lights) {
    const auto rect_of = [&](const CellBlock& cells) {
        return Rect{r.x + port.cell_w * static_cast<float>(cells.col),
                    r.y + port.cell_h * static_cast<float>(cells.row),
                    port.cell_w * static_cast<float>(cells.cols),
                    port.cell_h * static_cast<float>(cells.rows)};
    };
    for (const CellBlock& cells : lights.readers) dashed_rect(ui, rect_of(cells), ui.theme.ink);
    for (const CellBlock& cells : lights.made)
        ui.canvas.stroke_rect(rect_of(cells), ui.theme.focus, 2);
}

void dashed_rect(Ui& ui, Rect r, Color color) {
    const Point corners[] = {
        {r.x, r.y}, {r.right(), r.y}, {r.right(), r.bottom()}, {r.x, r.bottom()}, {r.x, r.y}};
    for (std::size_t c = 0; c + 1 < std::size(corners); ++c)
        ui.canvas.line(corners[c], corners[c + 1], color, 1, Dash::dashed);
}

std::string id_of(const TransformerStudy& study, const Box& box) {
    const std::string side(id_of(box.side));
    if (box.kind == Box::Kind::embedding) return side + "-embedding";
    if (box.kind == Box::Kind::final_norm) return side + "-final-norm";
    if (box.kind == Box::Kind::linear) return "linear";
    if (box.kind == Box::Kind::softmax) return "softmax";
    const Reading reading = study.reading(box);
    return side +
           (reading == Reading::feed_forward ? "-ffn"
            : reading == Reading::cross      ? "-cross"
                                             : "-self") +
           (box.kind == Box::Kind::add_norm ? "-add" : "");
}

Stage stage_of(const Box& box) {
    constexpr Stage k_stages[] = {// in the order of Box::Kind
                                  Stage::x, Stage::f, Stage::y, Stage::y, Stage::z, Stage::z};
    return entry_at(k_stages, box.kind);
}

std::string_view short_name(Reading reading) {
    const std::string_view names[] = {// in the order of Reading
                                      tr("self"), tr("self"), tr("cross"), "FFN"};
    return entry_at(names, reading);
}

} // namespace normscope
