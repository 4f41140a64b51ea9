#include "app/model/edit.h"

#include <algorithm>
#include <variant>

namespace normscope {

namespace {

constexpr double k_most_at_once = 10e6;                    // ns
constexpr double k_set = 15, k_reshape = 40, k_learn = 60; // ns a value

double values(Index tokens, Index features) {
    return static_cast<double>(std::max<Index>(tokens, 0)) *
           static_cast<double>(std::max<Index>(features, 0));
}

struct Cost {
    const Document& before;

    double all(double each) const {
        return each * values(before.token_count(), before.feature_count());
    }
    // Of all values where there are to be so many.
    double resized(Index tokens, Index features) const {
        return k_reshape * values(std::max(tokens, before.token_count()),
                                  std::max(features, before.feature_count()));
    }
    // Of a block of cells, before which the document grows.
    double block(const auto& e) const {
        const Index tokens = e.token + e.values.rows(), features = e.feature + e.values.cols();
        const bool grows =
            e.grow && (tokens > before.token_count() || features > before.feature_count());
        return k_set * values(e.values.rows(), e.values.cols()) +
               (grows ? resized(tokens, features) : 0);
    }

    double operator()(const SetCells& e) const { return block(e); }
    double operator()(const SetZ& e) const { return block(e); }
    double operator()(const FillCells& e) const { return k_set * values(e.tokens, e.features); }
    double operator()(const SetInput& e) const {
        return k_set * values(e.values.rows(), e.values.cols());
    }
    double operator()(const Randomize&) const { return all(60); }
    double operator()(const Insert&) const { return all(k_reshape); }
    double operator()(const Remove&) const { return all(k_reshape); }
    double operator()(const Duplicate&) const { return all(k_reshape); }
    double operator()(const Move&) const { return all(k_reshape); }
    double operator()(const Resize& e) const {
        return e.axis == Axis::token ? resized(e.count, 0) : resized(0, e.count);
    }
    double operator()(const UndoNorm&) const { return all(15); }
    double operator()(const AddOutlier&) const { return all(10); }
    double operator()(const ConstantRow&) const { return all(15); }
    double operator()(const ShiftInput&) const { return all(10); }
    double operator()(const ScaleInput&) const { return all(10); }
    double operator()(const LearnSteps& e) const { return all(k_learn) * std::max(e.steps, 0); }
    double operator()(const auto&) const { return 0; }
};

} // namespace

double cost_of(const Edit& edit, const Document& before) {
    return std::visit(Cost{before}, edit);
}

bool takes_long(const Edit& edit, const Document& before) {
    return cost_of(edit, before) > k_most_at_once;
}

bool gives_way(const Edit& edit) {
    return std::holds_alternative<LearnSteps>(edit);
}

} // namespace normscope
