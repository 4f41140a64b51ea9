#pragma once
#include "core/base/matrix.h"
#include "core/base/result.h"

#include <cstddef>
#include <span>

namespace normscope {

// Why word `id` of token `token` is none of the V words.
Error not_a_word(std::size_t token, Index id, Index vocabulary);

// Errors: an id that is none of the V words; the message names it and its place.
Result<void> check_words(std::span<const Index> ids, Index vocabulary);

// Rows of a table, one a word, scaled: y_t = s·E[id_t] (Vaswani et al. 2017, section 3.4: s = √D).
// table: V×D. Into rows first_row … of `y`. Errors: those of check_words().
template<class S>
Result<void> embed(const Matrix<S>& table, std::span<const Index> ids, double scale, Matrix<S>& y,
                   Index first_row = 0);

// dE[id_t] += s·dy_t, from the same rows of `dy` into dtable, V×D.
template<class S>
void embed_backward(std::span<const Index> ids, double scale, const Matrix<S>& dy, Index first_row,
                    Matrix<S>& dtable);

// The first `tokens` rows of the sinusoidal table (Vaswani et al. 2017, section 3.5):
//   PE(pos, 2i) = sin(pos/10000^(2i/D)),  PE(pos, 2i+1) = cos(pos/10000^(2i/D))
template<class S>
Matrix<S> sinusoidal_positions(Index tokens, Index features);

} // namespace normscope
