#pragma once
#include "app/study/transformer/transformer_study.h"
#include "core/norm/spread.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

// The arithmetic of single numbers of the Transformer: every result is that of the numbers
// written before it, with as many decimals as it takes to come out as the model's own, rounded.
namespace normscope {

// One cell on its way through an Add & Norm.
struct AddNormCell {
    double x = 0, f = 0, z = 0;                   // z = x + f
    double mean = 0, root = 1;                    // of its set: μ and what is divided by
    double x_hat = 0, gamma = 1, beta = 0, y = 0; // y = γ·x̂ + β
    bool adds = true;                             // x; else z = f
    const Spread* spread = &k_variance;
    bool norm_first = false; // x̂ is that of x, and `f` the sublayer's of y
};

// A cell of an Add & Norm of the Transformer, and of the norm behind a stack, whose X is `z`.
AddNormCell add_norm_cell(const TransformerStudy& study, const Box& box, Index token,
                          Index feature);
AddNormCell final_norm_cell(const TransformerStudy& study, StackSide side, Index token,
                            Index feature);

// "z = 0.52 + −1.20 = −0.68", "x̂ = (−0.68 − 0.67)/1.41 = −0.96", "y = 1.00·−0.96 + 0.00 = −0.96".
std::vector<std::string> add_norm_words(const AddNormCell& cell);
// The lines of x̂ and y alone, of a norm without an Add before it.
std::vector<std::string> norm_words(const AddNormCell& cell);

// One weight of attention.
struct AttentionWeight {
    double product = 0;             // q·k
    double root = 1;                // √d_h
    std::span<const double> scores; // q·k/√d_h with every key that is seen
    std::size_t key = 0;            // in them
    double weight = 0;
};

// "q·k/√d_h = 8.76/2.83 = 3.10", "softmax = e^3.10/Σ = 22.2/31.9 = 0.70".
std::vector<std::string> weight_words(const AttentionWeight& weight);
// "mean = (0.70 + 0.12)/2 = 0.41".
std::string mean_words(std::span<const double> weights);

// "e^1.31/Σ = 3.71/5.20": the softmax of the head over all words.
std::vector<std::string> word_probability_words(std::span<const double> logits, std::size_t word,
                                                double probability);

// "−log 0.713 = 0.34".
std::string surprise_words(double probability);

// "−0.05924": a number to so many significant digits.
std::string significant_text(double value, int digits = 4);

// "name = a + b = c" of two addends and their sum, to so many decimals; none: to three significant
// digits of it.
std::string sum_words(const std::string& name, double a, double b, double sum,
                      std::optional<int> decimals = 2);

// "0.70·0.31 + 0.30·−0.12 = 0.18": weights of attention and the values that they mix.
std::string mixture_words(std::span<const double> weights, std::span<const double> values,
                          double mixture);

// The origin of a number in the figure: its formula and its numbers in one line, to four
// significant digits, “Z = X + F(X) = 0.8012 + -0.2799 = 0.5213 → …”.
std::string where_from(const TransformerStudy& study, const Box& box, Index token, Index feature);

// The origin of ∂L/∂ of a box's output: “∂L/∂Y = skip + sublayer above = 0.0121 + −0.0043 = …”.
std::string gradient_from(const TransformerStudy& study, const Box& box, Index token,
                          Index feature);

} // namespace normscope
