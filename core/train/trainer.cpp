#include "core/train/trainer.h"

#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace normscope {
namespace {

// Whether both are the same model in the same optimizer.
bool same_learner(TrainConfig a, const TrainConfig& b) {
    a.batch = b.batch;
    a.lr = b.lr;
    a.schedule = b.schedule;
    a.warmup = b.warmup;
    a.clip = b.clip;
    a.steps = b.steps;
    if (a.optimizer.kind == b.optimizer.kind) a.optimizer = b.optimizer;
    return a == b;
}

double rate_at(const TrainConfig& c, Index step) {
    return c.lr * schedule_factor({c.schedule, c.warmup, c.steps, c.width}, step);
}

// The tensor whose gradient is the first that is not finite on the way back.
template<class S>
std::string gradient_not_finite(const std::vector<NamedTensor<const S>>& gradients) {
    for (std::size_t i = gradients.size(); i-- > 0;)
        if (!gradients[i].values().allFinite()) return "the gradient of " + gradients[i].name;
    return "the gradient";
}

constexpr double k_no_ratio = std::numeric_limits<double>::quiet_NaN();

// "encoder.layers.3" of "encoder.layers.3.linear1.weight"; empty of a tensor of no layer.
std::string_view layer_of(std::string_view name) {
    constexpr std::string_view k_layers = "layers.";
    const std::size_t at = name.find(k_layers);
    if (at == std::string_view::npos) return {};
    return name.substr(0, name.find('.', at + k_layers.size()));
}

// Calls visit(layer, i, first) for every tensor i of a layer, the layers counted as they come; its
// values begin at `first` of all tensors' values.
template<class S, class Visit>
void for_layers(const std::vector<NamedTensor<const S>>& tensors, const Visit& visit) {
    std::string_view present;
    std::size_t layers = 0;
    Index first = 0;
    for (const auto i : indices(tensors)) {
        const std::string_view layer = layer_of(tensors[i].name);
        if (!layer.empty() && layer != present) ++layers;
        present = layer;
        if (!layer.empty()) visit(layers - 1, i, first);
        first += tensors[i].size();
    }
}

// log₁₀ of the root of a ratio of sums of squares.
double ratio_of(double moved, double size) {
    return moved > 0 && size > 0 ? std::log10(moved / size) / 2 : k_no_ratio;
}

} // namespace

template<class S>
Result<Trainer<S>> Trainer<S>::make(const TrainConfig& config, const TrainInput& input, int threads,
                                    const CheckpointOptions& checkpoints) {
    TRY(check_config(config));
    auto data = TRY(make_train_data<S>(config, input));
    Trainer out;
    out.phases_.push_back({0, config});
    out.learned_ = config;
    out.data_ = std::make_shared<const TrainData<S>>(std::move(data));
    out.checkpoints_ = Checkpoints<S>(checkpoints);
    if (is_transformer(config.model))
        out.learner_ = TRY(SequenceLearner<S>::make(config, *out.data_, threads));
    else
        out.learner_ = TRY(PointLearner<S>::make(config, *out.data_));
    out.optimizer_ = start_optimizer<S>(config.optimizer, total_size(out.tensors()));
    return out;
}

template<class S>
const TrainConfig& Trainer<S>::config_at(Index step) const {
    std::size_t phase = phases_.size() - 1;
    while (phase > 0 && phases_[phase].first > step) --phase;
    return phases_[phase].config;
}

