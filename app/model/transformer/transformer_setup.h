#pragma once
#include "app/model/choices.h"
#include "app/model/field.h"
#include "core/transformer/transformer_config.h"

#include <span>
#include <string>

// The settings of a Transformer, each under the name of its command-line option.
namespace normscope {

inline constexpr int k_most_transformer_layers = 12;
inline constexpr Index k_widest_transformer = 512;

template<>
std::span<const Field<TransformerConfig>> fields();

// "Post-LN encoder–decoder, 6 + 6 layers": what a Transformer is, in a line.
std::string transformer_name(const TransformerConfig& config);

} // namespace normscope
