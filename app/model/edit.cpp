#include "app/model/edit_parts.h"

#include "app/language/language.h"
#include "app/model/learning.h"
#include "core/base/lists.h"
#include "core/base/random.h"
#include "core/base/rounding.h"
#include "core/norm/normalize.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

namespace normscope {

namespace {

using Values = std::vector<double>;

// Whether the block is within X, or what has its shape.
Result<void> in_matrix(const Document& d, Index token, Index feature, Index tokens,
                       Index features) {
    if (token >= 0 && feature >= 0 && tokens >= 1 && features >= 1 &&
        tokens <= d.token_count() - token && features <= d.feature_count() - feature)
        return {};
    return fail("A block of {}×{} does not fit at {}: the matrix is {}×{}. Add tokens "
                "or features first.",
                tokens, features, place_name(d, token, feature), d.token_count(),
                d.feature_count());
}

Matrix<double> sum(const Document& d) {
    return d.residual == Residual::add ? Matrix<double>(*d.x + *d.f) : *d.f;
}

// μ and √(σ²+ε) of every set of Z, in the document's precision so that Y = Z to its rounding.
template<class S>
Result<std::pair<Values, Values>> set_statistics(const Document& d) {
    const Matrix<S> z = sum(d).template cast<S>();
    const auto normalized = TRY(normalize<S>(d.norm, z, norm_options(d)));
    std::pair<Values, Values> out;
    for (Index i = 0; i < normalized.cache.mean.size(); ++i) {
        out.first.push_back(static_cast<double>(normalized.cache.mean[i]));
        out.second.push_back(1.0 / static_cast<double>(normalized.cache.rstd[i]));
    }
    return out;
}

// x with x + f = z. The difference of two short decimals is one as well but for its last bits:
// 1.23 − 0.2 is 1.03, not 1.0299999999999998, so that the cell of X reads as it should.
double summand(double z, double f) {
    const double x = z - f;
    const double near = std::round(x * 1e9) / 1e9;
    const double size = std::max({1.0, std::abs(z), std::abs(f)});
    return std::abs(near + f - z) <= 1e-15 * size ? near : x;
}

// The document, if it can be.
Result<Document> checked(Document d) {
    TRY(check(d));
    return d;
}

struct Apply {
    const Document& before;

    // The document with a block of an input set; the block must be in the matrix.
    template<class Values>
    Document with_block(Input input, Index token, Index feature, const Values& values) const {
        Document d = before;
        Matrix<double> m = *input_values(before, input);
        m.block(token, feature, values.rows(), values.cols()) = values;
        d.input(input) = std::move(m);
        return d;
    }

    // The edit of a block, applied to the document after it has grown to hold the block.
    template<class E>
    Result<Document> with_grown(E e) const {
        e.grow = false;
        return grown_to(before, e.token + e.values.rows(), e.feature + e.values.cols())
            .and_then([&](const Document& d) { return Apply{d}(e); });
    }

    Result<Document> operator()(const SetCells& e) const {
        if (e.grow) return with_grown(e);
        return in_matrix(before, e.token, e.feature, e.values.rows(), e.values.cols()).map([&] {
            return with_block(e.input, e.token, e.feature, e.values);
        });
    }

    Result<Document> operator()(const FillCells& e) const {
        return in_matrix(before, e.token, e.feature, e.tokens, e.features).map([&] {
            return with_block(e.input, e.token, e.feature,
                              Matrix<double>::Constant(e.tokens, e.features, e.value));
        });
    }

    Result<Document> operator()(const SetParam& e) const {
        Values values = *before.param(e.param);
        const auto n = std::ssize(values);
        if (e.first < 0 || e.last < e.first || e.last >= n)
            return fail("There is no {}[{}]: it has {} values", symbol(e.param),
                        e.first < 0 ? e.first : e.last, n);
        std::fill(values.begin() + e.first, values.begin() + e.last + 1, e.value);
        Document d = before;
        set_params(d, e.param, std::move(values));
        return d;
    }

    Result<Document> operator()(const SetParamRange& e) const {
        if (!(e.range.lo < e.range.hi) || !std::isfinite(e.range.lo) || !std::isfinite(e.range.hi))
            return fail("The range {} to {} of {} is empty: its low end must be below its "
                        "high end",
                        e.range.lo, e.range.hi, symbol(e.param));
        Document d = before;
        FaderRange& range = range_of(d, e.param);
        // An end of the range that stays where it has grown to was not set by this edit.
        FaderRange& set = set_range_of(d, e.param);
        if (e.range.lo != range.lo) set.lo = e.range.lo;
        if (e.range.hi != range.hi) set.hi = e.range.hi;
        if (!(set.lo < set.hi)) set = e.range;
        range = e.range;
        range.grow(*d.param(e.param));
        return d;
    }

