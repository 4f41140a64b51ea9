#include "app/document/edit.h"

#include "core/norm/affine.h"
#include "core/norm/normalize.h"
#include "core/random.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <functional>
#include <string>
#include <unordered_set>
#include <utility>

namespace normscope {

namespace {

using Values = std::vector<double>;

Index axis_size(const Document& d, Axis axis) {
    return axis == Axis::token ? d.token_count() : d.feature_count();
}

Shared<Matrix<double>>& input_of(Document& d, Input which) {
    switch (which) {
    case Input::x:
        break;
    case Input::f:
        return d.f;
    case Input::dy:
        return d.backward.dy;
    case Input::target:
        return d.backward.target;
    }
    return d.x;
}
Shared<Values>& param_of(Document& d, Param which) {
    return which == Param::gamma ? d.gamma : d.beta;
}

// γ or β were set by hand. Unless a run goes on, Restart has no beginning to lead to any more.
void forget_ended_run(Document& d) {
    if (d.backward.losses->empty()) d.backward.forget_run();
}

// γ = 1 and β = 0, as many as the document's shape and affine ask for.
void reset_params(Document& d) {
    const auto n =
        static_cast<std::size_t>(affine_size(d.affine_per, d.token_count(), d.feature_count()));
    d.gamma = Values(n, neutral(Param::gamma));
    d.beta = Values(n, neutral(Param::beta));
    forget_ended_run(d);
}

bool all_same(const Values& values) {
    return std::ranges::adjacent_find(values, std::not_equal_to<>()) == values.end();
}

void set_params(Document& d, Param which, Values values) {
    (which == Param::gamma ? d.gamma_range : d.beta_range).grow(values);
    param_of(d, which) = std::move(values);
    forget_ended_run(d);
}

// γ and β per token, feature or one for all: with the values they had there before, or else with
// the present ones where all are the same, which means the same under every sharing.
void share(Document& d, AffinePer per) {
    if (per == d.affine_per) return;
    const AffineValues before{d.gamma, d.beta};
    if (!neutral_params(d)) d.set_aside[static_cast<std::size_t>(d.affine_per)] = before;
    d.affine_per = per;
    d.backward.forget_run();
    const AffineValues kept = std::exchange(d.set_aside[static_cast<std::size_t>(per)], {});
    if (!kept.gamma->empty()) {
        set_params(d, Param::gamma, *kept.gamma);
        set_params(d, Param::beta, *kept.beta);
        return;
    }
    reset_params(d);
    if (all_same(*before.gamma)) d.gamma = Values(d.gamma->size(), before.gamma->front());
    if (all_same(*before.beta)) d.beta = Values(d.beta->size(), before.beta->front());
}

// Of what is set aside, what is not as long as the matrix is any more.
void forget_misfits(Document& d) {
    for (const AffinePer per : {AffinePer::feature, AffinePer::token, AffinePer::scalar}) {
        AffineValues& kept = d.set_aside[static_cast<std::size_t>(per)];
        if (static_cast<Index>(kept.gamma->size()) !=
            affine_size(per, d.token_count(), d.feature_count()))
            kept = {};
    }
}

Result<void> in_matrix(const Document& d, Index token, Index feature, Index tokens,
                       Index features) {
    if (token >= 0 && feature >= 0 && tokens >= 1 && features >= 1 &&
        tokens <= d.token_count() - token && features <= d.feature_count() - feature)
        return {};
    return fail(fmt::format("A block of {}×{} does not fit at {}: the matrix is {}×{}. Add tokens "
                            "or features first.",
                            tokens, features, place_name(d, token, feature), d.token_count(),
                            d.feature_count()));
}

Result<void> on_axis(const Document& d, Axis axis, Index index, Index end) {
    if (index >= 0 && index < end) return {};
    return fail(fmt::format("There is no {} {}: the matrix is {}×{}", axis_word(axis), index,
                            d.token_count(), d.feature_count()));
}

// The index each new row (or column) is taken from; −1 for a new one of zeros, which has the next
// of the new names.
Document rearranged(const Document& before, Axis axis, const std::vector<Index>& from,
                    const Names& new_names) {
    Document d = before;
    const auto n = static_cast<Index>(from.size());
    for (const Input which : {Input::x, Input::f, Input::dy, Input::target}) {
        const Matrix<double> old = input_values(before, which);
        Matrix<double> m =
            axis == Axis::token ? Matrix<double>(n, old.cols()) : Matrix<double>(old.rows(), n);
        for (Index i = 0; i < n; ++i) {
            const Index source = from[static_cast<std::size_t>(i)];
            if (axis == Axis::token) {
                if (source < 0)
                    m.row(i).setZero();
                else
                    m.row(i) = old.row(source);
            } else {
                if (source < 0)
                    m.col(i).setZero();
                else
                    m.col(i) = old.col(source);
            }
        }
        input_of(d, which) = std::move(m);
    }
    const Names& old_names = axis == Axis::token ? *before.tokens : *before.features;
    Names names;
    auto new_name = new_names.begin();
    for (const Index source : from)
        names.push_back(source < 0 ? *new_name++ : old_names[static_cast<std::size_t>(source)]);
    (axis == Axis::token ? d.tokens : d.features) = std::move(names);

    // The entry that is the loss goes where its token or feature goes.
    Index& entry = axis == Axis::token ? d.backward.entry_token : d.backward.entry_feature;
    const auto moved = std::find(from.begin(), from.end(), entry);
    entry = moved != from.end() ? moved - from.begin() : std::min(entry, n - 1);
    d.backward.forget_run();

    const AffinePer along = axis == Axis::token ? AffinePer::token : AffinePer::feature;
    const auto rearrange = [&](Shared<Values>& old, Param which) {
        if (old->empty()) return;
        Values values;
        for (const Index source : from)
            values.push_back(source < 0 ? neutral(which)
                                        : (*old)[static_cast<std::size_t>(source)]);
        old = std::move(values);
    };
    AffineValues& kept = d.set_aside[static_cast<std::size_t>(along)];
    rearrange(d.affine_per == along ? d.gamma : kept.gamma, Param::gamma);
    rearrange(d.affine_per == along ? d.beta : kept.beta, Param::beta);
    return d;
}

std::vector<Index> identity_order(Index n) {
    std::vector<Index> order(static_cast<std::size_t>(n));
    for (Index i = 0; i < n; ++i) order[static_cast<std::size_t>(i)] = i;
    return order;
}

// The first of prefix0, prefix1, … that no one is called yet.
// Names that no token or feature has yet.
Names fresh_names(const Document& d, Axis axis, Index count) {
    const Names& taken = axis == Axis::token ? *d.tokens : *d.features;
    const std::unordered_set<std::string> known(taken.begin(), taken.end());
    Names out;
    for (std::size_t i = taken.size(); static_cast<Index>(out.size()) < count; ++i) {
        std::string name = (axis == Axis::token ? 't' : 'd') + std::to_string(i);
        if (!known.contains(name)) out.push_back(std::move(name));
    }
    return out;
}

Matrix<double> sum(const Document& d) {
    return d.residual == Residual::add ? Matrix<double>(*d.x + *d.f) : *d.f;
}

// μ and √(σ²+ε) of every group of Z, in the document's precision so that Y = Z to its rounding.
template<class S>
Result<std::pair<Values, Values>> group_statistics(const Document& d) {
    const Matrix<S> z = sum(d).template cast<S>();
    NormOptions options;
    options.eps = d.eps;
    const auto normalized = normalize<S>(d.norm, z, options);
    if (!normalized) return tl::unexpected(normalized.error());
    std::pair<Values, Values> out;
    for (Index i = 0; i < normalized->cache.mean.size(); ++i) {
        out.first.push_back(static_cast<double>(normalized->cache.mean[i]));
        out.second.push_back(1.0 / static_cast<double>(normalized->cache.rstd[i]));
    }
    return out;
}

struct Apply {
    const Document& before;

