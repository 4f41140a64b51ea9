#include "app/io/npy.h"

#include "app/io/limits.h"
#include "app/io/npy_header.h"
#include "app/io/utf8.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

namespace normscope {

namespace {

constexpr std::size_t k_max_dimensions = 3;

// A NumPy type this program reads, and how one value of it, in this machine's byte order, becomes
// a double.
struct ElementType {
    std::string_view code; // kind and bytes
    std::string_view name;
    std::size_t bytes;
    double (*to_double)(const char*);
};

template<class T>
double convert(const char* at) {
    T value;
    std::memcpy(&value, at, sizeof value);
    return static_cast<double>(value);
}

double convert_half(const char* at) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    return static_cast<double>(Eigen::numext::bit_cast<Eigen::half>(bits));
}

// The upper half of a float32.
double convert_bfloat16(const char* at) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, at, sizeof bits);
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16));
}

double convert_bool(const char* at) {
    return *at == 0 ? 0.0 : 1.0;
}

// NumPy has no bfloat16 and saves it as two bytes without a meaning ("V2").
constexpr std::string_view k_bfloat16 = "V2";

constexpr std::array<ElementType, 13> k_element_types{{
    {"f2", "float16", 2, convert_half},
    {k_bfloat16, "bfloat16", 2, convert_bfloat16},
    {"f4", "float32", 4, convert<float>},
    {"f8", "float64", 8, convert<double>},
    {"i1", "int8", 1, convert<std::int8_t>},
    {"i2", "int16", 2, convert<std::int16_t>},
    {"i4", "int32", 4, convert<std::int32_t>},
    {"i8", "int64", 8, convert<std::int64_t>},
    {"u1", "uint8", 1, convert<std::uint8_t>},
    {"u2", "uint16", 2, convert<std::uint16_t>},
    {"u4", "uint32", 4, convert<std::uint32_t>},
    {"u8", "uint64", 8, convert<std::uint64_t>},
    {"b1", "bool", 1, convert_bool},
}};

struct Encoding {
    ElementType type;
    bool swapped = false; // the file's byte order is not this machine's
};

std::optional<Encoding> find_encoding(std::string_view descr) {
    if (descr.size() != 3) return std::nullopt;
    const char order = descr.front();
    if (std::string_view("<>=|").find(order) == std::string_view::npos) return std::nullopt;
    for (const ElementType& type : k_element_types) {
        if (type.code != descr.substr(1)) continue;
        if (order == '|' && type.bytes > 1 && type.code != k_bfloat16) return std::nullopt;
        const bool little = std::endian::native == std::endian::little;
        return Encoding{type, order == (little ? '>' : '<')};
    }
    return std::nullopt;
}

double read_value(const char* at, const Encoding& encoding) {
    if (!encoding.swapped) return encoding.type.to_double(at);
    std::array<char, 8> bytes{};
    std::reverse_copy(at, at + encoding.type.bytes, bytes.begin());
    return encoding.type.to_double(bytes.data());
}

std::string describe(const std::vector<std::uint64_t>& shape) {
    std::string out = "(";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        out += (i > 0 ? ", " : "") + std::to_string(shape[i]);
    }
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
    if (header.shape.size() > k_max_dimensions) {
        return fail(name + ": the array has " + std::to_string(header.shape.size()) +
                    " dimensions: expected a matrix (T, D), a vector (D,) or a stack of matrices "
                    "(N, T, D).");
    }
    const auto [slices, rows, cols] = as_stack(header.shape);
    if (slices == 0 || rows == 0 || cols == 0) {
        return fail(name + ": the array holds no values, its shape is " + shape +
                    ": expected at least one.");
    }
    if (Result<void> sized = check_size(file_name, rows, cols); !sized) return sized;
    if (slices > static_cast<std::uint64_t>(k_max_values) / (rows * cols)) {
        return fail(name + ": the array's shape is " + shape + ": expected at most " +
                    std::to_string(k_max_values) + " values in all.");
    }
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
        for (Index i = 0; i < values.size(); ++i, at += step) {
            values.data()[i] = read_value(at, encoding);
        }
        return values;
    }
    for (std::uint64_t col = 0; col < cols; ++col) {
        for (std::uint64_t row = 0; row < rows; ++row) {
            for (std::uint64_t n = 0; n < slices; ++n, at += step) {
                values(static_cast<Index>(n * rows + row), static_cast<Index>(col)) =
                    read_value(at, encoding);
            }
        }
    }
    return values;
}