    Result<Document> operator()(const ResetParam& e) const {
        auto d = (*this)(SetParam{e.param, e.first, e.last, neutral(e.param)});
        if (d) forget_growth(*d, e.param);
        return d;
    }

    Result<Document> operator()(const ResetParams&) const {
        Document d = before;
        reset_params(d);
        // Faders that reach so far would set nothing near 1 or 0. They may have grown, too, in a
        // session that does not tell.
        constexpr double k_far = 100; // times as far as usual
        for (const auto& [set, usual] :
             {std::pair(&d.gamma_set_range, k_gamma_range), {&d.beta_set_range, k_beta_range}})
            if (set->hi / k_far - set->lo / k_far > usual.hi - usual.lo) *set = usual;
        forget_growth(d, Param::gamma);
        forget_growth(d, Param::beta);
        return d;
    }

    Result<Document> operator()(const UndoNorm& e) const {
        TRY(on_axis(before, Axis::token, e.token, before.token_count()));
        Document d = before;
        if (!norm_entry(before.norm).normalizes()) {
            reset_params(d);
            return d;
        }
        const StatisticSets sets = statistic_sets(before);
        if (sets.shares != Shares::token) // features have a μ and σ of their own
            share(d, AffinePer::feature);
        const auto stats =
            TRY(before.precision == Precision::float32 ? set_statistics<float>(before)
                                                       : set_statistics<double>(before));
        const Values& mean = stats.first;
        const Values& scale = stats.second;
        // No γ brings back what became ∞, NaN, or NaN of a σ of 0.
        const auto can_undo = [&](std::size_t set) {
            return std::isfinite(mean[set]) && std::isfinite(scale[set]) && scale[set] > 0;
        };
        // The set of the token's cells that γ[i] scales.
        const auto set_of = [&](std::size_t i) {
            const auto place = static_cast<Index>(i);
            return static_cast<std::size_t>(
                sets.set_of(d.affine_per == AffinePer::token ? place : e.token,
                            d.affine_per == AffinePer::feature ? place : 0));
        };
        Values gamma = *d.gamma;
        Values beta = *d.beta;
        bool any = false;
        for (const auto i : indices(gamma)) {
            const std::size_t set = set_of(i);
            if (!can_undo(set)) continue;
            any = true;
            gamma[i] = scale[set];
            beta[i] = mean[set];
        }
        if (!any)
            return fail(
                "The norm of {} “{}” cannot be undone: its μ and σ are no finite numbers above 0, "
                "so that x̂ does not hold what Z was",
                sets.name(), set_name(d, sets, static_cast<Index>(set_of(0))));
        set_params(d, Param::beta, std::move(beta));
        set_params(d, Param::gamma, std::move(gamma));
        return d;
    }

    Result<Document> operator()(const TakeUsualSettings&) const {
        Result<Document> d = before;
        for (const Field<Document>& field : fields<Document>())
            if (d) d = Apply{*d}(SetField<Document>{&field, field.get(Document{})});
        return d;
    }

    template<class S>
    Result<Document> operator()(const SetField<S>& e) const {
        TRY(check_value(*e.field, e.value));
        Document d = before;
        S& part = part_of<S>(d);
        if (e.field->get(part) == e.value) return d;
        e.field->set(part, e.value);
        if (e.field->then) e.field->then(d, before);
        return checked(std::move(d));
    }

    Result<Document> operator()(const Randomize& e) const {
        Random random(e.seed);
        const auto draw = [&] {
            return e.distribution == Distribution::normal    ? random.normal()
                   : e.distribution == Distribution::uniform ? 4 * random.uniform() - 2
                                                             : random.student_t(2);
        };
        Document d = before;
        for (const Input which : {Input::x, Input::f}) {
            Matrix<double> m(before.token_count(), before.feature_count());
            // Two decimals while the digits can be read: what a cell shows is all there is.
            const bool readable = m.size() <= 1024;
            for (Index i = 0; i < m.size(); ++i) {
                const double v = draw();
                m.data()[i] = readable ? to_hundredths(v) : v;
            }
            d.input(which) = std::move(m);
        }
        return d;
    }

    Result<Document> operator()(const AddOutlier& e) const {
        TRY(on_axis(before, Axis::feature, e.feature, before.feature_count()));
        Document d = before;
        d.x.own().col(e.feature).array() += 20.0; // ~20σ, as the outlier features of trained models
        return d;
    }

