#pragma once
#include <filesystem>
#include <vector>

namespace normscope {

// The files that were opened or saved last, newest first, and the folder the browser was in. Kept
// in recent.json; a file that is missing or is something else counts as empty.
class RecentFiles {
  public:
    // Reads `folder`/recent.json; with an empty folder nothing is read or kept.
    void load(const std::filesystem::path& folder);

    void add(const std::filesystem::path& file); // and keeps the list
    void remove(const std::filesystem::path& file);
    void visited(const std::filesystem::path& folder); // and keeps it

    const std::vector<std::filesystem::path>& paths() const { return paths_; }
    const std::filesystem::path& folder() const { return last_folder_; } // empty: none yet

  private:
    void keep() const;

    std::filesystem::path file_; // recent.json
    std::vector<std::filesystem::path> paths_;
    std::filesystem::path last_folder_;
};

} // namespace normscope
