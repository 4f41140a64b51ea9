#include "app/io/npy.h"

#include "app/io/safetensors/element_type.h"
#include "app/io/table.h"
#include "app/io/utf8.h"
#include "app/language/language.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>

namespace normscope {

namespace {

constexpr std::size_t k_max_dimensions = 3;

struct Encoding {
    ElementType type;
    bool swapped = false; // the file's byte order is not this machine's
};

std::optional<Encoding> find_encoding(std::string_view descr) {
    if (descr.size() != 3) return std::nullopt;
    const char order = descr.front();
    if (std::string_view("<>=|").find(order) == std::string_view::npos) return std::nullopt;
    for (const ElementType& type : element_types()) {
        if (type.npy != descr.substr(1)) continue;
        if (order == '|' && type.bytes > 1 && type.npy != k_npy_bfloat16) return std::nullopt;
        const bool little = std::endian::native == std::endian::little;
        return Encoding{type, order == (little ? '>' : '<')};
    }
    return std::nullopt;
}

std::string describe(const std::vector<std::uint64_t>& shape) {
    std::string out = "(";
    for (std::size_t i = 0; i < shape.size(); ++i)
        out += (i > 0 ? ", " : "") + std::to_string(shape[i]);
    return out + (shape.size() == 1 ? ",)" : ")");
}

// N, T, D for any shape of up to three sides.
std::array<std::uint64_t, 3> as_stack(const std::vector<std::uint64_t>& shape) {
    std::array<std::uint64_t, 3> stack{1, 1, 1};
    std::copy_backward(shape.begin(), shape.end(), stack.end());
    return stack;
}

// Refuses what is not matrices of numbers within the limits, without touching the values.
Result<void> check_shape(const NpyHeader& header, std::string_view file_name) {
    const std::string name(file_name);
    const std::string shape = describe(header.shape);
    if (header.shape.size() > k_max_dimensions)
        return fail(
            name + worded(": the array has ") + std::to_string(header.shape.size()) +
            worded(" dimensions: expected a matrix (T, D), a vector (D,) or a stack of matrices "
                   "(N, T, D)."));
    const auto [slices, rows, cols] = as_stack(header.shape);
    if (slices == 0 || rows == 0 || cols == 0)
        return fail(name + worded(": the array holds no values, its shape is ") + shape +
                    worded(": expected at least one."));
    if (Result<void> sized = check_size(file_name, rows, cols); !sized) return sized;
    if (slices > static_cast<std::uint64_t>(k_max_values) / (rows * cols))
        return fail(name + worded(": the array's shape is ") + shape +
                    worded(": expected at most ") + std::to_string(k_max_values) +
                    worded(" values in all."));
    return {};
}

// The values from whichever order they lie in. `data` holds exactly as many as the stack needs.
Matrix<double> decode(std::string_view data, const std::array<std::uint64_t, 3>& stack,
                      const Encoding& encoding, bool fortran_order) {
    const auto [slices, rows, cols] = stack;
    Matrix<double> values(static_cast<Index>(slices * rows), static_cast<Index>(cols));
    const std::size_t step = encoding.type.bytes;
    const char* at = data.data();
    if (!fortran_order) {
        for (Index i = 0; i < values.size(); ++i, at += step)
            values.data()[i] = read_value(at, encoding.type, encoding.swapped);
        return values;
    }
    for (std::uint64_t col = 0; col < cols; ++col) {
        for (std::uint64_t row = 0; row < rows; ++row) {
            for (std::uint64_t n = 0; n < slices; ++n, at += step)
                values(static_cast<Index>(n * rows + row), static_cast<Index>(col)) =
                    read_value(at, encoding.type, encoding.swapped);
        }
    }
    return values;
}

} // namespace

Result<NpyArray> read_npy(std::string_view bytes, std::string_view file_name) {
    Result<NpyHeader> header = read_npy_header(bytes, file_name);
    if (!header) return tl::unexpected(std::move(header).error());
    const std::optional<Encoding> encoding = find_encoding(header->descr);
    const std::string name(file_name);
    if (!encoding)
        return fail(name + worded(": the values are of type ") + quote_for_message(header->descr) +
                    worded(": expected float16/32/64, bfloat16, an integer type or bool."));
    if (Result<void> shaped = check_shape(*header, file_name); !shaped)
        return tl::unexpected(std::move(shaped).error());
    const std::array<std::uint64_t, 3> stack = as_stack(header->shape);
    // At most k_max_values × 8 by now, so this does not overflow.
    const std::uint64_t needed = stack[0] * stack[1] * stack[2] * encoding->type.bytes;
    const std::string_view data = bytes.substr(header->data_offset);
    if (data.size() != needed)
        return fail(name + ": " + std::to_string(data.size()) +
                    worded(" bytes of values follow the header: expected ") +
                    std::to_string(needed) + worded(" for shape ") + describe(header->shape) +
                    worded(" of ") + std::string(encoding->type.name) + ".");
    NpyArray array;
    for (const std::uint64_t side : header->shape) array.shape.push_back(static_cast<Index>(side));
    array.dtype = encoding->type.name;
    array.slices = static_cast<Index>(stack[0]);
    array.stacked = decode(data, stack, *encoding, header->fortran_order);
    return array;
}

Result<Matrix<double>> slice(const NpyArray& array, Index index) {
    if (index < 0 || index >= array.slices)
        return fail(worded("slice ") + std::to_string(index) +
                    worded(" is not there: expected 0 to ") + std::to_string(array.slices - 1) +
                    ".");
    const Index rows = array.stacked.rows() / array.slices;
    return Matrix<double>(array.stacked.middleRows(index * rows, rows));
}

template<class S>
std::string write_npy(std::span<const S> values, const std::vector<Index>& shape) {
    std::string out = write_npy_header(sizeof(S) == 4 ? "<f4" : "<f8", shape);
    append_little_endian(out, values);
    return out;
}

template std::string write_npy(std::span<const float>, const std::vector<Index>&);
template std::string write_npy(std::span<const double>, const std::vector<Index>&);

} // namespace normscope