template<class S>
std::string write_array(const S* values, std::size_t count,
                        const std::vector<std::uint64_t>& shape) {
    std::string out = write_npy_header(sizeof(S) == 4 ? "<f4" : "<f8", shape);
    const std::size_t start = out.size();
    out.resize(start + count * sizeof(S));
    if (count > 0) std::memcpy(out.data() + start, values, count * sizeof(S));
    if constexpr (std::endian::native != std::endian::little) {
        for (std::size_t i = start; i < out.size(); i += sizeof(S)) {
            std::reverse(out.data() + i, out.data() + i + sizeof(S));
        }
    }
    return out;
}

template<class S>
std::string write_matrix(const Matrix<S>& values) {
    return write_array(
        values.data(), static_cast<std::size_t>(values.size()),
        {static_cast<std::uint64_t>(values.rows()), static_cast<std::uint64_t>(values.cols())});
}

template<class S>
std::string write_vector(const Vector<S>& values) {
    const auto count = static_cast<std::size_t>(values.size());
    return write_array(values.data(), count, {count});
}

} // namespace

Result<NpyArray> read_npy(std::string_view bytes, std::string_view file_name) {
    Result<NpyHeader> header = read_npy_header(bytes, file_name);
    if (!header) return tl::unexpected(std::move(header).error());
    const std::optional<Encoding> encoding = find_encoding(header->descr);
    const std::string name(file_name);
    if (!encoding) {
        return fail(name + ": the values are of type " + quote_for_message(header->descr) +
                    ": expected float16/32/64, bfloat16, an integer type or bool.");
    }
    if (Result<void> shaped = check_shape(*header, file_name); !shaped) {
        return tl::unexpected(std::move(shaped).error());
    }
    const std::array<std::uint64_t, 3> stack = as_stack(header->shape);
    // At most k_max_values × 8 by now, so this does not overflow.
    const std::uint64_t needed = stack[0] * stack[1] * stack[2] * encoding->type.bytes;
    const std::string_view data = bytes.substr(header->data_offset);
    if (data.size() != needed) {
        return fail(name + ": " + std::to_string(data.size()) +
                    " bytes of values follow the header: expected " + std::to_string(needed) +
                    " for shape " + describe(header->shape) + " of " +
                    std::string(encoding->type.name) + ".");
    }
    NpyArray array;
    for (const std::uint64_t side : header->shape) array.shape.push_back(static_cast<Index>(side));
    array.dtype = encoding->type.name;
    array.slices = static_cast<Index>(stack[0]);
    array.stacked = decode(data, stack, *encoding, header->fortran_order);
    return array;
}

Result<Matrix<double>> slice(const NpyArray& array, Index index) {
    if (index < 0 || index >= array.slices) {
        return fail("slice " + std::to_string(index) + " is not there: expected 0 to " +
                    std::to_string(array.slices - 1) + ".");
    }
    const Index rows = array.stacked.rows() / array.slices;
    return Matrix<double>(array.stacked.middleRows(index * rows, rows));
}

std::string write_npy(const Matrix<float>& values) {
    return write_matrix(values);
}
std::string write_npy(const Matrix<double>& values) {
    return write_matrix(values);
}
std::string write_npy(const Vector<float>& values) {
    return write_vector(values);
}
std::string write_npy(const Vector<double>& values) {
    return write_vector(values);
}

} // namespace normscope
