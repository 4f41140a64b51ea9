#include "app/words/prediction.h"

#include "app/language/language.h"
#include "app/model/edit.h"
#include "app/study/add_norm/derived.h"
#include "core/base/lists.h"

#include <array>

namespace normscope {

namespace {

struct Question {
    std::string_view text;
    std::string (*reason)(const Document&); // true of this document
    std::vector<Edit> (*change)(const Document&);
    double Moments::*measured; // of Y
};

// Every γ or β through a function of its value.
template<class Fn>
std::vector<Edit> each(const Document& d, Param param, Fn fn) {
    std::vector<Edit> edits;
    const std::vector<double>& values = *d.param(param);
    for (const auto i : indices(values))
        edits.push_back(
            SetParam{param, static_cast<Index>(i), static_cast<Index>(i), fn(values[i])});
    return edits;
}

std::string why_scaling_goes(const Document& d) {
    const NormEntry& norm = norm_entry(d.norm);
    if (!norm.divides)
        return "Without a norm nothing divides it out: the part of Y that γ scales grows by 10.";
    return norm.centres
               ? "μ and σ grow by 10 as well and divide it out. Only ε does not grow: where it is "
                 "small beside σ², Y hardly changes."
               : worded(
                     "The {} grows by 10 as well and divides it out. Only ε does not grow: where "
                     "it is small, Y hardly changes.",
                     norm.spread->takes);
}

std::string why_a_shift_goes(const Document& d) {
    if (d.residual == Residual::no_skip)
        return "Without the skip Z is F(X) alone: X does not reach it.";
    const NormEntry& norm = norm_entry(d.norm);
    if (!norm.normalizes())
        return "Without a norm nothing takes it off: every value of Y moves by 5·γ.";
    if (norm.centres) return "The norm takes the mean off, and with it a shift of all values.";
    return worded("{} norm takes no mean off: the shift stays, and the {} that divides it grows.",
                  norm.label, norm.spread->takes);
}

std::string what_beta_leaves(const Document& d) {
    if (d.affine_per == AffinePer::token)
        return "γ = 0 leaves only β: all values of a token are one number, and its own data is "
               "gone.";
    if (d.affine_per == AffinePer::scalar)
        return "γ = 0 leaves only β: every value becomes the same number, and the data is gone.";
    return "γ = 0 leaves only β: every token becomes the same row, and its own data is gone.";
}

constexpr Question k_questions[] = {
    {.text = "What happens to the mean of Y if every β rises by 1?",
     .reason =
         [](const Document&) {
             return worded("β is added last, so nothing takes it out again: the mean "
                           "rises by exactly 1.");
         },
     .change =
         [](const Document& d) { return each(d, Param::beta, [](double b) { return b + 1; }); },
     .measured = &Moments::mean},
    {.text = "What happens to Y if X and F(X) are both multiplied by 10?",
     .reason = why_scaling_goes,
     .change = [](const Document&) { return std::vector<Edit>{ScaleInput{10}}; },
     .measured = &Moments::std},
    {.text = "What happens to the mean of Y if 5 is added to every value of X?",
     .reason = why_a_shift_goes,
     .change = [](const Document&) { return std::vector<Edit>{ShiftInput{5}}; },
     .measured = &Moments::mean},
    {.text = "How wide is Y if every γ is 0?",
     .reason = what_beta_leaves,
     .change = [](const Document& d) { return each(d, Param::gamma, [](double) { return 0.0; }); },
     .measured = &Moments::std},
    {.text = "What happens to the width of Y if every γ doubles?",
     .reason =
         [](const Document&) {
             return worded("The part that γ scales becomes twice as wide; what β adds "
                           "stays, so Y doubles exactly only where β is the same for "
                           "all.");
         },
     .change =
         [](const Document& d) { return each(d, Param::gamma, [](double g) { return 2 * g; }); },
     .measured = &Moments::std},
};

} // namespace

std::size_t prediction_count() {
    return std::size(k_questions);
}
std::string_view prediction_question(std::size_t index) {
    return k_questions[index].text;
}

PredictionAnswer answer(std::size_t index, const Document& document) {
    const Question& q = k_questions[index];
    Document changed = document;
    for (const Edit& edit : q.change(document))
        if (auto next = normscope::apply(changed, edit)) changed = std::move(*next);
    const auto measured = [&](const Document& d) {
        return Derived::of(d)->pooled(Tensor::y).moments.*q.measured;
    };
    const std::string_view name = q.measured == &Moments::mean ? "mean of Y" : "std of Y";
    return {worded("{}: {:.3f} → {:.3f}", name, measured(document), measured(changed)),
            q.reason(document)};
}

} // namespace normscope
