#include "app/workspaces/batch_vs_layer/panels.h"

namespace normscope {

ProbedCell probed_cell(const Frame& f) {
    return {token_in_focus(f).value_or(0), feature_in_focus(f).value_or(0)};
}

const BatchStudy& study_of(const Frame& f) {
    const Document* const began = f.ghost ? &f.ghost->document() : nullptr;
    return f.memory.of<BatchMemory>().study.of(batch_input(f.document, began));
}

bool dragging_z(const Frame& f) {
    return f.ghost && !same_z(f.ghost->document(), f.document) && study_of(f).touch_since();
}

const Touch& touch_of(const Frame& f) {
    const ProbedCell cell = probed_cell(f);
    return touch(f.memory.of<BatchMemory>().touch, study_of(f),
                 dragging_z(f) ? Moving::since : Moving::probe, cell.token, cell.feature,
                 f.view.of<BatchView>().norm_result);
}

std::optional<NotANumber> not_a_number_in_results(const Frame& f) {
    const BatchStudy& study = study_of(f);
    if (const auto& in_z = study.norms().not_a_number) return in_z;
    return f.view.of<BatchView>().norm_result == NormResult::y ? not_a_number_in_affine(f.document)
                                                               : std::nullopt;
}

std::string cell_name(const Document& d, Index token, Index feature) {
    return group_name(d, Axis::token, token) + ", " + group_name(d, Axis::feature, feature);
}

} // namespace normscope
