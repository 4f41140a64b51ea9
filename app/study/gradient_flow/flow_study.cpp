#include "app/study/gradient_flow/flow_study.h"

#include "app/study/gradient_flow/drawn_weights.h"
#include "app/study/lab/lab.h"
#include "core/base/lists.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>
#include <utility>

namespace normscope {

namespace {

constexpr double k_most_kept_bytes = 1e8;
constexpr double k_most_path_work = 1e12; // some twenty seconds
constexpr int k_gain_probes = 4;
// A weight that is drawn or copied takes as long as so many operations of a matrix product.
constexpr double k_work_to_draw = 900;
constexpr double k_work_to_copy = 30;

// Operations of one product with every weight of a block, forward, and of attention's own products.
double block_work(const StackConfig& c) {
    const auto d = static_cast<double>(c.width);
    const auto t = static_cast<double>(c.tokens);
    const bool attention = has_attention(c.sublayer);
    const bool ffn = has_ffn(c.sublayer);
    double work = 0;
    if (attention) work += 8 * d * d * t + 4 * d * t * t;
    if (ffn) work += 4 * d * d * c.ffn_mult * t;
    return work > 0 ? work : 2 * d * d * t;
}

double path_work(const StackConfig& c) {
    const double units = static_cast<double>(c.blocks) * sublayers_per_block(c.sublayer);
    return units * (units + 1) / 2 * block_work(c) / sublayers_per_block(c.sublayer);
}

// float32 reaches from 1e-38 to 3e38; near its ends a gradient loses digits before it is lost. A 0
// in float32 may be a gradient that left this range; in float64 a 0 is a 0.
enum class Zero : std::uint8_t { may_be_lost, exact };
bool leaves_float32(const GradientFlow& flow, Zero zero) {
    const auto outside = [&](double norm) {
        if (norm == 0 && zero == Zero::exact) return false;
        return !(norm >= 1e-30 && norm <= 1e30);
    };
    if (outside(flow.input_grad_norm)) return true;
    return std::ranges::any_of(flow.blocks, [&](const BlockFlow& block) {
        return outside(block.grad_norm) || !(block.mean_square <= 1e60);
    });
}

double draw_work(const StackConfig& c, Weights weights) {
    const double values = block_work(c) / (2 * static_cast<double>(c.tokens)) * c.blocks;
    return values * (weights == Weights::to_draw ? k_work_to_draw : k_work_to_copy);
}

// Backward costs twice what forward does.
double pass_work(const StackConfig& c) {
    return 3 * block_work(c) * c.blocks;
}

template<class S>
Result<SeedFlow> measure(const StackConfig& config, DrawnWeights& weights,
                         const Progress& progress) {
    weights.forget_large_look();
    const double drawn = draw_work(config, weights.needed(config));
    const double made = drawn / (drawn + pass_work(config));
    const double forward = made + (1 - made) / 3;
    auto stack = TRY(weights.make<S>(config, progress.part(0, made)));
    const auto run = TRY(run_forward(stack, progress.part(made, forward)));
    auto flow = TRY(gradient_flow(stack, run, progress.part(forward, 1)));
    weights.keep(std::move(stack));
    return SeedFlow{config.seed, std::move(flow), std::nullopt};
}

Result<SeedFlow> measure(bool in_float64, const StackConfig& config, DrawnWeights& weights,
                         const Progress& progress) {
    return in_float64 ? measure<double>(config, weights, progress)
                      : measure<float>(config, weights, progress);
}

// Measures a slice of the first seed: a block's gain, or some milliseconds of the paths.
template<class S>
Result<bool> look_closer(StackStudy& study, DrawnWeights& weights, const Progress& progress) {
    CloserLook<S>& look = *TRY(weights.closer_look<S>(study.stack, Progress{progress.stop, {}}));
    if (study.block_gain.empty()) {
        const auto block = static_cast<int>(look.block_gain.size());
        TRY(progress.at(static_cast<double>(block) / study.stack.blocks));
        look.block_gain.push_back(TRY(block_gain(look.stack, look.run, block, k_gain_probes)));
        if (block + 1 < study.stack.blocks) return false;
        study.block_gain = std::move(look.block_gain);
    } else {
        std::stop_source slice;
        const auto until = std::chrono::steady_clock::now() + k_slice;
        bool begun = false;
        const auto report = [&](double share) {
            if (progress.report) progress.report(share);
            const bool over = begun && std::chrono::steady_clock::now() > until;
            if (over || progress.stop.stop_requested()) slice.request_stop();
            begun = true;
        };
        const auto processors = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
        auto paths = path_lengths_from(look.split, look.stack, look.run,
                                       {slice.get_token(), report}, processors);
        if (progress.stop.stop_requested()) return fail("stopped before it was done");
        if (!paths && slice.stop_requested()) return false;
        study.seeds.front().paths = TRY(std::move(paths));
    }
    if (missing_work(study.stack, &study, study.seeds_wanted).all() == 0)
        weights.end_closer_look<S>();
    return true;
}

// The quantity at block l, or at the stack's input for l = 0; none: not measured there.
std::optional<double> value_at(const GradientFlow& flow, int l, FlowQuantity quantity) {
    if (l == 0)
        return quantity == FlowQuantity::gradient     ? std::optional(flow.input_grad_norm)
               : quantity == FlowQuantity::activation ? std::optional(flow.input_mean_square)
                                                      : std::nullopt;
    const BlockFlow& block = flow.blocks[static_cast<std::size_t>(l) - 1];
    const std::optional<double> values[] = {// in the order of FlowQuantity
                                            block.grad_norm,           block.mean_square,
                                            block.w1_grad_norm,        block.w2_grad_norm,
                                            block.attention_grad_norm, block.weight_grad_norm,
                                            block.gamma_grad_norm,     block.beta_grad_norm};
    return entry_at(values, quantity);
}

FlowPoint point_of(int block, const std::vector<double>& values) {
    FlowPoint p{block, mean_over_seeds(values), values.front(), values.front()};
    for (const double v : values) {
        // A NaN is kept: it says that a seed has no number here.
        if (!(v >= p.lo)) p.lo = v;
        if (!(v <= p.hi)) p.hi = v;
    }
    return p;
}

} // namespace

template<class S>
Result<ResidualStack<S>> DrawnWeights::make(const StackConfig& config, const Progress& progress) {
    const auto& kept = std::get<BySeed<S>>(kept_);
    const auto previous = kept.find(config.seed);
    return ResidualStack<S>::make(config, 1, previous == kept.end() ? nullptr : &previous->second,
                                  progress);
}

template<class S>
void DrawnWeights::keep(ResidualStack<S> stack) {
    auto& kept = std::get<BySeed<S>>(kept_);
    const auto bytes = [](const ResidualStack<S>& s) {
        return stack_bytes(s.config) * static_cast<double>(sizeof(S)) / sizeof(float);
    };
    const std::uint64_t seed = stack.config.seed;
    if (const auto old = kept.find(seed); old != kept.end()) {
        bytes_ -= bytes(old->second);
        kept.erase(old);
    }
    if (bytes_ + bytes(stack) > k_most_kept_bytes) return;
    bytes_ += bytes(stack);
    kept.emplace(seed, std::move(stack));
}

template<class S>
Result<CloserLook<S>*> DrawnWeights::closer_look(const StackConfig& config,
                                                 const Progress& progress) {
    auto* look = std::get_if<CloserLook<S>>(&look_);
    if (look && look->stack.config == config) return look;
    look_ = std::monostate{};
    auto stack = TRY(make<S>(config, progress));
    auto run = TRY(run_forward(stack, progress));
    return &look_.template emplace<CloserLook<S>>(std::move(stack), std::move(run));
}

template<class S>
void DrawnWeights::end_closer_look() {
    keep(std::move(std::get<CloserLook<S>>(look_).stack));
    look_ = std::monostate{};
}

void DrawnWeights::forget_large_look() {
    const auto bytes = [](const auto& look) {
        if constexpr (requires { look.stack; }) return stack_bytes(look.stack.config);
        return 0.0;
    };
    if (std::visit(bytes, look_) > k_most_kept_bytes) look_ = std::monostate{};
}

double mean_over_seeds(std::span<const double> values) {
    double sum = 0;
    double logs = 0;
    bool positive = true;
    for (const double v : values) {
        sum += v;
        logs += std::log(v);
        positive = positive && v > 0;
    }
    const auto n = static_cast<double>(values.size());
    return positive ? std::exp(logs / n) : sum / n;
}

std::vector<FlowPoint> flow_points(const StackStudy& study, FlowQuantity quantity) {
    std::vector<FlowPoint> out;
    if (study.seeds.empty()) return out;
    for (int l = 0; l <= study.stack.blocks; ++l) {
        std::vector<double> values;
        for (const SeedFlow& seed : study.seeds)
            if (const auto value = value_at(seed.flow, l, quantity)) values.push_back(*value);
        if (!values.empty()) out.push_back(point_of(l, values));
    }
    return out;
}

std::optional<ExpectedShape> measured_shape(const StackStudy& study) {
    const auto points = flow_points(study, FlowQuantity::gradient);
    if (points.empty()) return std::nullopt;
    const double ratio = points.front().mean / points.back().mean;
    if (std::isnan(ratio)) return std::nullopt;
    if (ratio < 1e-3) return ExpectedShape::vanishes;
    if (ratio < 2.0 / 3) return ExpectedShape::shrinks_slowly;
    if (ratio <= 1.5) return ExpectedShape::flat;
    if (ratio <= 1e3) return ExpectedShape::grows;
    return ExpectedShape::explodes;
}

Weights DrawnWeights::needed(const StackConfig& config) const {
    const auto& float32 = std::get<BySeed<float>>(kept_);
    const auto kept = float32.find(config.seed);
    const bool holds = kept != float32.end() && same_weights(kept->second.config, config) &&
                       kept->second.config.blocks >= config.blocks;
    return holds ? Weights::drawn_already : Weights::to_draw;
}

double coarse_work(const StackConfig& stack, Weights weights) {
    return pass_work(stack) + draw_work(stack, weights);
}

MissingWork missing_work(const StackConfig& c, const StackStudy* known, int seeds) {
    MissingWork out;
    const double done = known ? static_cast<double>(known->seeds.size()) : 1;
    out.seeds = std::max(0.0, seeds - done) * coarse_work(c, Weights::to_draw);
    if (!known || known->block_gain.empty()) out.gains = k_gain_probes * c.blocks * block_work(c);
    const bool split = known && !known->seeds.empty() && known->seeds.front().paths;
    if (!split && path_work(c) <= k_most_path_work) out.paths = path_work(c);
    return out;
}

StackStudy failed_study(const StackConfig& stack, Error error) {
    return {.stack = stack, .error = std::move(error), .refined = true};
}

Result<StackStudy> coarse_study(const StackConfig& stack, int seeds, DrawnWeights& weights,
                                const Progress& progress) {
    StackStudy study{.stack = stack, .seeds_wanted = seeds};
    auto first = measure(false, stack, weights, progress);
    const bool fits = 2 * stack_bytes(stack) <= k_most_stack_bytes;
    if (first && fits && leaves_float32(first->flow, Zero::may_be_lost)) {
        auto closer = measure(true, stack, weights, progress);
        study.in_float64 = !closer || leaves_float32(closer->flow, Zero::exact);
        if (study.in_float64) first = std::move(closer);
    }
    if (first) {
        study.seeds.push_back(std::move(*first));
        return study;
    }
    if (progress.stop.stop_requested()) return tl::unexpected(first.error());
    return failed_study(stack, first.error());
}

Result<bool> refine(StackStudy& study, DrawnWeights& weights, const Progress& progress) {
    if (study.error) return false;
    const int wanted = std::max(1, study.seeds_wanted);
    study.refined = false;
    study.paths_left_out = path_work(study.stack) > k_most_path_work;
    bool changed = true;
    const auto done = static_cast<int>(study.seeds.size());
    if (done > wanted) {
        study.seeds.resize(static_cast<std::size_t>(wanted));
    } else if (done < wanted) {
        StackConfig own = study.stack;
        own.seed += static_cast<std::uint64_t>(done);
        study.seeds.push_back(TRY(measure(study.in_float64, own, weights, progress)));
    } else if (missing_work(study.stack, &study, study.seeds_wanted).all() > 0) {
        changed = TRY(study.in_float64 ? look_closer<double>(study, weights, progress)
                                       : look_closer<float>(study, weights, progress));
    }
    study.refined = missing_work(study.stack, &study, study.seeds_wanted).all() == 0;
    return changed || study.refined;
}

FlowStudies study_flow(const FlowSetup& setup) {
    DrawnWeights weights;
    const auto study = [&](const StackConfig& stack) {
        StackStudy out = *coarse_study(stack, setup.seeds, weights); // nobody stops it
        while (!out.refined)
            if (const auto refined = refine(out, weights); !refined)
                out = failed_study(stack, refined.error());
        return std::make_shared<const StackStudy>(std::move(out));
    };
    FlowStudies out;
    out.present = study(setup.stack);
    for (const PinnedStack& pin : *setup.pinned) out.pinned.push_back(study(pin.stack));
    return out;
}

} // namespace normscope
