#include "app/charts/distribution_chart.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/shared/held.h"
#include "app/workspaces/shared/tensor_style.h"
#include "core/base/lists.h"

#include <algorithm>
#include <deque>

namespace normscope {

namespace {

constexpr Tensor k_compared[] = {Tensor::z, Tensor::x_hat, Tensor::y};
constexpr ChoiceName k_pools[] = {{"all", "all"}, {"token", "token"}, {"feature", "feature"}};
constexpr std::string_view k_pool_hints[] = {"Every value of the matrix",
                                             "The hovered or pinned token's values",
                                             "The hovered or pinned feature's values"};
constexpr ChoiceName k_styles[] = {
    {"dots", "dots"}, {"curve", "curve"}, {"bars", "bars"}, {"both", "both"}};
constexpr std::string_view k_style_hints[] = {
    "Every value is a dot (up to 300 values)", "A smooth curve of how often values occur",
    "A bar counts the values in its range", "Curve and bars"};

// The axis of a pool of one token or one feature; none: the pool of all values.
std::optional<Axis> axis_of(Pool::Kind kind) {
    if (kind == Pool::Kind::all) return std::nullopt;
    return kind == Pool::Kind::token ? Axis::token : Axis::feature;
}

Pool pool_of(const AddNormPanel& p) {
    const auto axis = axis_of(p.view.pool);
    return {p.view.pool, axis ? in_focus(p.frame, *axis).value_or(0) : 0};
}

constexpr double k_lanes = 2; // from Z to x̂, and to Y
constexpr double k_seconds_a_lane = 1.5;

double lanes_since(const AddNormView& view) {
    return view.sent ? (ImGui::GetTime() - *view.sent) / k_seconds_a_lane : k_lanes;
}

// How far the dots have come: with the last two of the played steps, or since they were sent.
std::optional<double> travelled(const AddNormPanel& p) {
    constexpr double k_before = static_cast<double>(WorkedKind::normalize);
    if (p.view.playing) return std::clamp(p.view.played_time() - k_before, 0.0, k_lanes);
    return dots_travel(p.frame.view) ? std::optional(lanes_since(p.view)) : std::nullopt;
}

// Names of the three, as a curve or a row of dots is called.
std::string_view label_of(Tensor which, bool normalizes) {
    if (which == Tensor::z) return "Z";
    if (which == Tensor::y) return "Y";
    return normalizes ? "x\u0302" : "x\u0302 = Z";
}

} // namespace

bool drawn_as_dots(const AddNormView& view, Index values) {
    constexpr Index k_few_values = 30, k_most_dots = 300;
    if (!view.curves) return values < k_few_values;
    return *view.curves == CurveStyle::dots && values <= k_most_dots;
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
    return lanes_since(view.of<AddNormView>()) < k_lanes && !view.reduce_motion;
}

void before_after_panel(AddNormPanel& p) {
    const AddNormView& view = p.view;
    const IdScope scope(p, "before-after");
    Rect inside = p.framed();
    Rect head = cut_top(inside, 28);
    const Pool pool = pool_of(p);
    const Derived& derived = p.frame.derived;
    const CellBlock cells = pool.of(derived.view(Tensor::z));
    const bool dots = drawn_as_dots(view, cells.rows * cells.cols);
    const CurveStyle style =
        dots ? CurveStyle::dots
             : std::max(view.curves.value_or(CurveStyle::density), CurveStyle::density);
    left_words(p, head, "Before and after", TextRole::title, p.theme.ink, 14);
    if (!p.state.picture && view.more) { // else the curves and the words show it
        const auto cut = [&](std::span<const ChoiceName> choices) {
            return cut_right(head, segmented_width(p, choices), 10);
        };
        if (dots && !p.frame.view.reduce_motion &&
            button(p, "travel", cut_left(head, 34),
                   {"▸", "The dots travel from Z to x\u0302 to Y", !view.playing}))
            p.next.sent = ImGui::GetTime();
        const Rect curves = cut(k_styles);
        if (head.w < segmented_width(p, k_pools)) {
            cut_top(inside, 4);
            head = cut_top(inside, 28);
        }
        // Tab goes through them as they are read.
        if (const auto c = segmented(p, "pool", cut(k_pools), k_pools, static_cast<int>(view.pool),
                                     k_pool_hints))
            p.next.pool = static_cast<Pool::Kind>(*c);
        if (const auto c =
                segmented(p, "curves", curves, k_styles, static_cast<int>(style), k_style_hints))
            p.next.curves = static_cast<CurveStyle>(*c);
    }
    const auto axis = axis_of(pool.kind);
    const std::string pooled =
        axis ? group_name(p.document, *axis, pool.index) : worded("all values");
    const Text words = Text::typed(pooled);
    // The chosen button says "all" as well.
    if (axis || small_width(p, words) <= head.w) soft_label(p, head, words, Align::right);
    cut_top(inside, 6);

    DistributionChart chart;
    chart.dots = dots;
    if (dots) chart.travelled = travelled(p);
    chart.density = style == CurveStyle::density || style == CurveStyle::both;
    chart.histogram = style == CurveStyle::histogram || style == CurveStyle::both;
    chart.sigma_bars = false;
    const bool normalizes = norm_entry(p.document.norm).normalizes();
    std::vector<SampleExtent> extents;
    std::deque<std::vector<double>> values; // of dots
    const auto show = [&](const Derived& of, const Distribution1D& d, Tensor which) {
        chart.curves.push_back(
            curve_of(d, p.theme.of(stage_of(which)), std::string(label_of(which, normalizes))));
        if (dots) chart.curves.back().dots = values.emplace_back(pooled_values(of, which, pool));
    };
    std::array<Distribution1D, 3> ghosts;
    if (const Derived* const before = p.frame.before; before && before->fits(derived.document()))
        for (const auto i : indices(k_compared)) {
            if (before->version(k_compared[i]) == derived.version(k_compared[i])) continue;
            ghosts[i] = before->distribution(k_compared[i], pool);
            show(*before, ghosts[i], k_compared[i]);
            chart.curves.back().ghost = true;
        }
    DistributionMemo& memo = p.frame.memory.of<AddNormMemory>().distributions;
    const Hover& hover = p.frame.view.hover;
    for (const Tensor which : k_compared) {
        const Distribution1D& d = distribution(memo, derived, which, pool);
        show(derived, d, which);
        extents.push_back(extent_of(d));
        chart.curves.back().dash = dash_of(which);
        if (hover.token && hover.feature)
            chart.curves.back().marker = derived.view(which)(*hover.token, *hover.feature);
    }
    // Another choice of values has an axis of its own.
    constexpr std::string_view k_axes[] = {"add-norm.all", "add-norm.token", "add-norm.feature"};
    const Extent extent = held_axis(p, entry_at(k_axes, pool.kind), extents);
    chart.x_lo = extent.lo;
    chart.x_hi = extent.hi;
    if (const double most = tallest(chart); !dots && most > 0)
        chart.top = held(p, "add-norm.heights", {0, most}, {0, k_head_room * most}).hi;
    const Hit hit = p.hit("plot", inside, k_by_mouse);
    if (hit.hovered) chart.cursor = distribution_x_at(p.canvas, inside, chart, p.mouse());
    draw_distributions(p.canvas, p.theme, inside, chart);
}

} // namespace normscope
