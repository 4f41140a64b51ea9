#include "app/charts/heatmap.h"
#include "app/language/language.h"
#include "app/model/transformer/file_weights.h"
#include "app/workspaces/train/panels.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_map_head = 24, k_least_map = 150, k_most_map = 230, k_map_gap = 12;
constexpr float k_sentences_h = 236, k_text_h = 150;

// Class 0 blue, class 1 rust, as in the heat maps; pale where the run is not sure.
const MapPicture& picture_of(TrainMemory& memory, const Theme& theme, const SeenLane& lane) {
    MapPicture& picture = memory.pictures[lane.index];
    if (picture.of == lane.state->shot && picture.theme == theme.kind) return picture;
    picture.of = lane.state->shot;
    picture.theme = theme.kind;
    picture.key = (std::uint64_t{0x7261636d} << 32) + ++memory.last_key;
    picture.rgba.clear();
    for (const float p : std::get<PointMap>(picture.of->shown).probability)
        picture.rgba.push_back(
            packed(mix(theme.panel, heat_color(theme, 2 * static_cast<double>(p) - 1, 1), 0.8f)));
    return picture;
}

// The most width of a map, as a multiple of its height.
constexpr float k_widest_map = static_cast<float>(PointMap::k_columns) / PointMap::k_rows;

// A map is as high as the frame; a wider one shows more of the plane at its sides.
Point place_on(Rect map, const PointFrame& frame, double x, double y) {
    return {map.center().x + map.h * static_cast<float>((x - frame.left) / frame.side - 0.5),
            map.bottom() - map.h * static_cast<float>((y - frame.bottom) / frame.side)};
}

// All that is known of the plane, of which the map is the middle.
Rect whole_of(Rect map) {
    const float w = map.h * k_widest_map;
    return {map.center().x - w / 2, map.y, w, map.h};
}

void draw_points(Ui& ui, Rect map, const PointFrame& frame, const PointSet<float>& points,
                 bool training) {
    const float radius = map.h > 190.0f ? 2.2f : 1.6f;
    // Light around each, whatever the theme: the map below is dark in one.
    const Color halo = ui.theme.dark_ground() ? ui.theme.ink : ui.theme.panel;
    for (const auto i : indices(points.x.rows())) {
        const Point at = place_on(map, frame, static_cast<double>(points.x(i, 0)),
                                  static_cast<double>(points.x(i, 1)));
        const bool high = entry_at(points.classes, i) == 1;
        const Color color = high ? ui.theme.heat_high : ui.theme.heat_low;
        if (!training) {
            const Rect square = square_around(at, radius * 0.6f);
            ui.canvas.fill_rect(square.inset(-1), halo);
            ui.canvas.fill_rect(square, color);
            continue;
        }
        // Told apart without colour too: discs and rings.
        ui.canvas.fill_circle(at, radius * 1.3f, high ? color : halo);
        ui.canvas.fill_circle(at, radius * (high ? 0.7f : 1.0f), high ? halo : color);
    }
}

// The line on which P(class 1) is a half: between neighbours on different sides.
void draw_boundary(Ui& ui, Rect map, const PointMap& shown) {
    constexpr int n = PointMap::k_rows, columns = PointMap::k_columns;
    const auto p = [&](int row, int col) {
        return entry_at(shown.probability, row * columns + col) - 0.5f;
    };
    const float cell = map.h / static_cast<float>(n);
    const float left = whole_of(map).x;
    const auto at = [&](float row, float col) {
        return Point{left + (col + 0.5f) * cell, map.y + (row + 0.5f) * cell};
    };
    const int out_of_sight = std::max(0, static_cast<int>((map.x - left) / cell) - 1);
    for (int row = 0; row + 1 < n; ++row)
        for (int col = out_of_sight; col + 1 < columns - out_of_sight; ++col) {
            std::array<Point, 4> ends;
            std::size_t count = 0;
            const auto cross = [&](int r0, int c0, int r1, int c1) {
                const float a = p(r0, c0), b = p(r1, c1);
                if ((a < 0) == (b < 0)) return;
                const float t = a / (a - b);
                ends[count++] = at(static_cast<float>(r0) + t * static_cast<float>(r1 - r0),
                                   static_cast<float>(c0) + t * static_cast<float>(c1 - c0));
            };
            cross(row, col, row, col + 1);
            cross(row, col, row + 1, col);
            cross(row, col + 1, row + 1, col + 1);
            cross(row + 1, col, row + 1, col + 1);
            for (std::size_t i = 0; i + 1 < count; i += 2)
                ui.canvas.line(ends[i], ends[i + 1], ui.theme.ink, 1.2f);
        }
}

