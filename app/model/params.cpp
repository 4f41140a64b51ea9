#include "app/model/document.h"

#include "core/base/lists.h"
#include "core/norm/affine.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

using Values = std::vector<double>;

Shared<Values>& param_of(Document& d, Param which) {
    return which == Param::gamma ? d.gamma : d.beta;
}

// γ or β were set by hand. Unless a run goes on, Restart has no beginning to lead to any more.
void forget_ended_run(Document& d) {
    if (d.backward.losses->empty()) d.backward.forget_run();
}

bool all_same(const Values& values) {
    return std::ranges::adjacent_find(values, std::not_equal_to<>()) == values.end();
}

} // namespace

void reset_params(Document& d) {
    const auto n =
        static_cast<std::size_t>(affine_size(d.affine_per, d.token_count(), d.feature_count()));
    d.gamma = Values(n, neutral(Param::gamma));
    d.beta = Values(n, neutral(Param::beta));
    forget_ended_run(d);
}

FaderRange& range_of(Document& d, Param which) {
    return which == Param::gamma ? d.gamma_range : d.beta_range;
}

FaderRange& set_range_of(Document& d, Param which) {
    return which == Param::gamma ? d.gamma_set_range : d.beta_set_range;
}

void forget_growth(Document& d, Param which) {
    range_of(d, which) = set_range_of(d, which);
    range_of(d, which).grow(*d.param(which));
}

void set_params(Document& d, Param which, Values values) {
    range_of(d, which).grow(values);
    param_of(d, which) = std::move(values);
    forget_ended_run(d);
}

void share(Document& d, AffinePer per) {
    if (per == d.affine_per) return;
    const AffineValues before{d.gamma, d.beta};
    if (!neutral_params(d)) entry_at(d.set_aside, d.affine_per) = before;
    d.affine_per = per;
    d.backward.forget_run();
    const AffineValues kept = std::exchange(entry_at(d.set_aside, per), {});
    if (!kept.gamma->empty()) {
        set_params(d, Param::gamma, *kept.gamma);
        set_params(d, Param::beta, *kept.beta);
        return;
    }
    reset_params(d);
    if (all_same(*before.gamma)) d.gamma = Values(d.gamma->size(), before.gamma->front());
    if (all_same(*before.beta)) d.beta = Values(d.beta->size(), before.beta->front());
}

void forget_misfits(Document& d) {
    for (const AffinePer per : {AffinePer::feature, AffinePer::token, AffinePer::scalar}) {
        AffineValues& kept = entry_at(d.set_aside, per);
        if (std::ssize(*kept.gamma) != affine_size(per, d.token_count(), d.feature_count()))
            kept = {};
    }
}

bool begins_anew(const Document& d, AffinePer per, Param param) {
    return per != d.affine_per && entry_at(d.set_aside, per).gamma->empty() &&
           !all_same(*d.param(param));
}

void FaderRange::grow(std::span<const double> values) {
    for (const double v : values) {
        if (!std::isfinite(v)) continue;
        // Without doubling v, which may be near the largest number.
        const double below = std::floor(v);
        const double above = std::ceil(v);
        if (v < lo) lo = v - below < 0.5 ? below : below + 0.5;
        if (v > hi) hi = above - v < 0.5 ? above : above - 0.5;
    }
}

} // namespace normscope
