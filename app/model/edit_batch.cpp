#include "app/model/edit_batch.h"

#include "app/model/edit.h"
#include "app/model/printed_number.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

// x with x + f = z. The difference of two short decimals is one as well but for its last bits:
// 1.23 − 0.2 is 1.03, not 1.0299999999999998, so that the cell of X reads as it should.
double summand(double z, double f) {
    const double x = z - f;
    const double near = std::round(x * 1e9) / 1e9;
    const double size = std::max({1.0, std::abs(z), std::abs(f)});
    return std::abs(near + f - z) <= 1e-15 * size ? near : x;
}

// The document with a changed setup, if that can be.
template<class Change>
Result<Document> with_batch(const Document& before, Change&& change) {
    Document d = before;
    change(d.batch);
    if (const auto ok = check(d.batch); !ok) return tl::unexpected(ok.error());
    return d;
}

struct ApplyBatch {
    const Document& before;

    Result<Document> operator()(const SetZ& e) const {
        const Index rows = e.values.rows();
        const Index cols = e.values.cols();
        if (e.grow) {
            const auto grown = grown_to(before, e.token + rows, e.feature + cols);
            if (!grown) return tl::unexpected(grown.error());
            return ApplyBatch{*grown}(SetZ{e.token, e.feature, e.values});
        }
        if (e.token < 0 || e.feature < 0 || rows < 1 || cols < 1 ||
            rows > before.token_count() - e.token || cols > before.feature_count() - e.feature)
            return fail(fmt::format("A block of {}×{} does not fit at {}: Z is {}×{}. Add tokens "
                                    "or features first.",
                                    rows, cols, place_name(before, e.token, e.feature),
                                    before.token_count(), before.feature_count()));
        Document d = before;
        Matrix<double> f = *before.f;
        if (before.residual == Residual::no_skip) {
            f.block(e.token, e.feature, rows, cols) = e.values;
            d.f = std::move(f);
            return d;
        }
        Matrix<double> x = *before.x;
        bool f_changed = false;
        for (Index r = 0; r < rows; ++r)
            for (Index c = 0; c < cols; ++c) {
                double& f_cell = f(e.token + r, e.feature + c);
                if (!std::isfinite(f_cell)) { // no x makes a number of it
                    f_cell = 0;
                    f_changed = true;
                }
                x(e.token + r, e.feature + c) = summand(e.values(r, c), f_cell);
            }
        d.x = std::move(x);
        if (f_changed) d.f = std::move(f);
        return d;
    }
    Result<Document> operator()(const SetBatchSize& e) const {
        if (e.tokens < 1 || e.tokens > before.token_count())
            return fail(fmt::format("A batch of {} tokens: there are {}, and it must have at "
                                    "least one",
                                    e.tokens, before.token_count()));
        return with_batch(before, [&](BatchSetup& s) {
            s.batch = e.tokens == before.token_count() ? 0 : e.tokens;
        });
    }
    Result<Document> operator()(const SetMomentum& e) const {
        return with_batch(before, [&](BatchSetup& s) { s.momentum = e.momentum; });
    }
    Result<Document> operator()(const SetUpdates& e) const {
        return with_batch(before, [&](BatchSetup& s) { s.updates = e.updates; });
    }
    Result<Document> operator()(const SetNanBatch& e) const {
        return with_batch(before, [&](BatchSetup& s) { s.nan_update = e.update; });
    }
    Result<Document> operator()(const ResetRunning&) const {
        return with_batch(before, [&](BatchSetup& s) { s.updates = s.nan_update = 0; });
    }
    Result<Document> operator()(const SetBatchSeed& e) const {
        return with_batch(before, [&](BatchSetup& s) { s.seed = e.seed; });
    }
    Result<Document> operator()(const SetSentenceLength& e) const {
        if (e.sentence >= k_sentences)
            return fail(
                fmt::format("There is no sentence {}: there are {}", e.sentence + 1, k_sentences));
        return with_batch(before, [&](BatchSetup& s) { s.lengths[e.sentence] = e.words; });
    }
    Result<Document> operator()(const SetPadding& e) const {
        return with_batch(before, [&](BatchSetup& s) { s.padding = e.padding; });
    }
    Result<Document> operator()(const SetLeak& e) const {
        return with_batch(before, [&](BatchSetup& s) { s.leak = e.cell; });
    }
};

struct DescribeBatch {
    const Document& before;

    std::string operator()(const SetZ& e) const {
        if (e.values.size() != 1)
            return fmt::format("Set {}×{} of Z", e.values.rows(), e.values.cols());
        return fmt::format("Z[{}, {}] → {:.2f}",
                           (*before.tokens)[static_cast<std::size_t>(e.token)],
                           (*before.features)[static_cast<std::size_t>(e.feature)], e.values(0, 0));
    }
    std::string operator()(const SetBatchSize& e) const {
        return fmt::format("Batch of {}", e.tokens);
    }
    std::string operator()(const SetMomentum& e) const {
        return "Momentum → " + short_text(e.momentum);
    }
    std::string operator()(const SetUpdates& e) const {
        return fmt::format("{} updates of the running statistics", e.updates);
    }
    std::string operator()(const SetNanBatch& e) const {
        return e.update > 0 ? fmt::format("A NaN batch at update {}", e.update) : "No NaN batch";
    }
    std::string operator()(const ResetRunning&) const { return "Reset the running statistics"; }
    std::string operator()(const SetBatchSeed& e) const {
        return fmt::format("Batches from seed {}", e.seed);
    }
    std::string operator()(const SetSentenceLength& e) const {
        return fmt::format("Sentence {}: {} words", e.sentence + 1, e.words);
    }
    std::string operator()(const SetPadding& e) const {
        return e.padding == Padding::counted ? "Padding counted" : "Padding left out";
    }
    std::string operator()(const SetLeak& e) const {
        return fmt::format("+1 on word {} of sentence {}", e.cell.word + 1, e.cell.sentence + 1);
    }
};

} // namespace

Result<Document> apply(const Document& document, const EditBatch& edit) {
    return std::visit(ApplyBatch{document}, edit.change);
}

std::string describe(const EditBatch& edit, const Document& before) {
    return std::visit(DescribeBatch{before}, edit.change);
}

} // namespace normscope
