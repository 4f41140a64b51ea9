#pragma once
#include "app/language/language.h"
#include "core/base/result.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// Speaks a language of languages() by assets/languages/ID.po and lessons.ID.po; "" is that of the
// system. Returns the entries that cannot be used. Error, and English: there is no such language,
// or its catalogue cannot be read.
Result<std::vector<std::string>> speak_language(const std::filesystem::path& assets,
                                                std::string_view id);

const Language& spoken_language();

} // namespace normscope
