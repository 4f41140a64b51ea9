#include "app/model/edit_parts.h"

#include "app/language/language.h"
#include "core/base/lists.h"
#include "core/norm/affine.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_set>
#include <utility>

namespace normscope {

namespace {

using Values = std::vector<double>;

Index axis_size(const Document& d, Axis axis) {
    return std::ssize(d.names(axis));
}

// The rows or columns of these indices; zeros for −1.
Matrix<double> taken(const Matrix<double>& old, Axis axis, const std::vector<Index>& from) {
    const bool rows = axis == Axis::token;
    const auto n = std::ssize(from);
    Matrix<double> m = Matrix<double>::Zero(rows ? n : old.rows(), rows ? old.cols() : n);
    for (Index i = 0; i < n; ++i) {
        const Index source = entry_at(from, i);
        if (source >= 0 && rows) m.row(i) = old.row(source);
        if (source >= 0 && !rows) m.col(i) = old.col(source);
    }
    return m;
}

// The index each new row (or column) is taken from; −1 for a new one of zeros, which has the next
// of the new names.
Document rearranged(const Document& before, Axis axis, const std::vector<Index>& from,
                    const Names& new_names) {
    Document d = before;
    const auto n = std::ssize(from);
    for (const Input which : {Input::x, Input::f, Input::dy, Input::target})
        d.input(which) = taken(*input_values(before, which), axis, from);
    const Names& old_names = before.names(axis);
    Names names;
    auto new_name = new_names.begin();
    for (const Index source : from)
        names.push_back(source < 0 ? *new_name++ : entry_at(old_names, source));
    d.names(axis) = std::move(names);

    // The entry that is the loss goes where its token or feature goes.
    Index& entry = axis == Axis::token ? d.backward.entry_token : d.backward.entry_feature;
    const auto moved = std::ranges::find(from, entry);
    entry = moved != from.end() ? moved - from.begin() : std::min(entry, n - 1);
    d.backward.forget_run();

    const AffinePer along = axis == Axis::token ? AffinePer::token : AffinePer::feature;
    const auto rearrange = [&](Shared<Values>& old, Param which) {
        if (old->empty()) return;
        Values values;
        for (const Index source : from)
            values.push_back(source < 0 ? neutral(which) : entry_at(*old, source));
        old = std::move(values);
    };
    AffineValues& kept = entry_at(d.set_aside, along);
    rearrange(d.affine_per == along ? d.gamma : kept.gamma, Param::gamma);
    rearrange(d.affine_per == along ? d.beta : kept.beta, Param::beta);
    return d;
}

// GCC 14 takes vector::insert into a vector of unknown size for a write past its end.
void insert_at(std::vector<Index>& order, Index place, Index source) {
    order.push_back(source);
    std::rotate(order.begin() + place, order.end() - 1, order.end());
}

// Names that no token or feature has yet.
Names fresh_names(const Document& d, Axis axis, Index count) {
    const Names& taken = d.names(axis);
    const std::unordered_set<std::string> known(taken.begin(), taken.end());
    Names out;
    for (std::size_t i = taken.size(); std::ssize(out) < count; ++i) {
        std::string name = (axis == Axis::token ? 't' : 'd') + std::to_string(i);
        if (!known.contains(name)) out.push_back(std::move(name));
    }
    return out;
}

struct ApplyShape {
    const Document& before;

    Result<void> has_room(Axis axis) const {
        const Index most = most_along(before, axis);
        if (axis_size(before, axis) < most) return {};
        return fail("{} {}s is the most; remove one first", most, axis_word(axis));
    }

    // Inserts a token or feature at the index: a copy of the one at `source` or, for −1, zeros.
    Result<Document> with_one(Axis axis, Index index, Index source) const {
        TRY(has_room(axis));
        auto order = first_places(axis_size(before, axis));
        insert_at(order, index, source);
        return rearranged(before, axis, order, fresh_names(before, axis, 1));
    }

    Result<Document> operator()(const Rename& e) const {
        TRY(on_axis(before, e.axis, e.index, axis_size(before, e.axis)));
        Document d = before;
        entry_at(d.names(e.axis).own(), e.index) = e.name;
        return d;
    }

    Result<Document> operator()(const Insert& e) const {
        const Index n = axis_size(before, e.axis);
        TRY(on_axis(before, e.axis, e.index, n + 1));
        return with_one(e.axis, e.index, -1);
    }

    Result<Document> operator()(const Resize& e) const {
        const Index n = axis_size(before, e.axis), most = most_along(before, e.axis);
        if (e.count < 1 || e.count > most)
            return fail("There can be 1 to {} {}s: {} stays as it was", most, axis_word(e.axis), n);
        if (e.count == n) return before; // a run of learning goes on
        auto order = first_places(n);
        order.resize(static_cast<std::size_t>(e.count), Index{-1});
        return rearranged(before, e.axis, order,
                          fresh_names(before, e.axis, std::max<Index>(e.count - n, 0)));
    }

    Result<Document> operator()(const Remove& e) const {
        const Index n = axis_size(before, e.axis);
        TRY(on_axis(before, e.axis, e.index, n));
        if (n == 1)
            return fail("The last {} cannot be removed: at least one is needed", axis_word(e.axis));
        auto order = first_places(n);
        order.erase(order.begin() + e.index);
        return rearranged(before, e.axis, order, {});
    }

    Result<Document> operator()(const Duplicate& e) const {
        const Index n = axis_size(before, e.axis);
        TRY(on_axis(before, e.axis, e.index, n));
        Document d = TRY(with_one(e.axis, e.index, e.index));
        if (e.axis == Axis::token) return d; // a word may come twice
        // Two features of one name could not be told apart in what is said of them.
        std::string& name = entry_at(d.features.own(), e.index + 1);
        while (std::ranges::count(*before.features, name) > 0) name += '\'';
        return d;
    }

    Result<Document> operator()(const Move& e) const {
        const Index n = axis_size(before, e.axis);
        for (const Index i : {e.from, e.to}) TRY(on_axis(before, e.axis, i, n));
        auto order = first_places(n);
        order.erase(order.begin() + e.from);
        insert_at(order, e.to, e.from);
        return rearranged(before, e.axis, order, {});
    }
};

} // namespace

Index most_along(const Document& d, Axis axis) {
    const bool token = axis == Axis::token;
    return std::min(token ? k_max_tokens : k_max_features,
                    k_most_values / (token ? d.feature_count() : d.token_count()));
}

Document cut_out(const Document& document, const CellBlock& part) {
    const auto range = [](Index first, Index count) {
        std::vector<Index> order(static_cast<std::size_t>(count));
        std::iota(order.begin(), order.end(), first);
        return order;
    };
    Document d = rearranged(document, Axis::token, range(part.row, part.rows), {});
    d = rearranged(d, Axis::feature, range(part.col, part.cols), {});
    d.scenes = {}; // they are of the whole
    return d;
}

Result<void> on_axis(const Document& d, Axis axis, Index index, Index end) {
    if (index >= 0 && index < end) return {};
    return fail("There is no {} {}: the matrix is {}×{}", axis_word(axis), index, d.token_count(),
                d.feature_count());
}

Result<Document> apply_part(const Document& before, const ShapeEdit& edit) {
    return std::visit(ApplyShape{before}, edit);
}

Result<Document> grown_to(const Document& document, Index tokens, Index features) {
    Result<Document> out = document;
    for (const auto& [axis, count] : {std::pair{Axis::token, tokens}, {Axis::feature, features}})
        if (out && count > axis_size(*out, axis)) out = apply_part(*out, Resize{axis, count});
    return out;
}

} // namespace normscope
