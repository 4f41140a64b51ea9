#pragma once
#include "app/cli/command.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

// The columns that commands print, and the files that they write into a folder.
namespace normscope {

struct OutputFile {
    std::string name; // may begin with a folder: "grad/src_embed.weight.npy"
    std::string bytes;
};

// Makes the folder where there is none.
CommandResult write_files(const std::filesystem::path& folder,
                          const std::vector<OutputFile>& files);

// The object that --json prints and that tables show.
using Json = nlohmann::ordered_json;

template<class T>
Json json_or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json();
}

// A column of a table, and where its values stand in the JSON of a line: "/final/loss". Of several
// seeds it has the mean_over_seeds(), or the mean of what may be negative or adds up to 1.
enum class Mean : std::uint8_t { geometric, arithmetic };
struct TableColumn {
    const char *title, *at; // {} stands for the index that add() is told
    Mean mean = Mean::geometric;
};

// Right-aligned columns, as wide as their widest cell: those of words, then those of numbers.
class TextTable {
  public:
    TextTable(std::vector<std::string> titles, std::span<const TableColumn> columns);
    // `seeds`: a list of what stands `under` a place in each. A null is a dash, and what is not
    // there a blank.
    void add(std::vector<std::string> words, const Json& seeds, const std::string& under = {},
             std::size_t index = 0);
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    std::string text() const;

  private:
    std::vector<TableColumn> columns_;
    std::vector<std::vector<std::string>> rows_;
};

// A number to four significant digits.
std::string shown(double value);

} // namespace normscope