    Result<Document> operator()(const SetCells& e) const {
        if (e.grow) {
            const auto grown =
                grown_to(before, e.token + e.values.rows(), e.feature + e.values.cols());
            if (!grown) return tl::unexpected(grown.error());
            return Apply{*grown}(SetCells{e.input, e.token, e.feature, e.values});
        }
        if (const auto ok = in_matrix(before, e.token, e.feature, e.values.rows(), e.values.cols());
            !ok)
            return tl::unexpected(ok.error());
        Document d = before;
        Matrix<double> m = input_values(before, e.input);
        m.block(e.token, e.feature, e.values.rows(), e.values.cols()) = e.values;
        input_of(d, e.input) = std::move(m);
        return d;
    }

    Result<Document> operator()(const FillCells& e) const {
        if (const auto ok = in_matrix(before, e.token, e.feature, e.tokens, e.features); !ok)
            return tl::unexpected(ok.error()); // before memory is taken for it
        return (*this)(SetCells{e.input, e.token, e.feature,
                                Matrix<double>::Constant(e.tokens, e.features, e.value)});
    }

    Result<Document> operator()(const SetParam& e) const {
        Values values = *before.param(e.param);
        const auto n = static_cast<Index>(values.size());
        if (e.first < 0 || e.last < e.first || e.last >= n)
            return fail(fmt::format("There is no {}[{}]: it has {} values", symbol(e.param),
                                    e.first < 0 ? e.first : e.last, n));
        std::fill(values.begin() + e.first, values.begin() + e.last + 1, e.value);
        Document d = before;
        set_params(d, e.param, std::move(values));
        return d;
    }

