#include "app/study/lesson/quantities.h"

#include "app/language/language.h"
#include "app/study/batch_vs_layer/batch_sequences.h"
#include "core/base/lists.h"
#include "core/flow/gradient_flow.h"

#include <array>
#include <cmath>
#include <limits>

namespace normscope {

namespace {

constexpr double k_most_bytes_at_once = 32e6; // of a stack: a tenth of a second or so

using Q = Quantities;
using Found = Result<NamedValues>;

NamedValues named(const Q& q, Matrix<double> cells) {
    return {std::move(cells), q.document().tokens, q.document().features};
}

// γ, β or their gradients, laid out as the document shares γ and β.
NamedValues named(const Q& q, Vector<double> params) {
    switch (q.document().affine_per) {
    case AffinePer::feature:
        return {params.transpose(), {}, q.document().features};
    case AffinePer::token:
        return {params, q.document().tokens, {}};
    case AffinePer::scalar:
        break;
    }
    return {params, {}, {}};
}

template<Tensor which>
Found tensor(const Q& q) {
    if (const auto& error = q.derived().error();
        error && (which == Tensor::x_hat || which == Tensor::y))
        return tl::unexpected(*error);
    const MatrixView view = q.derived().view(which);
    const auto value = [&](Index t, Index d) { return view(t, d); };
    return named(q, Matrix<double>(Matrix<double>::NullaryExpr(view.rows(), view.cols(), value)));
}

// A quantity with one value a set.
template<class Value>
Found by_set(const Q& q, const StatisticSets& sets, Value&& value) {
    if (sets.shares == Shares::nothing) return fail("without a norm nothing shares a μ and a σ");
    NamedValues out;
    if (sets.by_feature())
        out.columns = q.document().features;
    else
        out.rows = q.document().tokens;
    const Index rows = sets.by_feature() ? 1 : sets.tokens;
    out.values.resize(rows, sets.count() / rows);
    for (Index set = 0; set < sets.count(); ++set)
        out.values(set / out.values.cols(), set % out.values.cols()) = value(set);
    return out;
}

template<auto value>
Found statistic(const Q& q) {
    if (const auto& error = q.derived().error()) return tl::unexpected(*error);
    return by_set(q, q.derived().sets(),
                  [&](Index set) { return std::invoke(value, q.derived(), set); });
}

// The statistic of the norm's spread: σ², or of a norm that does not centre the mean square.
double variance(const Derived& d, Index set) {
    const StatisticSets sets = d.sets();
    const MatrixView z = d.view(Tensor::z);
    Vector<double> values(sets.size());
    for (Index place = 0; place < sets.size(); ++place)
        values(place) = z(sets.token(set, place), sets.feature(set, place));
    const Spread& spread = *norm_entry(d.document().norm).spread;
    if (spread.centres) values.array() -= values.mean();
    return spread.statistic(values);
}

Found root(const Norm& norm, Found values) {
    if (values && norm_entry(norm).spread->squares) values->values = values->values.cwiseSqrt();
    return values;
}

Found sigma(const Q& q) {
    return root(q.document().norm, statistic<variance>(q));
}

template<Param which>
Found param(const Q& q) {
    const std::vector<double>& values = *q.document().param(which);
    return named(
        q, Vector<double>(Eigen::Map<const Vector<double>>(values.data(), std::ssize(values))));
}

template<auto values>
Found gradient(const Q& q) {
    if (const auto& error = q.backward().error()) return tl::unexpected(*error);
    return named(q, std::invoke(values, q.backward()));
}

Matrix<double> dx(const Backward& b) {
    return b.skip() ? b.dz() : Matrix<double>(0 * b.dz());
}

Found loss(const Q& q) {
    const auto value = q.backward().loss();
    if (!value) return fail("a typed dY has no loss");
    return one_value(*value);
}

template<auto value>
Found of_document(const Q& q) {
    return one_value(static_cast<double>(std::invoke(value, q.document())));
}

// How far raising a word of a padded batch moves the words before it, at most.
template<Sequences::Moved Sequences::*by>
Found leaked(const Q& q) {
    const Sequences made = sequences(q.document().batch, q.document().eps);
    const auto earlier = (made.*by).earlier;
    if (!earlier) return fail("the raised word is the first of its sentence: none is before it");
    return one_value(*earlier);
}

Found flow_gradients(const Q& q) {
    const FlowSetup& flow = q.document().flow;
    if (stack_bytes(flow.stack) > k_most_bytes_at_once)
        return fail("this stack is too large to be measured while the text is read");
    const auto seeds = TRY(flow_over_seeds<double>(flow.stack, flow.seeds));
    Matrix<double> logs = Matrix<double>::Zero(flow.stack.blocks + 1, 1);
    for (const SeedFlow& seed : seeds)
        for (Index l = 0; l < logs.rows(); ++l) {
            const double norm =
                l == 0 ? seed.flow.input_grad_norm : entry_at(seed.flow.blocks, l - 1).grad_norm;
            logs(l, 0) += std::log(norm);
        }
    logs /= static_cast<double>(seeds.size());
    return NamedValues{logs.array().exp().matrix(), {}, {}};
}
Found flow_bottom(const Q& q) {
    const auto gradients = TRY(q.find("flow.gradients"));
    return one_value(gradients.values(0, 0));
}

// A quantity with one value for each lane that is on.
template<auto value>
Found by_lane(const Q& q) {
    const RaceResults lanes = TRY(q.race());
    NamedValues out{Matrix<double>(std::ssize(*lanes), 1), {}, {}};
    Names names;
    for (const LaneResult& lane : *lanes) {
        out.values(std::ssize(names), 0) = static_cast<double>(std::invoke(value, lane));
        names.push_back(lane.name);
    }
    out.rows = std::move(names);
    return out;
}

double first_hit(const LaneResult& lane) {
    return lane.hit ? static_cast<double>(*lane.hit) : std::numeric_limits<double>::infinity();
}

template<StackSide side>
Found blocks(const Q& q) {
    return one_value(blocks_of(q.document().transformer.config, side));
}

struct Row {
    std::string_view name;
    Found (*find)(const Q&);
};
constexpr std::array k_quantity_rows{Row{"x", tensor<Tensor::x>},
                                     Row{"f", tensor<Tensor::f>},
                                     Row{"z", tensor<Tensor::z>},
                                     Row{"x_hat", tensor<Tensor::x_hat>},
                                     Row{"y", tensor<Tensor::y>},
                                     Row{"mean", statistic<&Derived::mean>},
                                     Row{"var", statistic<variance>},
                                     Row{"sigma", sigma},
                                     Row{"rstd", statistic<&Derived::rstd>},
                                     Row{"gamma", param<Param::gamma>},
                                     Row{"beta", param<Param::beta>},
                                     Row{"dy", gradient<&Backward::dy>},
                                     Row{"dz", gradient<&Backward::dz>},
                                     Row{"dx", gradient<dx>},
                                     Row{"df", gradient<&Backward::dz>},
                                     Row{"dgamma", gradient<&Backward::dgamma>},
                                     Row{"dbeta", gradient<&Backward::dbeta>},
                                     Row{"loss", loss},
                                     Row{"eps", of_document<&Document::eps>},
                                     Row{"tokens", of_document<&Document::token_count>},
                                     Row{"features", of_document<&Document::feature_count>},
                                     Row{"leak.batch", leaked<&Sequences::batch_moved>},
                                     Row{"leak.layer", leaked<&Sequences::layer_moved>},
                                     Row{"flow.bottom", flow_bottom},
                                     Row{"flow.gradients", flow_gradients},
                                     Row{"race.loss", by_lane<&LaneResult::loss>},
                                     Row{"race.accuracy", by_lane<&LaneResult::accuracy>},
                                     Row{"race.hit", by_lane<first_hit>},
                                     Row{"race.steps", by_lane<&LaneResult::steps>},
                                     Row{"blocks.encoder", blocks<StackSide::encoder>},
                                     Row{"blocks.decoder", blocks<StackSide::decoder>}};

// A result of a norm on Z, whatever norm the document has.
Found of_norm(const Q& q, std::size_t which, std::string_view name) {
    const NormOfZ& norm = q.norms().norms[which];
    if (norm.error) return tl::unexpected(*norm.error);
    if (name == "x_hat") return named(q, norm.cache.x_hat);
    const auto of = [&](const Vector<double>& values) {
        return by_set(q, norm.sets(), [&](Index set) { return values(set); });
    };
    if (name == "mean") return of(norm.mean);
    if (name == "var") return of(norm.statistic);
    if (name == "sigma") return root(norm.cache.norm, of(norm.statistic));
    return fail(worded("a norm has no “{}”: expected x_hat, mean, var or sigma", name));
}

} // namespace

Result<RaceResults> train_race(const RaceSetup& setup) {
    Lab lab(0);
    RaceEnds ends;
    ends.at_once = true;
    return ends.find(lab, setup);
}

Result<NamedValues> Quantities::find(std::string_view name) const {
    if (const auto at = found_.find(name); at != found_.end()) return at->second;
    auto values = compute(name);
    if (values) found_.emplace(name, *values);
    return values;
}

Result<NamedValues> Quantities::compute(std::string_view name) const {
    if (const Row* const row = find_in(k_quantity_rows, name, &Row::name)) return row->find(*this);
    if (const std::size_t dot = name.find('.'); dot != name.npos)
        for (std::size_t i = 0; i < k_compared_count; ++i)
            if (k_compared_norms[i].id == name.substr(0, dot))
                return of_norm(*this, i, name.substr(dot + 1));
    return fail(
        worded("there is no quantity “{}”: expected one of {}, or one of a norm, as in batch.x_hat",
               name, joined(k_quantity_rows, &Row::name)));
}

const Derived& Quantities::derived() const {
    if (!derived_) derived_ = Derived::of(document_);
    return *derived_;
}

const Backward& Quantities::backward() const {
    if (!backward_) backward_ = Backward::of(document_);
    return *backward_;
}

const NormsOfZ& Quantities::norms() const {
    if (!norms_) norms_ = std::make_shared<const NormsOfZ>(norms_of_z(document_));
    return *norms_;
}

Result<RaceResults> Quantities::race() const {
    const RaceResults results = TRY(ask_race_(document_.train));
    waits_ = !results;
    if (waits_) return fail("the race is being trained: wait a moment");
    return results;
}

} // namespace normscope
