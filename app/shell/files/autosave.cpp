#include "app/shell/files/autosave.h"

#include "app/language/language.h"
#include "core/base/caught.h"

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

constexpr auto k_pause = std::chrono::milliseconds(200); // between two records
constexpr auto k_retry = std::chrono::seconds(5);
constexpr off_t k_most_changes = 4 << 20; // bytes of records before a small whole is written anew
constexpr std::string_view k_prefix = "autosave-";
constexpr std::string_view k_suffix = ".copy";
constexpr mode_t k_private_mode = 0600;

bool same(const SessionCopy& a, const SessionCopy& b) {
    return a.saved == b.saved && a.file == b.file && a.stamp == b.stamp &&
           same_objects(a.document, b.document);
}

tl::unexpected<Error> fail_errno(const fs::path& path, int error) {
    return fail("{}: {}", path.string(), std::generic_category().message(error));
}

// 0, or an errno.
int write_record(const Descriptor& file, const SessionCopy& now, const Document* before) {
    int error = 0;
    append_record(now, before, [&](std::string_view bytes) {
        if (error == 0) error = write_all(file.get(), bytes);
    });
    return error;
}

void remove(const HeldFile& file) {
    if (is_in_place(file)) ::unlink(file.path.c_str());
}

} // namespace

void Autosave::begin(const fs::path& folder, std::function<void()> wake) {
    folder_ = folder;
    wake_ = std::move(wake);
    remove_orphans(folder_);
    writer_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    syncer_ = std::jthread([this](const std::stop_token& stop) { sync(stop); });
}

void Autosave::note(std::vector<Work> all) {
    if (!writer_.joinable()) return;
    if (std::ranges::equal(all, noted_, [](const Work& a, const Work& b) {
            return a.kept == b.kept && same(a.copy, b.copy);
        }))
        return;
    const std::lock_guard lock(mutex_);
    noted_.swap(all);
    dirty_ = true;
    changed_.notify_all();
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
    if (!writer_.joinable()) return;
    if (keep) flush();
    for (std::jthread* thread : {&writer_, &syncer_}) {
        thread->request_stop();
        thread->join();
    }
    for (const auto& [kept, copy] : copies_)
        if (!keep || !copy.written || copy.written->saved) remove(copy.file);
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
        const std::vector<Work> all = noted_;
        for (const Work& work : all) // one whose document is not noted yet waits for that
            if (auto adopted = adopted_.extract(work.kept.get()))
                copies_[work.kept.get()] = {std::move(adopted.mapped()), {}, 0, 0};
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
        written_.notify_all();
        if (complains) wake_();
        // Of a drag, a record now and then.
        changed_.wait_for(lock, stop, k_pause, [] { return false; });
    }
}

// Through to the disk, for a power cut: on a thread of its own, because the disk may take longer
// than a change may wait.
void Autosave::sync(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (written_.wait(lock, stop, [this] { return !to_sync_.empty(); })) {
        const std::vector<Descriptor> files = std::exchange(to_sync_, {});
        lock.unlock();
        for (const Descriptor& file : files) ::fdatasync(file.get());
        lock.lock();
    }
}

Result<void> Autosave::write(const std::vector<Work>& all) {
    Result<void> result;
    const auto wanted = [](const Work& work) {
        return !work.copy.saved || work.copy.document.x->size() >= k_large;
    };
    for (const Work& work : all)
        if (wanted(work))
            if (auto written = write(copies_[work.kept.get()], work.copy); !written)
                result = std::move(written);
    std::erase_if(copies_, [&](const auto& entry) {
        const bool stays = std::ranges::any_of(
            all, [&](const Work& work) { return work.kept.get() == entry.first && wanted(work); });
        if (!stays) remove(entry.second.file);
        return !stays;
    });
    return result;
}

Result<void> Autosave::write(Copy& copy, const SessionCopy& now) {
    if (folder_.empty()) return fail("no home folder is known");
    const bool there = is_in_place(copy.file);
    if (there && copy.written && same(*copy.written, now)) return {};
    const bool grows = copy.bytes - copy.whole <= std::max(copy.whole, k_most_changes);
    TRY(there && copy.written && grows ? append(copy, now) : write_whole(copy, now));
    copy.written = now;
    const std::lock_guard lock(mutex_);
    to_sync_.emplace_back(::fcntl(copy.file.descriptor.get(), F_DUPFD_CLOEXEC, 0));
    return {};
}

Result<void> Autosave::append(Copy& copy, const SessionCopy& now) {
    const int fd = copy.file.descriptor.get();
    ::lseek(fd, copy.bytes, SEEK_SET);
    const int error = write_record(copy.file.descriptor, now, &copy.written->document);
    if (error == 0) {
        copy.bytes = ::lseek(fd, 0, SEEK_CUR);
        return {};
    }
    // A torn record would hide those after it.
    if (::ftruncate(fd, copy.bytes) != 0) copy.written.reset();
    return fail_errno(copy.file.path, error);
}

Result<void> Autosave::write_whole(Copy& copy, const SessionCopy& now) {
    std::error_code ignored;
    fs::create_directories(folder_, ignored);
    if (!is_in_place(copy.file)) {
        auto file = create_held(folder_, k_prefix, k_suffix, k_private_mode);
        if (!file) return fail_errno(folder_, errno);
        copy.file = std::move(*file);
    }
    auto whole = create_held(folder_, k_temporary_prefix, k_temporary_suffix, k_private_mode);
    if (!whole) return fail_errno(folder_, errno);
    int error = write_record(whole->descriptor, now, nullptr);
    if (error == 0 && ::rename(whole->path.c_str(), copy.file.path.c_str()) != 0) error = errno;
    if (error != 0) {
        ::unlink(whole->path.c_str());
        return fail_errno(copy.file.path, error);
    }
    copy.file.descriptor = std::move(whole->descriptor);
    copy.whole = copy.bytes = ::lseek(copy.file.descriptor.get(), 0, SEEK_CUR);
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
        if (!head || head->saved)
            remove(*file);
        else
            left.push_back({it->path(), it->last_write_time(no_time), *head});
    }
    std::ranges::sort(left, std::greater<>(), &LeftCopy::written);
    return left;
}

} // namespace normscope
