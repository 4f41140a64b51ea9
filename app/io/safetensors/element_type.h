#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// The types of the values in .npy and .safetensors files, and how their bytes become numbers.
namespace normscope {

struct ElementType {
    std::string_view npy;         // NumPy's kind and bytes: "f4"
    std::string_view safetensors; // "F32"
    std::string_view name;        // "float32"
    std::size_t bytes;
    double (*to_double)(const char*); // in this machine's byte order
};

std::span<const ElementType> element_types();

// NumPy has no bfloat16 and saves it as two bytes without a meaning.
inline constexpr std::string_view k_npy_bfloat16 = "V2";

// The whole number that `count` bytes from `at` on stand for, the least significant first.
std::uint64_t little_endian(std::string_view bytes, std::size_t at, std::size_t count);

// One value; `swapped`: its byte order is not this machine's.
double read_value(const char* at, const ElementType& type, bool swapped);

// The bytes of `values`, the least significant of each first.
template<class S>
void append_little_endian(std::string& out, std::span<const S> values);

} // namespace normscope
