#pragma once
#include "app/model/document.h"

#include <string>

// What a person can do to the backward pass of a document. dY and the target themselves are edited
// like X (SetCells and FillCells with Input::dy and Input::target).
namespace normscope {

struct SetLossEntry { // the one entry of Y that is the loss
    Index token, feature;
};
struct LearnSteps { // γ −= lr·dγ, β −= lr·dβ, so many times
    int steps;
};
// γ, β and the reach of their faders as they were before the first step (1 and 0 where nobody kept
// them), no losses yet.
struct RestartLearning {};

// As apply() and describe() of edit.h.
Result<Document> apply(const Document& document, const SetLossEntry& edit);
Result<Document> apply(const Document& document, const LearnSteps& edit);
Result<Document> apply(const Document& document, const RestartLearning& edit);
std::string describe(const SetLossEntry& edit, const Document& before);
std::string describe(const LearnSteps& edit, const Document& before);
std::string describe(const RestartLearning& edit, const Document& before);

// dy or target as typed, or the pattern that stands for it; x and f as they are.
Shared<Matrix<double>> input_values(const Document& document, Input which);

} // namespace normscope
