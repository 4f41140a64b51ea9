#include "app/shell/frame/edit_runner.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace normscope {

namespace {

constexpr double k_most_at_once = 10e6; // ns

// About what an edit takes, ns. What changes no matrix, or a few cells of one, is quick.
struct Cost {
    const Document& before;

    double all_values(double each) const { return each * static_cast<double>(before.x->size()); }

    double operator()(const Randomize&) const { return all_values(60); }
    double operator()(const Insert&) const { return all_values(40); }
    double operator()(const Remove&) const { return all_values(40); }
    double operator()(const Duplicate&) const { return all_values(40); }
    double operator()(const Move&) const { return all_values(40); }
    double operator()(const Resize& e) const {
        const Index n = e.axis == Axis::token ? before.token_count() : before.feature_count();
        const double growth = static_cast<double>(e.count) / static_cast<double>(n);
        return all_values(40) * std::max(growth, 1.0);
    }
    double operator()(const UndoNorm&) const { return all_values(15); }
    double operator()(const AddOutlier&) const { return all_values(10); }
    double operator()(const ConstantRow&) const { return all_values(15); }
    double operator()(const ShiftInput&) const { return all_values(10); }
    double operator()(const ScaleInput&) const { return all_values(10); }
    double operator()(const LearnSteps& e) const { return all_values(60) * e.steps; }
    template<class T>
    double operator()(const T&) const {
        return 0;
    }
};

} // namespace

bool EditRunner::takes_long(const Document& document, const Edit& edit) {
    return std::visit(Cost{document}, edit) > k_most_at_once;
}

void EditRunner::start(const Document& document, Edit edit) {
    wanted_ = Wanted{document, std::move(edit), Clock::now()};
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
        applied = Applied{std::move(wanted_->edit), std::move(*finished)};
        drop();
    }
    run();
    return applied;
}

bool EditRunner::slow() const {
    return wanted_ && Clock::now() - wanted_->since >= k_silent;
}

} // namespace normscope
