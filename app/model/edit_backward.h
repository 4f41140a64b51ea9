#pragma once
#include "app/model/document.h"

#include <optional>
#include <string>
#include <variant>

// What a person can do to the backward pass of a document. dY and the target themselves are edited
// like X (SetCells and FillCells with Input::dy and Input::target).
namespace normscope {

// Of batch norm: the batch's own statistics (train), or the running ones (eval).
struct SetMode {
    Mode mode;
};
struct SetLoss {
    LossKind loss;
};
struct SetLossEntry { // the one entry of Y that is the loss
    Index token, feature;
};
struct SetTarget {
    TargetKind target;
};
struct SetTargetSpread { // of the normal and the uniform target
    double mean, std;
};
struct SetHeadSeed {
    std::uint64_t seed;
};
struct BreakTerm {
    BrokenTerm term;
};
struct SetJacobianOf {
    JacobianOf of;
};
struct SetScale {
    double scale;
};
struct SetLearningRate { // none: the usual one of what is learned
    std::optional<double> lr;
};
struct LearnSteps { // γ −= lr·dγ, β −= lr·dβ, so many times
    int steps;
};
// γ, β and the reach of their faders as they were before the first step (1 and 0 where nobody kept
// them), no losses yet.
struct RestartLearning {};

using BackwardChange =
    std::variant<SetMode, SetLoss, SetLossEntry, SetTarget, SetTargetSpread, SetHeadSeed, BreakTerm,
                 SetJacobianOf, SetScale, SetLearningRate, LearnSteps, RestartLearning>;

struct EditBackward {
    BackwardChange change;
};

// As apply() and describe() of edit.h.
Result<Document> apply(const Document& document, const EditBackward& edit);
std::string describe(const EditBackward& edit, const Document& before);

// dy or target as typed, or the pattern that stands for it; x and f as they are.
Shared<Matrix<double>> input_values(const Document& document, Input which);

} // namespace normscope
