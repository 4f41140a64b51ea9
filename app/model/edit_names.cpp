#include "app/model/edit_parts.h"

#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace normscope {

namespace {

// Quotation marks within quotation marks are single ones.
std::string quoted_within(std::string text) {
    for (const auto& [outer, inner] : {std::pair("“", "‘"), std::pair("”", "’")})
        for (std::size_t at; (at = text.find(outer)) != std::string::npos;)
            text.replace(at, std::strlen(outer), inner);
    return text;
}

std::string hundredths(double value) {
    return fmt::format("{:.2f}", value);
}

struct DescribeEdit {
    const Document& before;

    std::string name(Axis axis, Index i) const { return name_of(before, axis, i); }

    // An edit of a block of X, F(X), dY, the target or Z.
    Wording set_cells(const char* matrix, const auto& e, Wording several) const {
        if (e.values.size() != 1) return several;
        return wording("{}[{}, {}] → {}", matrix, name(Axis::token, e.token),
                       name(Axis::feature, e.feature), hundredths(e.values(0, 0)));
    }
    Wording operator()(const SetCells& e) const {
        return set_cells(
            symbol(e.input), e,
            wording("Set {}×{} of {}", e.values.rows(), e.values.cols(), symbol(e.input)));
    }
    Wording operator()(const FillCells& e) const {
        if (e.tokens == 1 && e.features == 1)
            return (*this)(
                SetCells{e.input, e.token, e.feature, Matrix<double>::Constant(1, 1, e.value)});
        if (e.value == 0)
            return wording("Set {}×{} of {} to zero", e.tokens, e.features, symbol(e.input));
        return wording("Fill {}×{} of {} with {}", e.tokens, e.features, symbol(e.input),
                       hundredths(e.value));
    }
    Wording operator()(const SetParam& e) const {
        if (e.first == e.last)
            return wording("{}[{}] → {}", symbol(e.param), e.first, hundredths(e.value));
        return wording("{}[{}–{}] → {}", symbol(e.param), e.first, e.last, hundredths(e.value));
    }
    Wording operator()(const SetParamRange& e) const {
        return wording("Range of {}: {} to {}", symbol(e.param), short_text(e.range.lo),
                       short_text(e.range.hi));
    }
    Wording operator()(const ResetParam& e) const {
        return (*this)(SetParam{e.param, e.first, e.last, neutral(e.param)});
    }
    Wording operator()(const ResetParams&) const { return wording("Reset γ = 1, β = 0"); }
    Wording operator()(const UndoNorm& e) const {
        if (statistic_sets(before).by_feature()) return wording("γ = σ, β = μ of every feature");
        const Spread& spread = *norm_entry(before.norm).spread;
        return wording("γ = {}, β = {} of “{}”", spread.scale, spread.centres ? "μ" : "0",
                       name(Axis::token, e.token));
    }
    template<class S>
    Wording operator()(const SetField<S>& e) const {
        return describe_change(*e.field, part_of<S>(before), e.value);
    }
    Wording operator()(const TakeUsualSettings&) const {
        return wording("Usual norm, ε and sharing");
    }
    Wording operator()(const Rename& e) const {
        return wording("Rename “{}” to “{}”", name(e.axis, e.index), e.name);
    }
    Wording operator()(const Insert& e) const { return wording("Add a {}", axis_word(e.axis)); }
    Wording operator()(const Remove& e) const {
        return wording("Remove {} “{}”", axis_word(e.axis), name(e.axis, e.index));
    }
    Wording operator()(const Resize& e) const {
        const auto n = e.count;
        return e.axis == Axis::token
                   ? n == 1 ? wording("Shape: {} token", n) : wording("Shape: {} tokens", n)
               : n == 1 ? wording("Shape: {} feature", n)
                        : wording("Shape: {} features", n);
    }
    Wording operator()(const Duplicate& e) const {
        return wording("Duplicate {} “{}”", axis_word(e.axis), name(e.axis, e.index));
    }
    Wording operator()(const Move& e) const {
        return wording("Move {} “{}”", axis_word(e.axis), name(e.axis, e.from));
    }
    Wording operator()(const Randomize& e) const {
        const char* const kinds[] = {"normal", "uniform", "heavy-tailed"};
        return wording("Randomize ({}, seed {})", kinds[static_cast<int>(e.distribution)], e.seed);
    }
    Wording operator()(const AddOutlier& e) const {
        return wording("Outlier in “{}”", name(Axis::feature, e.feature));
    }
    Wording operator()(const ConstantRow& e) const {
        return wording("Constant row “{}”", name(Axis::token, e.token));
    }
    Wording operator()(const ShiftInput& e) const {
        return wording("X + {}", short_text(e.amount));
    }
    Wording operator()(const ScaleInput& e) const {
        return wording("X and F(X) × {}", short_text(e.factor));
    }
    Wording operator()(const SetInput& e) const {
        return wording("Open {} as {}", e.source, symbol(e.input));
    }
    Wording operator()(const SetScenes& e) const { return e.what; }
    Wording operator()(const ShowScene& e) const { return wording("Show scene {}", e.index + 1); }
    Wording operator()(const GoBack&) const { return wording("As it was when I began"); }
    Wording operator()(const TakePart& e) const {
        return wording("Open “{}”", quoted_within(e.document.title));
    }
    Wording operator()(const Replace& e) const {
        return wording("Open “{}”", quoted_within(e.name.empty() ? e.document.title : e.name));
    }
    Wording operator()(const SetZ& e) const {
        return set_cells("Z", e, wording("Set {}×{} of Z", e.values.rows(), e.values.cols()));
    }
    Wording operator()(const ResetRunning&) const {
        return wording("Reset the running statistics");
    }
    Wording operator()(const SetLossEntry& e) const {
        return wording("Loss: Y[{}, {}]", name(Axis::token, e.token),
                       name(Axis::feature, e.feature));
    }
    Wording operator()(const LearnSteps&) const { return wording("Learn γ, β"); }
    Wording operator()(const RestartLearning&) const { return wording("Start learning anew"); }
    Wording operator()(const auto& e) const { return label_of_part(e, before); }
};

} // namespace

Wording label_of(const Edit& edit, const Document& before) {
    return std::visit(DescribeEdit{before}, edit);
}

std::string describe(const Edit& edit, const Document& before) {
    return error_text(label_of(edit, before));
}

Wording label_of_gesture(const Edit& edit, const Document& start, const Document& before,
                         const Document& now) {
    const auto* set = std::get_if<SetParam>(&edit);
    if (!set) return label_of(edit, before);
    const std::vector<double>& was = *start.param(set->param);
    const std::vector<double>& is = *now.param(set->param);
    if (was.size() != is.size()) return label_of(edit, before);
    Index first = set->first, last = set->last;
    for (const auto i : indices(is)) {
        if (is[i] == was[i]) continue;
        first = std::min(first, static_cast<Index>(i));
        last = std::max(last, static_cast<Index>(i));
    }
    if (first == set->first && last == set->last) return label_of(edit, before);
    return wording("{}[{}–{}] with the brush", symbol(set->param), first, last);
}

} // namespace normscope
