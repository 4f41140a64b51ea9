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

inline Result<Safetensors> read_bytes(std::string bytes, const std::string& name) {
    const std::uint64_t size = bytes.size();
    return read_safetensors(
        {size,
         [bytes = std::move(bytes)](std::uint64_t at, std::uint64_t count) -> Result<std::string> {
             return bytes.substr(at, count);
         }},
        name);
}

inline std::string safetensors_error(std::string bytes) {
    const Result<Safetensors> file = read_bytes(std::move(bytes), "x");
    return file ? "no error" : file.error().message;
}

} // namespace normscope
