#include "app/io/npy.h"

#include "app/io/json_reader.h"
#include "app/io/safetensors/element_type.h"
#include "app/io/text.h"
#include "app/language/language.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace normscope {

namespace {

constexpr std::string_view k_magic = "\x93NUMPY";
constexpr std::size_t k_version_bytes = 2;
constexpr std::size_t k_alignment = 64;
constexpr std::size_t k_max_dimensions = 3;

struct NpyHeader {
    std::string descr; // byte order, kind and size: "<f4"
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
    std::size_t data_offset = 0; // where the values begin
};

// A Python dict literal such as {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4L), } as
// JSON.
std::string as_json(std::string_view dict) {
    constexpr std::string_view k_python = "'()TF", k_json = "\"[]tf";
    std::string out;
    for (const char c : dict) {
        if (c == '}' || c == ')') out.erase(out.find_last_not_of(", ") + 1);
        const std::size_t at = k_python.find(c);
        if (c != 'L') out += at == k_python.npos ? c : k_json[at];
    }
    return out;
}

Result<NpyHeader> read_dict(std::string_view dict) {
    const auto json = parse_json(as_json(dict), {});
    const auto has = [&](const char* key) { return json->contains(key); };
    if (!json || json->size() != 3 || !has("descr") || !has("fortran_order") || !has("shape"))
        return fail("expected the keys 'descr', 'fortran_order' and 'shape', once each");
    const auto &descr = json->at("descr"), &order = json->at("fortran_order");
    if (!descr.is_string())
        return fail("expected one type for all values ('descr' is not a string)");
    if (!order.is_boolean()) return fail("expected True or False");
    NpyHeader header{descr.get<std::string>(), order.get<bool>(), {}};
    if (!json->at("shape").is_array()) return fail("expected the shape in brackets");
    for (const auto& side : json->at("shape")) {
        if (!side.is_number_unsigned())
            return fail("expected a shape of whole numbers, none of them negative");
        header.shape.push_back(side.get<std::uint64_t>());
    }
    return header;
}

// Magic, version, length and dict.
Result<NpyHeader> read_npy_header(std::string_view bytes, std::string_view file_name) {
    const std::string name(file_name);
    if (bytes.empty()) return fail("{}: the file is empty: expected a NumPy array.", name);
    if (!bytes.starts_with(k_magic))
        return fail(
            "{}: byte 1 does not begin a NumPy array: expected the file that numpy.save writes.",
            name);
    const std::size_t length_at = k_magic.size() + k_version_bytes;
    const std::string cut_short =
        worded("{}: the file ends after {} bytes, inside its header: expected a whole .npy file.",
               name, bytes.size());
    if (bytes.size() < length_at) return fail(cut_short);
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
    const unsigned major = byte(k_magic.size());
    const unsigned minor = byte(k_magic.size() + 1);
    if (major < 1 || major > 3 || minor != 0)
        return fail("{}: bytes 7 and 8 say format version {}.{}: expected 1.0, 2.0 or 3.0.", name,
                    major, minor);
    const std::size_t length_bytes = major == 1 ? 2 : 4;
    const std::size_t dict_at = length_at + length_bytes;
    if (bytes.size() < dict_at) return fail(cut_short);
    const std::size_t length = little_endian(bytes, length_at, length_bytes);
    if (length > bytes.size() - dict_at) return fail(cut_short);

    auto header = read_dict(bytes.substr(dict_at, length));
    if (!header) return fail("{}: the dict of the header: {}.", name, header.error());
    header->data_offset = dict_at + length;
    return header;
}

// The bytes before the values, padded to a multiple of 64, version 1.0, C order.
std::string write_npy_header(std::string_view descr, const std::vector<Index>& shape) {
    std::string dict = "{'descr': '" + std::string(descr) + "', 'fortran_order': False, 'shape': (";
    for (const auto i : indices(shape)) {
        dict += (i > 0 ? " " : "") + std::to_string(shape[i]);
        if (i + 1 < shape.size() || shape.size() == 1) dict += ',';
    }
    dict += "), }";
    const std::size_t prefix = k_magic.size() + k_version_bytes + 2;
    const std::size_t used = prefix + dict.size() + 1; // the line end that closes the header
    // NumPy leaves room for the first side to grow to 21 digits, so its headers fill two blocks.
    const std::size_t total = std::max<std::size_t>(2 * k_alignment, (used + k_alignment - 1) /
                                                                         k_alignment * k_alignment);
    dict.append(total - used, ' ');
    dict += '\n';
    std::string out(k_magic);
    out += '\x01';
    out += '\0';
    out += static_cast<char>(dict.size() & 0xFF);
    out += static_cast<char>(dict.size() >> 8);
    return out + dict;
}

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
    return "(" + joined(shape) + (shape.size() == 1 ? ",)" : ")");
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
        return fail("{}: the array has {} dimensions: expected a matrix (T, D), a vector "
                    "(D,) or a stack of matrices (N, T, D).",
                    name, header.shape.size());
    const auto [slices, rows, cols] = as_stack(header.shape);
    if (slices == 0 || rows == 0 || cols == 0)
        return fail("{}: the array holds no values, its shape is {}: expected at least one.", name,
                    shape);
    TRY(check_size(file_name, rows, cols));
    if (slices > static_cast<std::uint64_t>(k_max_values) / (rows * cols))
        return fail("{}: the array's shape is {}: expected at most {} values in all.", name, shape,
                    k_max_values);
    return {};
}

