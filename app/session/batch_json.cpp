#include "app/session/batch_json.h"

#include <fmt/format.h>

namespace normscope {

namespace {

Result<int> read_count(const JsonPlace& at) {
    return read_integer(at, 0, k_most_updates).map([](std::int64_t v) {
        return static_cast<int>(v);
    });
}

Result<Padding> read_padding(const JsonPlace& at) {
    return read_choice<Padding>(at,
                                {{"counted", Padding::counted}, {"left-out", Padding::left_out}});
}

template<std::size_t N>
Result<std::array<Index, N>> read_indices(const JsonPlace& at) {
    if (!at.json.is_array() || at.json.size() != N)
        return at.expected(fmt::format("a list of {} whole numbers", N));
    std::array<Index, N> out{};
    for (std::size_t i = 0; i < N; ++i) {
        const auto value = read_index(at.at(i));
        if (!value) return tl::unexpected(value.error());
        out[i] = *value;
    }
    return out;
}

Result<SentenceCell> read_cell(const JsonPlace& at) {
    return read_indices<3>(at).map([](const std::array<Index, 3>& v) {
        return SentenceCell{v[0], v[1], v[2]};
    });
}

} // namespace

nlohmann::json batch_settings(const BatchSetup& s) {
    const BatchSetup usual;
    nlohmann::json out = nlohmann::json::object();
    if (s.batch != usual.batch) out["size"] = s.batch;
    if (s.momentum != usual.momentum) out["momentum"] = s.momentum;
    if (s.updates != usual.updates) out["updates"] = s.updates;
    if (s.nan_update != usual.nan_update) out["nan_update"] = s.nan_update;
    if (s.seed != usual.seed) out["seed"] = s.seed;
    if (s.lengths != usual.lengths) out["lengths"] = s.lengths;
    if (s.padding != usual.padding) out["padding"] = "left-out";
    if (s.leak != usual.leak) out["leak"] = {s.leak.sentence, s.leak.word, s.leak.feature};
    return out;
}

Result<BatchSetup> read_batch_settings(const JsonPlace& place) {
    BatchSetup s;
    if (const auto ok = check_keys(place, {"size", "momentum", "updates", "nan_update", "seed",
                                           "lengths", "padding", "leak"});
        !ok)
        return tl::unexpected(ok.error());
    for (const auto& ok : {read_optional(place, "size", s.batch, read_index),
                           read_optional(place, "momentum", s.momentum, read_number),
                           read_optional(place, "updates", s.updates, read_count),
                           read_optional(place, "nan_update", s.nan_update, read_count),
                           read_optional(place, "seed", s.seed, read_seed),
                           read_optional(place, "lengths", s.lengths, read_indices<k_sentences>),
                           read_optional(place, "padding", s.padding, read_padding),
                           read_optional(place, "leak", s.leak, read_cell)})
        if (!ok) return tl::unexpected(ok.error());
    return s;
}

} // namespace normscope
