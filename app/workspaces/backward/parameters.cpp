#include "app/workspaces/backward/panels.h"
#include "core/base/lists.h"
#include "core/stats/magnitude.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr double k_most_apart = 16; // scales that are further apart stay so

struct Side {
    Param param;
    std::string_view id;
    Stage stage;
    std::string_view title, formula;
    std::vector<double> sums = {}, shares = {}; // these add up to the one in focus
    Extent of_sums = {}, of_shares = {};        // of their bars
};

// The parameter whose sum is taken apart: of the hovered or pinned feature or token.
Index parameter_in_focus(const Frame& f) {
    const auto axis = affine_axis(f.document);
    const Index index = axis ? in_focus(f, *axis).value_or(0) : 0;
    return std::min(index, std::ssize(*f.document.gamma) - 1);
}

// Whether a sum that is small beside the largest dY is small beside its own terms too. dY of a
// distance is itself a difference.
bool is_rounding(const Backward& b, Param param, Index index, double sum) {
    if (!std::isfinite(sum) || !(std::abs(sum) <= k_rounding * b.dy_terms())) return false;
    if (b.target().size() > 0) return true;
    const Matrix<double>& dy = b.dy();
    const CellBlock own = b.cells_of_parameter(index);
    double terms = 0; // of a sum of rounding the first ones are enough
    for (Index t = own.row; t < own.row + own.rows; ++t)
        for (Index d = own.col; d < own.col + own.cols; ++d) {
            terms += std::abs(param == Param::gamma ? dy(t, d) * b.cache().x_hat(t, d) : dy(t, d));
            if (std::abs(sum) <= k_rounding * terms) return true;
        }
    return false;
}

// The sums dγ or dβ. A sum that is only the rounding of its terms, as at the end of learning, is 0.
std::vector<double> sums_of(const Backward& b, Param param) {
    const Vector<double>& sums = param == Param::gamma ? b.dgamma() : b.dbeta();
    std::vector<double> out(sums.begin(), sums.end());
    for (const auto i : indices(out))
        if (is_rounding(b, param, static_cast<Index>(i), out[i])) out[i] = 0;
    return out;
}

// The terms of one dγ or dβ: one a token, or one a feature where γ and β are a token's.
std::vector<double> shares_of(const Backward& b, Param param, Index focus) {
    const Matrix<double> parts = b.contributions(param, focus);
    if (b.document().affine_per != AffinePer::scalar)
        return {parts.data(), parts.data() + parts.size()};
    std::vector<double> shares;
    for (const auto& row : parts.rowwise()) {
        const double sum = row.sum();
        const bool rounding =
            std::isfinite(sum) && std::abs(sum) <= k_rounding * row.cwiseAbs().sum();
        shares.push_back(rounding ? 0 : sum);
    }
    return shares;
}

// So many decimals that terms of this size can be seen to add up, where there is room.
int decimals_for(double size) {
    return size >= 0.1 ? 3 : size >= 0.01 ? 4 : 5;
}

// The text of a sum, with as many decimals as its terms were written with.
std::string sum_text(double sum, double size, std::optional<int> written) {
    const int decimals = size >= 1e4 ? 0 : written.value_or(3);
    const bool seen = sum == 0 || std::abs(sum) >= 0.5 * std::pow(10.0, -decimals);
    const bool plain = sum == 0 || ((written || size >= 0.01) && size < 1e9);
    return plain && seen ? fixed_text(sum, decimals) : number_text(sum, 6);
}

// While learning runs the scale stays. What adds up to a sum is compared with a share of it.
Extent kept_range(std::span<const double> values, const std::optional<FaderRange>& reach,
                  std::size_t share = 1) {
    const Extent own = bar_range(values);
    if (!reach) return own;
    const auto n = static_cast<double>(std::max<std::size_t>(share, 1));
    const std::array<double, 2> ends{reach->lo / n, reach->hi / n};
    return both(own, bar_range(ends));
}