    Result<Document> operator()(const SetParamRange& e) const {
        if (!(e.range.lo < e.range.hi) || !std::isfinite(e.range.lo) || !std::isfinite(e.range.hi))
            return fail(
                fmt::format("The range {} to {} of {} is empty: its low end must be below its "
                            "high end",
                            e.range.lo, e.range.hi, symbol(e.param)));
        Document d = before;
        FaderRange& range = e.param == Param::gamma ? d.gamma_range : d.beta_range;
        range = e.range;
        range.grow(*d.param(e.param));
        return d;
    }

    Result<Document> operator()(const ResetParams&) const {
        Document d = before;
        reset_params(d);
        return d;
    }

    Result<Document> operator()(const UndoNorm& e) const {
        if (const auto ok = on_axis(before, Axis::token, e.token, before.token_count()); !ok)
            return tl::unexpected(ok.error());
        Document d = before;
        if (before.norm == NormKind::none) {
            reset_params(d);
            return d;
        }
        if (before.norm == NormKind::batch)
            share(d, AffinePer::feature); // every feature has its own μ and σ
        const auto stats = before.precision == Precision::float32
                               ? group_statistics<float>(before)
                               : group_statistics<double>(before);
        if (!stats) return tl::unexpected(stats.error());
        const auto& [mean, scale] = *stats;
        // No γ brings back what became ∞, NaN, or NaN of a σ of 0.
        const auto can_undo = [&](std::size_t group) {
            return std::isfinite(mean[group]) && std::isfinite(scale[group]) && scale[group] > 0;
        };
        const bool by_feature = d.norm == NormKind::batch;
        const bool one_each = d.affine_per == (by_feature ? AffinePer::feature : AffinePer::token);
        Values gamma = *d.gamma;
        Values beta = *d.beta;
        bool any = false;
        for (std::size_t i = 0; i < gamma.size(); ++i) {
            const std::size_t group = one_each ? i : static_cast<std::size_t>(e.token);
            if (!can_undo(group)) continue;
            any = true;
            gamma[i] = scale[group];
            beta[i] = mean[group];
        }
        if (!any) {
            const Index group = one_each ? 0 : e.token;
            return fail(fmt::format(
                "The norm of {} “{}” cannot be undone: its μ and σ are no finite numbers above 0, "
                "so that x̂ does not hold what Z was",
                by_feature ? "feature" : "token",
                (by_feature ? *d.features : *d.tokens)[static_cast<std::size_t>(group)]));
        }
        set_params(d, Param::beta, std::move(beta));
        set_params(d, Param::gamma, std::move(gamma));
        return d;
    }

    Result<Document> operator()(const SetNorm& e) const {
        Document d = before;
        d.norm = e.norm;
        if (d.norm != before.norm) d.backward.forget_run();
        return d;
    }
    Result<Document> operator()(const SetResidual& e) const {
        Document d = before;
        d.residual = e.residual;
        if (d.residual != before.residual) d.backward.forget_run();
        return d;
    }

    Result<Document> operator()(const SetAffinePer& e) const {
        Document d = before;
        share(d, e.per);
        return d;
    }

