#pragma once
#include "app/model/edit.h"
#include "tests/app/model/random_document.h"

// Any edit of every kind, about one in ten of them out of range.
namespace normscope::testing {

// An index on an axis of `n`, or just beside it.
inline Index any_index(Random& random, Index n) {
    return random.below(10) == 0 ? any_of<Index>(random, {-1, n, n + 3}) : index_below(random, n);
}

// A value that a setting can have, or one beside them.
struct AnyValue {
    Random& random;
    const FieldInfo& field;

    std::int64_t whole() const {
        const auto least = static_cast<std::int64_t>(std::max(field.bounds.least, -1.0));
        const auto most =
            static_cast<std::int64_t>(std::min(field.bounds.most, field.bounds.least + 40));
        return least - 1 + index_below(random, most - least + 3);
    }
    FieldValue operator()(bool) const { return random.below(2) == 0; }
    FieldValue operator()(std::int64_t) const { return whole(); }
    FieldValue operator()(std::uint64_t) const { return random.next_u64() >> random.below(64); }
    FieldValue operator()(double) const {
        return any_of(random, {any_number_or_not(random), field.bounds.least, field.bounds.most});
    }
    FieldValue operator()(const std::optional<double>&) const {
        if (random.below(3) == 0) return std::optional<double>();
        return std::optional(
            any_of(random, {any_number_or_not(random), field.bounds.least, field.bounds.most}));
    }
    FieldValue operator()(const Chosen&) const {
        return Chosen{random.below(field.words.choices.size())};
    }
    FieldValue operator()(std::vector<Index> values) const {
        for (Index& value : values) value = whole();
        return values;
    }
    FieldValue operator()(const Shared<std::vector<double>>&) const {
        std::vector<double> values(random.below(3));
        for (double& value : values) value = any_number_or_not(random);
        return Shared(values);
    }
    FieldValue operator()(const std::optional<FaderRange>&) const {
        if (random.below(3) == 0) return std::optional<FaderRange>();
        return std::optional(FaderRange{-random.uniform(), 1 + random.uniform()});
    }
};

template<class S>
SetField<S> any_field(Random& random, const S& setup) {
    const auto rows = fields<S>();
    const Field<S>& row = rows[random.below(rows.size())];
    return {&row, std::visit(AnyValue{random, row}, row.get(setup))};
}

inline StackConfig any_stack(Random& random, StackConfig stack) {
    const SetField<StackConfig> change = any_field(random, stack);
    change.field->set(stack, change.value);
    if (random.below(4) == 0)
        stack.block_affine.push_back({static_cast<int>(index_below(random, 12)), 0.5, 0.25});
    return stack;
}

// One setting of it is another.
inline TrainConfig any_training(Random& random, TrainConfig config) {
    const SetField<TrainConfig> change = any_field(random, config);
    change.field->set(config, change.value);
    return config;
}

// A setting of its own for a lane, of those that it may have and those that it may not.
inline SetLane any_lane(Random& random, const RaceSetup& race, std::size_t index) {
    const Lane lane = index < race.lanes->size() ? (*race.lanes)[index] : Lane{};
    return {index, any_training(random, config_of(race, lane)), random.below(2) == 0};
}

inline Words any_words(Random& random) {
    Words words(random.below(6));
    for (std::string& word : words) word = any_name(random);
    return words;
}

inline Matrix<double> any_block(Random& random) {
    Matrix<double> block(1 + index_below(random, 2), 1 + index_below(random, 2));
    for (Index i = 0; i < block.size(); ++i) block.data()[i] = any_number(random);
    return block;
}

// A setting of each part of the document.
inline std::vector<Edit> any_part_fields(Random& random, const Document& d) {
    std::vector<Edit> out;
    for_each_part([&]<class S>(const Part<S>& part) {
        if constexpr (k_has_fields<S>) out.push_back(any_field(random, d.*part.member));
    });
    return out;
}

inline Edit any_edit(Random& random, const Document& d) {
    const auto input = any_of(random, {Input::x, Input::f, Input::dy, Input::target});
    const auto param = any_of(random, {Param::gamma, Param::beta});
    const auto axis = any_of(random, {Axis::token, Axis::feature});
    const Index along = axis == Axis::token ? d.token_count() : d.feature_count();
    const Index token = any_index(random, d.token_count());
    const Index feature = any_index(random, d.feature_count());
    const Index first = any_index(random, static_cast<Index>(d.param(param)->size()));
    const Index last = first + index_below(random, 2);
    const auto pin = static_cast<std::size_t>(
        index_below(random, static_cast<Index>(d.flow.pinned->size()) + 1)); // or one beyond
    const auto lane = static_cast<std::size_t>(
        index_below(random, static_cast<Index>(d.train.lanes->size()) + 1)); // or one beyond
    const std::vector<Edit> of_parts = any_part_fields(random, d);
    const auto kind = random.below(std::variant_size_v<AnyEdit>);
    if (kind < of_parts.size()) return of_parts[kind];
    switch (kind - of_parts.size()) {
    case 0:
        return SetCells{input, token, feature, any_block(random), random.below(4) == 0};
    case 1:
        return FillCells{input, token, feature, index_below(random, 3), 1, any_number(random)};
    case 2:
        return SetParam{param, first, last, any_number(random)};
    case 3:
        return SetParamRange{param, {any_number(random), any_number(random)}};
    case 4:
        return ResetParam{param, first, last};
    case 5:
        return ResetParams{};
    case 6:
        return UndoNorm{token};
    case 7:
        return any_field(random, d);
    case 8:
        return TakeUsualSettings{};
    case 9:
        return Rename{axis, any_index(random, along), any_name(random)};
    case 10:
        return Insert{axis, any_index(random, along + 1)};
    case 11:
        return Remove{axis, any_index(random, along)};
    case 12:
        return Resize{axis, any_index(random, along + 2)};
    case 13:
        return Duplicate{axis, any_index(random, along)};
    case 14:
        return Move{axis, any_index(random, along), any_index(random, along)};
    case 15:
        return Randomize{any_of(random, {Distribution::normal, Distribution::uniform,
                                         Distribution::heavy_tailed}),
                         random.next_u64()};
    case 16:
        return AddOutlier{feature};
    case 17:
        return ConstantRow{token};
    case 18:
        return ShiftInput{any_number(random)};
    case 19:
        return ScaleInput{any_number(random)};
    case 20: {
        const Index rows = 1 + index_below(random, 4);
        return SetInput{input,
                        Matrix<double>::Constant(rows, 1 + index_below(random, 4), 2.5),
                        random.below(2) ? Names{} : numbered_names('r', rows),
                        {},
                        "a.csv"};
    }
    case 21:
        return SetLossEntry{token, feature};
    case 22:
        return LearnSteps{static_cast<int>(index_below(random, 3))};
    case 23:
        return RestartLearning{};
    case 24:
        return SetZ{token, feature, any_block(random), random.below(4) == 0};
    case 25:
        return ResetRunning{};
    case 26:
        return SetStack{any_stack(random, d.flow.stack)};
    case 27:
        return PinStack{any_name(random)};
    case 28:
        return RestorePin{pin};
    case 29:
        return RenamePin{pin, any_name(random)};
    case 30:
        return RemovePin{pin};
    case 31:
        return ShowPin{pin, random.below(2) == 0};
    case 32:
        return TellStory{any_of<std::string>(random, {"deepnorm", "same-beta", "none such"})};
    case 33: {
        SetTransformer edit{d.transformer.config};
        const SetField<TransformerConfig> change = any_field(random, edit.config);
        change.field->set(edit.config, change.value);
        return edit;
    }
    case 34: {
        TakeOut edit{{}, random.below(3) > 0};
        for (const Field<TakenOut>& field : fields<TakenOut>())
            field.set(edit.piece, std::visit(AnyValue{random, field}, field.get(edit.piece)));
        return edit;
    }
    case 35:
        return SetWords{random.below(2) == 0 ? SentenceSide::source : SentenceSide::target,
                        any_words(random)};
    case 36:
        return Decode{random.below(3) == 0 ? std::nullopt
                                           : std::optional(static_cast<int>(random.below(18)) - 1)};
    case 37:
        return TakeWeights{};
    case 38:
        if (random.below(8) == 0) return BeginAnew{};
        return SetRace{any_training(random, d.train.common), random.below(2) == 0};
    case 39:
        return AddLane{};
    case 40:
        return DuplicateLane{lane};
    case 41:
        return RemoveLane{lane};
    case 42:
        return RenameLane{lane, any_name(random)};
    case 43:
        return SwitchLane{lane, random.below(2) == 0};
    case 44:
        return any_lane(random, d.train, lane);
    case 45: {
        Scene scene{
            any_name(random), any_name(random), any_name(random), "backward", "dy", {}, 1, d};
        const std::size_t count = d.scenes->size();
        if (count > 2) return remove_scene(d, random.below(count));
        return keep_scene(d, random.below(count + 1), std::move(scene));
    }
    case 46:
        return ShowScene{random.below(d.scenes->size() + 2)};
    case 47:
        return GoBack{d};
    case 48: {
        Document other = d;
        other.batch = any_document(random, 2, 3, any_number).batch;
        return TakePart{other, any_of<const char*>(random, {"batch", "train", "nothing"})};
    }
    default: {
        Document other = any_document(random, 2, 3, any_number);
        other.title = "another";
        return Replace{other};
    }
    }
}

} // namespace normscope::testing