// Makes another learner if the step's config asks for one, with the trained values of the learner
// before. Another kind of optimizer begins anew, as do running statistics that were not there.
template<class S>
Result<void> Trainer<S>::take_config_of(Index step) {
    const TrainConfig& config = config_at(step);
    if (same_learner(learned_, config)) return {};
    if (config.optimizer.kind != learned_.optimizer.kind)
        optimizer_ = start_optimizer<S>(config.optimizer, total_size(tensors()));
    const auto take_over = [&](auto& learner, auto made) {
        std::vector<Parameter<S>> values;
        std::vector<RunningStats<S>*> running;
        learner.parameters(parameters_);
        made.parameters(values);
        for (const auto i : indices(values))
            std::copy_n(parameters_[i].value, values[i].size, values[i].value);
        learner.running(running_);
        made.running(running);
        if (running.size() == running_.size())
            for (const auto i : indices(running)) *running[i] = *running_[i];
        learner = std::move(made);
    };
    learned_ = config;
    if (auto* points = std::get_if<PointLearner<S>>(&learner_))
        take_over(*points, TRY(PointLearner<S>::make(config, *data_)));
    if (auto* sequences = std::get_if<SequenceLearner<S>>(&learner_))
        take_over(*sequences,
                  TRY(SequenceLearner<S>::make(config, *data_, sequences->model().threads)));
    return {};
}

// Forward, loss and backward of the batch of the present step.
template<class S>
Result<void> Trainer<S>::pass() {
    const TrainConfig& config = config_at(steps_);
    const BatchLoss batch = TRY(
        std::visit([&](auto& learner) { return learner.pass(config, *data_, steps_); }, learner_));
    std::visit([&](auto& learner) { learner.parameters(parameters_); }, learner_);
    measure_.step = steps_;
    measure_.loss = batch.loss;
    measure_.accuracy = batch.accuracy;
    measure_.learning_rate = rate_at(config, steps_);
    measure_.gradient_norm = gradient_norm<S>(parameters_);
    return {};
}

template<class S>
Result<void> Trainer<S>::step(Watch watch) {
    if (divergence_) return {};
    if (checkpoints_.wants(steps_)) checkpoints_.add(checkpoint());
    TRY(pass());
    if (watch == Watch::everything) measure_everything();
    if (!std::isfinite(measure_.loss)) {
        divergence_ = {steps_, std::visit([](auto& l) { return l.first_not_finite(); }, learner_)};
        return {};
    }
    if (!std::isfinite(measure_.gradient_norm)) {
        divergence_ = {
            steps_,
            std::visit([](auto& l) { return gradient_not_finite<S>(l.gradients()); }, learner_)};
        return {};
    }
    const TrainConfig& config = config_at(steps_);
    const double scale = config.clip ? clip_scale(measure_.gradient_norm, *config.clip) : 1;
    optimize<S>(config.optimizer, measure_.learning_rate, parameters_, optimizer_, scale);
    if (watch == Watch::everything) measure_update();
    ++steps_;
    return take_config_of(steps_);
}

template<class S>
Result<StepMeasure> Trainer<S>::look() {
    std::visit([&](auto& learner) { learner.running(running_); }, learner_);
    std::vector<RunningStats<S>> running;
    for (const RunningStats<S>* r : running_) running.push_back(*r);
    StepMeasure last = measure_;
    TRY(pass());
    measure_everything();
    std::swap(last, measure_);
    std::visit([&](auto& learner) { learner.running(running_); }, learner_);
    for (const auto i : indices(running)) *running_[i] = running[i];
    return last;
}

template<class S>
Result<void> Trainer<S>::go_to(Index step) {
    if (step < 0) return fail("there is no step {}: the first is 0", step);
    const Checkpoint<S>* const nearest = checkpoints_.before(step);
    if (step < steps_ || (divergence_ && step <= steps_) || (nearest && nearest->step > steps_))
        TRY(restore(*nearest));
    while (steps_ < step && !divergence_)
        TRY(this->step(steps_ + 1 == step ? Watch::everything : Watch::loss));
    return {};
}

