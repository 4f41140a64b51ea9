#pragma once
#include <string>
#include <string_view>
#include <vector>

// Files of other programs that hold no table which is read here, told by what is in them.
namespace normscope {

// What `bytes` are and what to do instead, as the end of a sentence: "is a PNG picture: …"; empty
// where nothing is known of them.
std::string foreign_kind(std::string_view bytes);

// The same of a zip file, by the names in it.
std::string foreign_zip_kind(const std::vector<std::string>& names);

} // namespace normscope
