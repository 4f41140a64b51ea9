#include "app/study/opened_part.h"

namespace normscope {

Result<Document> as_document(const Document& document, const AddNormPart& part) {
    Document d = document;
    d.title = part.title;
    d.tokens = part.tokens;
    d.features = numbered_names('d', part.x.cols());
    d.x = Matrix<double>(part.x.cast<double>());
    d.f = Matrix<double>(part.f.cast<double>());
    d.norm = part.norm;
    d.residual = part.residual;
    d.affine_per = AffinePer::feature;
    d.gamma = std::vector<double>(part.affine.gamma.begin(), part.affine.gamma.end());
    d.beta = std::vector<double>(part.affine.beta.begin(), part.affine.beta.end());
    d.set_aside = {}; // nothing was set by hand of this norm's
    d.gamma_range = d.gamma_set_range = k_gamma_range;
    d.beta_range = d.beta_set_range = k_beta_range;
    d.gamma_range.grow(*d.gamma);
    d.beta_range.grow(*d.beta);
    d.eps = part.eps;
    d.backward.loss = LossKind::given;
    d.backward.dy = Matrix<double>(part.dy.cast<double>());
    // A target of the document before fits by chance only; its losses so far are of other numbers.
    if (d.token_count() != document.token_count() ||
        d.feature_count() != document.feature_count()) {
        d.backward.target = Matrix<double>();
        d.backward.entry_token = d.backward.entry_feature = 0;
    }
    d.backward.forget_run();
    TRY(check(d));
    return d;
}

} // namespace normscope
