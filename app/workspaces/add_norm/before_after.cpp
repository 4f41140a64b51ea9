#include "app/charts/distribution_chart.h"
#include "app/widgets/controls.h"
#include "app/workspaces/add_norm/memory.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/add_norm/view.h"
#include "app/workspaces/shared/focus.h"
#include "app/workspaces/shared/tensor_style.h"

#include <array>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr std::array<Tensor, 3> k_compared = {Tensor::z, Tensor::x_hat, Tensor::y};
constexpr std::array<ChoiceName, 3> k_pools = {
    {{"all", "all"}, {"token", "token"}, {"feature", "feature"}}};
constexpr std::array<std::string_view, 3> k_pool_hints = {"Every value of the matrix",
                                                          "The hovered or pinned token's values",
                                                          "The hovered or pinned feature's values"};
constexpr std::array<ChoiceName, 3> k_styles = {
    {{"curve", "curve"}, {"bars", "bars"}, {"both", "both"}}};

Pool pool_of(const Frame& f) {
    switch (f.view.of<AddNormView>().pool) {
    case PoolChoice::token:
        return {Pool::Kind::token, token_in_focus(f).value_or(0)};
    case PoolChoice::feature:
        return {Pool::Kind::feature, feature_in_focus(f).value_or(0)};
    case PoolChoice::all:
        break;
    }
    return {};
}

std::string subject(const Frame& f, const Pool& pool) {
    if (pool.kind == Pool::Kind::all) return "all values";
    const Axis axis = pool.kind == Pool::Kind::token ? Axis::token : Axis::feature;
    return group_name(f.document, axis, pool.index);
}

using Labels = std::array<std::string_view, k_compared.size()>;

Labels labels_of(bool normalizes) {
    return {"Z before", normalizes ? "x\u0302 normalized" : "x\u0302 = Z", "Y after γ, β"};
}

float label_width(const Ui& ui, std::string_view label) {
    return ui.canvas.text_size(label, TextRole::small).w + ui.px(32);
}

float legend_width(const Ui& ui, const Labels& labels) {
    float w = 0;
    for (const std::string_view label : labels) w += label_width(ui, label);
    return w;
}

// Returns what is left of the row.
Rect legend(Ui& ui, Rect row, bool normalizes) {
    Labels labels = labels_of(normalizes);
    if (legend_width(ui, labels) > row.w)
        labels = {"Z", normalizes ? "x\u0302" : "x\u0302 = Z", "Y"};
    for (std::size_t i = 0; i < k_compared.size(); ++i) {
        const Stage stage = stage_of(k_compared[i]);
        const float w = label_width(ui, labels[i]);
        Rect item = cut_left(row, w);
        const float y = item.center().y;
        ui.canvas.line({item.x, y}, {item.x + ui.px(14), y}, ui.theme.of(stage), ui.px(3),
                       dash_of(k_compared[i]));
        cut_left(item, ui.px(19));
        ui.label(item, labels[i], TextRole::small, ui.theme.ink_of(stage));
    }
    return row;
}

} // namespace

void before_after_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "before-after");
    Rect inside = panel(ui, "", r, {});
    Rect head = cut_top(inside, ui.px(28));
    const Pool pool = pool_of(f);

    const bool chosen_here = !ui.state.picture; // else the curves and the words show it
    const auto cut = [&](std::span<const ChoiceName> choices) {
        const Rect at = cut_right(head, segmented_width(ui, choices));
        cut_right(head, ui.px(10));
        return at;
    };
    const bool normalizes = norm_entry(f.document.norm).normalizes();
    const std::string title = "Before and after";
    const float title_w = ui.canvas.text_size(title, TextRole::title).w + ui.px(14);
    const float choices_w =
        segmented_width(ui, k_pools) + segmented_width(ui, k_styles) + ui.px(20);
    const bool one_row = head.w > title_w + legend_width(ui, labels_of(normalizes)) + choices_w;
    if (chosen_here) {
        const Rect curves = cut(k_styles);
        // Tab goes through them as they are read.
        if (const auto c = segmented(ui, "pool", cut(k_pools), k_pools,
                                     static_cast<int>(f.view.of<AddNormView>().pool), k_pool_hints))
            a.view.of<AddNormView>().pool = static_cast<PoolChoice>(*c);
        if (const auto c = segmented(ui, "curves", curves, k_styles,
                                     static_cast<int>(f.view.of<AddNormView>().curves)))
            a.view.of<AddNormView>().curves = static_cast<CurveStyle>(*c);
    }
    ui.label(cut_left(head, std::min(head.w, title_w)), title, TextRole::title, ui.theme.ink);
    cut_top(inside, ui.px(4));
    Rect legend_row = one_row ? head : cut_top(inside, ui.px(22));
    const Rect rest = legend(ui, legend_row, normalizes);
    const std::string words = subject(f, pool);
    // The chosen button says "all" as well.
    if (pool.kind != Pool::Kind::all || ui.canvas.text_size(words, TextRole::small).w <= rest.w)
        ui.label(rest, words, TextRole::small, ui.theme.ink_soft, Align::right);
    cut_top(inside, ui.px(2));

    DistributionChart chart;
    chart.density = f.view.of<AddNormView>().curves != CurveStyle::histogram;
    chart.histogram = f.view.of<AddNormView>().curves != CurveStyle::density;
    chart.sigma_bars = false;
    std::array<SampleExtent, 6> extents;
    std::size_t n = 0;
    // A ghost's distributions are kept alive by the ghost; those of one token by this array.
    std::array<std::shared_ptr<const Distribution1D>, 3> kept;
    const bool same_shape = f.ghost != nullptr &&
                            f.ghost->view(Tensor::z).rows() == f.derived.view(Tensor::z).rows() &&
                            f.ghost->view(Tensor::z).cols() == f.derived.view(Tensor::z).cols();
    std::array<Distribution1D, 3> ghosts;
    if (same_shape) {
        for (std::size_t i = 0; i < k_compared.size(); ++i) {
            if (f.ghost->version(k_compared[i]) == f.derived.version(k_compared[i])) continue;
            ghosts[i] = f.ghost->distribution(k_compared[i], pool);
            extents[n++] = extent_of(ghosts[i]);
            chart.curves.push_back(curve_of(ghosts[i], ui.theme.of(stage_of(k_compared[i])), {}));
            chart.curves.back().ghost = true;
        }
    }
    const bool cell_hovered = f.view.hover.token && f.view.hover.feature;
    for (std::size_t i = 0; i < k_compared.size(); ++i) {
        kept[i] = distribution(f.memory.of<AddNormMemory>().distributions, f.derived, k_compared[i],
                               pool);
        extents[n++] = extent_of(*kept[i]);
        chart.curves.push_back(curve_of(*kept[i], ui.theme.of(stage_of(k_compared[i])), {}));
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
