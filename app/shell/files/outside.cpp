#include "app/shell/files/outside.h"

#include "app/language/language.h"
#include "app/shell/files/folder_table.h"

#include <mutex>
#include <set>
#include <system_error>

namespace normscope {

namespace fs = std::filesystem;

struct Outside::Imagined {
    fs::path folder;
    std::mutex mutex;
    std::set<fs::path> files; // guarded by mutex
};

namespace {

fs::path bare(const fs::path& path) {
    const fs::path normal = path.lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

} // namespace

Outside Outside::imagined(const fs::path& folder) {
    Outside place;
    place.imagined_ = std::make_shared<Imagined>();
    place.imagined_->folder = folder;
    return place;
}

Result<void> Outside::can_read(const fs::path& path) const {
    if (!imagined_) return {};
    return fail("{}: was not opened: a lesson's solution reads no file.", path.string());
}

Result<void> Outside::write(const fs::path& path, std::string_view bytes, AtLink at_link) const {
    if (!imagined_) return write_file_atomically(path, bytes, at_link);
    const std::lock_guard lock(imagined_->mutex);
    imagined_->files.insert(bare(path));
    return {};
}

Result<std::optional<fs::path>> Outside::link_at(const fs::path& path) const {
    return imagined_ ? std::nullopt : link_target(path);
}

std::string Outside::stamp(const fs::path& path) const {
    return imagined_ ? std::string() : file_stamp(path);
}

bool Outside::exists(const fs::path& path) const {
    std::error_code error;
    if (!imagined_) return fs::exists(path, error);
    const std::lock_guard lock(imagined_->mutex);
    return imagined_->files.contains(bare(path)) || is_folder(path);
}

bool Outside::is_folder(const fs::path& path) const {
    std::error_code error;
    if (!imagined_) return fs::is_directory(path, error);
    return path.is_absolute() &&
           (bare(path) == imagined_->folder || bare(path) == path.root_path());
}

Result<std::vector<FolderEntry>> Outside::entries(const fs::path& folder) const {
    if (!imagined_) return read_folder(folder);
    std::vector<FolderEntry> entries;
    const std::lock_guard lock(imagined_->mutex);
    for (const fs::path& file : imagined_->files)
        if (file.parent_path() == folder)
            entries.push_back(
                {file.filename().string(), false, 0, fs::file_time_type::clock::now()});
    return entries;
}

fs::path Outside::plain(const fs::path& path) const {
    std::error_code error;
    if (imagined_) return bare(path);
    return fs::weakly_canonical(fs::absolute(path, error), error);
}

fs::path Outside::started_in() const {
    std::error_code error;
    return imagined_ ? fs::path() : fs::current_path(error);
}

} // namespace normscope
