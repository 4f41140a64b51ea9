#include "app/document/prediction.h"

#include "app/document/derived.h"
#include "app/document/edit.h"

#include <array>
#include <fmt/format.h>

namespace normscope {

namespace {

using Change = std::vector<Edit> (*)(const Document&);
using Measure = double (*)(const Derived&);

struct Question {
    std::string_view text;
    std::string_view reason;
    std::string_view measured; // what the number is
    Change change;
    Measure measure;
};

double mean_of_y(const Derived& d) {
    return d.pooled(Tensor::y).moments.mean;
}
double std_of_y(const Derived& d) {
    return d.pooled(Tensor::y).moments.std;
}

// Every γ or β through a function of its value.
template<class Fn>
std::vector<Edit> each(const Document& d, Param param, Fn fn) {
    std::vector<Edit> edits;
    const std::vector<double>& values = *d.param(param);
    for (std::size_t i = 0; i < values.size(); ++i)
        edits.push_back(
            SetParam{param, static_cast<Index>(i), static_cast<Index>(i), fn(values[i])});
    return edits;
}

constexpr std::array<Question, 5> k_questions = {{
    {.text = "What happens to the mean of Y if every β rises by 1?",
     .reason = "β is added after the norm, so nothing takes it out again: the mean rises by "
               "exactly 1.",
     .measured = "mean of Y",
     .change =
         [](const Document& d) { return each(d, Param::beta, [](double b) { return b + 1; }); },
     .measure = mean_of_y},
    {.text = "What happens to Y if X and F(X) are both multiplied by 10?",
     .reason = "μ and σ grow by 10 as well and divide it out. Only ε, which does not grow, leaves "
               "a trace.",
     .measured = "std of Y",
     .change = [](const Document&) { return std::vector<Edit>{ScaleInput{10}}; },
     .measure = std_of_y},
    {.text = "What happens to the mean of Y if 5 is added to every value of X?",
     .reason = "Where a mean is subtracted, a shift of all values goes with it. RMS norm subtracts "
               "none.",
     .measured = "mean of Y",
     .change = [](const Document&) { return std::vector<Edit>{ShiftInput{5}}; },
     .measure = mean_of_y},
    {.text = "How wide is Y if every γ is 0?",
     .reason = "γ = 0 leaves only β: every token becomes the same row, and its own data is gone.",
     .measured = "std of Y",
     .change = [](const Document& d) { return each(d, Param::gamma, [](double) { return 0.0; }); },
     .measure = std_of_y},
    {.text = "What happens to the width of Y if every γ doubles?",
     .reason = "The part that γ scales becomes twice as wide; what β adds stays, so Y doubles "
               "exactly only where β is the same for all.",
     .measured = "std of Y",
     .change =
         [](const Document& d) { return each(d, Param::gamma, [](double g) { return 2 * g; }); },
     .measure = std_of_y},
}};

} // namespace

std::size_t prediction_count() {
    return k_questions.size();
}
std::string_view prediction_question(std::size_t index) {
    return k_questions[index].text;
}

PredictionAnswer answer(std::size_t index, const Document& document) {
    const Question& q = k_questions[index];
    Document changed = document;
    for (const Edit& edit : q.change(document))
        if (auto next = normscope::apply(changed, edit)) changed = std::move(*next);
    const double before = q.measure(*Derived::of(document));
    const double after = q.measure(*Derived::of(changed));
    return {fmt::format("{}: {:.3f} → {:.3f}", q.measured, before, after), q.reason};
}

} // namespace normscope
