#include "app/language/language.h"
#include "app/words/transformer_arithmetic.h"
#include "app/workspaces/shared/tensor_style.h"
#include "app/workspaces/transformer/lens.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_row_h = 15.5f; // of a token: its word has room
constexpr float k_least_curves_h = 84;
constexpr ChoiceName k_curve_pools[] = {{"token", "token"}, {"all", "all"}};

// Three maps side by side, a sign between them.
struct MapRow {
    std::array<Rect, 3> maps;
    std::array<Point, 2> signs;
};

MapRow map_row(Rect r, float names_w) {
    const float gap = 22;
    const float w = (r.w - names_w - 2 * gap) / 3;
    const float middle = r.y + 18 + (r.h - 18) / 2;
    MapRow out;
    out.maps[0] = cut_left(r, names_w + w);
    for (std::size_t i = 0; i < 2; ++i) {
        out.signs[i] = {cut_left(r, gap).center().x, middle};
        out.maps[i + 1] = cut_left(r, w);
    }
    return out;
}

// The words stand at the rows of the first one.
void map(Lens& lens, const MapRow& row, std::size_t i, LensMap of) {
    of.named = i == 0;
    lens.map(row.maps[i], of);
}

void sign(Ui& ui, Point at, std::string_view text) {
    const float radius = 8;
    ui.canvas.fill_circle(at, radius, ui.theme.ink);
    ui.canvas.text_in({at.x - radius, at.y - radius, 2 * radius, 2 * radius}, text, TextRole::small,
                      ui.theme.panel);
}

// A curve of the chart below the maps.
struct Shown {
    std::string_view label, short_label;
    Stage stage;
    Dash dash;
    const Matrix<float>& values;
};

// Returns what is left of the row.
Rect curve_legend(Ui& ui, Rect row, std::span<const Shown> curves) {
    const auto width = [&](std::string_view label) { return small_width(ui, label) + 32; };
    float all = 0;
    for (const Shown& c : curves) all += width(c.label);
    for (const Shown& c : curves) {
        const std::string_view label = all <= row.w ? c.label : c.short_label;
        Rect item = cut_left(row, width(label));
        const float y = item.center().y;
        ui.canvas.line({item.x, y}, {item.x + 14, y}, ui.theme.of(c.stage), 3, c.dash);
        cut_left(item, 19);
        ui.label(item, label, TextRole::small, ui.theme.ink_of(c.stage));
    }
    return row;
}

// The curves of the pinned token, or of all tokens.
void curves(const Lens& lens, Rect r, std::span<const Shown> shown) {
    Ui& ui = lens.p;
    Rect head = cut_top(r, 26);
    const bool all = lens.p.view.all_tokens;
    if (!ui.state.picture) {
        if (const auto c =
                segmented(ui, "pool", cut_right(head, segmented_width(ui, k_curve_pools), 6.0f),
                          k_curve_pools, all ? 1 : 0))
            lens.p.next.all_tokens = *c == 1;
    }
    const Rect rest = curve_legend(ui, head, shown);
    if (ui.state.picture && all) soft_label(ui, rest, "all tokens", Align::right);
    if (ui.state.picture && !all)
        ui.label(rest, Text::typed(lens.word(lens.token)), TextRole::small, ui.theme.ink_soft,
                 Align::right);
    if (r.h < 40) return;
    DistributionChart chart;
    chart.histogram = false;
    chart.sigma_bars = false;
    std::vector<Distribution1D> kept;
    std::vector<SampleExtent> extents;
    for (const Shown& c : shown) {
        kept.push_back(
            distribution_of(all ? all_of(c.values) : normscope::token_of(c.values, lens.token)));
        extents.push_back(extent_of(kept.back()));
    }
    for (const auto i : indices(shown)) {
        chart.curves.push_back(curve_of(kept[i], ui.theme.of(shown[i].stage), {}));
        chart.curves.back().dash = shown[i].dash;
    }
    const Extent extent = common_extent(extents);
    chart.x_lo = extent.lo;
    chart.x_hi = extent.hi;
    draw_distributions(ui.canvas, ui.theme, r, chart);
}

