#pragma once
#include "core/base/result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace normscope {

// What the program says, sentence by sentence, in another language.
class Catalogue {
  public:
    // None where it has no translation.
    std::optional<std::string_view> find(std::string_view english) const;

    // Takes the place of what was there.
    void put(std::string english, std::string translation);

    std::size_t size() const { return words_.size(); }

    template<class F>
    void each(F&& f) const {
        for (const auto& [english, translation] : words_) f(english, translation);
    }

  private:
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view s) const {
            return std::hash<std::string_view>()(s);
        }
    };
    std::unordered_map<std::string, std::string, Hash, std::equal_to<>> words_;
};

struct ReadCatalogue {
    Catalogue catalogue;
    // Entries that cannot be used, each by its line: the English sentence is said in their place.
    std::vector<std::string> problems;
};

// Reads gettext's .po: UTF-8, without plural forms and contexts. What is empty or marked fuzzy is
// left out. Error: the line that is none of the format; `file` is named.
Result<ReadCatalogue> read_catalogue(std::string_view po, const std::string& file);

// What stands in braces, sorted, each once: "0:.2f" of both "{:.2f}" and "{0:.2f}", "gamma[d3]" of
// a lesson's "{gamma[d3]}". A translation has the same ones, in any order. None: a brace is open.
std::optional<std::vector<std::string>> placeholders(std::string_view words);

} // namespace normscope
