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
    std::uint16_t method = 0; // 0: stored, 8: deflated
    bool encrypted = false;
    std::uint32_t crc = 0;
    std::uint32_t packed = 0; // bytes in the archive
    std::uint32_t size = 0;   // bytes unpacked
    std::uint32_t header = 0; // where its local header is
};

bool is_zip(std::string_view bytes);

// What the central directory lists. The error begins with `file_name`.
Result<std::vector<ZipMember>> list_zip(std::string_view bytes, std::string_view file_name);

// The bytes of a member, compared with its checksum. The error begins with `file_name`.
Result<std::string> read_zip_member(std::string_view bytes, const ZipMember& member,
                                    std::string_view file_name);

} // namespace normscope
