#pragma once
#include "core/base/matrix.h"
#include "core/stats/sample.h"

#include <variant>

namespace normscope {

// A float or double matrix owned elsewhere, to be read as double: charts and formulas take a view,
// so that they need not know the precision the numbers were computed in.
class MatrixView {
  public:
    MatrixView() = default;
    MatrixView(const Matrix<float>& m) : data_(m.data()), rows_(m.rows()), cols_(m.cols()) {}
    MatrixView(const Matrix<double>& m) : data_(m.data()), rows_(m.rows()), cols_(m.cols()) {}

    Index rows() const { return rows_; }
    Index cols() const { return cols_; }
    Index size() const { return rows_ * cols_; }
    bool empty() const { return size() == 0; }

    double operator()(Index row, Index col) const {
        const Index i = row * cols_ + col;
        if (const auto* f = std::get_if<const float*>(&data_)) return static_cast<double>((*f)[i]);
        return std::get<const double*>(data_)[i];
    }

    // Calls `visitor(const S* data)` with the row-major values.
    template<class Visitor>
    decltype(auto) visit(Visitor&& visitor) const {
        return std::visit(visitor, data_);
    }

    // Calls `visitor(Sample<S>)` with every value, one row's or one column's.
    template<class Visitor>
    decltype(auto) visit_all(Visitor&& visitor) const {
        return visit([&](const auto* p) { return visitor(Sample{p, size(), Index{1}}); });
    }
    template<class Visitor>
    decltype(auto) visit_row(Index row, Visitor&& visitor) const {
        return visit([&](const auto* p) {
            return visitor(Sample{p + row * cols_, cols_, Index{1}});
        });
    }
    template<class Visitor>
    decltype(auto) visit_col(Index col, Visitor&& visitor) const {
        return visit([&](const auto* p) { return visitor(Sample{p + col, rows_, cols_}); });
    }

  private:
    std::variant<const float*, const double*> data_ = static_cast<const float*>(nullptr);
    Index rows_ = 0;
    Index cols_ = 0;
};

} // namespace normscope
