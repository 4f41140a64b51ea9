#pragma once
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

// Whole files as bytes, files that are held, and where the program's data is. Errors of reading and
// writing begin with the path.
namespace normscope {

// Standard input on the command line; a path that a window opens has a folder in it.
inline constexpr std::string_view k_standard_input = "-";

// Everything in a regular file, or in the standard input; at most k_max_file_bytes. Never waits for
// another pipe or a device.
Result<std::string> read_file(const std::filesystem::path& path);

// A file descriptor that is closed when it goes.
class Descriptor {
  public:
    explicit Descriptor(int fd = -1) : fd_(fd) {}
    Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    Descriptor& operator=(Descriptor&& other) noexcept {
        std::swap(fd_, other.fd_);
        return *this;
    }
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    bool is_open() const { return fd_ >= 0; }
    int get() const { return fd_; }

  private:
    int fd_;
};

// All of an open file. Errors: what the system says, or that the file is shorter by now; they begin
// with `path`.
Result<std::string> read_whole(const Descriptor& file, const std::filesystem::path& path);

// Bytes of which parts are read when they are asked for.
struct Parts {
    std::uint64_t size = 0;
    std::function<Result<std::string>(std::uint64_t at, std::uint64_t count)> read = {};
};

// The parts of a regular file, which stays open. A file that is cut off in between is an error.
Result<Parts> open_parts(const std::filesystem::path& path);

// The fate of a symbolic link at a path that is written.
enum class AtLink : std::uint8_t { refuse, replace };

// Puts `bytes` in place of the file, or leaves what was there: they go to a temporary file beside
// it, which is synced and renamed over it, and the directory is synced. A process that is killed at
// any moment leaves the old file or the new one, never a part. Keeps the permissions of a file that
// exists, and is never more readable than that. Temporary files that killed programs left in the
// folder are removed.
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view bytes,
                                   AtLink at_link = AtLink::refuse);

// The target of a symbolic link; none: `path` is no link. Error: the link or its file is another
// user's.
Result<std::optional<std::filesystem::path>> link_target(const std::filesystem::path& path);

// Another text after every time that the file was written or replaced; empty: there is no file.
std::string file_stamp(const std::filesystem::path& path);

// The folder with the program's data (examples/, icon/). Taken in this order: $NORMSCOPE_ASSETS,
// ../share/normscope beside the program's own folder (installed), the source tree it was built
// from. Error: none of them exists.
Result<std::filesystem::path> find_assets();

// All of a file of that folder: "texts/sonnets.txt".
Result<std::string> read_asset(const std::string& name);

// Files that a running program holds: a lock tells other programs, also in other containers and on
// other machines that share the folder, that somebody is still there to write or remove them.
struct HeldFile {
    std::filesystem::path path;
    Descriptor descriptor; // the lock goes with it
};

// A new file in `folder`, held, called PREFIX, the process, a number and SUFFIX. None: errno says
// why.
std::optional<HeldFile> create_held(const std::filesystem::path& folder, std::string_view prefix,
                                    std::string_view suffix, mode_t mode);

// The file, unless another holder lives or it is gone. Where the file system has no locks, nobody
// holds anything.
std::optional<HeldFile> hold(const std::filesystem::path& path);

// Whether the held file was neither removed nor replaced since it was opened.
bool is_in_place(const HeldFile& file);

// 0, or an errno.
int write_all(int fd, std::string_view bytes);

// The files that write_file_atomically() fills, until they are renamed.
inline constexpr std::string_view k_temporary_prefix = ".normscope-";
inline constexpr std::string_view k_temporary_suffix = ".tmp";

// Removes the temporary files of programs that were killed before the renaming.
void remove_orphans(const std::filesystem::path& folder);

} // namespace normscope
