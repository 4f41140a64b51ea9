#pragma once
#include <cstdint>
#include <string_view>

namespace normscope {

// A hash of a text that is the same everywhere (Fowler, Noll, Vo: FNV-1a, 64 bits): the key of its
// random_stream().
constexpr std::uint64_t fnv1a(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

} // namespace normscope
