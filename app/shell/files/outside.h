#pragma once
#include "app/io/file.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

struct FolderEntry {
    std::string name;
    bool is_folder = false;
    std::uintmax_t size = 0; // bytes; of a file
    std::filesystem::file_time_type changed;
};

// The files that commands of the menus name, open and write: the computer's, or imagined ones, for
// a lesson's solution. Copies are the same place. Any thread may use one.
class Outside {
  public:
    Outside() = default; // the computer's

    // A place with nothing but an empty folder. Files that are written there have a name and no
    // bytes, and go with the last copy.
    static Outside imagined(const std::filesystem::path& folder);
    bool is_imagined() const { return imagined_ != nullptr; }

    // Error: there is nothing to read in an imagined place.
    Result<void> can_read(const std::filesystem::path& path) const;
    // write_file_atomically(), link_target() and file_stamp().
    Result<void> write(const std::filesystem::path& path, std::string_view bytes,
                       AtLink at_link = AtLink::refuse) const;
    Result<std::optional<std::filesystem::path>> link_at(const std::filesystem::path& path) const;
    std::string stamp(const std::filesystem::path& path) const;

    bool exists(const std::filesystem::path& path) const;
    bool is_folder(const std::filesystem::path& path) const;
    // Error: the folder cannot be read, as one sentence.
    Result<std::vector<FolderEntry>> entries(const std::filesystem::path& folder) const;
    // Without links and dots.
    std::filesystem::path plain(const std::filesystem::path& path) const;
    std::filesystem::path started_in() const; // empty: nobody knows

  private:
    struct Imagined;
    std::shared_ptr<Imagined> imagined_;
};

} // namespace normscope
