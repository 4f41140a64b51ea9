// The commands that save, what is asked before something would be lost, and what is brought back.
#include "app/io/file.h"
#include "app/language/language.h"
#include "app/session/session_file.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/files/folder_table.h"
#include "app/shell/lessons/lessons.h"
#include "core/base/lists.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <ranges>
#include <system_error>
#include <utility>

namespace normscope {
namespace {

namespace fs = std::filesystem;

void save_over(App::State& s, const Unsaved& work, const fs::path& path) {
    write_at_link(s, path,
                  [work, view = session_view(s, work.kept)](App::State& app, const fs::path& to,
                                                            AtLink at_link) {
                      write(app, {to, work.document, work.kept}, at_link, [&] {
                          return Result<std::string>(write_session(work.document, view));
                      });
                  });
}

// To its file; asks where there is none.
void save_work(App::State& s, const Unsaved& work) {
    work.kept->path.empty() ? ask_where_to_save(s, work) : save_to(s, work, work.kept->path);
}

// Asks before something is written; the program ends after an answer, if it was about to.
void ask_before(App::State& s, std::string title, std::string text, Answer first, Answer second) {
    const Quitting leaving = std::exchange(s.files.leaving, Quitting::no);
    for (Answer* answer : {&first, &second})
        answer->run = [leaving, run = std::move(answer->run)](App::State& app) {
            app.files.leaving = leaving;
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

// `decide` with the copy, unless another window was quicker.
void with_copy(App::State& s, const fs::path& path,
               const std::function<void(App::State&, HeldFile)>& decide) {
    if (auto copy = hold(path))
        decide(s, std::move(*copy));
    else
        s.complain("Another window has brought this work back or thrown it away");
}

void bring_back(App::State& s, const fs::path& path) {
    with_copy(s, path, [](App::State& to, HeldFile copy) {
        OpenRequest request{copy.path};
        request.copy = std::make_shared<HeldFile>(std::move(copy));
        open_request(to, std::move(request));
    });
}

void throw_away(App::State& s, const fs::path& path) {
    with_copy(s, path, [](App::State&, const HeldFile& copy) {
        std::error_code error;
        fs::remove(copy.path, error);
    });
}

} // namespace

void save(App::State& s) {
    save_work(s, {s.document(), s.history.kept()});
}

void save_to(App::State& s, const Unsaved& work, const fs::path& path) {
    const KeptFile& kept = *work.kept;
    const std::string stamp = s.outside.stamp(path);
    if (path != kept.path || kept.stamp.empty() || stamp.empty() || stamp == kept.stamp)
        return save_over(s, work, path);
    ask_before(
        s, "Replace the changes of another program?",
        worded("{} has changed on the disk since it was opened here, perhaps in another window. "
               "Saving replaces those changes.",
               quoted(document_name(work.document, kept.path))),
        {"replace", "Replace them", given(save_over, work, path)},
        {"save-as", "Save as…", given(ask_where_to_save, work)});
}

void write_at_link(App::State& s, const fs::path& path, const WriteTo& write_to) {
    const auto target = s.outside.link_at(path);
    if (s.complains_of(target)) {
        s.files.leaving = Quitting::no;
        return;
    }
    if (!*target) return write_to(s, path, AtLink::refuse);
    ask_before(
        s, "Write where a link stands?",
        worded("{} is a symbolic link to {}. Its file can be written, or a new file can take the "
               "place of the link.",
               quoted(path.filename().string()), (*target)->string()),
        {"replace-link", "Replace the link", given(write_to, path, AtLink::replace)},
        {"follow-link", "Write to its file", given(write_to, **target, AtLink::refuse)});
}

void save_and_quit(App::State& s) {
    const std::vector<Unsaved> all = unsaved_work(s);
    if (all.empty()) return ask_quit(s);
    s.files.leaving = Quitting::saves;
    save_work(s, all.front());
}

void ask_quit(App::State& s) {
    Files& files = s.files;
    s.history.settle(false);
    s.dialogs.clear();
    files.leaving = Quitting::no; // one of them may have asked for a name
    const std::vector<Unsaved> all = unsaved_work(s);
    if (all.empty()) {
        s.quit = true;
        return;
    }
    std::vector<AskedAbout> list;
    for (const Unsaved& work : all) {
        const fs::path& path = work.kept->path;
        AskedAbout& one = list.emplace_back();
        one.name = document_name(work.document, path);
        one.detail = !path.empty()          ? path_in_words(path, s.services.dirs.home)
                     : work.changed.empty() ? worded("It has no file yet")
                                            : worded("It has no file yet. Last: {}", work.changed);
        if (find_in(files.left_unsaved, work.kept, &Unsaved::kept))
            one.answers.push_back(
                {fmt::format("go-{}", list.size() - 1), "Go to it", given(go_back_to, work)});
        if (all.size() == 1) continue;
        one.answers.push_back({fmt::format("save-{}", list.size() - 1),
                               path.empty() ? "Save as…" : "Save", [work](App::State& app) {
                                   app.files.leaving = Quitting::asks;
                                   save_work(app, work);
                               }});
    }
    const bool several = all.size() > 1;
    s.show(ask("Save the changes?",
               several ? worded("{} documents have changes that are not saved.", all.size())
                       : worded("This document has changes that are not saved."),
               {{"cancel", "Cancel", {}},
                {"discard", "Quit without saving", [](App::State& app) { app.quit = true; }},
                {"save", several ? "Save all" : "Save", save_and_quit}},
               std::move(list)));
}

void tell_of_unknown_copies(App::State& s, const std::vector<Autosave::LeftCopy>& all) {
    std::vector<AskedAbout> list;
    for (const Autosave::LeftCopy& copy : all)
        if (!copy.head.is_known)
            list.push_back({worded("Copied {}", date_in_words(copy.written)),
                            path_in_words(copy.path, s.services.dirs.home),
                            {}});
    if (list.empty()) return;
    s.show(ask("Unsaved work of another version",
               worded("This version of NormScope does not know the format of these copies of "
                      "unsaved work. They stay where they are: a newer version can bring them "
                      "back."),
               {{"close", "Close", {}}}, std::move(list)));
}

void offer_recovery(App::State& s, std::vector<Autosave::LeftCopy> all) {
    std::erase_if(all, [](const Autosave::LeftCopy& copy) { return !copy.head.is_known; });
    if (all.empty()) return;
    const bool several = all.size() > 1;
    std::vector<AskedAbout> list;
    for (const Autosave::LeftCopy& copy : all) {
        AskedAbout& one = list.emplace_back();
        const std::string date = date_in_words(copy.written);
        one.name = copy.head.file.empty() ? copy.head.title : document_name({}, copy.head.file);
        if (one.name.empty()) one.name = tr("Work without a name");
        one.detail = copy.head.file.empty()
                         ? worded("Copied {} · it has no file yet", date)
                         : worded("Copied {} · {}", date,
                                  path_in_words(copy.head.file, s.services.dirs.home));
        const auto answer = [&](const char* id, const char* label, auto decide) {
            one.answers.push_back({fmt::format("{}-{}", id, list.size() - 1), label,
                                   [decide, all, path = copy.path](App::State& app) {
                                       decide(app, path);
                                       auto others = all;
                                       std::erase_if(others, [&](const Autosave::LeftCopy& left) {
                                           return left.path == path;
                                       });
                                       offer_recovery(app, others);
                                   }});
        };
        answer("discard", "Throw away", throw_away);
        if (several) answer("bring-back", "Bring back", bring_back);
    }
    const auto bring_all_back = [all](App::State& app) { // the newest one stands on the screen
        for (const Autosave::LeftCopy& copy : all | std::views::reverse) bring_back(app, copy.path);
    };
    s.show(ask("Bring back unsaved work?",
               several ? worded("NormScope ended without asking before {} documents were saved. "
                                "Copies of them are still there.",
                                all.size())
                       : worded("NormScope ended without asking before this was saved. A "
                                "copy is still there."),
               {{"later", "At the next start", {}},
                {"bring-back", several ? "Bring all back" : "Bring it back", bring_all_back}},
               std::move(list)));
}

void take_back(App::State& s, const OpenRequest& from, SessionCopy copy) {
    std::error_code no_time;
    // A copy of an earlier version does not say of which file it is.
    if (copy.stamp.empty() && is_newer(copy.file, fs::last_write_time(from.path, no_time)))
        copy.file.clear();
    begin_with(s, std::move(copy.document), "unsaved work");
    *s.history.kept() = {copy.file, std::nullopt, copy.stamp};
    s.files.autosave.adopt(s.history.kept(), std::move(*from.copy));
    s.say(unsaved_work(s).size() > 1
              ? worded("Brought back {}. Other unsaved documents are in the menu File",
                       quoted(document_name(s)))
          : copy.file.empty() ? worded("Brought back unsaved work; it has no file yet")
                              : worded("Brought back unsaved work on {}", copy.file));
}

} // namespace normscope
