#include "app/shell/frame/edit_runner.h"

namespace normscope {

void EditRunner::start(const Document& document, Edit edit, std::string said) {
    wanted_ = Wanted{document, std::move(edit), std::move(said), Clock::now()};
    run();
}

void EditRunner::run() {
    if (!wanted_ || wanted_->runs || job_.busy()) return;
    wanted_->runs = true;
    job_.start(describe(wanted_->edit, wanted_->from),
               [from = wanted_->from, edit = wanted_->edit](const Progress&) {
                   return apply(from, edit);
               });
}

std::optional<EditRunner::Applied> EditRunner::take(const Document& now) {
    if (wanted_ && !same_objects(wanted_->from, now)) drop();
    std::optional<Applied> applied;
    if (auto finished = job_.take(); finished && wanted_ && wanted_->runs) {
        applied = Applied{std::move(wanted_->edit), std::move(wanted_->said), std::move(*finished)};
        drop();
    }
    run();
    return applied;
}

bool EditRunner::slow() const {
    return wanted_ && Clock::now() - wanted_->since >= k_silent;
}

} // namespace normscope
