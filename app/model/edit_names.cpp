#include "app/model/edit_parts.h"

#include "app/language/language.h"
#include "app/model/printed_number.h"

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

struct DescribeEdit {
    const Document& before;

    std::string name(Axis axis, Index i) const { return name_of(before, axis, i); }

    std::string operator()(const SetCells& e) const {
        if (e.values.size() == 1)
            return worded("{}[{}, {}] → {:.2f}", symbol(e.input), name(Axis::token, e.token),
                          name(Axis::feature, e.feature), e.values(0, 0));
        return worded("Paste {}×{} into {}", e.values.rows(), e.values.cols(), symbol(e.input));
    }
    std::string operator()(const FillCells& e) const {
        if (e.tokens == 1 && e.features == 1)
            return (*this)(
                SetCells{e.input, e.token, e.feature, Matrix<double>::Constant(1, 1, e.value)});
        if (e.value == 0)
            return worded("Set {}×{} of {} to zero", e.tokens, e.features, symbol(e.input));
        return worded("Fill {}×{} of {} with {:.2f}", e.tokens, e.features, symbol(e.input),
                      e.value);
    }
    std::string operator()(const SetParam& e) const {
        if (e.first == e.last) return worded("{}[{}] → {:.2f}", symbol(e.param), e.first, e.value);
        return worded("{}[{}–{}] → {:.2f}", symbol(e.param), e.first, e.last, e.value);
    }
    std::string operator()(const SetParamRange& e) const {
        return worded("Range of {}: {} to {}", symbol(e.param), short_text(e.range.lo),
                      short_text(e.range.hi));
    }
    std::string operator()(const ResetParam& e) const {
        return (*this)(SetParam{e.param, e.first, e.last, neutral(e.param)});
    }
    std::string operator()(const ResetParams&) const { return "Reset γ = 1, β = 0"; }
    std::string operator()(const UndoNorm& e) const {
        if (statistic_sets(before).by_feature()) return "γ = σ, β = μ of every feature";
        const Spread& spread = *norm_entry(before.norm).spread;
        return worded("γ = {}, β = {} of “{}”", spread.scale, spread.centres ? "μ" : "0",
                      name(Axis::token, e.token));
    }
    template<class S>
    std::string operator()(const SetField<S>& e) const {
        return describe_change(*e.field, part_of<S>(before), e.value);
    }
    std::string operator()(const TakeUsualSettings&) const { return "Usual norm, ε and sharing"; }
    std::string operator()(const Rename& e) const {
        return worded("Rename “{}” to “{}”", name(e.axis, e.index), e.name);
    }
    std::string operator()(const Insert& e) const { return worded("Add a {}", axis_word(e.axis)); }
    std::string operator()(const Remove& e) const {
        return worded("Remove {} “{}”", axis_word(e.axis), name(e.axis, e.index));
    }
    std::string operator()(const Resize& e) const {
        const auto n = e.count;
        return e.axis == Axis::token
                   ? n == 1 ? worded("Shape: {} token", n) : worded("Shape: {} tokens", n)
               : n == 1 ? worded("Shape: {} feature", n)
                        : worded("Shape: {} features", n);
    }
    std::string operator()(const Duplicate& e) const {
        return worded("Duplicate {} “{}”", axis_word(e.axis), name(e.axis, e.index));
    }
    std::string operator()(const Move& e) const {
        return worded("Move {} “{}”", axis_word(e.axis), name(e.axis, e.from));
    }
    std::string operator()(const Randomize& e) const {
        const char* const kinds[] = {"normal", "uniform", "heavy-tailed"};
        return worded("Randomize ({}, seed {})", kinds[static_cast<int>(e.distribution)], e.seed);
    }
    std::string operator()(const AddOutlier& e) const {
        return worded("Outlier in “{}”", name(Axis::feature, e.feature));
    }
    std::string operator()(const ConstantRow& e) const {
        return worded("Constant row “{}”", name(Axis::token, e.token));
    }
    std::string operator()(const ShiftInput& e) const { return "X + " + short_text(e.amount); }
    std::string operator()(const ScaleInput& e) const {
        return worded("X and F(X) × ") + short_text(e.factor);
    }
    std::string operator()(const SetInput& e) const {
        return worded("Open {} as {}", e.source, symbol(e.input));
    }
    std::string operator()(const SetScenes& e) const { return e.what; }
    std::string operator()(const ShowScene& e) const {
        return worded("Show scene {}", e.index + 1);
    }
    std::string operator()(const Replace& e) const {
        return worded("Open “{}”", quoted_within(e.name.empty() ? e.document.title : e.name));
    }
    std::string operator()(const SetZ& e) const {
        if (e.values.size() != 1) return worded("Set {}×{} of Z", e.values.rows(), e.values.cols());
        return worded("Z[{}, {}] → {:.2f}", name(Axis::token, e.token),
                      name(Axis::feature, e.feature), e.values(0, 0));
    }
    std::string operator()(const ResetRunning&) const { return "Reset the running statistics"; }
    std::string operator()(const SetLossEntry& e) const {
        return worded("Loss: Y[{}, {}]", name(Axis::token, e.token),
                      name(Axis::feature, e.feature));
    }
    std::string operator()(const LearnSteps&) const { return "Learn γ, β"; }
    std::string operator()(const RestartLearning&) const { return "Start learning anew"; }
    std::string operator()(const auto& e) const { return describe_part(e, before); }
};

} // namespace

std::string describe(const Edit& edit, const Document& before) {
    return std::visit(DescribeEdit{before}, edit);
}

std::string describe_gesture(const Edit& edit, const Document& start, const Document& before,
                             const Document& now) {
    const auto* set = std::get_if<SetParam>(&edit);
    if (!set) return describe(edit, before);
    const std::vector<double>& was = *start.param(set->param);
    const std::vector<double>& is = *now.param(set->param);
    if (was.size() != is.size()) return describe(edit, before);
    Index first = set->first, last = set->last;
    for (std::size_t i = 0; i < is.size(); ++i) {
        if (is[i] == was[i]) continue;
        first = std::min(first, static_cast<Index>(i));
        last = std::max(last, static_cast<Index>(i));
    }
    if (first == set->first && last == set->last) return describe(edit, before);
    return worded("{}[{}–{}] with the brush", symbol(set->param), first, last);
}

} // namespace normscope
