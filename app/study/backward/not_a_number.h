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

// Why a gradient is NaN or ∞: such an entry, ε = 0 below a variance of 0, or an overflow, also one
// that leaves gradients of 0. Nothing where no gradient is.
std::optional<NotANumber> why_not_a_number(const Backward& backward);

// The same of dz of one group that is not finite, among what lies in the group; nothing where the
// cause lies elsewhere, as that of a batch-normed feature may through the loss.
std::optional<NotANumber> why_not_a_number(const Backward& backward, Index group);

} // namespace normscope
