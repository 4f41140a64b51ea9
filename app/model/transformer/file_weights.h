#pragma once
#include "app/model/transformer/transformer_setup.h"
#include "core/transformer/transformer.h"

#include <string>

namespace normscope {

// The weights of a file, and the words that its ids stand for; a decoder begins with the first.
struct FileWeights {
    std::string name; // of the file
    Words vocabulary;
    Transformer<float> model;
};

// The largest model that a document keeps: larger ones are for the command line.
inline constexpr Index k_most_file_parameters = Index{1} << 21;

// Whether the weights have the names and shapes that a config asks for: it may choose heads, norm,
// placement, mask, ε … anew, and no sizes.
bool fits(const TransformerConfig& config, const FileWeights& weights);

// The weights under a config that they fit.
Result<Transformer<float>> with_config(const FileWeights& weights, const TransformerConfig& config);

// Errors: words that are empty, stand twice or are another number than the tables have rows; a
// source with another vocabulary; more layers or parameters than a document keeps.
Result<void> check(const FileWeights& weights);

} // namespace normscope
