#pragma once
#include "app/cli/command.h"

#include <filesystem>
#include <string>
#include <vector>

// What commands print in columns, and the files that they write into the folder that is named.
namespace normscope {

struct OutputFile {
    std::string name; // may begin with a folder: "grad/src_embed.weight.npy"
    std::string bytes;
};

// Makes the folder where there is none.
CommandResult write_files(const std::filesystem::path& folder,
                          const std::vector<OutputFile>& files);

// Right-aligned columns, as wide as their widest cell.
class TextTable {
  public:
    explicit TextTable(std::vector<std::string> titles) { rows_.push_back(std::move(titles)); }
    void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
    std::string text() const;

  private:
    std::vector<std::vector<std::string>> rows_;
};

// Four digits of it.
std::string shown(double value);

} // namespace normscope
