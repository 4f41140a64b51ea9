#include "app/session/session_file.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/frame/looked_at_part.h"
#include "app/shell/lessons/lessons.h"
#include "app/workspaces/workspace_table.h"

namespace normscope {

void forget_left(App::State& s, const Document& document) {
    std::erase_if(s.files.left_unsaved,
                  [&](const LeftUnsaved& left) { return left.document == document; });
}

bool note_left(App::State& s) {
    if (s.history.saved()) return false;
    s.files.left_unsaved.push_back({s.document(), s.history.kept()});
    return true;
}

void go_back_to(App::State& s, const LeftUnsaved& left) {
    forget_left(s, left.document);
    replace_document(s, left.document, {}, left.kept);
}

void look_anew(View& view, const View* own) {
    const View usual{};
    const View& as = own ? *own : usual;
    view.pinned_token = as.pinned_token;
    view.pinned_feature = as.pinned_feature;
    view.viewport = as.viewport;
    if (own) { // of that viewport
        view.seen_tokens = own->seen_tokens;
        view.seen_features = own->seen_features;
    }
    view.came_from.reset();
    view.running = false;
    for (const WorkspaceEntry& workspace : workspace_table()) workspace.look_anew(view, own);
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

} // namespace normscope
