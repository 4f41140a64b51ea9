#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// Files of other programs that hold nothing which is read here, told by what is in them.
namespace normscope {

enum class Wanted : std::uint8_t { table, weights };

// What `bytes` are and what to do instead, as the end of a sentence: "is a PNG picture: …"; empty
// where nothing is known of them.
std::string foreign_kind(std::string_view bytes, Wanted wanted = Wanted::table);

// The same of a zip file, by the names in it.
std::string foreign_zip_kind(const std::vector<std::string>& names, Wanted wanted = Wanted::table);

} // namespace normscope
