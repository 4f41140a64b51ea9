#include "app/shell/recovery.h"

#include "app/io/file.h"
#include "app/shell/file_commands.h"
#include "app/shell/questions.h"

#include <chrono>
#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <system_error>

namespace normscope {

namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t k_read_for_its_name = 1 << 20; // bytes; more would hold up the start

Result<SessionCopy> read_copy(const fs::path& path) {
    const auto bytes = read_file(path);
    if (!bytes) return tl::unexpected(bytes.error());
    return read_session_copy(*bytes, path.string());
}

void remove_copy(const fs::path& path) {
    std::error_code error;
    fs::remove(path, error);
}

// Its file may have been saved since; then it is not this work's any more.
bool is_newer(const fs::path& file, fs::file_time_type than) {
    std::error_code error;
    const auto written = fs::last_write_time(file, error);
    return !error && written > than;
}

void recover(App::State& s, const Autosave::LeftCopy& left) {
    auto copy = read_copy(left.path);
    if (!copy) return s.complain(copy.error().message);
    if (!copy->file.empty() && is_newer(copy->file, left.written)) copy->file.clear();
    // Its own copy is on the disk before the other one goes.
    const bool kept = s.files.autosave.keep_now(*copy).has_value();
    begin_with(s, std::move(copy->document), "unsaved work");
    s.history.kept()->saved.reset();
    s.history.kept()->path = copy->file;
    if (kept) remove_copy(left.path);
    s.say(copy->file.empty() ? "Brought back unsaved work; it has no file yet"
                             : "Brought back unsaved work on " + copy->file);
}

std::string name_of(const Autosave::LeftCopy& left) {
    std::error_code error;
    const auto size = fs::file_size(left.path, error);
    if (!error && size <= k_read_for_its_name)
        if (const auto copy = read_copy(left.path))
            return quoted(document_name(copy->document, copy->file));
    return "Work";
}

std::string time_of(const Autosave::LeftCopy& left) {
    const auto time = std::chrono::file_clock::to_sys(left.written);
    const std::tm local = fmt::localtime(std::chrono::system_clock::to_time_t(
        std::chrono::time_point_cast<std::chrono::system_clock::duration>(time)));
    return fmt::format("{} {:%B} at {:%H:%M}", local.tm_mday, local, local);
}

} // namespace

void offer_recovery(App::State& s) {
    const std::vector<Autosave::LeftCopy> all = Autosave::left_behind(s.services.dirs.state);
    if (all.empty()) return;
    const Autosave::LeftCopy& newest = all.front();
    std::string text =
        fmt::format("{} was not saved when NormScope ended without asking. It was last copied on "
                    "{} and is still there. Esc leaves it for the next start.",
                    name_of(newest), time_of(newest));
    if (all.size() > 1)
        text += fmt::format(" {} older than it {} too.",
                            all.size() == 2 ? "One" : fmt::format("{}", all.size() - 1),
                            all.size() == 2 ? "is there" : "are there");
    s.show(ask("Bring back unsaved work?", text,
               {{"Throw it away",
                 [newest](App::State& app) {
                     remove_copy(newest.path);
                     offer_recovery(app);
                 }},
                {"Bring it back", [newest](App::State& app) { recover(app, newest); }}}));
}

} // namespace normscope
