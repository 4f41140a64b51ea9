#include "app/language/language.h"
#include "app/session/session_file.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/lessons/lessons.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/lists.h"

#include <algorithm>
#include <ranges>
#include <utility>

namespace normscope {

namespace {

// The histories of the person's own documents: of the one on the screen and those that wait for a
// lesson or a part. A lesson's documents can be had again.
std::vector<const History*> own_histories(const App::State& s) {
    if (s.lesson) return {&s.lesson->before.history};
    if (s.own) return {&s.history, &s.own->history};
    return {&s.history};
}

} // namespace

void forget_left(App::State& s, const Document& document) {
    std::erase_if(s.files.left_unsaved,
                  [&](const Unsaved& left) { return left.document == document; });
}

bool note_left(App::State& s) {
    if (s.history.saved()) return false;
    s.files.left_unsaved.push_back({s.document(), s.history.kept(), s.history.undo_label()});
    return true;
}

void go_back_to(App::State& s, const Unsaved& left) {
    forget_left(s, left.document);
    replace_document(s, left.document, {}, left.kept);
}

std::vector<Unsaved> unsaved_work(const App::State& s) {
    std::vector<Unsaved> all;
    const std::vector<const History*> own = own_histories(s);
    for (const History* history : own)
        if (!history->saved())
            all.push_back({history->document(), history->kept(), history->undo_label()});
    for (const Unsaved& left : s.files.left_unsaved | std::views::reverse)
        if (!find_in(own, left.document, &History::document)) all.push_back(left);
    return all;
}

void look_anew(View& view, const View* own) {
    const View usual{};
    const View& as = own ? *own : usual;
    view.pinned_token = as.pinned_token;
    view.pinned_feature = as.pinned_feature;
    view.viewport = as.viewport;
    view.scales = as.scales;
    if (own) { // of that viewport
        view.seen_tokens = own->seen_tokens;
        view.seen_features = own->seen_features;
    }
    view.came_from.reset();
    view.running = false;
    for (const Workspace& workspace : workspace_table()) workspace.look_anew(view, own);
}

void show_look(View& view, const std::map<std::string, double>& kept) {
    Look look = Look::as_kept(kept);
    if (!kept.empty()) workspace_table()[view.workspace].keep_look(view, look);
}

bool look_at_example(View& view, const Example& example) {
    view.pinned_token = example.token;
    const auto workspace = workspace_index(example.workspace);
    view.workspace = workspace.value_or(view.workspace);
    show_look(view, example.look);
    return workspace.has_value();
}

void replace_document(App::State& s, Document next, const std::string& name,
                      std::shared_ptr<KeptFile> kept) {
    leave_lesson(s);
    leave_part(s);
    s.history.settle(false);
    note_left(s);
    s.history.begin({std::move(next), name}, std::move(kept));
    look_anew(s.view);
    s.status.clear();
}

void begin_with(App::State& s, Document next, const std::string& name) {
    const bool touched = s.history.can_undo() || s.history.can_redo() || !s.history.saved();
    replace_document(s, std::move(next), name);
    if (!touched) s.history = History(s.document());
}

std::string quoted(const std::string& name) {
    return name.find("“") == std::string::npos ? "“" + name + "”" : name;
}

std::string document_name(const Document& document, const std::filesystem::path& file) {
    if (file.empty()) return document.title;
    std::string name = file.filename().string();
    if (name.ends_with(k_session_suffix)) name.resize(name.size() - k_session_suffix.size());
    return name;
}

std::string document_name(const App::State& s) {
    return document_name(s.document(), s.history.kept()->path);
}

void look_at_part(App::State& s, const std::string& part, Document document) {
    s.history.settle(false);
    s.own = OwnDocument{std::exchange(s.history, History(std::move(document))), s.view, part};
    look_anew(s.view);
    s.view.came_from = CameFrom{s.view.workspace, part};
    const bool norm = norm_entry(s.document().norm).normalizes();
    const std::string& title = s.document().title;
    s.say(norm ? worded("{}; γ and β are that norm's. Your own document waits.", title)
               : worded("{}; there is no norm. Your own document waits.", title));
}

void leave_part(App::State& s) {
    if (!s.own) return;
    s.history.settle(false);
    OwnDocument own = std::move(*s.own);
    s.own.reset();
    const bool changed = note_left(s);
    const Unsaved left{s.document(), s.history.kept()};
    s.history = std::move(own.history);
    look_anew(s.view, &own.view);
    if (!changed) return s.unsay();
    s.say(worded("Your own document is back. What you changed in {} is not in it", own.part),
          StatusAction{"Open what was changed", given(go_back_to, left)});
}

void lead_back(App::State& s) {
    if (s.view.came_from) s.view.workspace = s.view.came_from->workspace;
    s.workspace().come_back(s.view);
    leave_part(s);
}

SessionView session_view(const App::State& s, const std::shared_ptr<KeptFile>& kept) {
    SessionView view;
    const bool shown = kept == s.history.kept();
    const OwnDocument* const waits = s.lesson ? &s.lesson->before : s.own ? &*s.own : nullptr;
    if (!shown && !(waits && kept == waits->history.kept())) return view;
    const View& looked = shown ? s.view : waits->view;
    view.workspace = workspace_table()[looked.workspace].id;
    view.token = looked.pinned_token;
    view.feature = looked.pinned_feature;
    if (shown && s.lesson) {
        view.lesson = s.lesson->player.lesson().id;
        view.lesson_step = static_cast<Index>(s.lesson->player.at());
    }
    return view;
}

void look_as_saved(App::State& s, const SessionView& view) {
    resume_lesson(s, view.lesson, view.lesson_step.value_or(0));
    s.view.workspace = workspace_index(view.workspace).value_or(s.view.workspace);
    s.view.pinned_token = view.token;
    s.view.pinned_feature = view.feature;
}

} // namespace normscope
