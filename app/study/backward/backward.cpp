#include "app/study/backward/backward.h"

#include "app/model/batch_training.h"
#include "app/model/learning.h"
#include "core/norm/affine.h"
#include "core/stats/magnitude.h"

namespace normscope {

// Builds one Backward from a document and, where nothing changed, from the one before.
struct BackwardDerivation {
    Backward& out;
    const Document& doc;
    const Backward* before;
    bool forward_same = false, affine_same = false, y_same = false, dy_same = false,
         gradients_same = false;

    void compare() {
        if (!before) return;
        const Document& old = before->document_;
        const BackwardSetup& s = doc.backward;
        const BackwardSetup& t = old.backward;
        forward_same = doc.x.is(old.x) && doc.f.is(old.f) && doc.residual == old.residual &&
                       doc.norm == old.norm && doc.eps == old.eps && statistics_same(old);
        affine_same = same_affine(doc, old);
        y_same = forward_same && affine_same;
        dy_same = s.loss == t.loss && s.dy.is(t.dy) && s.target.is(t.target) &&
                  s.entry_token == t.entry_token && s.entry_feature == t.entry_feature &&
                  s.target_kind == t.target_kind && s.target_mean == t.target_mean &&
                  s.target_std == t.target_std && s.head_seed == t.head_seed &&
                  doc.x->rows() == old.x->rows() && doc.x->cols() == old.x->cols() &&
                  (y_same || s.loss == LossKind::given || s.loss == LossKind::sum ||
                   s.loss == LossKind::one_entry);
        gradients_same = y_same && dy_same && s.broken == t.broken;
    }

    // Both documents normalize by their own statistics, or by running ones that were learned alike.
    bool statistics_same(const Document& old) const {
        const bool constants = constant_statistics(doc);
        return constants == constant_statistics(old) && (!constants || same_training(doc, old));
    }

    void forward() {
        if (forward_same) {
            out.forward_ = before->forward_;
            out.error_ = before->error_;
            return;
        }
        auto made = std::make_shared<Backward::Forward>();
        // Shapes agree in every document, so that the Add cannot refuse them.
        (void)residual_add(*doc.x, *doc.f, doc.residual, made->z);
        NormOptions options = norm_options(doc);
        if (constant_statistics(doc)) {
            options.mode = Mode::eval;
            made->running = learned_stats(doc, made->z).running;
        }
        if (auto normalized = normalize<double>(doc.norm, made->z, options,
                                                made->running ? &*made->running : nullptr)) {
            made->cache = std::move(normalized->cache);
        } else {
            out.error_ = normalized.error();
            made->cache = refused_cache<double>(doc.norm, made->z.rows(), made->z.cols(), options);
        }
        out.forward_ = std::move(made);
    }

    void loss() {
        const BackwardSetup& s = doc.backward;
        out.affine_ = affine_of(doc);
        const bool target_same = forward_same && dy_same;
        if (target_same)
            out.target_ = before->target_;
        else if (s.loss == LossKind::distance)
            out.target_ = target_matrix(doc, out.z(), out.cache().x_hat);
        out.dy_version_ = before ? before->dy_version_ + (dy_same ? 0 : 1) : 1;
        if (y_same && dy_same) {
            out.loss_ = before->loss_;
            out.best_ = before->best_;
            out.distance_terms_ = before->distance_terms_;
            out.target_reached_ = before->target_reached_;
            return;
        }
        Matrix<double> y;
        // γ and β are as many as the document says: they fit.
        (void)affine_forward(out.cache().x_hat, out.affine_, y);
        out.loss_ = loss_gradient(doc, y, out.target_);
        if (s.loss == LossKind::sum &&
            std::abs(*out.loss_.value) <= k_rounding * y.cwiseAbs().sum())
            out.loss_.value = 0;
        if (s.loss != LossKind::distance) return;
        if (auto best = best_affine(out.cache().x_hat, *out.target_, doc.affine_per))
            out.best_ = std::move(*best);
        const auto count = static_cast<double>(y.size());
        out.distance_terms_ =
            2 *
            std::max(largest_magnitude(y.data(), y.size()),
                     largest_magnitude(out.target_->data(), out.target_->size())) /
            count;
        out.target_reached_ =
            *out.loss_.value <=
            std::max(k_reached_loss, k_rounding * out.target_->squaredNorm() / count);
    }

