#include "app/study/batch_vs_layer/batch_study.h"

#include "core/norm/affine.h"

namespace normscope {

bool same_z(const Document& a, const Document& b) {
    return a.x.is(b.x) && a.f.is(b.f) && a.residual == b.residual && a.eps == b.eps &&
           a.norm.groups == b.norm.groups;
}

BatchInput batch_input(const Document& d, const Document* earlier) {
    const bool moved = earlier && earlier->token_count() == d.token_count() &&
                       earlier->feature_count() == d.feature_count() && !same_z(*earlier, d);
    return {d, moved ? std::optional(*earlier) : std::nullopt};
}

// Builds one study from an input and, where nothing changed, from the one before.
struct BatchDerivation {
    BatchStudy& out;
    const BatchInput& input;
    const BatchStudy* before;
    bool norms_same = false, result_same = false, training_same = false, training_y_same = false;

    void compare() {
        if (!before) return;
        const Document& now = input.document;
        const Document& old = before->document_;
        norms_same = same_z(now, old) && same_batch(now, old);
        result_same = norms_same && same_affine(now, old);
        training_same = norms_same && same_training(now, old);
        training_y_same = training_same && same_affine(now, old);
        const auto next = [](std::uint64_t last, bool same) { return same ? last : last + 1; };
        out.version_ = before->version_ + 1;
        out.norms_version_ = next(before->norms_version_, norms_same);
        out.result_version_ = next(before->result_version_, result_same);
        out.training_version_ = next(before->training_version_, training_y_same);
    }

    void make() {
        const Document& d = input.document;
        out.affine_ = affine_of(d);
        out.norms_ = norms_same ? before->norms_ : std::make_shared<const NormsOfZ>(norms_of_z(d));
        const NormsOfZ& norms = *out.norms_;
        const bool identity = neutral_params(d);
        out.y_ = result_same ? before->y_ : outputs(norms);
        if (result_same) {
            out.influence_ = before->influence_;
        } else {
            const auto make_influence = [&](NormResult which) {
                return std::make_shared<const Influences>(influences(d, norms, which));
            };
            out.influence_[0] = make_influence(NormResult::x_hat);
            out.influence_[1] = identity ? out.influence_[0] : make_influence(NormResult::y);
        }
        out.training_ = training_same
                            ? before->training_
                            : std::make_shared<const TrainAndEval>(train_and_eval(d, norms.z));
        out.training_y_ =
            training_y_same
                ? before->training_y_
                : std::make_shared<const Halves>(outputs_of(*out.training_, out.affine_));
        if (!input.since) return;
        const bool touch_same =
            norms_same && before->since_ && same_z(*input.since, *before->since_);
        out.touch_ = touch_same ? before->touch_
                                : std::make_shared<const Touch>(touch_since(*input.since, norms));
    }

    std::shared_ptr<const BatchStudy::Results> outputs(const NormsOfZ& norms) const {
        auto y = std::make_shared<BatchStudy::Results>();
        for (std::size_t i = 0; i < k_compared_count; ++i)
            // γ and β are as many as the document says: they fit.
            (void)affine_forward(norms.norms[i].cache.x_hat, out.affine_, (*y)[i]);
        return y;
    }
};

std::shared_ptr<const BatchStudy> BatchStudy::of(const BatchInput& input,
                                                 std::shared_ptr<const BatchStudy> before) {
    auto out = std::make_shared<BatchStudy>();
    out->document_ = input.document;
    out->since_ = input.since;
    BatchDerivation derivation{*out, input, before.get()};
    derivation.compare();
    derivation.make();
    return out;
}

bool BatchStudy::is_of(const BatchInput& input) const {
    const Document& d = input.document;
    return same_z(document_, d) && same_affine(document_, d) && same_training(document_, d) &&
           (!input.since || (since_ && same_z(*since_, *input.since)));
}

Touch touch_in(NormResult result, const BatchStudy& study, const Touch& in_x_hat) {
    return result == NormResult::y ? scaled(in_x_hat, study.affine()) : in_x_hat;
}

std::shared_ptr<const SmallBatches>
SmallBatches::of(std::uint64_t seed, const std::shared_ptr<const SmallBatches>&, const Progress&) {
    return std::make_shared<const SmallBatches>(
        SmallBatches{seed, small_batches(seed, k_small_batch_features, k_small_batch_sizes)});
}

} // namespace normscope
