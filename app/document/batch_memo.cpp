#include "app/document/batch_memo.h"

namespace normscope {

ZKey z_key(const Document& d) {
    return {d.x, d.f, d.residual, d.eps};
}

const NormsOfZ& BatchMemo::norms(const Document& d) {
    return norms_.of(z_key(d), [&] { return norms_of_z(d); });
}

const Influences& BatchMemo::influence(const Document& d) {
    return influence_.of(z_key(d), [&] { return influences(norms(d)); });
}

const Touch& BatchMemo::touch(const Document& d, const Document* before, Index token,
                              Index feature) {
    TouchKey key{z_key(d), std::nullopt, token, feature};
    if (before && !(z_key(*before) == key.now)) key = {key.now, z_key(*before), 0, 0};
    return touch_.of(key, [&] {
        if (d.x->size() > k_most_touch) return Touch{};
        if (!key.before) return touch_of(d, norms(d), token, feature, 1);
        const NormsOfZ& old = norms_before_.of(*key.before, [&] { return norms_of_z(*before); });
        return touch_between(old, norms(d));
    });
}

const TrainAndEval& BatchMemo::training(const Document& d) {
    const TrainingKey key{z_key(d), d.batch.batch, d.batch.momentum, d.batch.updates,
                          d.batch.nan_update};
    return training_.of(key, [&] { return train_and_eval(d, norms(d).z); });
}

const std::vector<SmallBatch>& BatchMemo::small(std::uint64_t seed) {
    return small_.of(
        seed, [&] { return small_batches(seed, k_small_batch_features, k_small_batch_sizes); });
}

const Sequences& BatchMemo::sentences(const Document& d) {
    return sentences_.of({d.batch, d.eps}, [&] { return sequences(d.batch, d.eps); });
}

} // namespace normscope
