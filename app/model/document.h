#pragma once
#include "app/model/backward_setup.h"
#include "app/model/batch_setup.h"
#include "app/model/flow/flow_setup.h"
#include "app/model/train/race_setup.h"
#include "app/model/transformer/transformer_setup.h"
#include "core/norm/normalize.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace normscope {

enum class Precision : std::uint8_t { float32, float64 };
template<>
inline constexpr std::array<Choice<Precision>, 2> k_choices<Precision>{{
    {Precision::float32, "float32", "float32"},
    {Precision::float64, "float64", "float64"},
}};

// The matrices a person edits: the input, what the sublayer made of it, the gradient that comes
// back and the target of a distance.
enum class Input : std::uint8_t { x, f, dy, target };
enum class Axis : std::uint8_t { token, feature };
enum class Param : std::uint8_t { gamma, beta };

using Names = std::vector<std::string>;

// γ and β as they were under another sharing.
struct AffineValues {
    Shared<std::vector<double>> gamma, beta; // both empty: none
    bool operator==(const AffineValues&) const = default;
};

struct Scene;                      // it holds a document, which holds scenes
using Scenes = std::vector<Scene>; // the states that were kept, in order

// The single value behind the screen: it is saved, undone and compared. Results that can be
// computed from it are not in it (see derived.h), and neither is how it is looked at.
struct Document {
    std::string title;
    Shared<Names> tokens;     // T names
    Shared<Names> features;   // D names
    Shared<Matrix<double>> x; // T×D
    Shared<Matrix<double>> f; // T×D

    Norm norm;
    Residual residual = Residual::add;
    AffinePer affine_per = AffinePer::feature;
    Shared<std::vector<double>> gamma; // D, T or 1 by affine_per
    Shared<std::vector<double>> beta;
    // By AffinePer: γ and β that come back with another sharing. Empty for the present one.
    std::array<AffineValues, 3> set_aside;
    FaderRange gamma_range = k_gamma_range;
    FaderRange beta_range = k_beta_range;
    // The ranges as a person set them; a value typed past them lets only the present ones grow. A
    // reset brings these back.
    FaderRange gamma_set_range = k_gamma_range;
    FaderRange beta_set_range = k_beta_range;
    double eps = 1e-5;
    Precision precision = Precision::float32;
    BackwardSetup backward;
    FlowSetup flow = default_flow();
    BatchSetup batch;
    TransformerSetup transformer = default_transformer();
    RaceSetup train = default_race();
    Shared<Scenes> scenes;

    bool operator==(const Document&) const = default;

    Index token_count() const { return x->rows(); }
    Index feature_count() const { return x->cols(); }
    const Shared<Matrix<double>>& input(Input which) const {
        return *std::array{&x, &f, &backward.dy, &backward.target}[static_cast<std::size_t>(which)];
    }
    Shared<Matrix<double>>& input(Input which) {
        return *std::array{&x, &f, &backward.dy, &backward.target}[static_cast<std::size_t>(which)];
    }
    Shared<Names>& names(Axis axis) { return axis == Axis::token ? tokens : features; }
    const Names& names(Axis axis) const { return axis == Axis::token ? *tokens : *features; }
    const Shared<std::vector<double>>& param(Param which) const {
        return which == Param::gamma ? gamma : beta;
    }
    const FaderRange& range(Param which) const {
        return which == Param::gamma ? gamma_range : beta_range;
    }
};

inline constexpr std::size_t k_most_options = 4; // of a scene's question

// A scene shares its matrices with the document that it was kept of.
struct Scene {
    std::string name;                    // empty: only its number
    std::string question;                // empty: none is asked
    std::string notes;                   // for the teacher alone
    std::string workspace;               // its id
    std::string panel;                   // that is presented: the id of a figure; empty: the first
    std::optional<Index> token, feature; // pinned
    Document document;                   // has no scenes of its own
    // How its workspace was looked at, by the keys that the workspace gives its choices.
    std::map<std::string, double> look = {};
    std::vector<std::string> options = {}; // of the question: A, B, C and D; empty: none is given
    std::optional<std::size_t> right = {}; // of the options; none: the answer is not told
    bool operator==(const Scene&) const = default;
};

// "Scene 3: twice as large", or the number alone.
std::string scene_title(const Scenes& scenes, std::size_t index);

// Norm, skip, sharing, ε and precision.
template<>
std::span<const Field<Document>> fields();

