#include "app/shell/frame/session_view.h"

#include "app/workspaces/workspace_table.h"

namespace normscope {

SessionView session_view(const App::State& s) {
    return {std::string(workspace_table()[s.view.workspace].id), s.view.pinned_token,
            s.view.pinned_feature};
}

void look_as_saved(App::State& s, const SessionView& view) {
    s.view.workspace = workspace_index(view.workspace).value_or(s.view.workspace);
    s.view.pinned_token = view.token;
    s.view.pinned_feature = view.feature;
}

} // namespace normscope
