#include "app/study/transformer/transformer_study.h"

namespace normscope {

namespace {

// The box whose output the block of `box` reads.
Box below(const TransformerStudy& study, const Box& box) {
    if (box.block > 0) return {Box::Kind::add_norm, box.side, box.layer, box.block - 1};
    if (box.layer > 0)
        return {Box::Kind::add_norm, box.side, box.layer - 1, study.blocks(box.side) - 1};
    return {Box::Kind::embedding, box.side};
}

// The cells of a norm's output that depend on a cell of its input, and the cells of its input that
// a cell of its output depends on.
CellBlock shared_by(const TransformerStudy& study, const Norm& norm, StackSide side, Index token,
                    Index feature) {
    const StatisticSets sets = statistic_sets(norm, static_cast<Index>(study.tokens(side).size()),
                                              study.setup().config.width);
    return sets.block(sets.set_of(token, feature));
}

// The cells of an Add & Norm's output that depend on a cell of its sum, and the other way.
CellBlock added_to(const TransformerStudy& study, const Box& add, Index token, Index feature) {
    const BlockOptions& options = study.block(add).options;
    if (is_inside(options.placement) || !norm_entry(options.norm).normalizes())
        return {token, feature, 1, 1};
    return shared_by(study, options.norm, add.side, token, feature);
}

// The cells of a sublayer's output that depend on a token of its input.
CellBlock read_by_sublayer(const TransformerStudy& study, const Box& sublayer, Index token) {
    const auto tokens = static_cast<Index>(study.tokens(sublayer.side).size());
    const Index features = study.setup().config.width;
    switch (study.reading(sublayer)) {
    case Reading::masked:
        return {token, 0, tokens - token, features};
    case Reading::self:
        return {0, 0, tokens, features};
    case Reading::cross: // as a query
    case Reading::feed_forward:
        break;
    }
    return {token, 0, 1, features};
}

// The last Add & Norm of a side, and the box of the side's output.
Box last_add(const TransformerStudy& study, StackSide side) {
    return {Box::Kind::add_norm, side, study.layers(side) - 1, study.blocks(side) - 1};
}
Box top(const TransformerStudy& study, StackSide side) {
    const Box final{Box::Kind::final_norm, side};
    return study.has(final) ? final : last_add(study, side);
}

} // namespace

std::vector<BoxCells> made_of(const TransformerStudy& study, const Box& box, Index token,
                              Index feature) {
    const auto tokens = static_cast<Index>(study.tokens(box.side).size());
    const Index features = study.setup().config.width;
    const CellBlock row{token, 0, 1, features};
    switch (box.kind) {
    case Box::Kind::embedding:
        return {};
    case Box::Kind::softmax:
        return {{{Box::Kind::linear, box.side}, {token, 0, 1, study.output(box).cols()}}};
    case Box::Kind::linear:
        return {{top(study, box.side), row}};
    case Box::Kind::final_norm:
        return {{last_add(study, box.side),
                 shared_by(study, study.setup().config.norm, box.side, token, feature)}};
    case Box::Kind::add_norm: {
        const CellBlock cells = added_to(study, box, token, feature);
        std::vector<BoxCells> out{{box.sublayer(), cells}};
        if (study.block(box).options.skip == Residual::add)
            out.push_back({below(study, box), cells});
        return out;
    }
    case Box::Kind::sublayer:
        switch (study.reading(box)) {
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

std::vector<BoxCells> goes_into(const TransformerStudy& study, const Box& box, Index token,
                                Index feature) {
    const Index features = study.setup().config.width;
    const StackSide side = box.side;
    std::vector<BoxCells> out;
    switch (box.kind) {
    case Box::Kind::softmax:
        return {};
    case Box::Kind::linear:
        return {{{Box::Kind::softmax, side}, {token, 0, 1, study.output(box).cols()}}};
    case Box::Kind::sublayer:
        return {{box.add_norm(), added_to(study, box.add_norm(), token, feature)}};
    case Box::Kind::embedding:
    case Box::Kind::add_norm: {
        // The block above reads it twice: its sublayer and its skip.
        if (const auto above = study.next(box)) {
            out.push_back({*above, read_by_sublayer(study, *above, token)});
            if (study.block(*above).options.skip == Residual::add)
                out.push_back(
                    {above->add_norm(), added_to(study, above->add_norm(), token, feature)});
            return out;
        }
        if (const Box final{Box::Kind::final_norm, side}; study.has(final))
            return {{final, shared_by(study, study.setup().config.norm, side, token, feature)}};
        break;
    }
    case Box::Kind::final_norm:
        break;
    }
    // The top of a stack: the head reads it, or every cross-attention.
    if (side == study.head())
        return {{{Box::Kind::linear, side}, {token, 0, 1, std::ssize(study.vocabulary())}}};
    const auto targets = static_cast<Index>(study.tokens(StackSide::decoder).size());
    for (int l = 0; l < study.layers(StackSide::decoder); ++l)
        out.push_back({{Box::Kind::sublayer, StackSide::decoder, l, 1}, {0, 0, targets, features}});
    return out;
}

} // namespace normscope