// A workspace's part of the document, with its key in a session. A new workspace adds its member
// and a row to k_parts: check(), sessions, the edits of its settings and their options of
// `normscope export` follow.
template<class S>
struct Part {
    S Document::*member;
    const char* key;
};
inline constexpr std::tuple k_parts{
    Part<BackwardSetup>{&Document::backward, "backward"},
    Part<FlowSetup>{&Document::flow, "flow"},
    Part<TransformerSetup>{&Document::transformer, "transformer"},
    Part<BatchSetup>{&Document::batch, "batch"},
    Part<RaceSetup>{&Document::train, "train"},
};

// Calls visit(Part) for each.
template<class Visit>
void for_each_part(Visit&& visit) {
    std::apply([&](const auto&... part) { (visit(part), ...); }, k_parts);
}

// The part that S is of, or the document itself, const or not.
template<class S, class D>
auto& part_of(D& document) {
    if constexpr (std::is_same_v<S, Document>)
        return document;
    else
        return document.*std::get<Part<S>>(k_parts).member;
}

// The largest matrix of a document. Of a larger file a part is taken.
inline constexpr Index k_max_tokens = 4096;
inline constexpr Index k_max_features = 4096;
inline constexpr Index k_most_values = Index{1} << 20;
bool fits_document(Index tokens, Index features);
// As many of the first features as fit, and of the first tokens beside them.
CellBlock first_part(Index tokens, Index features);

// γ and β.
Affine<double> affine_of(const Document& document);

// dy or target as typed, or the pattern that stands for it; x and f as they are.
Shared<Matrix<double>> input_values(const Document& document, Input which);

// The sets of cells that share μ and σ².
StatisticSets statistic_sets(const Document& document);
// The name of a set: "studying", "d3", "studying, d0–d2".
std::string set_name(const Document& document, const StatisticSets& sets, Index set);

// The options of the norm in training.
NormOptions norm_options(const Document& document);

// The backward pass takes μ and σ² for constants: running statistics in evaluation.
bool constant_statistics(const Document& document);

// All γ are 1 and all β 0.
bool neutral_params(const Document& document);

// Whether the documents are equal, made of the very same matrices, so that no value of them is
// read, and looked at alike. If so, a derivation is not made anew.
bool same_objects(const Document& a, const Document& b);

bool same_affine(const Document& a, const Document& b); // γ and β

// Whether what was derived of one may be drawn with the other: every matrix, group and parameter
// has the same size and meaning in both.
bool drawn_together(const Document& derived_from, const Document& document);

// A document of zeros with γ = 1, β = 0 and default names (t0 …, d0 …).
Document blank_document(Index tokens, Index features);

// Default names: prefix followed by 0, 1, ….
Names numbered_names(char prefix, Index count);

// Names as given, or numbered ones where `given` is empty.
Names names_or_numbered(Names given, char prefix, Index count);

// The value a reset brings a γ (1) or a β (0) to.
constexpr double neutral(Param which) {
    return which == Param::gamma ? 1.0 : 0.0;
}

const char* symbol(Param which);  // "γ", "β"
const char* symbol(Input which);  // "X", "F(X)", "dY", "Target"
const char* axis_word(Axis axis); // "token", "feature"

// The name of a token or a feature; its index where there is none.
std::string name_of(const Document& document, Axis axis, Index index);

// "token “studying”, feature “d3”"; the index where there is no such name.
std::string place_name(const Document& document, Index token, Index feature);

// "Layer norm, ε 1e-5, γ and β per feature".
std::string settings_text(const Document& document);

// All of fields<Document>() are those of a new document.
bool has_usual_settings(const Document& document);

// Brings the range back to how it was set, grown to the values there are now.
void forget_growth(Document& document, Param which);

void set_params(Document& document, Param which, std::vector<double> values);

// γ = 1 and β = 0, as many as the document's shape and affine ask for.
void reset_params(Document& document);

// γ and β per token, feature or one for all: with the values they had there before, or else with
// the present ones where all are the same, which means the same under every sharing.
void share(Document& document, AffinePer per);

// Drops set-aside γ and β whose length no longer fits the matrix.
void forget_misfits(Document& document);

// Whether share() finds no values for γ, or for β: it begins at 1, or at 0, then.
bool begins_anew(const Document& document, AffinePer per, Param param);

FaderRange& range_of(Document& document, Param which);
FaderRange& set_range_of(Document& document, Param which); // as a person set it

// Sizes agree with one another and with the limits: what apply() and opening a file guarantee.
Result<void> check(const Document& document);
// check() for a document of any size.
Result<void> check_settings(const Document& document);

} // namespace normscope
