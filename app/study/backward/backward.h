#pragma once
#include "app/model/learning.h"
#include "app/study/backward/gradient_checks.h"
#include "app/study/backward/reasons.h"
#include "app/study/backward/scale_curve.h"
#include "core/norm/affine.h"
#include "core/norm/normalize.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace normscope {

// A difference this small against its terms is what their rounding left of it.
inline constexpr double k_rounding = 1e-12;

// A distance this small is reached: so far down learning goes.
inline constexpr double k_reached_loss = 1e-14;

// dz = (γ⊙dy − mean − d·mean(γ⊙dy⊙x̂))/s of one group that shares its statistics, step by step.
// Every row has N values, the places of a set (see StatisticSets). A step that the norm does not
// have, or that is broken, leaves its row as the one before.
struct Surgery {
    Vector<double> x_hat;
    Vector<double> a;           // γ⊙dy
    Vector<double> centred;     // minus its mean
    Vector<double> projected;   // minus d·mean(a⊙x̂)
    Vector<double> dz;          // divided by s
    double mean = 0;            // of a; what the second row takes off every value
    Vector<double> pull;        // d of Spread; x̂ where the norm divides by no spread that Z moves
    double mean_ax = 0;         // of a⊙x̂; times d is what the third row takes off
    double s = 1;               // what is divided by
    bool has_mean = true;       // the norm subtracts a mean that Z moves
    bool has_projection = true; // the norm divides by a spread that Z moves
};

// The backward pass of a document, in double. Unchanged parts are shared with the pass before.
class Backward {
  public:
    // `before` may be null. Never fails: what the norm refuses is in error(); gradients are NaN.
    static std::shared_ptr<const Backward> of(const Document& document,
                                              std::shared_ptr<const Backward> before = nullptr);

    const Document& document() const { return document_; }
    bool is_of(const Document& document) const { return same_objects(document_, document); }
    const std::optional<Error>& error() const { return error_; }

    const Matrix<double>& z() const { return forward_->z; }
    const NormCache<double>& cache() const { return forward_->cache; } // x̂, μ, 1/s
    // The running statistics that normalize Z in evaluation; else null.
    const RunningStats<double>* running() const {
        return forward_->running ? &*forward_->running : nullptr;
    }
    // The norm subtracts a mean, or divides by a spread, that Z moves.
    bool centres() const { return terms_of(cache().norm, cache().mode).mean; }
    bool rescales() const { return terms_of(cache().norm, cache().mode).projection; }
    const Affine<double>& affine() const { return affine_; }
    const Matrix<double>& dy() const { return *loss_.dy; }
    // The gradient that X and F(X) receive, as broken, and its Frobenius norm.
    const Matrix<double>& dz() const { return *gradients_.dz; }
    double dz_norm() const { return gradients_.dz_norm; }
    double largest_dy() const { return largest_dy_; } // the largest finite magnitude
    double largest_dz() const { return gradients_.largest_dz; }
    // The size of the terms whose differences dY and dz are. Of dY: the largest |dY| or, of a
    // distance, 2·max(|Y|, |target|)/(T·D) where that is larger. Of dz: a bound of |γ·dY|/s.
    double dy_terms() const { return std::max(largest_dy_, distance_terms_); }
    double dz_terms() const { return dy_terms() * gradients_.dz_weight; }
    // dz is 0 but for rounding.
    bool dz_is_rounding() const {
        return std::isfinite(gradients_.dz_norm) &&
               gradients_.largest_dz <= k_rounding * dz_terms() && !overflows();
    }
    // The statistic of the group, or of any group, is too large for a number: s is ∞ and x̂ is 0.
    bool overflows(Index group) const { return rstd_of(cache(), group) == 0; }
    bool overflows() const { return (cache().rstd.array() == 0).any(); }
    // The loss is a distance, and 0 but for a rest that learning cannot take off.
    bool target_reached() const { return target_reached_; }
    const Vector<double>& dgamma() const { return gradients_.dgamma; }
    const Vector<double>& dbeta() const { return gradients_.dbeta; }
    std::optional<double> loss() const { return loss_.value; }
    const Matrix<double>& target() const { return *target_; }         // 0×0 but for a distance
    bool skip() const { return document_.residual == Residual::add; } // dX = dz, else 0

    // The learning rate of a step: the document's, or else usual_learning_rate().
    double lr() const { return document_.backward.lr.value_or(usual_lr_); }
    double usual_lr() const { return usual_lr_; }

    // The least-squares γ, β of a distance.
    const std::optional<BestAffine>& best() const { return best_; }

    // The effect of scaling Z, with the terms that dz is made of.
    const ScaleCurve& scale_curve() const { return *gradients_.scale_curve; }

    const GradientChecks& checks() const { return gradients_.checks; }
    CheckedGradients checked() const; // for a check that is made when it is asked for
    // The check of scale_curve()'s ‖dX‖ at a scale, group by group; made when asked for.
    SampledCheck check_scaled(double scale) const;

    // vanishing_reason() of this.
    const std::optional<std::string>& vanishing() const { return gradients_.vanishing; }

    // Why a gradient is NaN or ∞, if one is.
    const std::optional<NotANumber>& not_a_number() const { return gradients_.not_a_number; }
    // Why dz of one group is NaN or ∞, if it is: its own cause, else that of all groups.
    std::optional<NotANumber> not_a_number_in(Index group) const;

    StatisticSets sets() const { return statistic_sets(document_); }
    double gamma(Index token, Index feature) const;
    double y(Index token, Index feature) const; // γ·x̂ + β of one cell

    Surgery surgery(Index group) const;

    // The cells that add up to dγ[index] or dβ[index], and what each adds: dy·x̂ or dy.
    CellBlock cells_of_parameter(Index index) const;
    Matrix<double> contributions(Param which, Index index) const;

    // Versions name the content of x̂ (with ε and s), γ and β, dy, dz: a new one where values may
    // differ.
    std::uint64_t x_hat_version() const { return x_hat_version_; }
    std::uint64_t affine_version() const { return affine_version_; }
    std::uint64_t dy_version() const { return dy_version_; }
    std::uint64_t dz_version() const { return dz_version_; }

    // The terms that dz is made of: all but the one that was broken on purpose.
    BackwardTerms terms() const;

  private:
    struct Forward {
        Matrix<double> z;
        NormCache<double> cache;
        std::optional<RunningStats<double>> running;
    };
    // Results of x̂, γ, β, dY and the broken term.
    struct Gradients {
        Shared<Matrix<double>> dz;
        Vector<double> dgamma, dbeta;
        double dz_norm = 0, largest_dz = 0;
        double dz_weight = 0; // max |γ| · max 1/s
        std::shared_ptr<const ScaleCurve> scale_curve;
        GradientChecks checks;
        std::optional<std::string> vanishing;
        std::optional<NotANumber> not_a_number;
    };

    Document document_;
    std::optional<Error> error_;
    std::shared_ptr<const Forward> forward_;
    Affine<double> affine_;
    LossOnY loss_;
    Shared<Matrix<double>> target_;
    Gradients gradients_;
    double largest_dy_ = 0;
    double usual_lr_ = 0;
    double distance_terms_ = 0; // 2·max(|Y|, |target|)/(T·D); 0 but for a distance
    bool target_reached_ = false;
    std::optional<BestAffine> best_;
    std::uint64_t x_hat_version_ = 0, affine_version_ = 0, dy_version_ = 0, dz_version_ = 0;

    friend struct BackwardDerivation;
};

} // namespace normscope
