#pragma once
#include "app/study/add_norm/derived.h"

#include <Eigen/Core>
#include <cstdint>
#include <vector>

// A token of three features is a point, which Add & Norm moves.
namespace normscope {

inline constexpr Index k_space_features = 3;

// Z and where the document's steps bring it: without a mean to take off, `centred` is z.
struct TokenWay {
    Eigen::Vector3d z, centred, x_hat, scaled, y; // Z, Z − μ, x̂, γ⊙x̂, Y
    Eigen::Vector3d gamma, beta;
};

// The locus of all x̂; where ε counts they lie within it.
enum class Lies : std::uint8_t {
    on_circle, // of radius √3 in the plane of mean 0
    on_sphere, // of radius √3: no mean is taken off
    on_rays,   // where the token was, but nearer or farther: what divides is no mean of squares
    shifted,   // anywhere: each axis has its own μ and σ
    at_zero,   // every value is a group of its own
    unmoved    // where Z is
};

struct Geometry {
    Lies lies;
    bool centres; // some mean is taken off
    std::vector<TokenWay> tokens;
    Eigen::Vector3d mean, spread; // of the axes, μ and s, where they have their own; else 0 and 1

    // Every token is moved by its own statistics alone.
    bool of_tokens() const { return lies <= Lies::on_rays; }
};

// The ways of the first `most` tokens. `derived` is of a document of three features.
Geometry geometry_of(const Derived& derived, Index most);

// The length of x̂ of a token whose Z − μ is `centred`: √(D·v / (v + ε)) of a mean square v.
double x_hat_length(const Eigen::Vector3d& centred, const Spread& spread, double eps);

} // namespace normscope
