// The commands that save, what is asked before something would be lost, and what is brought back.
#include "app/io/file.h"
#include "app/language/language.h"
#include "app/session/session_file.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/files/folder_table.h"
#include "app/shell/lessons/lessons.h"

#include <filesystem>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <system_error>
#include <utility>

namespace normscope {
namespace {

namespace fs = std::filesystem;

void save_over(App::State& s, const fs::path& path) {
    write_at_link(s, path, [](App::State& app, const fs::path& to, AtLink at_link) {
        const Document document = app.document();
        write(app, where_to_work(document.x->size()), {to, document, app.history.kept()}, at_link,
              [document, view = session_view(app)](const Progress& progress) {
                  return write_session(document, view, progress);
              });
    });
}

// Asks before something is written; the program quits after an answer, if it was about to.
void ask_before(App::State& s, std::string title, std::string text, Answer first, Answer second) {
    const bool quits = std::exchange(s.files.quit_after_save, false);
    for (Answer* answer : {&first, &second})
        answer->run = [quits, run = std::move(answer->run)](App::State& app) {
            app.files.quit_after_save = quits;
            run(app);
        };
    s.show(ask(std::move(title), std::move(text),
               {{"cancel", "Cancel", {}}, std::move(first), std::move(second)}));
}

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

} // namespace

void save(App::State& s) {
    const fs::path path = s.history.kept()->path;
    if (path.empty()) return ask_save_as(s);
    save_to(s, path);
}

void save_to(App::State& s, const fs::path& path) {
    const KeptFile& kept = *s.history.kept();
    const std::string stamp = file_stamp(path);
    if (path != kept.path || kept.stamp.empty() || stamp.empty() || stamp == kept.stamp)
        return save_over(s, path);
    ask_before(
        s, "Replace the changes of another program?",
        quoted(document_name(s)) +
            worded(" has changed on the disk since it was opened here, perhaps in another window. "
                   "Saving replaces those changes."),
        {"replace", "Replace them", [path](App::State& app) { save_over(app, path); }},
        {"save-as", "Save as…", ask_save_as});
}

void write_at_link(App::State& s, const fs::path& path, const WriteTo& write_to) {
    const auto target = link_target(path);
    if (!target) {
        s.files.quit_after_save = false;
        return s.complain(error_text(target.error()));
    }
    if (!*target) return write_to(s, path, AtLink::refuse);
    ask_before(
        s, "Write where a link stands?",
        quoted(path.filename().string()) + worded(" is a symbolic link to ") + (*target)->string() +
            worded(". Its file can be written, or a new file can take the place of the link."),
        {"replace-link", "Replace the link",
         [path, write_to](App::State& app) { write_to(app, path, AtLink::replace); }},
        {"follow-link", "Write to its file",
         [real = **target, write_to](App::State& app) { write_to(app, real, AtLink::refuse); }});
}

void ask_quit(App::State& s) {
    Files& files = s.files;
    leave_lesson(s);
    leave_part(s);
    s.history.settle(false);
    if (files.writing.busy()) {
        files.quit_after_save = true;
        return;
    }
    s.dialogs.clear();
    if (!s.history.saved())
        return s.show(ask("Save the changes?",
                          quoted(document_name(s)) + worded(" has changes that are not saved."),
                          {{"cancel", "Cancel", {}},
                           {"discard", "Quit without saving",
                            [](App::State& app) {
                                app.history.mark_saved();
                                ask_quit(app);
                            }},
                           {"save", "Save", [](App::State& app) {
                                app.files.quit_after_save = true;
                                save(app);
                            }}}));
    forget_left(s, s.document());
    if (!files.left_unsaved.empty()) { // each is discarded by its name, the last one first
        const LeftUnsaved left = files.left_unsaved.back();
        return s.show(ask(
            "Quit?",
            quoted(document_name(left.document, left.kept->path)) +
                worded(" had changes that were not saved when another document took its place."),
            {{"cancel", "Cancel", {}},
             {"discard", "Quit without it",
              [](App::State& app) {
                  app.files.left_unsaved.pop_back();
                  ask_quit(app);
              }},
             {"go-back", "Go back to it", [left](App::State& app) { go_back_to(app, left); }}}));
    }
    s.quit = true;
}

Result<void> write_made(const fs::path& path, AtLink at_link, const Progress& progress,
                        const MakeFile& make) {
    constexpr double k_made = 0.9; // share of the time
    const auto bytes = make(progress.part(0, k_made));
    if (!bytes) return tl::unexpected(bytes.error());
    if (const auto go_on = progress.at(k_made); !go_on) return go_on;
    return write_file_atomically(path, *bytes, at_link, progress.part(k_made, 1));
}

void offer_recovery(App::State& s) {
    const std::vector<Autosave::LeftCopy> all = Autosave::left_behind(s.services.dirs.state);
    if (all.empty()) return;
    const fs::path path = all.front().path;
    const std::tm time = local_time(all.front().written);
    std::string text =
        worded("{} was not saved when NormScope ended without asking. It was last copied on "
               "{} and is still there. Esc leaves it for the next start.",
               name_of(all.front().head), worded("{} {:%B} at {:%H:%M}", time.tm_mday, time, time));
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
