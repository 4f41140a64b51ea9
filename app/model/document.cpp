#include "app/model/document.h"

#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "core/base/lists.h"
#include "core/norm/affine.h"

#include <algorithm>
#include <utility>

namespace normscope {

namespace {

std::string shape(Index rows, Index cols) {
    return std::to_string(rows) + "×" + std::to_string(cols);
}

void forget_run(Document& d, const Document& /*before*/) {
    d.backward.forget_run();
}

// Groups that divide the features, for a norm that is chosen.
void choose_groups(Document& d, const Document& before) {
    forget_run(d, before);
    if (norm_entry(d.norm).shares == Shares::group)
        d.norm.groups = fitting_groups(d.norm.groups, d.feature_count());
}

void share_anew(Document& d, const Document& before) {
    const AffinePer per = std::exchange(d.affine_per, before.affine_per);
    share(d, per);
}

} // namespace

template<>
std::span<const Field<Document>> fields() {
    using S = Document;
    static const Field<S> rows[] = {
        norm_row<S>("Normalize", {}, {.then = choose_groups}),
        groups_row<S>("Groups", k_max_features, k_max_features,
                      {.then = forget_run, .unsaid = has_usual_groups<S>}),
        field<&S::residual>("residual", "Residual", {}, {}, {.then = forget_run}),
        field<&S::affine_per>(
            "affine", "γ, β", {},
            {.help = "What shares one γ and β",
             .look = {.choices = {{"feature", "feature"}, {"token", "token"}, {"scalar", "scalar"}},
                      .hints = {"One γ and β a feature, as in PyTorch",
                                "One γ and β a token: not PyTorch, but it exists",
                                "One γ and one β for everything"}}},
            {.then = share_anew}),
        field<&S::eps>("eps", "ε", {0},
                       {.way_out = "ε is added to the variance inside the root",
                        .help = "ε, added to the variance inside the root",
                        .look = {.track = Track::from_zero,
                                 .lo = 1e-12,
                                 .hi = 1,
                                 .hint = "ε keeps the root from being 0; PyTorch's is 1e-5"}}),
        field<&S::precision>("precision", "Precision"),
    };
    constexpr std::size_t k_others = 13; // matrices, names, γ and β, scenes
    static_assert(std::size(rows) + k_others + std::tuple_size_v<decltype(k_parts)> ==
                  member_count<S>() - 1 + k_norm_settings);
    return rows;
}

Names numbered_names(char prefix, Index count) {
    Names names;
    for (Index i = 0; i < count; ++i) names.push_back(prefix + std::to_string(i));
    return names;
}

Names names_or_numbered(Names given, char prefix, Index count) {
    return given.empty() ? numbered_names(prefix, count) : std::move(given);
}

Affine<double> affine_of(const Document& d) {
    const auto vector = [](const std::vector<double>& values) {
        return Vector<double>(Eigen::Map<const Vector<double>>(values.data(), std::ssize(values)));
    };
    return {d.affine_per, vector(*d.gamma), vector(*d.beta)};
}

Shared<Matrix<double>> input_values(const Document& d, Input which) {
    const Shared<Matrix<double>>& typed = d.input(which);
    if (typed->size() > 0) return typed;
    return seed_pattern(d.token_count(), d.feature_count());
}

StatisticSets statistic_sets(const Document& d) {
    return statistic_sets(d.norm, d.token_count(), d.feature_count());
}

std::string set_name(const Document& d, const StatisticSets& sets, Index set) {
    const CellBlock b = sets.block(set);
    const auto token = [&] { return entry_at(*d.tokens, b.row); };
    const auto feature = [&](Index i) { return entry_at(*d.features, i); };
    if (sets.by_feature()) return feature(b.col);
    if (sets.groups == 1) return token();
    const std::string last = b.cols == 1 ? "" : "–" + feature(b.col + b.cols - 1);
    return token() + ", " + feature(b.col) + last;
}

NormOptions norm_options(const Document& d) {
    return {.eps = d.eps};
}

bool constant_statistics(const Document& d) {
    return norm_entry(d.norm).has_running && d.backward.mode == Mode::eval;
}

bool neutral_params(const Document& d) {
    const auto neutral_at = [&](Param which) {
        return std::ranges::all_of(*d.param(which), [=](double v) { return v == neutral(which); });
    };
    return neutral_at(Param::gamma) && neutral_at(Param::beta);
}

bool same_objects(const Document& a, const Document& b) {
    return a.x.is(b.x) && a.f.is(b.f) && a.backward.dy.is(b.backward.dy) &&
           a.backward.target.is(b.backward.target) && a.train.step == b.train.step &&
           a.transformer.decoded == b.transformer.decoded && a == b;
}

bool same_affine(const Document& a, const Document& b) {
    return a.affine_per == b.affine_per && a.gamma == b.gamma && a.beta == b.beta;
}

bool drawn_together(const Document& a, const Document& b) {
    return a.token_count() == b.token_count() && a.feature_count() == b.feature_count() &&
           a.norm == b.norm && a.affine_per == b.affine_per && a.residual == b.residual &&
           a.precision == b.precision;
}

Document blank_document(Index tokens, Index features) {
    Document d;
    d.title = "Untitled";
    d.tokens = numbered_names('t', tokens);
    d.features = numbered_names('d', features);
    d.x = Matrix<double>(Matrix<double>::Zero(tokens, features));
    d.f = d.x;
    reset_params(d);
    return d;
}

const char* symbol(Param which) {
    return which == Param::gamma ? "γ" : "β";
}
const char* axis_word(Axis axis) {
    return axis == Axis::token ? "token" : "feature";
}
const char* symbol(Input which) {
    return entry_at(std::array{"X", "F(X)", "dY", "Target"}, which);
}

std::string name_of(const Document& d, Axis axis, Index i) {
    const Names& names = d.names(axis);
    const bool there = i >= 0 && i < std::ssize(names);
    return there ? entry_at(names, i) : std::to_string(i);
}

std::string place_name(const Document& d, Index token, Index feature) {
    const auto name = [&](Axis axis, Index i) {
        const bool there = i >= 0 && i < std::ssize(d.names(axis));
        return there ? "“" + name_of(d, axis, i) + "”" : name_of(d, axis, i);
    };
    return worded("token {}, feature {}", name(Axis::token, token), name(Axis::feature, feature));
}

std::string settings_text(const Document& d) {
    const NormEntry& entry = norm_entry(d.norm);
    std::string text = worded("{} norm", entry.normalizes() ? entry.label : "no");
    if (entry.shares == Shares::group) text = worded("{}, {} groups", text, d.norm.groups);
    text = worded("{}, ε {}, γ and β {}", text, short_text(d.eps), label_of(d.affine_per));
    if (d.residual == Residual::no_skip) text = worded("{}, no skip", text);
    return d.precision == Precision::float32 ? text : worded("{}, float64", text);
}

bool has_usual_settings(const Document& d) {
    const auto usual = [&](const Field<Document>& f) { return f.get(d) == f.get(Document{}); };
    return std::ranges::all_of(fields<Document>(), usual);
}

bool fits_document(Index tokens, Index features) {
    return tokens <= k_max_tokens && features <= k_max_features &&
           tokens * features <= k_most_values;
}

CellBlock first_part(Index tokens, Index features) {
    const Index cols = std::min(features, k_max_features);
    return {0, 0, std::min({tokens, k_max_tokens, k_most_values / cols}), cols};
}

Result<void> check(const Document& d) {
    const Index tokens = d.token_count(), features = d.feature_count();
    if (!fits_document(tokens, features))
        return fail("X is {}: at most {} tokens, {} features and {} values fit; open a part "
                    "of it",
                    shape(tokens, features), k_max_tokens, k_max_features, k_most_values);
    return check_settings(d);
}

Result<void> check_settings(const Document& d) {
    const Index tokens = d.token_count();
    const Index features = d.feature_count();
    if (tokens < 1 || features < 1)
        return fail("X is {}: at least one token and one feature are needed",
                    shape(tokens, features));
    if (d.f->rows() != tokens || d.f->cols() != features)
        return fail("F(X) is {} but X is {}: the Add needs equal shapes",
                    shape(d.f->rows(), d.f->cols()), shape(tokens, features));
    if (std::ssize(*d.tokens) != tokens)
        return fail("{} token names for {} tokens", d.tokens->size(), tokens);
    if (std::ssize(*d.features) != features)
        return fail("{} feature names for {} features", d.features->size(), features);
    const Index params = affine_size(d.affine_per, tokens, features);
    for (const Param which : {Param::gamma, Param::beta}) {
        const auto have = static_cast<Index>(d.param(which)->size());
        if (have != params)
            return fail("{} has {} values but this affine needs {}", symbol(which), have, params);
        if (!(d.range(which).lo < d.range(which).hi))
            return fail("the range of {} is empty: its low end must be below its high end",
                        symbol(which));
    }
    for (const AffinePer per : {AffinePer::feature, AffinePer::token, AffinePer::scalar}) {
        const AffineValues& kept = entry_at(d.set_aside, per);
        const auto need = per == d.affine_per ? 0 : affine_size(per, tokens, features);
        for (const auto* values : {&kept.gamma, &kept.beta})
            if (const auto have = static_cast<Index>((*values)->size());
                (have != 0 && have != need) || kept.gamma->size() != kept.beta->size())
                return fail("γ and β set aside have {} values but their affine needs {}", have,
                            need);
    }
    TRY(check_fields(d));
    Result<void> ok;
    for_each_part([&](const auto& part) {
        if (!ok) return;
        const auto& setup = d.*part.member;
        if constexpr (requires { check(setup, tokens, features); })
            ok = check(setup, tokens, features);
        else if constexpr (requires { check(setup); })
            ok = check(setup);
        else
            ok = check_fields(setup);
    });
    return ok;
}

} // namespace normscope
