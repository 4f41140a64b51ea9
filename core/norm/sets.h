#pragma once
#include "core/base/matrix.h"

#include <cstdint>
#include <string_view>

namespace normscope {

// A rectangle of cells.
struct CellBlock {
    Index row = 0, col = 0, rows = 0, cols = 0;

    bool contains(Index r, Index c) const {
        return r >= row && r < row + rows && c >= col && c < col + cols;
    }
    bool operator==(const CellBlock&) const = default;
};

// Cells that share one μ and σ²: those of a token, of a feature, or of a group of neighbouring
// features of a token.
enum class Shares : std::uint8_t { nothing, token, feature, group };

// The cells of a T×D matrix in sets that share their statistics; the sets stand in the order of the
// statistics. Where cells share nothing, the matrix is looked at token by token.
struct StatisticSets {
    Shares shares = Shares::token;
    Index tokens = 0, features = 0;
    Index groups = 1; // of a token's features; 1 but for Shares::group

    bool by_feature() const { return shares == Shares::feature; }
    Index count() const { return by_feature() ? features : tokens * groups; }
    Index size() const { return by_feature() ? tokens : features / groups; }

    Index set_of(Index token, Index feature) const {
        return by_feature() ? feature : token * groups + feature / size();
    }
    CellBlock block(Index set) const {
        if (by_feature()) return {0, set, tokens, 1};
        return {set / groups, set % groups * size(), 1, size()};
    }

    // A set's cell at `place`, from 0 to size() − 1: tokens of a feature, features of the others.
    Index token(Index set, Index place) const { return by_feature() ? place : set / groups; }
    Index feature(Index set, Index place) const {
        return by_feature() ? set : set % groups * size() + place;
    }
    Index place(Index token, Index feature) const {
        return by_feature() ? token : feature % size();
    }

    // A set's name in messages.
    std::string_view name() const {
        return by_feature() ? "feature" : shares == Shares::group ? "group" : "token";
    }
};

// The cells of a block.
template<class M>
auto cells(M&& m, const CellBlock& b) {
    return m.block(b.row, b.col, b.rows, b.cols);
}

// The cells of a block as a vector, by place.
template<class S>
Vector<double> values_of(const Matrix<S>& m, const CellBlock& b) {
    return cells(m, b).template cast<double>().template reshaped<Eigen::RowMajor>();
}

} // namespace normscope
