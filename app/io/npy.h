#pragma once
#include "app/io/table.h"
#include "core/base/matrix.h"
#include "core/base/result.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// NumPy's .npy files, versions 1.0, 2.0 and 3.0 (numpy.lib.format).
namespace normscope {

// One array as matrices of float64. A 3-D array of shape (N, T, D) is N slices of T×D; shapes (D,)
// and () are one slice of 1×D and 1×1.
struct NpyArray {
    std::vector<Index> shape; // as in the file: 0 to 3 numbers
    std::string dtype;        // as NumPy names it: "float32", "int64", "bool", …
    Index slices = 1;
    Matrix<double> stacked; // (N·T)×D: the slices, one below the other
};

// Reads float16/32/64, bfloat16, signed and unsigned integers of 8 to 64 bits and bool, of either
// byte order, in C or Fortran order. What the header promises is compared with the bytes there are
// before memory is taken. The error begins with `file_name` and says what was expected.
Result<NpyArray> read_npy(std::string_view bytes, std::string_view file_name);

// Slice `index` of N, T×D. The error says how many there are.
Result<Matrix<double>> slice(const NpyArray& array, Index index);

// The bytes numpy.save would write: version 1.0, little-endian, C order, '<f4' or '<f8'. As many
// float or double values as the shape has.
template<class S>
std::string write_npy(std::span<const S> values, const std::vector<Index>& shape);
template<class S>
std::string write_npy(const Matrix<S>& m) {
    return write_npy(std::span(m.data(), static_cast<std::size_t>(m.size())), {m.rows(), m.cols()});
}
template<class S>
std::string write_npy(const Vector<S>& v) {
    return write_npy(std::span(v.data(), static_cast<std::size_t>(v.size())), {v.size()});
}

} // namespace normscope
