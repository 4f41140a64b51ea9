#include "app/io/safetensors/element_type.h"

#include "core/base/matrix.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace normscope {

namespace {

template<class T>
double convert(const char* at) {
    std::array<char, sizeof(T)> bytes;
    std::copy_n(at, sizeof(T), bytes.begin());
    return static_cast<double>(std::bit_cast<T>(bytes));
}

double convert_bool(const char* at) {
    return *at == 0 ? 0.0 : 1.0;
}

constexpr ElementType k_element_types[] = {
    {"f2", "F16", "float16", 2, convert<Eigen::half>},
    {k_npy_bfloat16, "BF16", "bfloat16", 2, convert<Eigen::bfloat16>},
    {"f4", "F32", "float32", 4, convert<float>},
    {"f8", "F64", "float64", 8, convert<double>},
    {"i1", "I8", "int8", 1, convert<std::int8_t>},
    {"i2", "I16", "int16", 2, convert<std::int16_t>},
    {"i4", "I32", "int32", 4, convert<std::int32_t>},
    {"i8", "I64", "int64", 8, convert<std::int64_t>},
    {"u1", "U8", "uint8", 1, convert<std::uint8_t>},
    {"u2", "U16", "uint16", 2, convert<std::uint16_t>},
    {"u4", "U32", "uint32", 4, convert<std::uint32_t>},
    {"u8", "U64", "uint64", 8, convert<std::uint64_t>},
    {"b1", "BOOL", "bool", 1, convert_bool},
};

} // namespace

std::span<const ElementType> element_types() {
    return k_element_types;
}

std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t count) {
    std::uint64_t number = 0;
    while (count-- > 0) number = number << 8 | static_cast<unsigned char>(bytes[at + count]);
    return number;
}

double read_value(const char* at, const ElementType& type, bool swapped) {
    if (!swapped) return type.to_double(at);
    std::array<char, 8> bytes{};
    std::reverse_copy(at, at + type.bytes, bytes.begin());
    return type.to_double(bytes.data());
}

template<class S>
void append_little_endian(std::string& out, std::span<const S> values) {
    const std::size_t start = out.size();
    out.resize(start + values.size_bytes());
    if (!values.empty()) std::memcpy(out.data() + start, values.data(), values.size_bytes());
    if constexpr (std::endian::native != std::endian::little) {
        for (std::size_t i = start; i < out.size(); i += sizeof(S))
            std::reverse(out.data() + i, out.data() + i + sizeof(S));
    }
}

NORMSCOPE_IN_BOTH_PRECISIONS(append_little_endian);

} // namespace normscope
