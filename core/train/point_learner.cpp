#include "core/base/lists.h"
#include "core/train/learner.h"

#include <cmath>
#include <utility>

namespace normscope {

template<class S>
LayerReading reading_of(const Matrix<S>& u) {
    const auto tokens = static_cast<double>(u.rows());
    LayerReading out;
    for (Index unit = 0; unit < u.cols(); ++unit) {
        double sum = 0, squares = 0;
        for (Index t = 0; t < u.rows(); ++t) sum += static_cast<double>(u(t, unit));
        const double mean = sum / tokens;
        for (Index t = 0; t < u.rows(); ++t) {
            const double off = static_cast<double>(u(t, unit)) - mean;
            squares += off * off;
        }
        out.mean += mean * mean;
        out.std += squares / tokens;
    }
    const auto units = static_cast<double>(u.cols());
    out.mean = std::sqrt(out.mean / units);
    out.std = std::sqrt(out.std / units);
    return out;
}

template<class S>
Result<PointLearner<S>> PointLearner<S>::make(const TrainConfig& config, const TrainData<S>& data) {
    PointLearner out;
    out.mlp_ = TRY(make_mlp<S>(mlp_config(config, data.train.x.cols(), data.class_count)));
    return out;
}

template<class S>
Result<BatchLoss> PointLearner<S>::pass(const TrainConfig& config, const TrainData<S>& data,
                                        Index step) {
    draw_points_of_step(config, data, step, batch_);
    TRY(mlp_forward(mlp_, batch_.x, Mode::train, pass_));
    const BatchLoss out = class_loss<S>(pass_.logits, batch_.classes, pass_.dlogits);
    TRY(mlp_backward(mlp_, batch_.x, pass_));
    return out;
}

template<class S>
void PointLearner<S>::parameters(std::vector<Parameter<S>>& out) {
    out.assign(1, {mlp_.values.data(), pass_.gradients.data(), mlp_.values.size()});
}

template<class S>
void PointLearner<S>::running(std::vector<RunningStats<S>*>& out) {
    out.clear();
    for (RunningStats<S>& running : mlp_.running) out.push_back(&running);
}

template<class S>
void PointLearner<S>::readings(std::vector<LayerReading>& out) const {
    out.clear();
    for (const auto l : indices(mlp_.layers))
        out.push_back(reading_of(pre_activation(mlp_, pass_, l)));
}

template<class S>
std::string PointLearner<S>::first_not_finite() const {
    for (const NamedTensor<const S>& tensor : tensors())
        if (!tensor.values().allFinite()) return tensor.name;
    for (const auto l : indices(mlp_.layers))
        if (!pass_.layers[l].z.allFinite() || !pass_.layers[l].a.allFinite())
            return "the values of layers." + std::to_string(l);
    return "the logits";
}

namespace {

// Loss and accuracy of points in evaluation mode.
template<class S>
Result<BatchLoss> evaluated(Mlp<S>& mlp, const PointSet<S>& points) {
    MlpPass<S> pass;
    TRY(mlp_forward(mlp, points.x, Mode::eval, pass));
    return class_loss<S>(pass.logits, points.classes, pass.dlogits);
}

} // namespace

template<class S>
Result<double> PointLearner<S>::test_accuracy(const TrainConfig& /*config*/,
                                              const TrainData<S>& data) const {
    Mlp<S> mlp = mlp_;
    return TRY(evaluated(mlp, data.test)).accuracy;
}

template<class S>
Result<Evaluation> PointLearner<S>::evaluate(const TrainConfig& config,
                                             const TrainData<S>& data) const {
    Mlp<S> mlp = mlp_;
    const BatchLoss train = TRY(evaluated(mlp, data.train));
    const double test = TRY(test_accuracy(config, data));
    return Evaluation{train.loss, train.accuracy, test, {}, {}};
}

NORMSCOPE_IN_BOTH_PRECISIONS(reading_of);
template class PointLearner<float>;
template class PointLearner<double>;

} // namespace normscope
