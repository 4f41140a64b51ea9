#pragma once
#include "app/model/document.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

// Everything a person can do to a document. A workspace pushes edits; apply() makes the next
// document of them; describe() names them in the Edit menu.
namespace normscope {

// One or more cells of X, F(X), dY or the target, the block's top left corner at (token, feature).
// A block that reaches over the edge is refused, or with `grow` the document gets the tokens and
// features that it needs.
struct SetCells {
    Input input;
    Index token, feature;
    Matrix<double> values;
    bool grow = false;
};

struct FillCells {
    Input input;
    Index token, feature, tokens, features;
    double value;
};

// γ or β from index `first` to `last` inclusive.
struct SetParam {
    Param param;
    Index first, last;
    double value;
};

struct SetParamRange {
    Param param;
    FaderRange range;
};

// γ = 1 or β = 0 from index `first` to `last` inclusive. A range that had only grown to values goes
// back to how it was set, as far as the values that are left allow.
struct ResetParam {
    Param param;
    Index first, last;
};

struct ResetParams {}; // the same for all of both

// γ = √(σ²+ε) and β = μ of the sets that the token's cells are in, so that Y = Z for the token.
struct UndoNorm {
    Index token;
};

struct TakeUsualSettings {}; // norm, skip, ε, sharing and precision of a new document

struct Rename {
    Axis axis;
    Index index;
    std::string name;
};
struct Insert { // zeros, before `index` (or at the end)
    Axis axis;
    Index index;
};
struct Remove {
    Axis axis;
    Index index;
};
struct Resize { // to `count`: zeros at the end, or without the last ones
    Axis axis;
    Index count;
};
struct Duplicate { // a copy right after the original; a feature's is named d3'
    Axis axis;
    Index index;
};
struct Move {
    Axis axis;
    Index from, to;
};
using ShapeEdit = std::variant<Rename, Insert, Remove, Resize, Duplicate, Move>;

enum class Distribution : std::uint8_t { normal, uniform, heavy_tailed };

struct Randomize { // X and F(X), from a seed
    Distribution distribution;
    std::uint64_t seed;
};
struct AddOutlier { // one feature of X raised far above the others in every token
    Index feature;
};
struct ConstantRow { // Z of a token the same everywhere: F(X) = 0, X = its mean
    Index token;
};
struct ShiftInput { // X + amount
    double amount;
};
struct ScaleInput { // X and F(X) times factor, so that Z scales
    double factor;
};

// A matrix from outside: the document is called as the file that X came from. Where its shape
// differs from the document's, the other input starts at zero, γ, β at 1 and 0 and dY anew; dY and
// the target must fit. Empty names keep the present ones where they fit.
struct SetInput {
    Input input;
    Matrix<double> values;
    Names tokens, features;
    std::string source; // file name
};

struct SetScenes { // kept, removed, moved or changed
    Shared<Scenes> scenes;
    Wording what; // for Undo
};
struct ShowScene { // its document, with all scenes
    std::size_t index;
};

struct GoBack { // to the document that stood when the presentation began
    Document document;
};
struct TakePart { // of k_parts, by its key, as another document has it
    Document document;
    std::string key;
};

struct Replace { // another example or session
    Document document;
    std::string name = {}; // of the file, or empty: the document's title
};

// A block of Z, its top left corner at (token, feature): X becomes what makes Z = X + F(X) those
// values; without the skip Z is F(X), and F(X) becomes them. `grow` as in SetCells.
struct SetZ {
    Index token, feature;
    Matrix<double> values;
    bool grow = false;
};
struct ResetRunning {}; // no updates yet, no NaN batch

struct SetLossEntry { // the one entry of Y that is the loss
    Index token, feature;
};
struct LearnSteps { // γ −= lr·dγ, β −= lr·dβ, so many times
    int steps;
};
// γ, β and the reach of their faders as they were before the first step (1 and 0 where nobody kept
// them), no losses yet.
struct RestartLearning {};

// describe() names the setting that differs: "Blocks → 24". A block that is no longer there loses
// its own γ and β.
struct SetStack {
    StackConfig stack;
};
struct PinStack { // a copy of the present stack; stack_names() names it unless `name` is given
    std::string name;
};
struct RestorePin { // the pinned stack becomes the present one; it stays pinned
    std::size_t index;
};
struct RenamePin {
    std::size_t index;
    std::string name;
};
struct RemovePin {
    std::size_t index;
};
struct ShowPin { // or hide its curve
    std::size_t index;
    bool shown;
};
struct TellStory { // as tell() of flow_stories.h
    std::string id;
};

using FlowEdit =
    std::variant<SetStack, PinStack, RestorePin, RenamePin, RemovePin, ShowPin, TellStory>;

struct SetTransformer { // describe() names the setting that differs: "Layers → 6"
    TransformerConfig config;
};
struct TakeOut { // or put it back
    TakenOut piece;
    bool out;
};
struct SetWords { // the whole sentence
    SentenceSide side;
    Words words;
};
struct Decode { // so many words; none: the target is given
    std::optional<int> words;
};
// Another Transformer, with its sentences: what is taken out is put back. Null: the same one with
// weights that are drawn.
struct TakeWeights {
    std::shared_ptr<const FileWeights> weights;
};

using TransformerEdit = std::variant<SetTransformer, TakeOut, SetWords, Decode, TakeWeights>;

// Common settings; describe() names the one that differs: "Learning rate → 0.03". With `go_on`,
// where some steps are taken and some are left (can_branch()), each lane that it changes goes on
// from the present step with its weights if it can (goes_on()). Else the race begins anew, unless
// only its number of steps is another. Another kind of task has its usual lanes.
struct SetRace {
    TrainConfig common;
    bool go_on = false;
    std::optional<Shared<RaceInput>> input = std::nullopt; // none: as it was
};
struct BeginAnew {}; // the lanes as they are now, from step 0 on
struct AddLane {};   // as the common settings say
struct DuplicateLane {
    std::size_t index;
};
struct RemoveLane {
    std::size_t index;
};
struct RenameLane { // empty: by its differences
    std::size_t index;
    std::string name;
};
struct SwitchLane {
    std::size_t index;
    bool on;
};
struct SetLane { // as far as a lane may differ
    std::size_t index;
    TrainConfig config;
    bool go_on = false; // as in SetRace; else this lane begins anew
};

using RaceEdit = std::variant<SetRace, BeginAnew, AddLane, DuplicateLane, RemoveLane, RenameLane,
                              SwitchLane, SetLane>;

// A list of edits' types, of which none is made.
template<class... E>
struct Edits {};
template<class... A, class... B>
Edits<A..., B...> operator+(Edits<A...>, Edits<B...>);
template<class... E>
Edits<E...> each_of(const std::variant<E...>&);
template<class... E>
std::variant<E...> one_of(Edits<E...>);

// The edits of the settings of the document's parts.
template<class S>
using PartEdit = std::conditional_t<k_has_fields<S>, Edits<SetField<S>>, Edits<>>;
template<class... S>
auto part_edits(const std::tuple<Part<S>...>&) -> decltype((Edits<>() + ... + PartEdit<S>()));

using AnyEdit = decltype(one_of(
    Edits<SetCells, FillCells, SetParam, SetParamRange, ResetParam, ResetParams, UndoNorm,
          SetField<Document>, TakeUsualSettings, Randomize, AddOutlier, ConstantRow, ShiftInput,
          ScaleInput, SetInput, SetScenes, ShowScene, GoBack, TakePart, Replace, SetZ, ResetRunning,
          SetLossEntry, LearnSteps, RestartLearning>() +
    part_edits(k_parts) + each_of(std::declval<ShapeEdit>()) + each_of(std::declval<FlowEdit>()) +
    each_of(std::declval<TransformerEdit>()) + each_of(std::declval<RaceEdit>())));

template<class E, class... Each>
constexpr bool is_one_of(const std::variant<Each...>*) {
    return (std::is_same_v<E, Each> || ...);
}

// Any edit. Compilers make its copies in edit.cpp alone: in each source that has an edit they would
// make one of every kind.
struct Edit : AnyEdit {
    template<class E>
    requires(is_one_of<std::decay_t<E>>(static_cast<const AnyEdit*>(nullptr))) Edit(E&& edit)
        : AnyEdit(std::in_place_type<std::decay_t<E>>, std::forward<E>(edit)) {}
    Edit(const Edit&);
    Edit(Edit&&) noexcept;
    Edit& operator=(const Edit&);
    Edit& operator=(Edit&&) noexcept;
    ~Edit();
};

// The document after the edit, or why it cannot be: the document stays as it was then.
Result<Document> apply(const Document& document, const Edit& edit);

// The document with tokens and features of zeros at the end, at least so many of each.
Result<Document> grown_to(const Document& document, Index tokens, Index features);

// "γ[3] → 1.40", "Rename token 2": what "Undo …" says.
Wording label_of(const Edit& edit, const Document& before);
std::string describe(const Edit& edit, const Document& before); // in the language that is spoken

// The label for the last edit of a gesture that has made `now` of `start`: a stroke over many
// faders is "γ[10–35] with the brush".
Wording label_of_gesture(const Edit& edit, const Document& start, const Document& before,
                         const Document& now);

// The most tokens or features that a document may have, given the number of the others.
Index most_along(const Document& document, Axis axis);

// A part of a document, without its scenes. The document may be larger than the limits.
Document cut_out(const Document& document, const CellBlock& part);

// The edits of scenes. In each the index is in range.
SetScenes keep_scene(const Document& document, std::size_t before, Scene scene);
SetScenes remove_scene(const Document& document, std::size_t index);
SetScenes move_scene(const Document& document, std::size_t from, std::size_t to);
SetScenes change_scene(const Document& document, std::size_t index, Scene scene);

} // namespace normscope
