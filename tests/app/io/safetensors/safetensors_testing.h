#pragma once
#include "app/io/safetensors/safetensors.h"

#include <string>

namespace normscope {

using namespace std::string_literals;

inline std::string safetensors_length(std::uint64_t length) {
    std::string bytes;
    for (int i = 0; i < 8; ++i) bytes += static_cast<char>(length >> (8 * i) & 0xFF);
    return bytes;
}

// A file with this header and these bytes of values.
inline std::string safetensors_with(const std::string& header, const std::string& data) {
    return safetensors_length(header.size()) + header + data;
}

inline std::string safetensors_error(std::string_view bytes) {
    const Result<Safetensors> file = read_safetensors(bytes, "x");
    return file ? "no error" : file.error().message;
}

} // namespace normscope
