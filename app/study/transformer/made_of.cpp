#include "app/study/transformer/made_of.h"

namespace normscope {

namespace {

// What the block of a box reads.
Box below(const TransformerStudy& study, const Box& box) {
    if (box.block > 0) return {Box::Kind::add_norm, box.side, box.layer, box.block - 1};
    if (box.layer > 0)
        return {Box::Kind::add_norm, box.side, box.layer - 1, study.blocks(box.side) - 1};
    return {Box::Kind::embedding, box.side, 0, 0};
}

// What comes out of a side's last layer, and out of the side.
Box last_add(const TransformerStudy& study, StackSide side) {
    return {Box::Kind::add_norm, side, study.layers(side) - 1, study.blocks(side) - 1};
}
Box top(const TransformerStudy& study, StackSide side) {
    const Box final{Box::Kind::final_norm, side, 0, 0};
    return study.has(final) ? final : last_add(study, side);
}

} // namespace

std::vector<BoxCells> made_of(const TransformerStudy& study, const Box& box, Index token,
                              Index feature) {
    const auto tokens = static_cast<Index>(study.tokens(box.side).size());
    const Index features = study.setup().config.width;
    const CellBlock cell{token, feature, 1, 1}, row{token, 0, 1, features};
    switch (box.kind) {
    case Box::Kind::embedding:
        return {};
    case Box::Kind::softmax:
        return {{{Box::Kind::linear, box.side, 0, 0}, {token, 0, 1, study.output(box).cols()}}};
    case Box::Kind::linear:
        return {{top(study, box.side), row}};
    case Box::Kind::final_norm: {
        const StatisticSets sets = statistic_sets(study.setup().config.norm, tokens, features);
        return {{last_add(study, box.side), sets.block(sets.set_of(token, feature))}};
    }
    case Box::Kind::add_norm: {
        const Box sublayer{Box::Kind::sublayer, box.side, box.layer, box.block};
        const BlockOptions& options = study.block(box.side, box.layer, box.block).options;
        CellBlock cells = cell;
        if (!study.add_norm(box.side, box.layer, box.block).norm_first &&
            norm_entry(options.norm).normalizes()) {
            const StatisticSets sets = statistic_sets(options.norm, tokens, features);
            cells = sets.block(sets.set_of(token, feature));
        }
        std::vector<BoxCells> out{{sublayer, cells}};
        if (options.skip == Residual::add) out.push_back({below(study, box), cells});
        return out;
    }
    case Box::Kind::sublayer:
        switch (study.reading(box.side, box.block)) {
        case Reading::feed_forward:
            return {{below(study, box), row}};
        case Reading::masked:
            return {{below(study, box), {0, 0, token + 1, features}}};
        case Reading::self:
            return {{below(study, box), {0, 0, tokens, features}}};
        case Reading::cross: {
            const auto memory = static_cast<Index>(study.tokens(StackSide::encoder).size());
            return {{below(study, box), row},
                    {top(study, StackSide::encoder), {0, 0, memory, features}}};
        }
        }
    }
    return {};
}

} // namespace normscope
