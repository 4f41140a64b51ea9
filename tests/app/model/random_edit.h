#pragma once
#include "app/model/edit.h"
#include "tests/app/model/random_document.h"

// Any edit of every kind, about one in ten of them out of range.
namespace normscope::testing {

// An index on an axis of `n`, or just beside it.
inline Index any_index(Random& random, Index n) {
    return random.below(10) == 0 ? any_of<Index>(random, {-1, n, n + 3}) : index_below(random, n);
}

inline FlowChange any_flow_change(Random& random, const FlowSetup& flow) {
    const auto pin = static_cast<std::size_t>(
        index_below(random, static_cast<Index>(flow.pinned->size()) + 1)); // or one beyond
    StackConfig stack = flow.stack;
    switch (random.below(std::variant_size_v<FlowChange> + 3)) {
    case 0:
        return SetFlowSeeds{static_cast<int>(index_below(random, 34))};
    case 1:
        return RestorePin{pin};
    case 2:
        return RenamePin{pin, any_name(random)};
    case 3:
        return RemovePin{pin};
    case 4:
        return ShowPin{pin, random.below(2) == 0};
    case 5:
        return LinkAffine{random.below(2) == 0};
    case 6:
        return TellStory{any_of<std::string>(random, {"deepnorm", "same-beta", "none such"})};
    case 7:
        return PinStack{any_name(random)};
    case 8:
        stack.beta = any_number_or_not(random);
        return SetStack{stack};
    case 9:
        stack.block_affine.push_back({static_cast<int>(index_below(random, 12)), 0.5, 0.25});
        return SetStack{stack};
    default:
        stack.blocks = static_cast<int>(index_below(random, 99));
        stack.placement = any_of(random, {Placement::post, Placement::pre, Placement::deepnorm});
        stack.init.gain = any_number(random);
        stack.sublayer = any_of(random, {SublayerKind::encoder, SublayerKind::linear});
        return SetStack{stack};
    }
}

inline Edit any_edit(Random& random, const Document& d) {
    const Index tokens = d.token_count();
    const Index features = d.feature_count();
    const auto input = any_of(random, {Input::x, Input::f});
    const auto param = any_of(random, {Param::gamma, Param::beta});
    const auto axis = any_of(random, {Axis::token, Axis::feature});
    const Index along = axis == Axis::token ? tokens : features;
    const Index token = any_index(random, tokens);
    const Index feature = any_index(random, features);
    switch (random.below(std::variant_size_v<Edit>)) {
    case 0: {
        Matrix<double> block(1 + index_below(random, 2), 1 + index_below(random, 2));
        for (Index i = 0; i < block.size(); ++i) block.data()[i] = any_number(random);
        return SetCells{input, token, feature, block};
    }
    case 1:
        return FillCells{input, token, feature, index_below(random, 3), 1, any_number(random)};
    case 2: {
        const auto n = static_cast<Index>(d.param(param)->size());
        const Index first = any_index(random, n);
        return SetParam{param, first, first + index_below(random, 2), any_number(random)};
    }
    case 3:
        return SetParamRange{param, {any_number(random), any_number(random)}};
    case 4:
        return ResetParams{};
    case 5:
        return UndoNorm{token};
    case 6:
        return SetNorm{any_norm(random)};
    case 7:
        return SetResidual{any_of(random, {Residual::add, Residual::no_skip})};
    case 8:
        return SetAffinePer{
            any_of(random, {AffinePer::feature, AffinePer::token, AffinePer::scalar})};
    case 9:
        return SetEps{any_of(random, {0.0, 1e-5, 1.0, -1.0})};
    case 10:
        return SetPrecision{any_of(random, {Precision::float32, Precision::float64})};
    case 11:
        return Rename{axis, any_index(random, along), any_name(random)};
    case 12:
        return Insert{axis, any_index(random, along + 1)};
    case 13:
        return Remove{axis, any_index(random, along)};
    case 14:
        return Duplicate{axis, any_index(random, along)};
    case 15:
        return Move{axis, any_index(random, along), any_index(random, along)};
    case 16:
        return Randomize{any_of(random, {Distribution::normal, Distribution::uniform,
                                         Distribution::heavy_tailed}),
                         random.next_u64()};
    case 17:
        return AddOutlier{feature};
    case 18:
        return ConstantRow{token};
    case 19:
        return ShiftInput{any_number(random)};
    case 20:
        return ScaleInput{any_number(random)};
    case 21: {
        const Index rows = 1 + index_below(random, 4);
        return SetInput{input,
                        Matrix<double>::Constant(rows, 1 + index_below(random, 4), 2.5),
                        random.below(2) ? Names{} : numbered_names('r', rows),
                        {},
                        "a.csv"};
    }
    case 22:
    case 23:
        return EditFlow{any_flow_change(random, d.flow)};
    case 24: {
        const Index first = any_index(random, static_cast<Index>(d.param(param)->size()));
        return ResetParam{param, first, first + index_below(random, 2)};
    }
    case 25:
        return TakeUsualSettings{};
    default: {
        Document other = any_document(random, 2, 3, any_number);
        other.title = "another";
        return Replace{other};
    }
    }
}

} // namespace normscope::testing
