#include "app/charts/distribution_chart.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/shared/tensor_style.h"

#include <algorithm>

namespace normscope {

namespace {

constexpr std::array<Tensor, 3> k_compared = {Tensor::z, Tensor::x_hat, Tensor::y};
constexpr std::array<ChoiceName, 3> k_pools = {
    {{"all", "all"}, {"token", "token"}, {"feature", "feature"}}};
constexpr std::array<std::string_view, 3> k_pool_hints = {"Every value of the matrix",
                                                          "The hovered or pinned token's values",
                                                          "The hovered or pinned feature's values"};
constexpr std::array<ChoiceName, 4> k_styles = {
    {{"dots", "dots"}, {"curve", "curve"}, {"bars", "bars"}, {"both", "both"}}};
constexpr std::array<std::string_view, 4> k_style_hints = {
    "Every value is a dot (up to 300 values)", "A smooth curve of how often values occur",
    "A bar counts the values in its range", "Curve and bars"};

// Of one token or feature, or of all of them.
std::optional<Axis> axis_of(Pool::Kind kind) {
    if (kind == Pool::Kind::all) return std::nullopt;
    return kind == Pool::Kind::token ? Axis::token : Axis::feature;
}

Pool pool_of(const Frame& f) {
    const Pool::Kind kind = f.view.of<AddNormView>().pool;
    const auto axis = axis_of(kind);
    return {kind, axis ? in_focus(f, *axis).value_or(0) : 0};
}

constexpr double k_lanes = 2; // from Z to x̂, and to Y
constexpr double k_seconds_a_lane = 1.5;

double lanes_since(const View& view) {
    const auto& sent = view.of<AddNormView>().sent;
    return sent ? (ImGui::GetTime() - *sent) / k_seconds_a_lane : k_lanes;
}

// How far the dots have come: with the last two of the played steps, or since they were sent.
std::optional<double> travelled(const Frame& f) {
    constexpr double k_before = static_cast<double>(WorkedKind::normalize);
    if (f.view.of<AddNormView>().playing)
        return std::clamp(played_time(f) - k_before, 0.0, k_lanes);
    return dots_travel(f.view) ? std::optional(lanes_since(f.view)) : std::nullopt;
}

// Names of the three, as a curve or a row of dots is called.
std::string_view label_of(Tensor which, bool normalizes) {
    if (which == Tensor::z) return "Z";
    if (which == Tensor::y) return "Y";
    return normalizes ? "x\u0302" : "x\u0302 = Z";
}

} // namespace

bool drawn_as_dots(const Frame& f, Index values) {
    constexpr Index k_few_values = 30, k_most_dots = 300;
    const auto& chosen = f.view.of<AddNormView>().curves;
    return chosen ? *chosen == CurveStyle::dots && values <= k_most_dots : values < k_few_values;
}

std::vector<double> pooled_values(const Derived& derived, Tensor which, const Pool& pool) {
    const MatrixView m = derived.view(which);
    const auto [row, col, rows, cols] = pool.of(m);
    std::vector<double> values;
    for (Index r = row; r < row + rows; ++r)
        for (Index c = col; c < col + cols; ++c) values.push_back(m(r, c));
    return values;
}

bool dots_travel(const View& view) {
    return lanes_since(view) < k_lanes && !view.reduce_motion;
}

void before_after_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "before-after");
    Rect inside = panel(ui, "", r, {});
    if (ui.passes_by(r)) return;
    Rect head = cut_top(inside, ui.px(28));
    const Pool pool = pool_of(f);
    const AddNormView& view = f.view.of<AddNormView>();
    AddNormView& next = a.view.of<AddNormView>();
    AddNormMemory& memory = f.memory.of<AddNormMemory>();

    const bool chosen_here = !ui.state.picture; // else the curves and the words show it
    const auto cut = [&](std::span<const ChoiceName> choices) {
        return cut_right(head, segmented_width(ui, choices), ui.px(10));
    };
    const bool normalizes = norm_entry(f.document.norm).normalizes();
    const CellBlock cells = pool.of(f.derived.view(Tensor::z));
    const bool dots = drawn_as_dots(f, cells.rows * cells.cols);
    const CurveStyle style =
        dots ? CurveStyle::dots
             : std::max(view.curves.value_or(CurveStyle::density), CurveStyle::density);
    left_words(ui, head, "Before and after", TextRole::title, ui.theme.ink, 14);
    if (chosen_here && dots && !f.view.reduce_motion &&
        button(ui, "travel", cut_left(head, std::min(head.w, ui.px(34))),
               {"▸", ButtonLook::plain, !view.playing, "The dots travel from Z to x\u0302 to Y"}))
        next.sent = ImGui::GetTime();
    if (chosen_here) {
        const Rect curves = cut(k_styles);
        if (head.w < segmented_width(ui, k_pools)) {
            cut_top(inside, ui.px(4));
            head = cut_top(inside, ui.px(28));
        }
        // Tab goes through them as they are read.
        if (const auto c = segmented(ui, "pool", cut(k_pools), k_pools, static_cast<int>(view.pool),
                                     k_pool_hints))
            next.pool = static_cast<Pool::Kind>(*c);
        if (const auto c =
                segmented(ui, "curves", curves, k_styles, static_cast<int>(style), k_style_hints))
            next.curves = static_cast<CurveStyle>(*c);
    }
    const auto axis = axis_of(pool.kind);
    const std::string words =
        axis ? group_name(f.document, *axis, pool.index) : worded("all values");
    const AsTyped name(ui.canvas);
    // The chosen button says "all" as well.
    if (pool.kind != Pool::Kind::all || ui.canvas.text_size(words, TextRole::small).w <= head.w)
        ui.label(head, words, TextRole::small, ui.theme.ink_soft, Align::right);
    cut_top(inside, ui.px(6));

    DistributionChart chart;
    chart.dots = dots;
    if (dots) chart.travelled = travelled(f);
    chart.density = style == CurveStyle::density || style == CurveStyle::both;
    chart.histogram = style == CurveStyle::histogram || style == CurveStyle::both;
    chart.sigma_bars = false;
    std::array<SampleExtent, 6> extents;
    std::size_t n = 0;
    std::array<std::vector<double>, 6> values; // of dots
    const auto show = [&](const Derived& of, const Distribution1D& d, Tensor which) {
        chart.curves.push_back(
            curve_of(d, ui.theme.of(stage_of(which)), std::string(label_of(which, normalizes))));
        if (dots) chart.curves.back().dots = values[n] = pooled_values(of, which, pool);
        extents[n++] = extent_of(d);
    };
    const Derived* const before = f.before;
    const bool same_shape = before != nullptr &&
                            before->view(Tensor::z).rows() == f.derived.view(Tensor::z).rows() &&
                            before->view(Tensor::z).cols() == f.derived.view(Tensor::z).cols();
    std::array<Distribution1D, 3> ghosts;
    for (std::size_t i = 0; same_shape && i < k_compared.size(); ++i) {
        if (before->version(k_compared[i]) == f.derived.version(k_compared[i])) continue;
        ghosts[i] = before->distribution(k_compared[i], pool);
        show(*before, ghosts[i], k_compared[i]);
        chart.curves.back().ghost = true;
    }
    const bool cell_hovered = f.view.hover.token && f.view.hover.feature;
    for (std::size_t i = 0; i < k_compared.size(); ++i) {
        show(f.derived, distribution(memory.distributions, f.derived, k_compared[i], pool),
             k_compared[i]);
        chart.curves.back().dash = dash_of(k_compared[i]);
        if (cell_hovered)
            chart.curves.back().marker =
                f.derived.view(k_compared[i])(*f.view.hover.token, *f.view.hover.feature);
    }
    const Extent extent = common_extent(std::span(extents).first(n));
    chart.x_lo = extent.lo;
    chart.x_hi = extent.hi;
    const Hit hit = ui.hit("plot", inside, {.focusable = false});
    if (hit.hovered) chart.cursor = distribution_x_at(ui.canvas, inside, chart, ui.mouse());
    draw_distributions(ui.canvas, ui.theme, inside, chart);
}

} // namespace normscope
