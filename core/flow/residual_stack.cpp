#include "core/flow/residual_stack.h"

#include "core/norm/affine.h"

#include <cmath>
#include <utility>

namespace normscope {
namespace {

// Independent streams of random numbers of one seed.
enum class Stream : std::uint64_t { input = 1, readout, head, targets, weights };

Random stream_of(std::uint64_t seed, Stream stream, std::uint64_t index = 0) {
    return random_stream(seed, static_cast<std::uint64_t>(stream) << 32 | index);
}

template<class S>
Matrix<S> normal_matrix(Index rows, Index cols, double std, Random random) {
    return init_weight<S>({Init::normal, 1, std}, cols, rows, random);
}

// Rules for W_q, W_k (`other`) and for all that DeepNorm scales (`branch`).
struct Rules {
    InitRule other;
    InitRule branch;
};

Rules rules_of(const StackConfig& config) {
    Rules rules{config.init, config.init};
    if (config.placement == Placement::deepnorm)
        rules.branch.gain *= std::pow(8.0 * config.blocks, -0.25);
    return rules;
}

template<class S>
std::vector<Sublayer<S>> make_sublayers(const StackConfig& config, int block) {
    Random random = stream_of(config.seed, Stream::weights, static_cast<std::uint64_t>(block));
    const Rules rules = rules_of(config);
    const Index d = config.width;
    std::vector<Sublayer<S>> out;
    const SublayerKind kind = config.sublayer;
    if (has_attention(kind))
        out.push_back(make_attention<S>(rules.other, rules.branch, d, config.heads, random));
    if (has_ffn(kind)) {
        const Index hidden = d * config.ffn_mult;
        Linear<S> first = make_linear<S>(rules.branch, d, hidden, random);
        Linear<S> second = make_linear<S>(rules.branch, hidden, d, random);
        out.push_back(FeedForward<S>{std::move(first), std::move(second), config.activation});
    }
    if (out.empty())
        out.push_back(
            Projection<S>{make_linear<S>(rules.branch, d, d, random),
                          kind == SublayerKind::relu ? Activation::relu : Activation::none,
                          kind == SublayerKind::tanh ? Activation::tanh : Activation::none});
    return out;
}

// Settings of the layers that are not weights.
template<class S>
void apply_settings(const StackConfig& config, Sublayer<S>& sublayer) {
    if (auto* attention = std::get_if<MultiHeadAttention<S>>(&sublayer))
        attention->mask = config.mask;
    else if (auto* ffn = std::get_if<FeedForward<S>>(&sublayer))
        ffn->activation = config.activation;
}

template<class S>
Affine<S> affine_of(const StackConfig& config, int block) {
    BlockAffine affine{block, config.gamma, config.beta};
    for (const BlockAffine& own : config.block_affine)
        if (own.block == block) affine = own;
    return {AffinePer::feature, Vector<S>::Constant(config.width, static_cast<S>(affine.gamma)),
            Vector<S>::Constant(config.width, static_cast<S>(affine.beta))};
}

BlockOptions block_options(const StackConfig& config, int threads) {
    return {.norm = config.norm,
            .placement = config.placement,
            .skip = config.skip,
            .trunk_scale = config.trunk_scale * own_trunk_scale(config),
            .branch_scale = config.branch_scale,
            .eps = config.eps,
            .threads = threads};
}

} // namespace

bool same_weights(const StackConfig& a, const StackConfig& b) {
    const Rules rules_a = rules_of(a);
    const Rules rules_b = rules_of(b);
    return a.width == b.width && a.sublayer == b.sublayer && a.ffn_mult == b.ffn_mult &&
           a.heads == b.heads && a.seed == b.seed && rules_a.branch == rules_b.branch &&
           rules_a.other == rules_b.other;
}

template<class S>
Result<ResidualStack<S>> ResidualStack<S>::make(const StackConfig& config, int threads,
                                                const ResidualStack* previous,
                                                const Progress& progress) {
    TRY(check_config(config));
    ResidualStack out;
    out.config = config;
    out.threads = threads;
    out.input =
        normal_matrix<S>(config.tokens, config.width, 1, stream_of(config.seed, Stream::input));
    if (config.loss == StackLoss::readout) {
        const double std = 1 / std::sqrt(static_cast<double>(out.input.size()));
        out.readout = normal_matrix<S>(config.tokens, config.width, std,
                                       stream_of(config.seed, Stream::readout));
    } else {
        const double std = 1 / std::sqrt(static_cast<double>(config.width));
        out.head = normal_matrix<S>(config.vocabulary, config.width, std,
                                    stream_of(config.seed, Stream::head));
        Random targets = stream_of(config.seed, Stream::targets);
        for (Index t = 0; t < config.tokens; ++t)
            out.targets.push_back(
                static_cast<Index>(targets.below(static_cast<std::uint64_t>(config.vocabulary))));
    }
    const bool reuses = previous != nullptr && same_weights(previous->config, config);
    const int per_block = out.units_per_block();
    out.units.reserve(static_cast<std::size_t>(config.blocks * per_block));
    for (int block = 0; block < config.blocks; ++block) {
        TRY(progress.at(static_cast<double>(block) / config.blocks));
        std::vector<Sublayer<S>> sublayers;
        if (reuses && block < previous->config.blocks)
            for (int i = 0; i < per_block; ++i)
                sublayers.push_back(previous->units[out.units.size() + sublayers.size()].sublayer);
        else
            sublayers = make_sublayers<S>(config, block);
        for (Sublayer<S>& sublayer : sublayers) {
            apply_settings(config, sublayer);
            ResidualBlock<S>& unit = out.units.emplace_back();
            unit.sublayer = std::move(sublayer);
            unit.affine = affine_of<S>(config, block);
            if (config.placement == Placement::peri) unit.outer = unit.affine;
            unit.options = block_options(config, threads);
        }
    }
    return out;
}

template<class S>
Result<StackRun<S>> run_forward(const ResidualStack<S>& stack, const Progress& progress) {
    StackRun<S> run;
    run.units.reserve(stack.units.size());
    Matrix<S> x = stack.input;
    for (const ResidualBlock<S>& unit : stack.units) {
        const double done =
            static_cast<double>(run.units.size()) / static_cast<double>(stack.units.size());
        TRY(progress.at(done));
        auto forward = TRY(block_forward(unit, x));
        run.units.push_back(std::move(forward.cache));
        x = std::move(forward.y);
    }
    run.x_last = std::move(x);
    Matrix<S> y = run.x_last;
    const StackConfig& config = stack.config;
    const auto identity = identity_affine<S>(AffinePer::feature, config.tokens, config.width);
    if (stack.has_final_norm()) {
        auto normed = TRY(norm_forward(config.norm, run.x_last, identity,
                                       {.eps = config.eps, .threads = stack.threads}));
        y = std::move(normed.y);
        run.final_norm = std::move(normed.cache);
    }
    auto loss = TRY(config.loss == StackLoss::readout
                        ? linear_readout(y, stack.readout)
                        : vocabulary_loss(y, stack.head, stack.targets, stack.threads));
    run.loss = loss.loss;
    run.dy = std::move(loss.dy);
    if (!run.final_norm) {
        run.dx_last = run.dy;
        return run;
    }
    auto back = TRY(
        normalize_backward(*run.final_norm, identity, run.dy, BackwardOptions{{}, stack.threads}));
    run.dx_last = std::move(back.dz);
    return run;
}

template struct ResidualStack<float>;
template struct ResidualStack<double>;
NORMSCOPE_IN_BOTH_PRECISIONS(run_forward);

} // namespace normscope
