#pragma once
#include "app/document/document.h"

#include <array>
#include <optional>

namespace normscope {

// The norms that are compared, in the order of their cards.
inline constexpr std::array<NormKind, 3> k_compared_norms = {NormKind::layer, NormKind::batch,
                                                             NormKind::rms};
inline constexpr std::size_t k_compared_count = k_compared_norms.size();

// x̂ of Z by one norm: no γ, no β. In double.
struct NormOfZ {
    NormKind kind = NormKind::layer;
    NormCache<double> cache; // x̂ is NaN where the norm refuses Z
    Vector<double> variance; // σ² of every group; rms: mean z²
    std::optional<Error> error;

    Axis group_axis() const { return kind == NormKind::batch ? Axis::feature : Axis::token; }
};

// The same Z = X + F(X) by all of them, with the document's ε.
struct NormsOfZ {
    Matrix<double> z;
    std::array<NormOfZ, k_compared_count> norms;
};

NormsOfZ norms_of_z(const Document& document);

// Who touches whom under each norm: n×n of the first n tokens (see influence_matrix()), n as large
// as can be computed within a frame. Empty where the norm refuses Z.
struct Influences {
    Index tokens = 0; // n
    std::array<Matrix<double>, k_compared_count> of;
};

Influences influences(const NormsOfZ& norms);

// The least block of cells that holds all that changed; no rows where nothing did.
struct MovedBlock {
    Index row = 0, col = 0, rows = 0, cols = 0;
};

// How far every value of x̂ moved: between two Z of one shape, or where one value of Z is raised.
struct Touch {
    std::array<Matrix<double>, k_compared_count> change; // T×D, x̂ after − x̂ before
    std::array<Index, k_compared_count> moved{};         // values that changed
    std::array<double, k_compared_count> largest{};      // |change|, NaN left out
    std::array<MovedBlock, k_compared_count> bounds{};   // around all that changed
};

// Matrices of more values than this have no Touch: it would cost more than a frame.
inline constexpr Index k_most_touch = 1 << 19;

Touch touch_between(const NormsOfZ& before, const NormsOfZ& after);
Touch touch_of(const Document& document, const NormsOfZ& norms, Index token, Index feature,
               double by);

} // namespace normscope
