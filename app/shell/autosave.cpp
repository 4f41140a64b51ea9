#include "app/shell/autosave.h"

#include "app/io/file.h"
#include "app/io/utf8.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace normscope {

namespace {

namespace fs = std::filesystem;

constexpr auto k_pause = std::chrono::seconds(3); // between a change and its copy
constexpr std::string_view k_prefix = "autosave-";

// A program that runs or ran. Its number is given to others after it, in a container soon and after
// a start of the machine always, so its beginning belongs to its name.
struct Owner {
    pid_t process = 0;
    std::uint64_t started = 0; // clock ticks since the machine's start; 0: the system does not say
};

// proc(5): of the fields of /proc/PID/stat the 3rd, a letter, and the 22nd. The second, in
// brackets, may hold blanks and brackets.
struct ProcessState {
    char letter = 0;
    std::uint64_t started = 0;
};

ProcessState state_of(pid_t process) {
    std::ifstream in("/proc/" + std::to_string(process) + "/stat");
    const std::string all{std::istreambuf_iterator<char>(in), {}};
    const std::size_t bracket = all.rfind(')');
    if (bracket == std::string::npos) return {};
    std::istringstream fields(all.substr(bracket + 1));
    ProcessState state;
    fields >> state.letter;
    std::string field;
    for (int i = 4; i < 22 && fields; ++i) fields >> field;
    if (!(fields >> state.started)) state.started = 0;
    return state;
}

bool is_running(const Owner& owner) {
    if (::kill(owner.process, 0) != 0 && errno != EPERM) return false;
    const ProcessState state = state_of(owner.process);
    // One that has ended keeps its number until whoever started it asks how.
    return state.letter != 'Z' && state.letter != 'X' && state.started == owner.started;
}

std::string name_of_copy(const Owner& owner) {
    return std::string(k_prefix) + std::to_string(owner.process) + '-' +
           std::to_string(owner.started) + std::string(k_session_suffix);
}

// The program that a copy's name tells, if it is one.
std::optional<Owner> owner_of(const fs::path& file) {
    const std::string name = file.filename().string();
    if (!name.starts_with(k_prefix) || !name.ends_with(k_session_suffix)) return std::nullopt;
    Owner owner;
    const char* end = name.data() + name.size() - k_session_suffix.size();
    const auto number = std::from_chars(name.data() + k_prefix.size(), end, owner.process);
    if (number.ec != std::errc() || owner.process <= 0) return std::nullopt;
    if (number.ptr == end) return owner; // of a version that did not write when it began
    if (*number.ptr != '-') return std::nullopt;
    const auto start = std::from_chars(number.ptr + 1, end, owner.started);
    if (start.ec != std::errc() || start.ptr != end) return std::nullopt;
    return owner;
}

} // namespace

Autosave::~Autosave() {
    end(!last_saved_);
}

void Autosave::begin(const fs::path& folder) {
    if (folder.empty() || writer_.joinable()) return;
    file_ = folder / name_of_copy({::getpid(), state_of(::getpid()).started});
    writer_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void Autosave::note(const Document& document, bool saved, const fs::path& file) {
    if (last_ && saved == last_saved_ && *last_ == document) return;
    last_ = document;
    last_saved_ = saved;
    if (!writer_.joinable()) return;
    const std::lock_guard lock(mutex_);
    pending_.reset();
    // A name that a session cannot hold would come back as another one.
    const bool can_be_said = find_invalid_utf8(file.native()) == std::string_view::npos;
    if (!saved) pending_ = SessionCopy{document, can_be_said ? file.string() : std::string()};
    remove_ = saved;
    changed_.notify_one();
}

void Autosave::end(bool keep) {
    if (!writer_.joinable()) return;
    writer_.request_stop();
    writer_.join();
    // No room for the copy: then there is nothing left to try.
    if (keep && pending_) (void)keep_now(*pending_);
    std::error_code error;
    if (!keep) fs::remove(file_, error);
}

void Autosave::run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return pending_ || remove_; })) {
        if (remove_) {
            remove_ = false;
            std::error_code error;
            fs::remove(file_, error);
            continue;
        }
        // Further changes within the pause are copied together.
        changed_.wait_for(lock, stop, k_pause, [] { return false; });
        if (stop.stop_requested()) return; // end() writes what is pending
        if (!pending_) continue;
        const SessionCopy copy = *pending_;
        pending_.reset();
        lock.unlock();
        // No room for it: the work itself is on the screen still and can be saved elsewhere.
        (void)keep_now(copy);
        lock.lock();
    }
}

Result<void> Autosave::keep_now(const SessionCopy& copy) const {
    if (file_.empty()) return fail("no folder is known to keep a copy in");
    std::error_code error;
    fs::create_directories(file_.parent_path(), error);
    return write_file_atomically(file_, write_session(copy.document, copy.file));
}

std::vector<Autosave::LeftCopy> Autosave::left_behind(const fs::path& folder) {
    std::vector<LeftCopy> left;
    std::error_code error;
    if (folder.empty()) return left;
    for (fs::directory_iterator it(folder, error), none; !error && it != none;
         it.increment(error)) {
        const auto owner = owner_of(it->path());
        if (!owner || is_running(*owner)) continue;
        std::error_code no_time;
        left.push_back({it->path(), it->last_write_time(no_time)});
    }
    std::ranges::sort(left, std::greater<>(), &LeftCopy::written);
    return left;
}

} // namespace normscope
