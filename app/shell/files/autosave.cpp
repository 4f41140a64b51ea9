#include "app/shell/files/autosave.h"

#include "app/language/language.h"
#include "core/base/caught.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace normscope {
namespace {

namespace fs = std::filesystem;

constexpr auto k_pause = std::chrono::milliseconds(200); // between two copies
constexpr auto k_retry = std::chrono::seconds(5);
constexpr std::string_view k_prefix = "autosave-";
constexpr std::string_view k_suffix = ".copy";
constexpr mode_t k_private_mode = 0600;

bool same(const SessionCopy& a, const SessionCopy& b) {
    return a.file == b.file && a.stamp == b.stamp && same_objects(a.document, b.document);
}

tl::unexpected<Error> fail_errno(const fs::path& path, int error) {
    return fail("{}: {}", path.string(), std::generic_category().message(error));
}

void remove(const HeldFile& file) {
    if (is_in_place(file)) ::unlink(file.path.c_str());
}

} // namespace

void Autosave::begin(const fs::path& folder, std::function<void()> wake) {
    folder_ = folder;
    wake_ = std::move(wake);
    remove_orphans(folder_);
    if (has_threads()) writer_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Autosave::note(std::vector<Work> unsaved) {
    if (!wake_) return;
    if (std::ranges::equal(unsaved, noted_, [](const Work& a, const Work& b) {
            return a.kept == b.kept && same(a.copy, b.copy);
        }))
        return;
    std::unique_lock lock(mutex_);
    noted_.swap(unsaved);
    dirty_ = true;
    changed_.notify_all();
    if (!writer_.joinable()) write_noted(lock);
}

void Autosave::adopt(const std::shared_ptr<const KeptFile>& kept, HeldFile copy) {
    const std::lock_guard lock(mutex_);
    adopted_.insert_or_assign(kept.get(), std::move(copy));
}

void Autosave::flush() {
    std::unique_lock lock(mutex_);
    idle_.wait(lock, [this] { return !writer_.joinable() || (!dirty_ && !writing_); });
}

std::optional<std::string> Autosave::take_complaint() {
    const std::lock_guard lock(mutex_);
    return std::exchange(complaint_, std::nullopt);
}

void Autosave::end(bool keep) {
    if (!wake_) return;
    if (keep) flush();
    writer_ = {};
    wake_ = nullptr;
    if (!keep)
        for (const auto& [kept, copy] : copies_) remove(copy.file);
    copies_.clear();
}

void Autosave::run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    const auto is_dirty = [this] { return dirty_; };
    while (!stop.stop_requested()) {
        if (failed_)
            dirty_ |= !changed_.wait_for(lock, stop, k_retry, is_dirty);
        else if (!changed_.wait(lock, stop, is_dirty))
            return;
        write_noted(lock);
        // A pause, so that a drag is copied now and then only.
        changed_.wait_for(lock, stop, k_pause, [] { return false; });
    }
}

void Autosave::write_noted(std::unique_lock<std::mutex>& lock) {
    const std::vector<Work> all = noted_;
    for (const Work& work : all) // one whose document is not noted yet waits for that
        if (auto adopted = adopted_.extract(work.kept.get()))
            copies_[work.kept.get()] = {std::move(adopted.mapped()), {}};
    dirty_ = false;
    writing_ = true;
    lock.unlock();
    const auto written = caught("The copy", [&] { return write(all); });
    lock.lock();
    writing_ = false;
    const bool complains = !written && !failed_;
    failed_ = !written;
    if (complains)
        complaint_ =
            worded("There is no copy of what is not saved: {}", error_text(written.error()));
    idle_.notify_all();
    if (complains) wake_();
    // Through to the disk, for a power cut. Nobody waits for that.
    lock.unlock();
    for (const Descriptor& file : std::exchange(unsynced_, {})) ::fdatasync(file.get());
    lock.lock();
}

Result<void> Autosave::write(const std::vector<Work>& all) {
    Result<void> result;
    for (const Work& work : all)
        if (auto written = write(copies_[work.kept.get()], work.copy); !written)
            result = std::move(written);
    std::erase_if(copies_, [&](const auto& entry) {
        const bool stays = std::ranges::any_of(
            all, [&](const Work& work) { return work.kept.get() == entry.first; });
        if (!stays) remove(entry.second.file);
        return !stays;
    });
    return result;
}

Result<void> Autosave::write(Copy& copy, const SessionCopy& now) {
    if (folder_.empty()) return fail("no home folder is known");
    const bool there = is_in_place(copy.file);
    if (there && copy.written && same(*copy.written, now)) return {};
    const std::string bytes = write_copy(now);
    std::error_code ignored;
    fs::create_directories(folder_, ignored);
    auto whole = create_held(folder_, k_temporary_prefix, k_temporary_suffix, k_private_mode);
    if (!whole) return fail_errno(folder_, errno);
    int error = write_all(whole->descriptor.get(), bytes);
    if (error == 0 && !there) { // its name
        auto file = create_held(folder_, k_prefix, k_suffix, k_private_mode);
        if (file)
            copy.file = std::move(*file);
        else
            error = errno;
    }
    if (error == 0 && ::rename(whole->path.c_str(), copy.file.path.c_str()) != 0) error = errno;
    if (error != 0) {
        ::unlink(whole->path.c_str());
        return fail_errno(folder_, error);
    }
    copy.file.descriptor = std::move(whole->descriptor);
    copy.written = now;
    unsynced_.emplace_back(::fcntl(copy.file.descriptor.get(), F_DUPFD_CLOEXEC, 0));
    return {};
}

std::vector<Autosave::LeftCopy> Autosave::left_behind(const fs::path& folder) {
    std::vector<LeftCopy> left;
    std::error_code error;
    if (folder.empty()) return left;
    for (fs::directory_iterator it(folder, error), none; !error && it != none;
         it.increment(error)) {
        const std::string name = it->path().filename().string();
        if (!name.starts_with(k_prefix) ||
            !(name.ends_with(k_suffix) || name.ends_with(k_session_suffix)))
            continue;
        const auto file = hold(it->path());
        if (!file) continue;
        std::error_code no_time;
        const auto bytes = read_whole(file->descriptor, it->path());
        if (!bytes) continue;
        const auto head = read_copy_head(*bytes);
        if (!head)
            remove(*file);
        else
            left.push_back({it->path(), it->last_write_time(no_time), *head});
    }
    std::ranges::sort(left, std::greater<>(), &LeftCopy::written);
    return left;
}

} // namespace normscope
