#include "app/shell/frame/looked_at_block.h"

#include "app/shell/files/file_commands.h"
#include "app/workspaces/workspace_table.h"

#include <fmt/format.h>
#include <utility>

namespace normscope {

void look_at_block(App::State& s, int block, Document document) {
    s.history.settle(false);
    s.own = OwnDocument{std::exchange(s.history, History(std::move(document))), s.view, block};
    look_anew(s.view);
    s.view.came_from_block = block;
    const bool norm = norm_entry(s.document().norm).normalizes();
    s.say(s.document().title + (norm ? "; γ and β are that norm's" : "; there is no norm") +
          ". Your own document waits.");
}

void leave_block(App::State& s) {
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
        fmt::format("Your own document is back. What you changed in block {} is not in it",
                    own.block),
        StatusAction{"Open the changed block", [left](App::State& app) { go_back_to(app, left); }});
}

void lead_back(App::State& s) {
    s.view.workspace = block_workspace().value_or(s.view.workspace);
    workspace_table()[s.view.workspace].come_back(s.view);
    leave_block(s);
}

} // namespace normscope
