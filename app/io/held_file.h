#pragma once
#include <filesystem>
#include <optional>
#include <string_view>
#include <sys/types.h>
#include <unistd.h>
#include <utility>

// Files that a running program holds: a lock tells other programs, also in other containers and on
// other machines that share the folder, that somebody is still there to write or remove them.
namespace normscope {

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

// It has not been removed or replaced since it was opened.
bool is_in_place(const HeldFile& file);

// All bytes of a file, as they lie on the disk, for as long as this lives. None of them where they
// cannot be read.
class Mapping {
  public:
    explicit Mapping(const Descriptor& file);
    Mapping(const Mapping&) = delete;
    Mapping& operator=(const Mapping&) = delete;
    ~Mapping();
    std::string_view bytes() const { return bytes_; }

  private:
    std::string_view bytes_;
};

// 0, or an errno.
int write_all(int fd, std::string_view bytes);

// The files that write_file_atomically() fills, until they are renamed.
inline constexpr std::string_view k_temporary_prefix = ".normscope-";
inline constexpr std::string_view k_temporary_suffix = ".tmp";

// Those of programs that were killed before that.
void remove_orphans(const std::filesystem::path& folder);

} // namespace normscope