void words_over(Ui& ui, Rect r, std::string_view words) {
    const Size size = ui.canvas.text_size(words, TextRole::small);
    const float w = std::min(r.w, size.w + 16.0f);
    const Rect box{r.center().x - w / 2, r.center().y - 13, w, 26};
    ui.canvas.fill_rect(box, ui.theme.panel.with_alpha(0.92f), 4);
    ui.label(box.inset(4, 0), words, TextRole::small, ui.theme.ink, Align::center);
}

void point_map(TrainPanel& p, Rect map, const SeenLane& lane) {
    if (!p.canvas.sees(map)) return;
    const LaneShot& shot = *lane.state->shot;
    p.canvas.push_clip(map);
    if (const auto* shown = std::get_if<PointMap>(&shot.shown); shown && shot.finite) {
        const MapPicture& picture = picture_of(memory_of(p), p.theme, lane);
        p.canvas.image(whole_of(map),
                       {picture.key, PointMap::k_columns, PointMap::k_rows, picture.rgba});
        draw_boundary(p, map, *shown);
    } else {
        draw_no_numbers(p, map);
    }
    if (const auto& data = race_of(p).data) {
        const PointFrame frame = frame_of(*data);
        draw_points(p, map, frame, data->test, false);
        draw_points(p, map, frame, data->train, true);
    }
    if (!shot.finite) words_over(p, map, diverged_words(p, lane));
    p.canvas.pop_clip();
    p.canvas.stroke_rect(map, p.theme.border);
}

std::string cell_word(Index symbol, Index symbols) {
    return symbol > 0 ? symbol_word(symbol, symbols) : std::string("·");
}

void sentence_row(Ui& ui, Rect row, const WrittenSentence& sentence, Index symbols) {
    const auto cells = static_cast<float>(sentence.source.size() + sentence.wanted.size() + 2);
    const float w = std::min(row.w / cells, 20.0f);
    for (const Index symbol : sentence.source)
        ui.canvas.text_in(cut_left(row, w), cell_word(symbol, symbols), TextRole::number_small,
                          ui.theme.ink_soft);
    ui.canvas.text_in(cut_left(row, 2 * w), "→", TextRole::small, ui.theme.ink_soft);
    for (const auto i : indices(sentence.wanted)) {
        const Rect cell = cut_left(row, w);
        if (sentence.written[i] != sentence.wanted[i]) {
            ui.canvas.fill_rect(cell.inset(1), ui.theme.error.with_alpha(0.22f));
            ui.canvas.line({cell.x + 1, cell.bottom() - 2}, {cell.right() - 1, cell.bottom() - 2},
                           ui.theme.error, 2);
        }
        ui.canvas.text_in(cell, cell_word(sentence.written[i], symbols), TextRole::number_small,
                          ui.theme.ink);
    }
}

// The weights of cross-attention of the first sentence: its words × its source.
void attention_map(Ui& ui, Rect r, const Matrix<float>& weights) {
    const float side = std::min(r.w / static_cast<float>(weights.cols()),
                                r.h / static_cast<float>(weights.rows()));
    for (const auto row : indices(weights.rows()))
        for (const auto col : indices(weights.cols()))
            ui.canvas.fill_rect({r.x + side * static_cast<float>(col),
                                 r.y + side * static_cast<float>(row), side - 1, side - 1},
                                heat_color(ui.theme, static_cast<double>(weights(row, col)), 1));
}

// The model at this step, with the first sentence, in the workspace that shows all its numbers.
void open_button(TrainPanel& p, Rect area, const SeenLane& lane, const WrittenSentences& shown) {
    const IdScope scope(p, fmt::format("lane-{}", lane.index));
    const std::string_view whole = "Open in 5 Transformer";
    const std::string_view label = button_width(p, whole) <= area.w ? whole : "Open in 5";
    const WrittenSentence& first = shown.sentences.front();
    const bool fits = first.source.size() <= k_most_words && first.wanted.size() <= k_most_words;
    const Rect r = cut_left(area, button_width(p, label));
    if (!button(p, "open", {r.x, area.bottom() - 28, r.w, 28},
                {label,
                 fits ? "The model at this step, with the first sequence"
                      : "Workspace 5 shows sequences of up to 16 symbols",
                 fits}))
        return;
    const Index symbols = p.document.train.common.symbols;
    const auto words = [&](const std::vector<Index>& ids) {
        Words out;
        for (const Index id : ids) out.push_back(symbol_word(id, symbols));
        return out;
    };
    p.edit(TakeWeights{std::make_shared<const FileWeights>(
        weights_of(shown, symbols, worded("{}, step {}", lane.name, lane.state->shot->step)))});
    p.edit(SetWords{SentenceSide::source, words(first.source)});
    p.edit(SetWords{SentenceSide::target, words(first.wanted)});
    if (const auto workspace = workspace_index("transformer"))
        p.actions.view.workspace = *workspace;
}

