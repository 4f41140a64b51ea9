#include "app/language/language.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/lessons/lessons.h"
#include "app/workspaces/workspace_table.h"

#include <utility>
#include <variant>

namespace normscope {
namespace {

void stepped_over(const Edit& edit, View& view, bool again) {
    for (const Workspace& workspace : workspace_table()) workspace.stepped_over(view, edit, again);
}

// Undoes or redoes the step that `change` made, and goes to the workspace that it was made in. The
// step may lead from one document to another.
void step(App::State& s, const Change& change, bool again) {
    const bool replaced = std::holds_alternative<Replace>(change.edit);
    if (replaced) note_left(s);
    again ? s.history.redo() : s.history.undo();
    if (replaced) forget_left(s, s.document()); // here it is again
    stepped_over(change.edit, s.view, again);
    if (const auto* shown = std::get_if<ShowScene>(&change.edit))
        s.scene = again ? std::optional(shown->index) : std::nullopt;
    note_deed(s, again ? "redone" : "undone");
    if (!change.made_in || *change.made_in == s.view.workspace) return;
    s.view.workspace = *change.made_in;
    s.ui.focus = 0; // what had it is not there
    s.say(worded("{}: {}, in {}", again ? "Done again" : "Undone", error_text(change.label),
                 workspace_table()[*change.made_in].label));
}

} // namespace

void undo(App::State& s) {
    s.unsay(); // it was said of the step that is taken back
    // A run would go on from there at once.
    if (std::exchange(s.view.running, false)) s.history.settle(false);
    if (s.own && !s.history.can_undo()) return lead_back(s);
    s.history.settle(false);
    if (const Change* const change = s.history.to_undo()) step(s, Change(*change), false);
}

void redo(App::State& s) {
    s.unsay();
    if (const Change* const change = s.history.to_redo()) step(s, Change(*change), true);
}

} // namespace normscope
