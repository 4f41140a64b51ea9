#include "app/io/file.h"

#include "app/io/table.h"
#include "app/language/language.h"
#include "core/base/caught.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fcntl.h>
#include <memory>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>

namespace normscope {

namespace {

namespace fs = std::filesystem;

constexpr int k_name_attempts = 1000;

bool lock(const Descriptor& file) {
    return ::flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

constexpr mode_t k_new_file_mode = 0666; // the umask takes what the user does not want to grant
constexpr mode_t k_private_mode = 0600;  // until a file takes the place of one with a mode
constexpr mode_t k_permission_bits = 07777;

tl::unexpected<Error> fail_errno(const fs::path& path, std::string_view what, int error) {
    return fail("{}: {}: {}.", path.empty() ? "a file without a name" : path.string(), what,
                std::generic_category().message(error));
}

// 0, or an errno.
int fill(HeldFile& file, std::string_view bytes, std::optional<mode_t> mode) {
    if (const int error = write_all(file.descriptor.get(), bytes)) return error;
    if (mode && ::fchmod(file.descriptor.get(), *mode) != 0) return errno;
    if (::fsync(file.descriptor.get()) != 0) return errno;
    return 0;
}

// The file that gets the bytes in the end, and the permissions that it keeps.
struct Target {
    fs::path path;
    std::optional<mode_t> mode;
};

Result<Target> find_target(const fs::path& path, AtLink at_link) {
    const auto link = TRY(link_target(path));
    if (link && at_link == AtLink::refuse)
        return fail("{}: could not be written: it is a symbolic link to {}: name that file "
                    "instead, or remove the link.",
                    path.string(), link->string());
    std::error_code error;
    fs::path real = fs::absolute(path, error);
    if (link) return Target{fs::weakly_canonical(real.parent_path(), error) / real.filename(), {}};
    if (!error) real = fs::weakly_canonical(real, error);
    if (error) return fail_errno(path, "could not be written", error.value());
    struct stat status {};
    if (::stat(real.c_str(), &status) != 0) {
        if (errno != ENOENT) return fail_errno(path, "could not be written", errno);
        return Target{std::move(real), std::nullopt};
    }
    if (S_ISDIR(status.st_mode))
        return fail("{}: could not be written: it is a folder.", path.string());
    if (!S_ISREG(status.st_mode))
        return fail("{}: could not be written: it is not a regular file.", path.string());
    if (::access(real.c_str(), W_OK) != 0) return fail_errno(path, "could not be written", errno);
    return Target{std::move(real), status.st_mode & k_permission_bits};
}

struct Opened {
    Descriptor file;
    std::uint64_t size;
};

// A regular file, or the standard input.
Result<Opened> open_to_read(const fs::path& path) {
    // The open of a pipe would wait for somebody who writes into it.
    constexpr int k_flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
    const bool standard_input = path == k_standard_input;
    Descriptor file(standard_input ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                                   : ::open(path.c_str(), k_flags));
    if (!file.is_open()) return fail_errno(path, "could not be read", errno);
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return fail_errno(path, "could not be read", errno);
    if (S_ISDIR(status.st_mode)) return fail("{}: is a folder: expected a file.", path.string());
    if (!S_ISREG(status.st_mode) && !standard_input)
        return fail(S_ISFIFO(status.st_mode)
                        ? worded("{}: is a pipe: expected a file.", path.string())
                        : worded("{}: is a device: expected a file.", path.string()));
    return Opened{std::move(file), static_cast<std::uint64_t>(status.st_size)};
}

Result<std::string> read_all(const fs::path& path) {
    const Opened opened = TRY(open_to_read(path));
    const auto& [file, size] = opened;
    const std::string too_large =
        worded("{}: is too large: expected at most {} MiB.", path.string(), k_max_file_bytes >> 20);
    if (size > k_max_file_bytes) return fail(too_large);

    constexpr std::size_t k_chunk = 1 << 16;
    std::string bytes;
    std::size_t filled = 0;
    for (;;) {
        // One byte more than the size says, so that the end is seen without growing.
        if (filled == bytes.size())
            bytes.resize(filled == 0 ? std::max<std::size_t>(size + 1, k_chunk)
                                     : filled + std::max(filled, k_chunk));
        const ssize_t count = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return fail_errno(path, "could not be read", errno);
        if (count == 0) break;
        filled += static_cast<std::size_t>(count);
        if (filled > k_max_file_bytes) return fail(too_large);
    }
    bytes.resize(filled);
    return bytes;
}

// `count` bytes from `at` on.
Result<std::string> read_part(const Descriptor& file, const fs::path& path, std::uint64_t at,
                              std::uint64_t count) {
    std::string bytes(count, '\0');
    for (std::uint64_t filled = 0; filled < count;) {
        const ssize_t got = ::pread(file.get(), bytes.data() + filled, count - filled,
                                    static_cast<off_t>(at + filled));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return fail_errno(path, "could not be read", errno);
        if (got == 0)
            return fail("{}: the file was cut off while it was read: copy it again.",
                        path.string());
        filled += static_cast<std::uint64_t>(got);
    }
    return bytes;
}

} // namespace

Result<std::string> read_file(const fs::path& path) {
    return caught(path.string(), [&] { return read_all(path); });
}

Result<std::string> read_whole(const Descriptor& file, const fs::path& path) {
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) return fail_errno(path, "could not be read", errno);
    return read_part(file, path, 0, static_cast<std::uint64_t>(status.st_size));
}

Result<Parts> open_parts(const fs::path& path) {
    if (path == k_standard_input)
        return fail("-: could not be read: expected the name of a file on the disk.");
    Opened opened = TRY(open_to_read(path));
    return Parts{opened.size, [file = std::make_shared<const Descriptor>(std::move(opened.file)),
                               path](std::uint64_t at, std::uint64_t count) {
                     return read_part(*file, path, at, count);
                 }};
}

Result<std::optional<fs::path>> link_target(const fs::path& path) {
    std::error_code error;
    if (!fs::is_symlink(path, error)) return std::nullopt;
    fs::path real = fs::absolute(path, error).parent_path() / fs::read_symlink(path, error);
    if (!error) real = fs::weakly_canonical(real, error);
    if (error) return fail_errno(path, "could not be written", error.value());
    struct stat status {};
    const bool own = ::lstat(path.c_str(), &status) == 0 && status.st_uid == ::geteuid();
    if (!own || (::stat(real.c_str(), &status) == 0 && status.st_uid != ::geteuid()))
        return fail("{}: could not be written: it is a symbolic link of another user, or to "
                    "a file of another user: choose another name.",
                    path.string());
    return real;
}

std::string file_stamp(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return {};
    return std::to_string(status.st_ino) + " " + std::to_string(status.st_size) + " " +
           std::to_string(status.st_mtim.tv_sec) + "." + std::to_string(status.st_mtim.tv_nsec);
}

Result<void> write_file_atomically(const fs::path& path, std::string_view bytes, AtLink at_link) {
    Target target = TRY(find_target(path, at_link));
    const fs::path beside = target.path.parent_path(); // rename is atomic within a file system
    remove_orphans(beside);
    auto file = create_held(beside, k_temporary_prefix, k_temporary_suffix,
                            target.mode ? k_private_mode : k_new_file_mode);
    if (!file) return fail_errno(path, "could not be written", errno);
    int error = fill(*file, bytes, target.mode);
    if (error == 0 && ::rename(file->path.c_str(), target.path.c_str()) != 0) error = errno;
    if (error != 0) {
        ::unlink(file->path.c_str());
        return fail_errno(path, "could not be written", error);
    }
    // The new name must outlive a power cut. Some file systems cannot sync a folder; the file
    // itself is safe by then.
    const Descriptor folder(::open(beside.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder.is_open()) ::fsync(folder.get());
    return {};
}

Result<fs::path> find_assets() {
    std::error_code ignored;
    if (const char* asked = std::getenv("NORMSCOPE_ASSETS"); asked && *asked) {
        if (fs::is_directory(asked, ignored)) return fs::path(asked);
        return fail(worded("NORMSCOPE_ASSETS names no folder: {}", std::string(asked)));
    }
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    const fs::path installed = program.parent_path().parent_path() / "share" / "normscope";
    if (!program.empty() && fs::is_directory(installed, ignored)) return installed;
    if (fs::is_directory(NORMSCOPE_SOURCE_ASSETS, ignored))
        return fs::path(NORMSCOPE_SOURCE_ASSETS);
    return fail(worded("the program's data is not found in {}: install NormScope again, or set "
                       "NORMSCOPE_ASSETS to its assets folder",
                       installed.string()));
}

Result<std::string> read_asset(const std::string& name) {
    const auto assets = TRY(find_assets());
    return read_file(assets / name);
}

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