// The feature or group whose μ and σ are shown, counted from 1, where a token has several.
std::string set_words(const NormCache<float>& cache, const HeatmapCell& at) {
    const StatisticSets sets = statistic_sets(cache);
    if (sets.by_feature()) return fmt::format(" ({})", at.col + 1);
    return sets.groups > 1 ? fmt::format(" ({})", at.col / sets.size() + 1) : std::string();
}

// The rows ‖X‖, ‖F(X)‖ (where they are given), μ, σ.
void numbers(Ui& ui, Rect r, std::span<const double> norms, const AddNormCell& cell,
             const std::string& set) {
    cut_top(r, std::clamp(r.h - (4 * 18), 0.0f, 18.0f));
    const float row_h = std::clamp(r.h / 4, 12.0f, 18.0f);
    const auto row = [&](std::string_view name, double value, Color color) {
        if (r.h < 11) return;
        Rect line = cut_top(r, row_h);
        const std::string number = fixed_text(value, 2);
        const float w = ui.text_width(number, TextRole::number_small) + 1;
        ui.label(cut_right(line, w, 4), number, TextRole::number_small, ui.theme.ink, Align::right);
        ui.label(line, name, TextRole::small, color);
    };
    if (!norms.empty()) {
        row("‖X‖", norms[0], ui.theme.ink_of(Stage::x));
        row(r.w < 88.0f ? "‖F‖" : "‖F(X)‖", norms[1], ui.theme.ink_of(Stage::f));
    }
    if (!cell.spread->divides) return;
    if (cell.spread->centres) row("μ" + set, cell.mean, ui.theme.ink);
    row(std::string(cell.spread->scale) + set, cell.root, ui.theme.ink);
}

float map_height(Index rows, float room) {
    return 18 +
           std::clamp(k_row_h * static_cast<float>(rows), 30.0f, std::max(30.0f, room - 18.0f));
}

} // namespace

