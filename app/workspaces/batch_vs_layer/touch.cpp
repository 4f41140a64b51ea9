#include "app/workspaces/batch_vs_layer/panels.h"
#include "app/workspaces/focus.h"

namespace normscope {

ProbedCell probed_cell(const Frame& f) {
    return {token_in_focus(f).value_or(0), feature_in_focus(f).value_or(0)};
}

bool dragging_z(const Frame& f) {
    return f.ghost && f.ghost->document().x->size() == f.document.x->size() &&
           !(z_key(f.ghost->document()) == z_key(f.document));
}

const Touch& touch_of(const Frame& f) {
    const ProbedCell cell = probed_cell(f);
    return f.memory.batch.touch(f.document, dragging_z(f) ? &f.ghost->document() : nullptr,
                                cell.token, cell.feature);
}

std::string cell_name(const Document& d, Index token, Index feature) {
    return group_name(d, Axis::token, token) + ", " + group_name(d, Axis::feature, feature);
}

} // namespace normscope