    Result<Document> operator()(const SetEps& e) const {
        if (!(e.eps >= 0) || std::isinf(e.eps))
            return fail(
                "ε must be a number from 0 up: it is added to the variance inside the root");
        Document d = before;
        d.eps = e.eps;
        return d;
    }
    Result<Document> operator()(const SetPrecision& e) const {
        Document d = before;
        d.precision = e.precision;
        return d;
    }

    Result<Document> operator()(const Rename& e) const {
        if (const auto ok = on_axis(before, e.axis, e.index, axis_size(before, e.axis)); !ok)
            return tl::unexpected(ok.error());
        Document d = before;
        auto& names = e.axis == Axis::token ? d.tokens : d.features;
        Names copy = *names;
        copy[static_cast<std::size_t>(e.index)] = e.name;
        names = std::move(copy);
        return d;
    }

    Result<Document> operator()(const Insert& e) const {
        const Index n = axis_size(before, e.axis);
        if (const auto ok = on_axis(before, e.axis, e.index, n + 1); !ok)
            return tl::unexpected(ok.error());
        const Index most = e.axis == Axis::token ? k_max_tokens : k_max_features;
        if (n >= most)
            return fail(
                fmt::format("{} {}s is the most; remove one first", most, axis_word(e.axis)));
        auto order = identity_order(n);
        order.insert(order.begin() + e.index, Index{-1});
        return rearranged(before, e.axis, order, fresh_names(before, e.axis, 1));
    }

    Result<Document> operator()(const Resize& e) const {
        const Index n = axis_size(before, e.axis);
        const Index most = e.axis == Axis::token ? k_max_tokens : k_max_features;
        if (e.count < 1 || e.count > most)
            return fail(fmt::format("There can be 1 to {} {}s: {} stays as it was", most,
                                    axis_word(e.axis), n));
        auto order = identity_order(n);
        order.resize(static_cast<std::size_t>(e.count), Index{-1});
        return rearranged(before, e.axis, order,
                          fresh_names(before, e.axis, std::max<Index>(e.count - n, 0)));
    }

    Result<Document> operator()(const Remove& e) const {
        const Index n = axis_size(before, e.axis);
        if (const auto ok = on_axis(before, e.axis, e.index, n); !ok)
            return tl::unexpected(ok.error());
        if (n == 1)
            return fail(fmt::format("The last {} cannot be removed: at least one is needed",
                                    axis_word(e.axis)));
        auto order = identity_order(n);
        order.erase(order.begin() + e.index);
        return rearranged(before, e.axis, order, {});
    }

    Result<Document> operator()(const Duplicate& e) const {
        const Index n = axis_size(before, e.axis);
        if (const auto ok = on_axis(before, e.axis, e.index, n); !ok)
            return tl::unexpected(ok.error());
        const Index most = e.axis == Axis::token ? k_max_tokens : k_max_features;
        if (n >= most)
            return fail(
                fmt::format("{} {}s is the most; remove one first", most, axis_word(e.axis)));
        auto order = identity_order(n);
        order.insert(order.begin() + e.index, e.index);
        return rearranged(before, e.axis, order, {});
    }

    Result<Document> operator()(const Move& e) const {
        const Index n = axis_size(before, e.axis);
        for (const Index i : {e.from, e.to})
            if (const auto ok = on_axis(before, e.axis, i, n); !ok)
                return tl::unexpected(ok.error());
        auto order = identity_order(n);
        order.erase(order.begin() + e.from);
        order.insert(order.begin() + e.to, e.from);
        return rearranged(before, e.axis, order, {});
    }

    Result<Document> operator()(const Randomize& e) const {
        Random random(e.seed);
        const auto draw = [&]() -> double {
            switch (e.distribution) {
            case Distribution::normal:
                return random.normal();
            case Distribution::uniform:
                return 4 * random.uniform() - 2;
            case Distribution::heavy_tailed:
                return random.student_t(2);
            }
            return 0;
        };
        Document d = before;
        for (const Input which : {Input::x, Input::f}) {
            Matrix<double> m(before.token_count(), before.feature_count());
            // Two decimals while the digits can be read: what a cell shows is all there is.
            const bool readable = m.size() <= 1024;
            for (Index i = 0; i < m.size(); ++i) {
                const double v = draw();
                m.data()[i] = readable ? std::round(v * 100) / 100 : v;
            }
            input_of(d, which) = std::move(m);
        }
        return d;
    }

