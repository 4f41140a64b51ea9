#pragma once
#include "core/base/result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace normscope {

// The program's sentences in another language.
struct Catalogue {
    struct Hash : std::hash<std::string_view> {
        using is_transparent = void;
    };
    std::unordered_map<std::string, std::string, Hash, std::equal_to<>>
        words; // by key_of() the English ones

    // The translation; none where the catalogue has none.
    std::optional<std::string_view> find(std::string_view key) const;
};

// Tells two meanings of the same words apart, as gettext does: "verdict", "right".
std::string key_of(std::string_view context, std::string_view english);

struct ReadCatalogue {
    Catalogue catalogue;
    // The faults of entries, each by its line: the program says their English sentences.
    std::vector<std::string> problems;
};

// Reads gettext's .po: UTF-8, without plural forms. An entry that is empty or marked
// fuzzy is left out. The error names `file` and the line that cannot be read.
Result<ReadCatalogue> read_catalogue(std::string_view po, const std::string& file);

// The texts in braces, sorted, each once: "0:.2f" of both "{:.2f}" and "{0:.2f}", "gamma[d3]" of a
// lesson's "{gamma[d3]}". A translation has the same placeholders, in any order. None: a brace does
// not close.
std::optional<std::vector<std::string>> placeholders(std::string_view words);

} // namespace normscope