void add_norm_lens(Lens& lens, Rect r) {
    Ui& ui = lens.p;
    const AddNormNumbers n = lens.study.add_norm(lens.box);
    const ResidualBlock<float>& block = lens.study.block(lens.box);
    const bool adds = block.options.skip == Residual::add;
    // A norm that comes first takes X as it comes, whatever the Add makes of it.
    const Matrix<float>& x = n.norm_first ? lens.study.input(lens.box) : n.x;
    const NormLimits limit = norm_limits(std::array{most_of(x), most_of(n.f), most_of(n.z)},
                                         std::array{most_of(n.x_hat), most_of(n.normed)});

    const Rect arithmetic = cut_bottom(r, 3 * k_formula_h, 4);
    const float room = (r.h - (k_least_curves_h + 26 + 14)) / 2;
    const float map_h = map_height(x.rows(), room);
    const MapRow upper = map_row(cut_top(r, map_h, 6), lens.names_w);
    const MapRow lower = map_row(cut_top(r, map_h, 6), lens.names_w);

    const NormEntry& norm = norm_entry(block.options.norm);
    const std::string_view in = n.norm_first ? "X" : "Z";
    const std::string x_hat_note =
        !norm.normalizes() ? fmt::format("= {}", in)
                           : fmt::format(fmt::runtime(norm.centres ? "({} − μ) / {}" : "{} / {}"),
                                         in, norm.spread->scale);
    using Maps = std::vector<LensMap>;
    const Maps maps = n.norm_first
                          ? Maps{{"x", "X", "", Stage::x, x, limit.in},
                                 {"x_hat", "x\u0302", x_hat_note, Stage::x_hat, n.x_hat, limit.out},
                                 {"normed", "γ ⊙ x\u0302 + β", "", Stage::y, n.normed, limit.out},
                                 {"f", "F(γ ⊙ x\u0302 + β)", "", Stage::f, n.f, limit.in},
                                 {"z", adds ? "Y = X + F" : "Y = F", "", Stage::z, n.z, limit.in}}
                          : Maps{{"x", "X", adds ? "" : "no skip", Stage::x, x, limit.in},
                                 {"f", "F(X)", "", Stage::f, n.f, limit.in},
                                 {"z", "Z", "", Stage::z, n.z, limit.in},
                                 {"x_hat", "x\u0302", x_hat_note, Stage::x_hat, n.x_hat, limit.out},
                                 {"y", "Y", "γ ⊙ x\u0302 + β", Stage::y, n.y, limit.out}};
    for (const auto i : indices(maps)) map(lens, i < 3 ? upper : lower, i % 3, maps[i]);
    sign(ui, upper.signs[0], n.norm_first ? "→" : "+");
    sign(ui, upper.signs[1], n.norm_first ? "→" : "=");
    sign(ui, lower.signs[0], n.norm_first && adds ? "+" : "→");
    const HeatmapCell at = lens.worked_cell(n.z);

    const AddNormCell cell = add_norm_cell(lens.study, lens.box, at.row, at.col);
    const auto length = [&](const Matrix<float>& m) { return m.row(at.row).cast<double>().norm(); };
    numbers(ui, lower.maps[2], std::array{length(n.x), length(n.f)}, cell, set_words(n.cache, at));

    const std::array<Shown, 3> shown = {
        {{n.norm_first ? "X before" : "Z before", in, n.norm_first ? Stage::x : Stage::z,
          Dash::dotted, n.norm_first ? x : n.z},
         {"x\u0302 normalized", "x\u0302", Stage::x_hat, Dash::dashed, n.x_hat},
         {n.norm_first ? "after γ, β" : "Y after γ, β", n.norm_first ? "γ, β" : "Y", Stage::y,
          Dash::solid, n.normed}}};
    curves(lens, r, shown);
    formula_lines(ui, arithmetic, add_norm_words(cell));
}

void final_norm_lens(Lens& lens, Rect r) {
    Ui& ui = lens.p;
    const StackForward<float>& stack = lens.study.stack(lens.box.side);
    const NormCache<float>& cache = stack.final_norm->cache;
    const NormLimits limit = norm_limits(std::array{most_of(stack.last)},
                                         std::array{most_of(cache.x_hat), most_of(stack.y)});
    const Rect arithmetic = cut_bottom(r, 2 * k_formula_h, 4);
    const float room = r.h - (k_least_curves_h + 26 + 90);
    const MapRow row = map_row(cut_top(r, map_height(stack.y.rows(), room), 6), lens.names_w);
    map(lens, row, 0, {"z", "X", "", Stage::x, stack.last, limit.in});
    map(lens, row, 1, {"x_hat", "x\u0302", "", Stage::x_hat, cache.x_hat, limit.out});
    map(lens, row, 2, {"y", "Y", "γ ⊙ x\u0302 + β", Stage::y, stack.y, limit.out});
    for (const Point& at : row.signs) sign(ui, at, "→");
    const HeatmapCell at = lens.worked_cell(stack.last);
    const AddNormCell cell = final_norm_cell(lens.study, lens.box.side, at.row, at.col);
    numbers(ui, cut_top(r, 18 + 40), {}, cell, set_words(cache, at));
    const std::array<Shown, 3> shown = {
        {{"X before", "X", Stage::x, Dash::dotted, stack.last},
         {"x\u0302 normalized", "x\u0302", Stage::x_hat, Dash::dashed, cache.x_hat},
         {"Y after γ, β", "Y", Stage::y, Dash::solid, stack.y}}};
    curves(lens, r, shown);
    formula_lines(ui, arithmetic, norm_words(cell));
}

} // namespace normscope