    Result<Document> operator()(const AddOutlier& e) const {
        if (const auto ok = on_axis(before, Axis::feature, e.feature, before.feature_count()); !ok)
            return tl::unexpected(ok.error());
        Matrix<double> m = *before.x;
        m.col(e.feature).array() += 20.0; // ~20σ, as the outlier features of trained models
        Document d = before;
        d.x = std::move(m);
        return d;
    }

    Result<Document> operator()(const ConstantRow& e) const {
        if (const auto ok = on_axis(before, Axis::token, e.token, before.token_count()); !ok)
            return tl::unexpected(ok.error());
        const double mean = std::round(sum(before).row(e.token).mean() * 100) / 100;
        Matrix<double> x = *before.x;
        Matrix<double> f = *before.f;
        // Without a skip Z is F(X) alone, so the constant goes where Z is made of.
        x.row(e.token).setConstant(before.residual == Residual::add ? mean : 0);
        f.row(e.token).setConstant(before.residual == Residual::add ? 0 : mean);
        Document d = before;
        d.x = std::move(x);
        d.f = std::move(f);
        return d;
    }

    Result<Document> operator()(const ShiftInput& e) const {
        Document d = before;
        d.x = Matrix<double>((before.x->array() + e.amount).matrix());
        return d;
    }

    Result<Document> operator()(const ScaleInput& e) const {
        Document d = before;
        d.x = Matrix<double>(*before.x * e.factor);
        d.f = Matrix<double>(*before.f * e.factor);
        return d;
    }

    Result<Document> operator()(const SetInput& e) const {
        Document d = before;
        const bool fits =
            e.values.rows() == before.token_count() && e.values.cols() == before.feature_count();
        if (!fits && (e.input == Input::dy || e.input == Input::target))
            return fail(fmt::format("{} is {}×{} but X is {}×{}: they need equal shapes",
                                    symbol(e.input), e.values.rows(), e.values.cols(),
                                    before.token_count(), before.feature_count()));
        input_of(d, e.input) = e.values;
        if (!fits) {
            d.backward.dy = d.backward.target = Matrix<double>();
            d.backward.entry_token = d.backward.entry_feature = 0;
            d.backward.forget_run();
            input_of(d, e.input == Input::x ? Input::f : Input::x) =
                Matrix<double>(Matrix<double>::Zero(e.values.rows(), e.values.cols()));
            reset_params(d);
            forget_misfits(d);
        }
        if (e.input == Input::x || !fits) d.title = std::filesystem::path(e.source).stem().string();
        if (!fits || !e.tokens.empty())
            d.tokens = names_or_numbered(e.tokens, 't', e.values.rows());
        if (!fits || !e.features.empty())
            d.features = names_or_numbered(e.features, 'd', e.values.cols());
        if (const auto ok = check(d); !ok) return tl::unexpected(ok.error());
        return d;
    }

    Result<Document> operator()(const Replace& e) const {
        if (const auto ok = check(e.document); !ok) return tl::unexpected(ok.error());
        return e.document;
    }

    Result<Document> operator()(const EditBackward& e) const { return normscope::apply(before, e); }
    Result<Document> operator()(const EditFlow& e) const { return normscope::apply(before, e); }
    Result<Document> operator()(const EditBatch& e) const { return normscope::apply(before, e); }
};

} // namespace

bool begins_anew(const Document& d, AffinePer per) {
    return per != d.affine_per && d.set_aside[static_cast<std::size_t>(per)].gamma->empty() &&
           !(all_same(*d.gamma) && all_same(*d.beta));
}

Result<Document> apply(const Document& document, const Edit& edit) {
    return std::visit(Apply{document}, edit);
}

Result<Document> grown_to(const Document& document, Index tokens, Index features) {
    Result<Document> out = document;
    for (const auto& [axis, count] : {std::pair{Axis::token, tokens}, {Axis::feature, features}})
        if (out && count > axis_size(*out, axis)) out = apply(*out, Resize{axis, count});
    return out;
}

} // namespace normscope
