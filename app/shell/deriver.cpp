#include "app/shell/deriver.h"

namespace normscope {

bool drawn_together(const Document& a, const Document& b) {
    return a.token_count() == b.token_count() && a.feature_count() == b.feature_count() &&
           a.norm == b.norm && a.affine_per == b.affine_per && a.residual == b.residual &&
           a.precision == b.precision;
}

std::shared_ptr<const Derived> Deriver::update(const Document& document,
                                               std::shared_ptr<const Derived> shown) {
    if (auto finished = task_.take()) {
        // A result that is behind the document still shows how far the work has come, unless it is
        // of another matrix altogether.
        const Document& made_of = (*finished)->document();
        if (made_of.token_count() == document.token_count() &&
            made_of.feature_count() == document.feature_count())
            shown = std::move(*finished);
    }
    if (shown && shown->document() == document) return shown;
    if (!shown || document.x->size() <= k_at_once) return Derived::of(document, std::move(shown));
    if (!task_.busy())
        task_.start([document, shown] { return Derived::of(document, shown); }, wake_);
    return shown;
}

} // namespace normscope
