#include "core/flow/path_lengths.h"

#include "core/base/lists.h"
#include "core/base/parallel.h"
#include "core/flow/residual_stack.h"

#include <cmath>
#include <utility>

namespace normscope {
namespace {

constexpr Index k_least_lengths = 4; // worth a thread of their own

// sum += part, where an empty matrix stands for zeros.
template<class S>
void accumulate(Matrix<S>& sum, Matrix<S>&& part) {
    if (part.size() == 0) return;
    if (sum.size() == 0)
        sum = std::move(part);
    else
        sum += part;
}

// g_k ← skipᵀ g_k + branchᵀ g_{k−1} through one unit, for the `count` lengths that there are. Every
// thread takes a range of k; what leaves its upper end is added when all are done, so that the sums
// are the same however many threads there are.
template<class S>
Result<void> pass_unit(const ResidualBlock<S>& unit, const BlockCache<S>& cache,
                       std::vector<Matrix<S>>& g, std::size_t count, int threads) {
    const bool has_skip = unit.options.skip == Residual::add;
    const int chunks = useful_threads(threads, static_cast<Index>(count), k_least_lengths);
    std::vector<Matrix<S>> leaving(static_cast<std::size_t>(chunks));
    std::vector<Result<void>> done(static_cast<std::size_t>(chunks));
    const auto go = [&](int chunk, Index begin, Index end) {
        const auto c = static_cast<std::size_t>(chunk);
        for (Index i = end; i-- > begin;) {
            const auto k = static_cast<std::size_t>(i);
            if (g[k].size() == 0) continue;
            auto back = block_backward(unit, cache, g[k], Want::input_only);
            if (!back) {
                done[c] = tl::unexpected(back.error());
                return;
            }
            // g[k + 1] already holds its skip part: k descends.
            accumulate(i + 1 == end ? leaving[c] : g[k + 1], std::move(back->branch));
            g[k] = has_skip ? std::move(back->skip) : Matrix<S>();
        }
    };
    const auto n = static_cast<Index>(count);
    parallel_chunks(chunks, n, go);
    for (int chunk = 0; chunk < chunks; ++chunk) {
        const auto c = static_cast<std::size_t>(chunk);
        TRY(done[c]);
        const auto above = static_cast<std::size_t>(chunk_begin(n, chunk + 1, chunks));
        accumulate(g[above], std::move(leaving[c]));
    }
    return {};
}

// Takes the split through the sublayers still to cross. A stop comes between two sublayers.
template<class S>
Result<void> cross_all(PathSplit<S>& split, const ResidualStack<S>& stack, const StackRun<S>& run,
                       const Progress& progress, int threads) {
    const std::size_t units = stack.units.size();
    if (split.crossed == 0) {
        split.parts.assign(units + 1, Matrix<S>());
        split.parts[0] = run.dx_last;
    }
    for (; split.crossed < units; ++split.crossed) {
        const std::size_t n = units - 1 - split.crossed;
        const double share = static_cast<double>(split.crossed) / static_cast<double>(units);
        // The work done grows as the square of the sublayers passed.
        TRY(progress.at(share * share));
        if (auto ok =
                pass_unit(stack.units[n], run.units[n], split.parts, split.crossed + 1, threads);
            !ok) {
            split = {}; // which may be half through a sublayer
            return ok;
        }
    }
    return {};
}

} // namespace

double PathLengths::mean_length() const {
    double mean = 0;
    for (const auto k : indices(energy_share)) mean += static_cast<double>(k) * energy_share[k];
    return mean;
}

double path_count(int sublayers, int k) {
    double count = 1;
    for (int i = 1; i <= k; ++i) count = count * (sublayers - k + i) / i;
    return std::round(count);
}

template<class S>
Result<PathLengths> path_lengths_from(PathSplit<S>& split, const ResidualStack<S>& stack,
                                      const StackRun<S>& run, const Progress& progress,
                                      int threads) {
    TRY(cross_all(split, stack, run, progress, threads));
    const Matrix<S> whole = TRY(through_blocks(stack, run, 0, stack.config.blocks, run.dx_last));
    PathLengths out;
    Matrix<S> sum = Matrix<S>::Zero(whole.rows(), whole.cols());
    const double total = squared_norm(whole);
    double energy = 0;
    for (const Matrix<S>& part : split.parts) {
        if (part.size() > 0) sum += part;
        const double square = squared_norm(part);
        energy += square;
        out.norm.push_back(std::sqrt(square));
        out.energy_share.push_back(square);
        out.signed_share.push_back(part.size() > 0 && total != 0 ? dot(part, whole) / total : 0);
    }
    for (double& share : out.energy_share) share = energy > 0 ? share / energy : 0;
    out.total_norm = std::sqrt(total);
    sum -= whole;
    const double left = norm_of(sum);
    out.remainder = left == 0 ? 0 : left / out.total_norm;
    return out;
}

NORMSCOPE_IN_BOTH_PRECISIONS(path_lengths_from);

} // namespace normscope
