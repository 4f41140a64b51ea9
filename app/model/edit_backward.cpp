#include "app/model/edit_parts.h"

#include "app/model/learning.h"
#include "core/norm/affine.h"

namespace normscope {

Result<Document> apply_part(const Document& before, const SetLossEntry& e) {
    Document d = before;
    d.backward.entry_token = e.token;
    d.backward.entry_feature = e.feature;
    d.backward.begin_another_run();
    if (const auto ok = check(d); !ok) return tl::unexpected(ok.error());
    return d;
}

Result<Document> apply_part(const Document& before, const LearnSteps& e) {
    return learn(before, e.steps);
}

Result<Document> apply_part(const Document& before, const RestartLearning&) {
    Document d = before;
    if (before.backward.start_gamma->size() == before.gamma->size()) {
        d.gamma = before.backward.start_gamma;
        d.beta = before.backward.start_beta;
        d.gamma_range = before.backward.start_gamma_range.value_or(d.gamma_range);
        d.beta_range = before.backward.start_beta_range.value_or(d.beta_range);
        d.gamma_range.grow(*d.gamma);
        d.beta_range.grow(*d.beta);
    } else {
        const Affine<double> start =
            identity_affine<double>(d.affine_per, d.token_count(), d.feature_count());
        d.gamma = std::vector<double>(start.gamma.begin(), start.gamma.end());
        d.beta = std::vector<double>(start.beta.begin(), start.beta.end());
    }
    d.backward.forget_run();
    return d;
}

} // namespace normscope