template<class S>
Result<void> Trainer<S>::branch(const TrainConfig& config) {
    TRY(check_config(config));
    if (!goes_on(config_at(steps_), config))
        return fail("a run goes on with the same tensors and the same data; another task, seed, "
                    "depth or width, or a norm or skip of other parameters begins a new run");
    TRY(go_to(steps_));
    std::erase_if(phases_, [&](const Phase& p) { return p.first >= steps_; });
    phases_.push_back({steps_, config});
    checkpoints_.cut(steps_ - 1);
    TRY(take_config_of(steps_));
    checkpoints_.add(checkpoint());
    return {};
}

// Calls visit(values, n) for all values that a checkpoint keeps.
template<class S>
template<class Visit>
void Trainer<S>::for_state(const Visit& visit) {
    std::visit(
        [&](auto& learner) {
            learner.parameters(parameters_);
            learner.running(running_);
        },
        learner_);
    for (const Parameter<S>& p : parameters_) visit(p.value, p.size);
    visit(optimizer_.first.data(), optimizer_.first.size());
    visit(optimizer_.second.data(), optimizer_.second.size());
    for (RunningStats<S>* r : running_) {
        visit(r->mean.data(), r->mean.size());
        visit(r->var.data(), r->var.size());
    }
}

template<class S>
Checkpoint<S> Trainer<S>::checkpoint() {
    Index size = 0;
    for_state([&](const S*, Index n) { size += n; });
    Checkpoint<S> out{steps_, Vector<S>(size), optimizer_.steps, {}};
    S* to = out.values.data();
    for_state([&](const S* from, Index n) { to = std::copy_n(from, n, to); });
    for (const RunningStats<S>* r : running_) out.updates.push_back(r->updates);
    return out;
}

template<class S>
Result<void> Trainer<S>::restore(const Checkpoint<S>& checkpoint) {
    TRY(take_config_of(checkpoint.step));
    const S* from = checkpoint.values.data();
    for_state([&](S* to, Index n) {
        std::copy_n(from, n, to);
        from += n;
    });
    for (const auto i : indices(running_)) running_[i]->updates = checkpoint.updates[i];
    optimizer_.steps = checkpoint.optimizer_steps;
    steps_ = checkpoint.step;
    divergence_.reset();
    return {};
}

template<class S>
void Trainer<S>::measure_everything() {
    std::vector<LayerReading> readings;
    std::visit([&](auto& learner) { learner.readings(readings); }, learner_);
    const auto values = tensors();
    const auto gradients = std::visit([](auto& learner) { return learner.gradients(); }, learner_);
    measure_.layers.clear();
    for (const LayerReading& reading : readings)
        measure_.layers.push_back({reading, 0, k_no_ratio});
    for_layers(values, [&](std::size_t layer, std::size_t i, Index) {
        measure_.layers[layer].gradient_norm += squared_norm(gradients[i].values());
    });
    for (LayerState& layer : measure_.layers) layer.gradient_norm = std::sqrt(layer.gradient_norm);
    before_.resize(total_size(values));
    S* to = before_.data();
    for (const auto& tensor : values) to = std::copy_n(tensor.data, tensor.size(), to);
}

template<class S>
void Trainer<S>::measure_update() {
    const auto values = tensors();
    std::vector<double> moved(measure_.layers.size()), size(measure_.layers.size());
    for_layers(values, [&](std::size_t layer, std::size_t i, Index first) {
        const auto before = before_.segment(first, values[i].size());
        const Vector<S> update = values[i].values() - before;
        moved[layer] += squared_norm(update);
        size[layer] += squared_norm(before);
    });
    for (const auto l : indices(moved))
        measure_.layers[l].update_ratio = ratio_of(moved[l], size[l]);
}

template<class S>
std::vector<std::string> Trainer<S>::layer_names() const {
    std::vector<std::string> out;
    for (const auto& tensor : tensors()) {
        const std::string_view layer = layer_of(tensor.name);
        if (!layer.empty() && (out.empty() || out.back() != layer)) out.emplace_back(layer);
    }
    return out;
}

template class Trainer<float>;
template class Trainer<double>;

} // namespace normscope