void sentences_map(TrainPanel& p, Rect r, const SeenLane& lane, const WrittenSentences& shown) {
    const float line = 20;
    const float side = std::min(84.0f, r.w * 0.4f);
    Rect rows = r;
    if (r.h > 190) {
        Rect below = cut_bottom(rows, shown.attention.size() > 0 ? side : 28.0f);
        if (shown.attention.size() > 0) {
            attention_map(p, cut_left(below, side, 8), shown.attention);
            soft_label(p, cut_top(below, 20), "Cross-attention of the first:");
            soft_label(p, cut_top(below, 20), "its words ↓, the source →");
        }
        open_button(p, below, lane, shown);
        cut_bottom(rows, 6);
    }
    for (const WrittenSentence& sentence : shown.sentences) {
        if (rows.h < line) break;
        sentence_row(p, cut_top(rows, line), sentence, p.document.train.common.symbols);
    }
}

// The text that a lane writes, after the start that it has read (pale).
void text_map(Ui& ui, Rect r, const WrittenText& shown) {
    ui.canvas.push_clip(r);
    cut_top(r, soft_paragraph(ui, r, shown.start) + 6);
    paragraph(ui, r, shown.text);
    ui.canvas.pop_clip();
}

struct MapGrid {
    int columns, lines;
    float w, h; // of a map with its heading
};

MapGrid grid_of(std::size_t lanes, float width, TaskKind kind) {
    const float gap = k_map_gap;
    const int n = static_cast<int>(std::max<std::size_t>(lanes, 1));
    const float least = kind == TaskKind::points ? k_least_map : 200;
    const int most = std::clamp(static_cast<int>((width + gap) / (least + gap)), 1, n);
    const int lines = (n + most - 1) / most;
    const int columns = (n + lines - 1) / lines; // as many in each line as can be
    const float w = (width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    const float h = kind == TaskKind::points ? std::min(w, k_most_map)
                                             : (kind == TaskKind::text ? k_text_h : k_sentences_h);
    return {columns, lines, w, k_map_head + h};
}

TaskKind kind_shown(const TrainPanel& p) {
    return kind_of(p.document.train.common.task);
}

void one_map(TrainPanel& p, Rect cell, const SeenLane& lane) {
    const LaneShot* const shot = lane.state ? lane.state->shot.get() : nullptr;
    lane_heading(p, cut_top(cell, k_map_head), lane,
                 shot && shot->finite ? percent_text(shot->test_accuracy) : std::string());
    if (lane.state && lane.state->error) return words_over(p, cell, error_text(*lane.state->error));
    if (kind_shown(p) != TaskKind::points) {
        if (!shot) return;
        if (const auto* text = std::get_if<WrittenText>(&shot->shown); text && shot->finite)
            return text_map(p, cell, *text);
        if (const auto* written = std::get_if<WrittenSentences>(&shot->shown);
            written && shot->finite)
            return sentences_map(p, cell, lane, *written);
        draw_no_numbers(p, cell);
        return words_over(p, cell, diverged_words(p, lane));
    }
    if (shot && std::holds_alternative<std::monostate>(shot->shown))
        return words_over(p, cell, "Two columns and two classes have a map");
    const float h = std::min(cell.w, cell.h);
    const Rect map{cell.x, cell.y, std::min(cell.w, k_widest_map * h), h};
    if (shot)
        point_map(p, map, lane);
    else
        p.canvas.stroke_rect(map, p.theme.border);
}

} // namespace

void maps_panel(TrainPanel& p) {
    const IdScope scope(p, "maps");
    const TaskKind kind = kind_shown(p);
    const bool points = kind == TaskKind::points;
    const std::string_view hint = points ? "round: to train, small squares: to test"
                                  : kind == TaskKind::text
                                      ? "after the pale words; / ends a line"
                                      : "held-out sequences; wrong symbols are underlined";
    Rect inside = panel(
        p, "", p.rect,
        {.title = points ? "What each lane has learned" : "What each lane writes", .hint = hint});
    const std::vector<SeenLane> lanes = seen_lanes(p);
    const MapGrid grid = grid_of(lanes.size(), inside.w, kind);
    const float gap = k_map_gap;
    const auto lines = static_cast<float>(grid.lines);
    p.needed = inside.y - p.rect.y + lines * (grid.h + gap) - gap + 10;
    if (lanes.empty())
        return p.label(inside, "No lane is on: tick one in Lanes", TextRole::label,
                       p.theme.ink_soft, Align::center);
    // In less height than it would like the maps shrink.
    const float h = std::min(grid.h, (inside.h + gap) / lines - gap);
    for (const auto i : indices(lanes)) {
        const auto col = static_cast<float>(static_cast<int>(i) % grid.columns);
        const auto line = static_cast<float>(static_cast<int>(i) / grid.columns);
        one_map(p, {inside.x + col * (grid.w + gap), inside.y + line * (h + gap), grid.w, h},
                lanes[i]);
    }
}

} // namespace normscope
