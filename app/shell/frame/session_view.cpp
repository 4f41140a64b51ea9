#include "app/shell/frame/session_view.h"

#include "app/shell/lessons/lessons.h"
#include "app/workspaces/workspace_table.h"

namespace normscope {

SessionView session_view(const App::State& s) {
    SessionView view{std::string(workspace_table()[s.view.workspace].id),
                     s.view.pinned_token,
                     s.view.pinned_feature,
                     {},
                     {}};
    if (s.lesson) {
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
