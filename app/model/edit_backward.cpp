#include "app/model/edit_backward.h"

#include "app/model/learning.h"
#include "app/model/printed_number.h"
#include "core/norm/affine.h"

#include <fmt/format.h>

namespace normscope {

namespace {

// The document with a changed setup, if that can be.
template<class Change>
Result<Document> with(const Document& before, Change&& change) {
    Document d = before;
    change(d.backward);
    if (const auto ok = check(d.backward, d.token_count(), d.feature_count()); !ok)
        return tl::unexpected(ok.error());
    return d;
}

// As with(), where another target is learned from then on.
template<class Change>
Result<Document> with_another_target(const Document& before, Change&& change) {
    return with(before, [&](BackwardSetup& s) {
        change(s);
        s.begin_another_run();
    });
}

struct ApplyBackward {
    const Document& before;

    Result<Document> operator()(const SetMode& e) const {
        return with(before, [&](BackwardSetup& s) {
            s.mode = e.mode;
            s.forget_run();
        });
    }
    Result<Document> operator()(const SetLoss& e) const {
        return with(before, [&](BackwardSetup& s) {
            s.loss = e.loss;
            s.forget_run();
        });
    }
    Result<Document> operator()(const SetLossEntry& e) const {
        return with_another_target(before, [&](BackwardSetup& s) {
            s.entry_token = e.token;
            s.entry_feature = e.feature;
        });
    }
    Result<Document> operator()(const SetTarget& e) const {
        return with_another_target(before, [&](BackwardSetup& s) { s.target_kind = e.target; });
    }
    Result<Document> operator()(const SetTargetSpread& e) const {
        return with_another_target(before, [&](BackwardSetup& s) {
            s.target_mean = e.mean;
            s.target_std = e.std;
        });
    }
    Result<Document> operator()(const SetHeadSeed& e) const {
        return with_another_target(before, [&](BackwardSetup& s) { s.head_seed = e.seed; });
    }
    Result<Document> operator()(const BreakTerm& e) const {
        return with(before, [&](BackwardSetup& s) { s.broken = e.term; });
    }
    Result<Document> operator()(const SetJacobianOf& e) const {
        return with(before, [&](BackwardSetup& s) { s.jacobian = e.of; });
    }
    Result<Document> operator()(const SetScale& e) const {
        return with(before, [&](BackwardSetup& s) { s.scale = e.scale; });
    }
    Result<Document> operator()(const SetLearningRate& e) const {
        return with(before, [&](BackwardSetup& s) { s.lr = e.lr; });
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
            const Affine<double> start =
                identity_affine<double>(d.affine_per, d.token_count(), d.feature_count());
            d.gamma = std::vector<double>(start.gamma.begin(), start.gamma.end());
            d.beta = std::vector<double>(start.beta.begin(), start.beta.end());
        }
        d.backward.forget_run();
        return d;
    }
};

struct Describe {
    const Document& before;

    std::string operator()(const SetMode& e) const {
        return e.mode == Mode::eval ? "Backward by running μ, σ²" : "Backward by the batch's μ, σ²";
    }
    std::string operator()(const SetLoss& e) const {
        switch (e.loss) {
        case LossKind::given:
            return "dY as typed";
        case LossKind::sum:
            return "Loss: Σ Y";
        case LossKind::one_entry:
            return "Loss: one entry of Y";
        case LossKind::distance:
            return "Loss: distance to a target";
        case LossKind::cross_entropy:
            return "Loss: cross-entropy";
        }
        return {};
    }
    std::string operator()(const SetLossEntry& e) const {
        return fmt::format("Loss: Y[{}, {}]", (*before.tokens)[static_cast<std::size_t>(e.token)],
                           (*before.features)[static_cast<std::size_t>(e.feature)]);
    }
    std::string operator()(const SetTarget& e) const {
        switch (e.target) {
        case TargetKind::z:
            return "Target: Z";
        case TargetKind::normal:
            return "Target: a normal distribution";
        case TargetKind::uniform:
            return "Target: a uniform distribution";
        case TargetKind::matrix:
            return "Target: a matrix";
        }
        return {};
    }
    std::string operator()(const SetTargetSpread& e) const {
        return fmt::format("Target: mean {}, std {}", short_text(e.mean), short_text(e.std));
    }
    std::string operator()(const SetHeadSeed& e) const {
        return fmt::format("Linear head from seed {}", e.seed);
    }
    std::string operator()(const BreakTerm& e) const {
        switch (e.term) {
        case BrokenTerm::none:
            return "Mend the backward pass";
        case BrokenTerm::mean:
            return "Leave out the mean";
        case BrokenTerm::projection:
            return "Leave out the projection";
        case BrokenTerm::gamma:
            return "Leave out γ";
        }
        return {};
    }
    std::string operator()(const SetJacobianOf& e) const {
        return e.of == JacobianOf::y ? "Jacobian of Y" : "Jacobian of x\u0302";
    }
    std::string operator()(const SetScale& e) const { return "Z × " + short_text(e.scale); }
    std::string operator()(const SetLearningRate& e) const {
        return "Learning rate → " + (e.lr ? short_text(*e.lr) : "the usual one");
    }
    std::string operator()(const LearnSteps&) const { return "Learn γ, β"; }
    std::string operator()(const RestartLearning&) const { return "Start learning anew"; }
};

} // namespace

Result<Document> apply(const Document& document, const EditBackward& edit) {
    return std::visit(ApplyBackward{document}, edit.change);
}

std::string describe(const EditBackward& edit, const Document& before) {
    return std::visit(Describe{before}, edit.change);
}

Shared<Matrix<double>> input_values(const Document& d, Input which) {
    const Shared<Matrix<double>>& typed = d.input(which);
    if (typed->size() > 0) return typed;
    return seed_pattern(d.token_count(), d.feature_count());
}

} // namespace normscope