    Result<Document> operator()(const ConstantRow& e) const {
        TRY(on_axis(before, Axis::token, e.token, before.token_count()));
        const double mean = to_hundredths(sum(before).row(e.token).mean());
        Document d = before;
        // Without a skip Z is F(X) alone, so the constant goes where Z is made of.
        d.x.own().row(e.token).setConstant(before.residual == Residual::add ? mean : 0);
        d.f.own().row(e.token).setConstant(before.residual == Residual::add ? 0 : mean);
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
            return fail("{} is {}×{} but X is {}×{}: they need equal shapes", symbol(e.input),
                        e.values.rows(), e.values.cols(), before.token_count(),
                        before.feature_count());
        d.input(e.input) = e.values;
        if (!fits) {
            d.backward.dy = d.backward.target = Matrix<double>();
            d.backward.entry_token = d.backward.entry_feature = 0;
            d.backward.forget_run();
            d.input(e.input == Input::x ? Input::f : Input::x) =
                Matrix<double>(Matrix<double>::Zero(e.values.rows(), e.values.cols()));
            reset_params(d);
            forget_misfits(d);
        }
        if (e.input == Input::x || !fits) d.title = std::filesystem::path(e.source).stem().string();
        if (!fits || !e.tokens.empty())
            d.tokens = names_or_numbered(e.tokens, 't', e.values.rows());
        if (!fits || !e.features.empty())
            d.features = names_or_numbered(e.features, 'd', e.values.cols());
        return checked(std::move(d));
    }

    Result<Document> operator()(const SetScenes& e) const {
        Document d = before;
        d.scenes = e.scenes;
        return d;
    }
    Result<Document> operator()(const ShowScene& e) const {
        const Scenes& scenes = *before.scenes;
        if (e.index >= scenes.size())
            return fail("there is no scene {}: there are {}", e.index + 1, scenes.size());
        Document d = scenes[e.index].document;
        d.scenes = before.scenes;
        return d;
    }

    Result<Document> operator()(const GoBack& e) const { return e.document; }

    Result<Document> operator()(const TakePart& e) const {
        Document d = before;
        for_each_part([&](const auto& part) {
            if (part.key == e.key) d.*part.member = e.document.*part.member;
        });
        return checked(std::move(d));
    }

    Result<Document> operator()(const Replace& e) const { return checked(e.document); }

    Result<Document> operator()(const SetZ& e) const {
        const Index rows = e.values.rows(), cols = e.values.cols();
        if (e.grow) return with_grown(e);
        TRY(in_matrix(before, e.token, e.feature, rows, cols));
        if (before.residual == Residual::no_skip)
            return with_block(Input::f, e.token, e.feature, e.values);
        Document d = before;
        Matrix<double> x = *before.x, f = *before.f;
        bool f_changed = false;
        for (Index r = 0; r < rows; ++r)
            for (Index c = 0; c < cols; ++c) {
                double& f_cell = f(e.token + r, e.feature + c);
                if (!std::isfinite(f_cell)) { // no x makes a number of it
                    f_cell = 0;
                    f_changed = true;
                }
                x(e.token + r, e.feature + c) = summand(e.values(r, c), f_cell);
            }
        d.x = std::move(x);
        if (f_changed) d.f = std::move(f);
        return d;
    }

    Result<Document> operator()(const ResetRunning&) const {
        Document d = before;
        d.batch.updates = d.batch.nan_update = 0;
        return d;
    }

    Result<Document> operator()(const SetLossEntry& e) const {
        Document d = before;
        d.backward.entry_token = e.token;
        d.backward.entry_feature = e.feature;
        d.backward.begin_another_run();
        return checked(std::move(d));
    }

    Result<Document> operator()(const LearnSteps& e) const { return learn(before, e.steps); }

    Result<Document> operator()(const RestartLearning&) const {
        Document d = before;
        if (before.backward.start_gamma->size() == before.gamma->size()) {
            d.gamma = before.backward.start_gamma;
            d.beta = before.backward.start_beta;
            d.gamma_range = before.backward.start_gamma_range.value_or(d.gamma_range);
            d.beta_range = before.backward.start_beta_range.value_or(d.beta_range);
            d.gamma_range.grow(*d.gamma);
            d.beta_range.grow(*d.beta);
        } else {
            reset_params(d);
        }
        d.backward.forget_run();
        return d;
    }

    Result<Document> operator()(const auto& e) const { return apply_part(before, e); }
};

} // namespace

Edit::Edit(const Edit&) = default;
Edit::Edit(Edit&&) noexcept = default;
Edit& Edit::operator=(const Edit&) = default;
Edit& Edit::operator=(Edit&&) noexcept = default;
Edit::~Edit() = default;

Result<Document> apply(const Document& document, const Edit& edit) {
    return std::visit(Apply{document}, edit);
}

} // namespace normscope
