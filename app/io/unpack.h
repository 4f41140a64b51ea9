#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace normscope {

enum class Packing { gzip, deflate }; // deflate: as within a zip file, without a header

inline constexpr std::string_view k_gzip_magic = "\x1F\x8B"; // how gzip's bytes begin

// What zlib packed; of gzip all members, one after the other. At most `most` bytes: a small file
// can unpack to more than the memory holds. The error begins with `file_name`.
Result<std::string> unpack(std::string_view packed, Packing packing, std::uint64_t most,
                           std::string_view file_name);

} // namespace normscope
