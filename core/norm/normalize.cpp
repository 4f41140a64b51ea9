#include "core/norm/normalize.h"

#include "core/norm/batch_norm.h"
#include "core/norm/layer_norm.h"
#include "core/norm/none.h"
#include "core/norm/rms_norm.h"

#include <algorithm>
#include <string>

namespace normscope {
namespace {

constexpr std::array k_norms{
    NormEntry{NormKind::layer, "layer", "Layer", layer_norm_forward<float>,
              layer_norm_forward<double>, layer_norm_backward<float>, layer_norm_backward<double>},
    NormEntry{NormKind::batch, "batch", "Batch", batch_norm_forward<float>,
              batch_norm_forward<double>, batch_norm_backward<float>, batch_norm_backward<double>},
    NormEntry{NormKind::rms, "rms", "RMS", rms_norm_forward<float>, rms_norm_forward<double>,
              rms_norm_backward<float>, rms_norm_backward<double>},
    NormEntry{NormKind::none, "none", "None", none_forward<float>, none_forward<double>,
              none_backward<float>, none_backward<double>},
};

} // namespace

std::span<const NormEntry> norm_table() {
    return k_norms;
}

const NormEntry& norm_entry(NormKind kind) {
    const auto found = std::ranges::find(k_norms, kind, &NormEntry::kind);
    return found == k_norms.end() ? k_norms.front() : *found;
}

Result<NormKind> norm_from_id(std::string_view id) {
    std::string known;
    for (const NormEntry& entry : k_norms) {
        if (entry.id == id) return entry.kind;
        known += (known.empty() ? "" : ", ") + std::string(entry.id);
    }
    return fail("there is no norm called \"" + std::string(id) + "\"; the norms are " + known);
}

template<class S>
Result<Normalized<S>> normalize(NormKind kind, const Matrix<S>& z, const NormOptions& options,
                                const RunningStats<S>* running) {
    const NormEntry& entry = norm_entry(kind);
    if constexpr (std::is_same_v<S, float>)
        return entry.forward_f32(z, options, running);
    else
        return entry.forward_f64(z, options, running);
}

template Result<Normalized<float>> normalize(NormKind, const Matrix<float>&, const NormOptions&,
                                             const RunningStats<float>*);
template Result<Normalized<double>> normalize(NormKind, const Matrix<double>&, const NormOptions&,
                                              const RunningStats<double>*);

template<class S>
Result<NormGradients<S>> normalize_backward(const NormCache<S>& cache, const Affine<S>& affine,
                                            const Matrix<S>& dy, const BackwardOptions& options) {
    const NormEntry& entry = norm_entry(cache.kind);
    if constexpr (std::is_same_v<S, float>)
        return entry.backward_f32(cache, affine, dy, options);
    else {
        auto out = entry.backward_f64(cache, affine, dy, options);
        if (out && options.rows_done && !has_token_statistics(cache.kind))
            options.rows_done(0, dy.rows(), out->dz.data());
        return out;
    }
}

template Result<NormGradients<float>> normalize_backward(const NormCache<float>&,
                                                         const Affine<float>&, const Matrix<float>&,
                                                         const BackwardOptions&);
template Result<NormGradients<double>> normalize_backward(const NormCache<double>&,
                                                          const Affine<double>&,
                                                          const Matrix<double>&,
                                                          const BackwardOptions&);

} // namespace normscope
