#pragma once
#include <string>
#include <vector>

// Numbers in columns, as the commands print them.
namespace normscope {

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
