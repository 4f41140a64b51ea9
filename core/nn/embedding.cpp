#include "core/nn/embedding.h"

#include <cmath>

namespace normscope {

Error not_a_word(std::size_t token, Index id, Index vocabulary) {
    return error_of(
        "token {} is word {}, which the vocabulary of {} words does not have: its words are "
        "0 to {}",
        token, id, vocabulary, vocabulary - 1);
}

Result<void> check_words(std::span<const Index> ids, Index vocabulary) {
    for (std::size_t t = 0; t < ids.size(); ++t)
        if (ids[t] < 0 || ids[t] >= vocabulary)
            return tl::unexpected(not_a_word(t, ids[t], vocabulary));
    return {};
}

template<class S>
Result<void> embed(const Matrix<S>& table, std::span<const Index> ids, double scale, Matrix<S>& y,
                   Index first_row) {
    if (auto ok = check_words(ids, table.rows()); !ok) return ok;
    for (std::size_t t = 0; t < ids.size(); ++t)
        y.row(first_row + static_cast<Index>(t)) = table.row(ids[t]) * static_cast<S>(scale);
    return {};
}

template<class S>
void embed_backward(std::span<const Index> ids, double scale, const Matrix<S>& dy, Index first_row,
                    Matrix<S>& dtable) {
    for (std::size_t t = 0; t < ids.size(); ++t)
        dtable.row(ids[t]) += dy.row(first_row + static_cast<Index>(t)) * static_cast<S>(scale);
}

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

template decltype(embed<float>) embed<float>;
template decltype(embed<double>) embed<double>;
template decltype(embed_backward<float>) embed_backward<float>;
template decltype(embed_backward<double>) embed_backward<double>;
template decltype(sinusoidal_positions<float>) sinusoidal_positions<float>;
template decltype(sinusoidal_positions<double>) sinusoidal_positions<double>;

} // namespace normscope
