#pragma once
#include "core/base/choice.h"
#include "core/block/add_norm.h"
#include "core/nn/activation.h"
#include "core/nn/attention.h"
#include "core/norm/norm.h"

#include <span>

// The tables of choices whose enumeration is in core, as rows of settings.
namespace normscope {

std::span<const Choice<NormKind>> choices(NormKind);
inline constexpr std::size_t k_norm_settings = 2; // rows of a Norm: its kind and its groups
std::span<const Choice<Residual>> choices(Residual);
std::span<const Choice<AffinePer>> choices(AffinePer);
std::span<const Choice<Mode>> choices(Mode);
std::span<const Choice<Activation>> choices(Activation); // feed-forward layers have the first two
std::span<const Choice<Mask>> choices(Mask);

} // namespace normscope