// The values from whichever order they lie in. `data` holds exactly as many as the stack needs.
Matrix<double> decode(std::string_view data, const std::array<std::uint64_t, 3>& stack,
                      const Encoding& encoding, bool fortran_order) {
    const auto [slices, rows, cols] = stack;
    Matrix<double> values(static_cast<Index>(slices * rows), static_cast<Index>(cols));
    for (std::uint64_t n = 0; n < slices; ++n)
        for (std::uint64_t row = 0; row < rows; ++row)
            for (std::uint64_t col = 0; col < cols; ++col) {
                const std::uint64_t at =
                    fortran_order ? (col * rows + row) * slices + n : (n * rows + row) * cols + col;
                values(static_cast<Index>(n * rows + row), static_cast<Index>(col)) = read_value(
                    data.data() + at * encoding.type.bytes, encoding.type, encoding.swapped);
            }
    return values;
}

} // namespace

Result<NpyArray> read_npy(std::string_view bytes, std::string_view file_name) {
    NpyHeader header = TRY(read_npy_header(bytes, file_name));
    const std::optional<Encoding> encoding = find_encoding(header.descr);
    const std::string name(file_name);
    if (!encoding)
        return fail("{}: the values are of type {}: expected float16/32/64, bfloat16, an "
                    "integer type or bool.",
                    name, quote_for_message(header.descr));
    TRY(check_shape(header, file_name));
    const std::array<std::uint64_t, 3> stack = as_stack(header.shape);
    // At most k_max_values × 8 by now, so this does not overflow.
    const std::uint64_t needed = stack[0] * stack[1] * stack[2] * encoding->type.bytes;
    const std::string_view data = bytes.substr(header.data_offset);
    if (data.size() != needed)
        return fail("{}: {} bytes of values follow the header: expected {} for shape {} of {}.",
                    name, data.size(), needed, describe(header.shape), encoding->type.name);
    NpyArray array;
    for (const std::uint64_t side : header.shape) array.shape.push_back(static_cast<Index>(side));
    array.dtype = encoding->type.name;
    array.slices = static_cast<Index>(stack[0]);
    array.stacked = decode(data, stack, *encoding, header.fortran_order);
    return array;
}

Result<Matrix<double>> slice(const NpyArray& array, Index index) {
    if (index < 0 || index >= array.slices)
        return fail("slice {} is not there: expected 0 to {}.", index, array.slices - 1);
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
