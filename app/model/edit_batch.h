#pragma once
#include "app/model/document.h"

#include <string>

// What a person can do where batch norm and layer norm are compared.
namespace normscope {

// A block of Z, its top left corner at (token, feature): X becomes what makes Z = X + F(X) those
// values; without the skip Z is F(X), and F(X) becomes them. `grow` as in SetCells.
struct SetZ {
    Index token, feature;
    Matrix<double> values;
    bool grow = false;
};
struct ResetRunning {}; // no updates yet, no NaN batch

// As apply() and describe() of edit.h.
Result<Document> apply(const Document& document, const SetZ& edit);
Result<Document> apply(const Document& document, const ResetRunning& edit);
std::string describe(const SetZ& edit, const Document& before);
std::string describe(const ResetRunning& edit, const Document& before);

} // namespace normscope
