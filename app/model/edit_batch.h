#pragma once
#include "app/model/document.h"

#include <string>
#include <variant>

// What a person can do where batch norm and layer norm are compared.
namespace normscope {

// A block of Z, its top left corner at (token, feature): X becomes what makes Z = X + F(X) those
// values; without the skip Z is F(X), and F(X) becomes them. `grow` as in SetCells.
struct SetZ {
    Index token, feature;
    Matrix<double> values;
    bool grow = false;
};
struct SetBatchSize { // the first so many tokens
    Index tokens;
};
struct SetMomentum {
    double momentum;
};
struct SetUpdates {
    int updates;
};
struct SetNanBatch { // 0: none
    int update;
};
struct ResetRunning {}; // no updates yet, no NaN batch
struct SetBatchSeed {
    std::uint64_t seed;
};
struct SetSentenceLength {
    std::size_t sentence;
    Index words;
};
struct SetPadding {
    Padding padding;
};
struct SetLeak {
    SentenceCell cell;
};

using BatchChange =
    std::variant<SetZ, SetBatchSize, SetMomentum, SetUpdates, SetNanBatch, ResetRunning,
                 SetBatchSeed, SetSentenceLength, SetPadding, SetLeak>;

struct EditBatch {
    BatchChange change;
};

// As apply() and describe() of edit.h.
Result<Document> apply(const Document& document, const EditBatch& edit);
std::string describe(const EditBatch& edit, const Document& before);

} // namespace normscope