// Bars, numbers of up to `most` decimals, names. The one under the mouse; the decimals of all.
struct NamedBars {
    std::optional<Index> hovered;
    std::optional<int> decimals;
};
NamedBars named_bars(Ui& ui, Rect r, std::string_view id, const SignedBars& bars, int most,
                     const std::function<std::string(Index)>& name) {
    const auto n = std::ssize(bars.values);
    Rect area = r;
    const Rect names = cut_bottom(area, 18);
    area = between_numbers(ui, area, bars.range);
    draw_signed_bars(ui.canvas, ui.theme, area, bars);
    const auto decimals =
        bar_numbers(ui, area, bars.values, most, bars.lit, 0, std::nullopt, &bars);
    bar_names(ui, names, n, name, bars.lit);
    const Hit hit = ui.hit(id, r, k_by_mouse);
    return {hit.hovered ? bar_at(r, n, ui.mouse()) : std::nullopt, decimals};
}

void side(BackPanel& p, Rect r, const Side& s, Index focus) {
    const Document& d = p.document;
    const Backward& b = backward_of(p.frame);
    Hover& hover = p.actions.view.hover;
    const IdScope scope(p, s.id);
    p.label(cut_top(r, 26), s.title, TextRole::title, p.theme.ink_of(s.stage));

    const NamedBars sums = named_bars(
        p, cut_top(r, r.h * 0.5f, 4), "bars",
        {.values = s.sums, .range = s.of_sums, .color = p.theme.of(s.stage), .lit = focus}, 3,
        [&](Index i) { return parameter_name(d, i); });
    if (sums.hovered) light_parameter(d, hover, *sums.hovered);

    const Axis axis = d.affine_per == AffinePer::token ? Axis::feature : Axis::token;
    if (b.error())
        return void(error_paragraph(p, r, worded("{} is NaN: {}", s.title, sentence(*b.error()))));
    const double sum = entry_at(s.sums, focus);
    const auto heading = [&](const std::string& number) {
        return worded("{}[{}] = {} = {}:", s.title, parameter_name(d, focus), s.formula, number);
    };
    const Rect title = cut_top(r, 20);
    const double size =
        std::max(std::abs(sum), largest_magnitude(s.shares.data(), std::ssize(s.shares)));
    const NamedBars shares =
        named_bars(p, r, "shares",
                   {.values = s.shares,
                    .range = s.of_shares,
                    .color = p.theme.of(s.stage).with_alpha(0.75f),
                    .lit = p.frame.view.hover.along(axis)},
                   decimals_for(size), [&](Index i) { return group_name(d, axis, i); });
    std::string text = heading(sum_text(sum, size, shares.decimals));
    if (small_width(p, text) > title.w) text = heading(short_number(sum));
    p.label(title, text, TextRole::small);
    if (!shares.hovered) return;
    hover.along(axis) = *shares.hovered;
    light_parameter(d, hover, focus);
}

} // namespace

void parameters_panel(BackPanel& p) {
    const IdScope scope(p, "parameters");
    const Backward& b = backward_of(p.frame);
    Rect inside = p.framed();
    const Index focus = parameter_in_focus(p.frame);
    const BackwardSetup& setup = b.document().backward;
    Side gamma{Param::gamma, "gamma", Stage::gamma, "dγ", "Σ dY⊙x\u0302"};
    Side beta{Param::beta, "beta", Stage::beta, "dβ", "Σ dY"};
    for (Side* s : {&gamma, &beta}) {
        const auto& reach = s->param == Param::gamma ? setup.dgamma_reach : setup.dbeta_reach;
        s->sums = sums_of(b, s->param);
        s->of_sums = kept_range(s->sums, reach);
        s->shares = shares_of(b, s->param, focus);
        s->of_shares = kept_range(s->shares, reach, s->shares.size());
    }
    share_scale(gamma.of_sums, beta.of_sums, k_most_apart);
    share_scale(gamma.of_shares, beta.of_shares, k_most_apart);
    const bool apart = !(gamma.of_sums == beta.of_sums && gamma.of_shares == beta.of_shares);
    const auto stand_still = [&](Side& s, std::string_view sums, std::string_view shares) {
        s.of_sums = held(p, sums, s.of_sums, s.of_sums);
        s.of_shares = held(p, shares, s.of_shares, s.of_shares);
    };
    stand_still(gamma, "backward.sums", "backward.shares");
    if (apart)
        stand_still(beta, "backward.sums-beta", "backward.shares-beta");
    else
        stand_still(beta, "backward.sums", "backward.shares");
    soft_label(p, cut_bottom(inside, 18),
               apart ? "dγ and dβ are on scales of their own" : "dγ and dβ on one scale");
    side(p, cut_left(inside, (inside.w - 20) / 2, 20), gamma, focus);
    side(p, inside, beta, focus);
}

} // namespace normscope
