#include "app/shell/frame/looked_at_part.h"

#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/workspaces/workspace_table.h"

#include <utility>

namespace normscope {

void look_at_part(App::State& s, const std::string& part, Document document) {
    s.history.settle(false);
    s.own = OwnDocument{std::exchange(s.history, History(std::move(document))), s.view, part};
    look_anew(s.view);
    s.view.came_from = CameFrom{s.view.workspace, part};
    const bool norm = norm_entry(s.document().norm).normalizes();
    s.say(s.document().title +
          (norm ? worded("; γ and β are that norm's") : worded("; there is no norm")) +
          worded(". Your own document waits."));
}

void leave_part(App::State& s) {
    if (!s.own) return;
    s.history.settle(false);
    s.edit_runner.drop();
    OwnDocument own = std::move(*s.own);
    s.own.reset();
    const bool changed = note_left(s);
    const LeftUnsaved left{s.document(), s.history.kept()};
    s.history = std::move(own.history);
    look_anew(s.view, &own.view);
    if (!changed) return s.unsay();
    s.say(
        worded("Your own document is back. What you changed in {} is not in it", own.part),
        StatusAction{"Open what was changed", [left](App::State& app) { go_back_to(app, left); }});
}

void lead_back(App::State& s) {
    if (s.view.came_from) s.view.workspace = s.view.came_from->workspace;
    workspace_table()[s.view.workspace].come_back(s.view);
    leave_part(s);
}

} // namespace normscope
