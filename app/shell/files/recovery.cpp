
#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/files/folder_list.h"
#include "app/shell/files/questions.h"

#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <system_error>

namespace normscope {

namespace {

namespace fs = std::filesystem;

// Its file may have been saved since; then it is not this work's any more.
bool is_newer(const fs::path& file, fs::file_time_type than) {
    std::error_code error;
    const auto written = fs::last_write_time(file, error);
    return !error && written > than;
}

std::string name_of(const CopyHead& head) {
    if (!head.file.empty()) return quoted(document_name({}, head.file));
    return head.title.empty() ? "Work" : quoted(head.title);
}

// `decide` with the copy, unless another window was quicker.
void with_copy(App::State& s, const fs::path& path,
               const std::function<void(App::State&, HeldFile)>& decide) {
    if (auto copy = hold(path))
        decide(s, std::move(*copy));
    else
        s.complain("Another window has brought this work back or thrown it away");
}

std::string time_of(const Autosave::LeftCopy& left) {
    const std::tm local = local_time(left.written);
    return worded("{} {:%B} at {:%H:%M}", local.tm_mday, local, local);
}

} // namespace

void offer_recovery(App::State& s) {
    const std::vector<Autosave::LeftCopy> all = Autosave::left_behind(s.services.dirs.state);
    if (all.empty()) return;
    const fs::path path = all.front().path;
    std::string text =
        worded("{} was not saved when NormScope ended without asking. It was last copied on "
               "{} and is still there. Esc leaves it for the next start.",
               name_of(all.front().head), time_of(all.front()));
    if (all.size() > 1)
        text += worded(" {} older than it {} too.",
                       all.size() == 2 ? "One" : fmt::format("{}", all.size() - 1),
                       all.size() == 2 ? "is there" : "are there");
    s.show(ask("Bring back unsaved work?", text,
               {{"discard", "Throw it away",
                 [path](App::State& app) {
                     with_copy(app, path, [](App::State&, const HeldFile& copy) {
                         std::error_code error;
                         fs::remove(copy.path, error);
                     });
                     offer_recovery(app);
                 }},
                {"bring-back", "Bring it back", [path](App::State& app) {
                     with_copy(app, path, [](App::State& to, HeldFile copy) {
                         OpenRequest request{copy.path};
                         request.copy = std::make_shared<HeldFile>(std::move(copy));
                         open_request(to, std::move(request));
                     });
                 }}}));
}

void take_back(App::State& s, const OpenRequest& from, SessionCopy copy) {
    std::error_code no_time;
    // A copy of an earlier version does not say of which file it is.
    if (copy.stamp.empty() && is_newer(copy.file, fs::last_write_time(from.path, no_time)))
        copy.file.clear();
    begin_with(s, std::move(copy.document), "unsaved work");
    *s.history.kept() = {copy.file, std::nullopt, copy.stamp};
    s.files.autosave.adopt(s.history.kept(), std::move(*from.copy));
    s.say(copy.file.empty() ? "Brought back unsaved work; it has no file yet"
                            : worded("Brought back unsaved work on ") + copy.file);
    offer_recovery(s);
}

} // namespace normscope
