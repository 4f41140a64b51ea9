#pragma once
#include "core/base/lists.h"
#include "core/base/matrix.h"
#include "core/base/result.h"

#include <cmath>
#include <cstddef>
#include <span>

namespace normscope {

// Why word `id` of token `token` is none of the V words.
inline Error not_a_word(std::size_t token, Index id, Index vocabulary) {
    return error_of(
        "token {} is word {}, which the vocabulary of {} words does not have: its words are "
        "0 to {}",
        token, id, vocabulary, vocabulary - 1);
}

// Errors: an id that is none of the V words; the message names it and its place.
inline Result<void> check_words(std::span<const Index> ids, Index vocabulary) {
    for (const auto t : indices(ids))
        if (ids[t] < 0 || ids[t] >= vocabulary)
            return tl::unexpected(not_a_word(t, ids[t], vocabulary));
    return {};
}

// Rows of a table, one a word, scaled: y_t = s·E[id_t] (Vaswani et al. 2017, section 3.4: s = √D).
// table: V×D. Into rows first_row … of `y`. Errors: those of check_words().
template<class S>
Result<void> embed(const Matrix<S>& table, std::span<const Index> ids, double scale, Matrix<S>& y,
                   Index first_row = 0) {
    TRY(check_words(ids, table.rows()));
    for (const auto t : indices(ids))
        y.row(first_row + static_cast<Index>(t)) = table.row(ids[t]) * static_cast<S>(scale);
    return {};
}

// dE[id_t] += s·dy_t, from the same rows of `dy` into dtable, V×D.
template<class S>
void embed_backward(std::span<const Index> ids, double scale, const Matrix<S>& dy, Index first_row,
                    Matrix<S>& dtable) {
    for (const auto t : indices(ids))
        dtable.row(ids[t]) += dy.row(first_row + static_cast<Index>(t)) * static_cast<S>(scale);
}

// The first `tokens` rows of the sinusoidal table (Vaswani et al. 2017, section 3.5):
//   PE(pos, 2i) = sin(pos/10000^(2i/D)),  PE(pos, 2i+1) = cos(pos/10000^(2i/D))
template<class S>
Matrix<S> sinusoidal_positions(Index tokens, Index features) {
    Matrix<S> out(tokens, features);
    for (Index d = 0; d < features; ++d) {
        const double exponent = static_cast<double>(d - d % 2) / static_cast<double>(features);
        const double wavelength = std::pow(10000.0, exponent);
        for (Index pos = 0; pos < tokens; ++pos) {
            const double angle = static_cast<double>(pos) / wavelength;
            out(pos, d) = static_cast<S>(d % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    }
    return out;
}

} // namespace normscope
