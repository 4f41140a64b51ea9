#pragma once
#include "app/model/document.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace normscope {

// Questions to think about before looking: what does this change do to that number?
std::size_t prediction_count();
std::string_view prediction_question(std::size_t index);

// The program's answer to a question on this document: "−0.06 → 0.94".
struct PredictionAnswer {
    std::string measured;
    std::string reason; // why it is so
};

// Applies the question's change to a copy of the document and measures before and after.
PredictionAnswer answer(std::size_t index, const Document& document);

} // namespace normscope
