#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Zip files: numpy.savez writes them, and so do many other programs.
namespace normscope {

struct ZipMember {
    std::string name;
    std::uint64_t method = 0; // 0: stored, 8: deflated
    bool encrypted = false;
    std::uint64_t crc = 0;
    std::uint64_t packed = 0; // bytes in the archive
    std::uint64_t size = 0;   // bytes unpacked
    std::uint64_t header = 0; // where its local header is
};

bool is_zip(std::string_view bytes);

// The members that the central directory lists. The error begins with `file_name`.
Result<std::vector<ZipMember>> list_zip(std::string_view bytes, std::string_view file_name);

// The bytes of a member, compared with its checksum. The error begins with `file_name`.
Result<std::string> read_zip_member(std::string_view bytes, const ZipMember& member,
                                    std::string_view file_name);

enum class Packing { gzip, deflate }; // deflate: as within a zip file, without a header

inline constexpr std::string_view k_gzip_magic = "\x1F\x8B"; // how gzip's bytes begin

// Unpacks zlib's bytes, or all members of gzip, one after the other. At most `most` bytes: a small
// file can unpack to more than the memory holds. The error begins with `file_name`.
Result<std::string> unpack(std::string_view packed, Packing packing, std::uint64_t most,
                           std::string_view file_name);

// Packs by gzip.
std::string pack(std::string_view bytes);

} // namespace normscope
