#include "core/train/train_data.h"

#include "core/base/lists.h"
#include "core/base/random.h"
#include "core/train/tasks.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace normscope {
namespace {

std::uint64_t stream_of_step(Index step) {
    return fnv1a("batch") + static_cast<std::uint64_t>(step);
}

// Entropy of the ids of both lists together, in nats.
double entropy(std::vector<Index> ids, const std::vector<Index>& more) {
    add_all(ids, more);
    std::ranges::sort(ids);
    const auto all = static_cast<double>(ids.size());
    double out = 0;
    for (auto at = ids.begin(); at != ids.end();) {
        const auto next = std::upper_bound(at, ids.end(), *at);
        const double share = static_cast<double>(next - at) / all;
        out -= share * std::log(share);
        at = next;
    }
    return out;
}

Guess guess_of(const PointData& points) {
    const std::vector<Index>&train = points.train.classes, &test = points.test.classes;
    std::vector<Index> counts(static_cast<std::size_t>(points.train.class_count));
    for (const Index c : train) ++entry_at(counts, c);
    const Index usual = std::ranges::max_element(counts) - counts.begin();
    return {entropy(train, test), static_cast<double>(std::ranges::count(test, usual)) /
                                      static_cast<double>(test.size())};
}

template<class S>
PointSet<S> in_precision(Points points) {
    return {points.x.cast<S>(), std::move(points.classes)};
}

} // namespace

template<class S>
Result<TrainData<S>> make_train_data(const TrainConfig& config, const TrainInput& input) {
    TrainData<S> out;
    if (kind_of(config.task) == TaskKind::sequences) {
        out.vocabulary = config.symbols + 1;
        out.guess.loss = std::log(static_cast<double>(config.symbols));
        draw_sequences(config, k_test_sentences, fnv1a("test"), out.test_sentences);
        return out;
    }
    if (config.task == Task::text) {
        out.text = TRY(read_text(input.text, config.length));
        out.vocabulary = std::ssize(out.text.characters);
        out.guess.loss = entropy(out.text.train, out.text.test);
        out.test_sentences = all_windows(out.text.test, config.length, k_test_sentences);
        out.train_sentences = all_windows(out.text.train, config.length, k_test_sentences);
        return out;
    }
    PointData points;
    if (config.task == Task::own)
        points = TRY(split_points(input.points, config.seed));
    else
        points = draw_points(config);
    out.class_count = points.train.class_count;
    out.guess = guess_of(points);
    out.train = in_precision<S>(std::move(points.train));
    out.test = in_precision<S>(std::move(points.test));
    return out;
}

template<class S>
void draw_points_of_step(const TrainConfig& config, const TrainData<S>& data, Index step,
                         PointSet<S>& batch) {
    Random random = random_stream(config.seed, stream_of_step(step));
    batch.x.resize(config.batch, data.train.x.cols());
    batch.classes.resize(static_cast<std::size_t>(config.batch));
    for (Index i = 0; i < config.batch; ++i) {
        const std::uint64_t from = random.below(data.train.classes.size());
        batch.x.row(i) = data.train.x.row(static_cast<Index>(from));
        entry_at(batch.classes, i) = data.train.classes[from];
    }
}

template<class S>
void draw_sentences_of_step(const TrainConfig& config, const TrainData<S>& data, Index step,
                            Batch& batch) {
    if (config.task == Task::text)
        draw_windows(data.text.train, config.length, config.batch, config.seed,
                     stream_of_step(step), batch);
    else
        draw_sequences(config, config.batch, stream_of_step(step), batch);
}

NORMSCOPE_IN_BOTH_PRECISIONS(make_train_data);
NORMSCOPE_IN_BOTH_PRECISIONS(draw_points_of_step);
NORMSCOPE_IN_BOTH_PRECISIONS(draw_sentences_of_step);

} // namespace normscope
