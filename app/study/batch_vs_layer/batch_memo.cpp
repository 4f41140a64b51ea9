#include "app/study/batch_vs_layer/batch_memo.h"

namespace normscope {

std::shared_ptr<const SmallBatches> SmallBatches::of(std::uint64_t seed,
                                                     const std::shared_ptr<const SmallBatches>&) {
    return std::make_shared<const SmallBatches>(
        SmallBatches{seed, small_batches(seed, k_small_batch_features, k_small_batch_sizes)});
}

const Touch& touch(TouchMemo& memo, const BatchStudy& study, Moving moving, Index token,
                   Index feature, NormResult result) {
    if (!study.touch_since()) moving = Moving::probe;
    TouchKey key{study.version(), moving, token, feature, result};
    if (moving == Moving::since) key.token = key.feature = 0;
    return memo.of(key, [&] {
        const Touch in_x_hat = moving == Moving::since ? *study.touch_since()
                                                       : touch_of(study.norms(), token, feature, 1);
        return result == NormResult::y ? scaled(in_x_hat, study.affine()) : in_x_hat;
    });
}

const Sequences& sentences(SequencesMemo& memo, const Document& d) {
    return memo.of({d.batch, d.eps}, [&] { return sequences(d.batch, d.eps); });
}

} // namespace normscope