    void gradients() {
        out.x_hat_version_ = before ? before->x_hat_version_ + (forward_same ? 0 : 1) : 1;
        out.affine_version_ = before ? before->affine_version_ + (affine_same ? 0 : 1) : 1;
        out.dz_version_ = before ? before->dz_version_ + (gradients_same ? 0 : 1) : 1;
        Backward::Gradients& g = out.gradients_;
        if (gradients_same) {
            g = before->gradients_;
            return;
        }
        BackwardOptions options;
        options.terms = out.terms();
        auto gradients = normalize_backward(out.cache(), out.affine_, out.dy(), options);
        if (gradients && !out.error_) {
            g.dz = std::move(gradients->dz);
            g.dgamma = std::move(gradients->dgamma);
            g.dbeta = std::move(gradients->dbeta);
        } else {
            if (!out.error_) out.error_ = gradients.error();
            const double nan = std::nan("");
            g.dz = Matrix<double>(Matrix<double>::Constant(out.z().rows(), out.z().cols(), nan));
            g.dgamma = g.dbeta = Vector<double>::Constant(out.affine_.gamma.size(), nan);
        }
        g.scale_curve =
            std::make_shared<const ScaleCurve>(out.cache(), out.affine_, out.dy(), options.terms);
        g.dz_norm = norm_of(out.dz());
        g.largest_dz = largest_magnitude(out.dz().data(), out.dz().size());
        g.dz_weight = out.affine_.gamma.cwiseAbs().maxCoeff();
        if (out.cache().rstd.size() > 0) g.dz_weight *= out.cache().rstd.maxCoeff();
        g.checks = check_gradients(out.checked());
        g.vanishing = vanishing_reason(out);
        g.not_a_number = why_not_a_number(out);
    }
};

std::shared_ptr<const Backward> Backward::of(const Document& document,
                                             std::shared_ptr<const Backward> before) {
    auto out = std::make_shared<Backward>();
    out->document_ = document;
    BackwardDerivation derivation{*out, document, before.get()};
    derivation.compare();
    derivation.forward();
    out->usual_lr_ = usual_learning_rate(document, out->cache().x_hat);
    derivation.loss();
    out->largest_dy_ = largest_magnitude(out->dy().data(), out->dy().size());
    derivation.gradients();
    return out;
}

BackwardTerms Backward::terms() const {
    const BrokenTerm broken = document_.backward.broken;
    return {broken != BrokenTerm::mean, broken != BrokenTerm::projection,
            broken != BrokenTerm::gamma};
}

double Backward::gamma(Index token, Index feature) const {
    return affine_.gamma(param_index(affine_.per, token, feature));
}

double Backward::y(Index token, Index feature) const {
    return affine_at(affine_, token, feature, cache().x_hat(token, feature));
}

CheckedGradients Backward::checked() const {
    return {document_, z(),  cache(),           affine_,          dy(),
            target(),  dz(), gradients_.dgamma, gradients_.dbeta, running()};
}

SampledCheck Backward::check_scaled(double scale) const {
    return normscope::check_scaled(checked(), scale, scale_curve(), terms());
}

Surgery Backward::surgery(Index group) const {
    const StatisticSets sets = this->sets();
    const CellBlock own = sets.block(group);
    const BackwardTerms terms = this->terms();
    Surgery s;
    s.has_mean = centres();
    s.has_projection = rescales();
    s.s = 1 / rstd_of(cache(), group);
    s.x_hat = values_of(cache().x_hat, own);
    s.a = values_of(dy(), own);
    if (terms.gamma) s.a.array() *= gamma_of(affine_, sets, group).array();
    s.dz = values_of(dz(), own);
    for (Index i = 0; i < sets.size(); ++i) {
        s.mean += s.a(i);
        s.mean_ax += s.a(i) * s.x_hat(i);
    }
    s.mean /= static_cast<double>(sets.size());
    s.mean_ax /= static_cast<double>(sets.size());
    s.pull = s.x_hat;
    if (s.has_projection) s.pull = spread_of(cache()).pull(s.x_hat);
    // A term that is not subtracted brings in no NaN either.
    s.centred = s.a;
    if (s.has_mean && terms.mean) s.centred.array() -= s.mean;
    s.projected = s.centred;
    if (s.has_projection && terms.projection && s.mean_ax != 0) s.projected -= s.pull * s.mean_ax;
    return s;
}

CellBlock Backward::cells_of_parameter(Index index) const {
    return normscope::cells_of_parameter(affine_.per, index, dy().rows(), dy().cols());
}

Matrix<double> Backward::contributions(Param which, Index index) const {
    const CellBlock own = cells_of_parameter(index);
    if (which == Param::beta) return cells(dy(), own);
    return cells(dy(), own).cwiseProduct(cells(cache().x_hat, own));
}

} // namespace normscope
