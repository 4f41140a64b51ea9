#pragma once
#include "app/model/document.h"
#include "app/study/add_norm/derived.h"
#include "app/study/backward/backward.h"
#include "app/study/batch_vs_layer/batch_norms.h"
#include "app/study/lesson/race_end.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace normscope {

// Numbers in rows and columns, and the names along its sides, where it has some.
struct NamedValues {
    Matrix<double> values;
    Shared<Names> rows, columns; // empty: no names
};

inline NamedValues one_value(double value) {
    return {Matrix<double>::Constant(1, 1, value), {}, {}};
}

// Asks how a race ends. The answer is null while the race is being trained.
using AskRace = std::function<Result<RaceResults>(const RaceSetup&)>;
Result<RaceResults> train_race(const RaceSetup& setup); // here and now

// The quantities that a lesson may ask for, under the names of the numerics: x, f, z, x_hat, y
// (T×D, as on the screen), mean, var, sigma, rstd (of every set that shares them: T×1 by token, 1×D
// by feature, T×G by group), gamma and beta (1×D, T×1 or 1×1), dy, dz, dx, df (T×D), dgamma, dbeta,
// loss, eps, tokens, features (1×1); behind a norm's id the results of that norm on Z in double:
// batch.x_hat, layer.mean, group.var; leak.batch, leak.layer: how far the raised word of the padded
// sentences (BatchSetup) moves the words before it; flow.gradients: the norm of the gradient at the
// input of the stack (FlowSetup) and behind each block, (blocks + 1)×1, a geometric mean over its
// seeds; flow.bottom: the first of them; blocks.encoder, blocks.decoder: how many Add & Norms a
// layer of the Transformer has; of the race (RaceSetup) at its last step, a row a lane: race.loss,
// race.accuracy (LaneResult; NaN of one that stopped being numbers), race.hit (∞: never),
// race.steps. Computed when asked for, once.
class Quantities {
  public:
    explicit Quantities(Document document, AskRace ask_race = train_race)
        : document_(std::move(document)), ask_race_(std::move(ask_race)) {}

    const Document& document() const { return document_; }

    // Errors: there is no such quantity (the message lists them), or the norm refuses Z.
    Result<NamedValues> find(std::string_view name) const;

    const Derived& derived() const;
    const Backward& backward() const;
    const NormsOfZ& norms() const;
    // The race at its last step. Errors: it is being trained, and waits() from now on; those of
    // training.
    Result<RaceResults> race() const;
    bool waits() const { return waits_; }

  private:
    Result<NamedValues> compute(std::string_view name) const;

    Document document_;
    mutable std::map<std::string, NamedValues, std::less<>> found_;
    mutable std::shared_ptr<const Derived> derived_;
    mutable std::shared_ptr<const Backward> backward_;
    mutable std::shared_ptr<const NormsOfZ> norms_;
    AskRace ask_race_;
    mutable bool waits_ = false;
};

} // namespace normscope
