#pragma once
#include <Eigen/Core>

// Vocabulary of the numerics. Letters used in shapes everywhere:
//   T  tokens (rows, samples)      D  features (columns)
// A matrix of activations is T×D, row-major: one token is contiguous in memory.
namespace normscope {

using Index = Eigen::Index;

template<class S>
using Matrix = Eigen::Matrix<S, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

template<class S>
using Vector = Eigen::Matrix<S, Eigen::Dynamic, 1>;

} // namespace normscope
