#include "app/model/choices.h"

#include "core/norm/normalize.h"

namespace normscope {

namespace {

constexpr Choice<Residual> k_residuals[] = {{Residual::add, "add", "Add"},
                                            {Residual::no_skip, "no_skip", "No skip"}};
constexpr Choice<AffinePer> k_sharings[] = {{AffinePer::feature, "feature", "per feature"},
                                            {AffinePer::token, "token", "per token"},
                                            {AffinePer::scalar, "scalar", "one for all"}};
constexpr Choice<Mode> k_modes[] = {{Mode::train, "train", "this batch's"},
                                    {Mode::eval, "eval", "running"}};
constexpr Choice<Activation> k_activations[] = {{Activation::relu, "relu", "ReLU"},
                                                {Activation::gelu, "gelu", "GELU"},
                                                {Activation::tanh, "tanh", "tanh"}};
constexpr Choice<Mask> k_masks[] = {{Mask::none, "none", "none"},
                                    {Mask::causal, "causal", "causal"}};

} // namespace

std::span<const Choice<NormKind>> choices(NormKind) {
    static const std::vector<Choice<NormKind>> k_choices = [] {
        std::vector<Choice<NormKind>> norms;
        for (const NormEntry& entry : norm_table())
            norms.push_back({entry.kind, entry.id, entry.label});
        return norms;
    }();
    return k_choices;
}
std::span<const Choice<Residual>> choices(Residual) {
    return k_residuals;
}
std::span<const Choice<AffinePer>> choices(AffinePer) {
    return k_sharings;
}
std::span<const Choice<Mode>> choices(Mode) {
    return k_modes;
}
std::span<const Choice<Activation>> choices(Activation) {
    return k_activations;
}
std::span<const Choice<Mask>> choices(Mask) {
    return k_masks;
}

} // namespace normscope
