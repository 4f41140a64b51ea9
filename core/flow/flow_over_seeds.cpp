#include "core/flow/flow_over_seeds.h"

#include <utility>

namespace normscope {
namespace {

template<class S>
Result<SeedFlow> flow_of(const StackConfig& config, Paths paths, int threads,
                         const Progress& progress) {
    auto stack = ResidualStack<S>::make(config, threads, nullptr, progress.part(0, 0.2));
    if (!stack) return tl::unexpected(stack.error());
    auto run = run_forward(*stack, progress.part(0.2, 0.4));
    if (!run) return tl::unexpected(run.error());
    const double rest = paths == Paths::split ? 0.5 : 1;
    auto flow = gradient_flow(*stack, *run, progress.part(0.4, rest));
    if (!flow) return tl::unexpected(flow.error());
    SeedFlow out{config.seed, std::move(*flow), std::nullopt};
    if (paths == Paths::split) {
        auto lengths = path_lengths(*stack, *run, progress.part(rest, 1), threads);
        if (!lengths) return tl::unexpected(lengths.error());
        out.paths = std::move(*lengths);
    }
    return out;
}

} // namespace

template<class S>
Result<std::vector<SeedFlow>> flow_over_seeds(const StackConfig& config, int seeds, Paths paths,
                                              int threads, const Progress& progress) {
    std::vector<SeedFlow> out;
    for (int i = 0; i < seeds; ++i) {
        StackConfig own = config;
        own.seed = config.seed + static_cast<std::uint64_t>(i);
        const Progress part =
            progress.part(static_cast<double>(i) / seeds, static_cast<double>(i + 1) / seeds);
        auto flow = flow_of<S>(own, paths, threads, part);
        if (!flow) return tl::unexpected(flow.error());
        out.push_back(std::move(*flow));
    }
    return out;
}

template decltype(flow_over_seeds<float>) flow_over_seeds<float>;
template decltype(flow_over_seeds<double>) flow_over_seeds<double>;

} // namespace normscope
