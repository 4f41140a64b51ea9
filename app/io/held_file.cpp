#include "app/io/held_file.h"

#include <cerrno>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>

namespace normscope {

namespace {

namespace fs = std::filesystem;

constexpr int k_name_attempts = 1000;

bool lock(const Descriptor& file) {
    return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

} // namespace

std::optional<HeldFile> create_held(const fs::path& folder, std::string_view prefix,
                                    std::string_view suffix, mode_t mode) {
    for (int attempt = 0; attempt < k_name_attempts; ++attempt) {
        std::string name(prefix);
        name += std::to_string(::getpid()) + "-" + std::to_string(attempt);
        name += suffix;
        HeldFile file{folder / name,
                      Descriptor(::open((folder / name).c_str(),
                                        O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode))};
        if (!file.descriptor.is_open() && errno != EEXIST) return std::nullopt;
        // Somebody who looks for files that nobody holds may have been quicker than the lock.
        if (file.descriptor.is_open() && (lock(file.descriptor) || errno != EWOULDBLOCK) &&
            is_in_place(file))
            return file;
    }
    errno = EEXIST;
    return std::nullopt;
}

std::optional<HeldFile> hold(const fs::path& path) {
    HeldFile file{path, Descriptor(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW))};
    if (!file.descriptor.is_open()) // of a folder that can only be read
        file.descriptor = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file.descriptor.is_open()) return std::nullopt;
    if (!lock(file.descriptor) && errno == EWOULDBLOCK) return std::nullopt;
    if (!is_in_place(file)) return std::nullopt;
    return file;
}

bool is_in_place(const HeldFile& file) {
    struct stat held {};
    struct stat there {};
    return ::fstat(file.descriptor.get(), &held) == 0 && ::lstat(file.path.c_str(), &there) == 0 &&
           held.st_ino == there.st_ino && held.st_dev == there.st_dev;
}

Mapping::Mapping(const Descriptor& file) {
    struct stat status {};
    if (::fstat(file.get(), &status) != 0 || status.st_size == 0) return;
    const auto size = static_cast<std::size_t>(status.st_size);
    const void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (at != MAP_FAILED) bytes_ = {static_cast<const char*>(at), size};
}

Mapping::~Mapping() {
    if (!bytes_.empty()) ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
}

int write_all(int fd, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
    return 0;
}

void remove_orphans(const fs::path& folder) {
    std::error_code error;
    for (fs::directory_iterator it(folder, error), none; !error && it != none;
         it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (!name.starts_with(k_temporary_prefix) || !name.ends_with(k_temporary_suffix)) continue;
        const auto orphan = hold(it->path());
        if (orphan && lock(orphan->descriptor)) ::unlink(orphan->path.c_str());
    }
}

} // namespace normscope
