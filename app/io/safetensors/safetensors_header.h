#pragma once
#include "app/io/safetensors/safetensors.h"

namespace normscope {

inline constexpr std::string_view k_metadata_key = "__metadata__";
inline constexpr std::size_t k_length_bytes = 8;           // before the header
inline constexpr std::uint64_t k_max_header = 100'000'000; // bytes

struct SafetensorsHeader {
    std::vector<TensorEntry> tensors; // by name
    TextByKey metadata;
};

// The JSON of a header, checked against the `data_bytes` bytes that follow it: the tensors lie
// without a gap or an overlap, and each is as long as its shape and type say. Errors begin with
// `file_name`.
Result<SafetensorsHeader> read_safetensors_header(std::string_view json, std::uint64_t data_bytes,
                                                  const std::string& file_name);

} // namespace normscope
