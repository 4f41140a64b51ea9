#pragma once
#include "core/norm/norm.h"

#include <span>

// One table of all norms: what a menu lists, what the command line accepts, what tests run over.
namespace normscope {

template<class S>
using ForwardFn = Result<Normalized<S>> (*)(const Matrix<S>& z, const NormOptions& options,
                                            const RunningStats<S>* running);

struct NormEntry {
    NormKind kind;
    std::string_view id;    // "layer": command line, session files
    std::string_view label; // "Layer": the screen
    ForwardFn<float> forward_f32;
    ForwardFn<double> forward_f64;
};

// Every norm, in the order the screen shows them.
std::span<const NormEntry> norm_table();

const NormEntry& norm_entry(NormKind kind);

// The norm whose id is `id`, or an error that lists the ids.
Result<NormKind> norm_from_id(std::string_view id);

// x̂ and its statistics. z: T×D, not empty. `running` is read by batch norm: needed in eval mode,
// optional in train mode (absent: starts from mean 0, var 1).
// Errors: an empty matrix; batch norm training on one token; running statistics of another width.
template<class S>
Result<Normalized<S>> normalize(NormKind kind, const Matrix<S>& z, const NormOptions& options = {},
                                const RunningStats<S>* running = nullptr);

extern template Result<Normalized<float>> normalize(NormKind, const Matrix<float>&,
                                                    const NormOptions&, const RunningStats<float>*);
extern template Result<Normalized<double>> normalize(NormKind, const Matrix<double>&,
                                                     const NormOptions&,
                                                     const RunningStats<double>*);

} // namespace normscope
