#pragma once
#include "app/model/document.h"

#include <optional>
#include <string>

namespace normscope {

class Backward;

// Why something computed is NaN or ∞, and what to do.
struct NotANumber {
    std::string cause;     // "X[studying, d3] is NaN"
    std::string way_out;   // a sentence
    bool infinite = false; // the entry that is named is ±∞

    // Both; in a picture, where nothing can be done, the cause alone.
    std::string words(bool in_picture) const {
        return in_picture ? cause + "." : cause + ". " + way_out;
    }
    bool operator==(const NotANumber&) const = default;
};

// The first entry of what Z is the sum of, or of γ and β, that is NaN or ∞.
std::optional<NotANumber> not_a_number_in_z(const Document& document);
std::optional<NotANumber> not_a_number_in_affine(const Document& document);

// Why a gradient is NaN, ∞ or, by an overflow, 0: such an entry, or ε = 0 at a variance of 0.
std::optional<NotANumber> why_not_a_number(const Backward& backward);

// Why dX (without the skip dF(X)) is 0 whatever the numbers are: a loss that asks for what the norm
// takes away. None while a gradient comes through, a term is broken, or the target is reached.
std::optional<std::string> vanishing_reason(const Backward& backward);

} // namespace normscope
