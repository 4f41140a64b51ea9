#include "app/study/lesson/expression.h"

#include "app/language/language.h"
#include "core/base/lists.h"
#include "core/base/printable.h"
#include "core/base/read_double.h"

#include <array>
#include <charconv>
#include <cmath>

namespace normscope {

namespace {

constexpr int k_deepest = 100;             // levels of brackets, signs and functions
constexpr double k_counts_as_moved = 1e-4; // more than float32 rounds the x̂ of any scale by

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

struct Function {
    std::string_view name;
    double (*of)(const Matrix<double>&); // all values
};
double variance_of(const Matrix<double>& m) {
    return (m.array() - m.mean()).square().mean();
}
constexpr std::array k_functions{
    Function{"sum", [](const Matrix<double>& m) { return m.sum(); }},
    Function{"mean", [](const Matrix<double>& m) { return m.mean(); }},
    Function{"var", variance_of},
    Function{"std", [](const Matrix<double>& m) { return std::sqrt(variance_of(m)); }},
    Function{"min", [](const Matrix<double>& m) { return m.minCoeff<Eigen::PropagateNaN>(); }},
    Function{"max", [](const Matrix<double>& m) { return m.maxCoeff<Eigen::PropagateNaN>(); }},
};

// By descent; the first error stays, and what comes after it counts for nothing.
class ExpressionReader {
  public:
    ExpressionReader(std::string_view text, const LessonScope& scope)
        : text_(text), scope_(scope) {}

    Result<NamedValues> run() {
        NamedValues value = sum();
        if (!error_ && at_ < text_.size()) complain("expected an operator or the end");
        if (error_) return tl::unexpected(*error_);
        return value;
    }

  private:
    NamedValues complain(const std::string& what) {
        const std::size_t sign = count_characters(text_.substr(0, at_)) + 1;
        if (!error_) error_ = Error{worded("“{}”, sign {}: {}", text_, sign, what)};
        at_ = text_.size();
        return one_value(0);
    }

    bool take(std::string_view sign) {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        if (!text_.substr(at_).starts_with(sign)) return false;
        at_ += sign.size();
        return true;
    }
    bool take_any(std::initializer_list<std::string_view> signs) {
        for (const std::string_view sign : signs)
            if (take(sign)) return true;
        return false;
    }
    void need(std::string_view sign) {
        if (!take(sign)) complain(worded("expected “{}”", sign));
    }

    NamedValues sum() {
        NamedValues value = product();
        while (!error_)
            if (take("+"))
                value = combine(value, product(), [](double a, double b) { return a + b; });
            else if (take_any({"-", "−"}))
                value = combine(value, product(), [](double a, double b) { return a - b; });
            else
                break;
        return value;
    }

    NamedValues product() {
        NamedValues value = signed_power();
        while (!error_)
            if (take_any({"*", "×", "·"}))
                value = combine(value, signed_power(), [](double a, double b) { return a * b; });
            else if (take_any({"/", "÷"}))
                value = combine(value, signed_power(), [](double a, double b) { return a / b; });
            else
                break;
        return value;
    }

    NamedValues signed_power() {
        if (depth_ > k_deepest)
            return complain(
                worded("more than {} levels within each other: split the expression", k_deepest));
        ++depth_;
        NamedValues value = power();
        --depth_;
        return value;
    }

    NamedValues power() {
        if (take_any({"-", "−"})) return each(signed_power(), [](double v) { return -v; });
        NamedValues value = primary();
        if (take("²")) return each(value, [](double v) { return v * v; });
        if (take("^"))
            return combine(value, primary(), [](double a, double b) { return std::pow(a, b); });
        return value;
    }

    NamedValues primary() {
        if (take("(")) {
            NamedValues value = sum();
            need(")");
            return value;
        }
        (void)take(""); // blanks
        if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return literal();
        const std::string_view name = word(true);
        if (name.empty()) return complain("expected a number, a quantity or a function");
        if (take("(")) return call(name);
        const bool of_start = name.starts_with("start.");
        auto found = (of_start ? scope_.start : scope_.now).find(of_start ? name.substr(6) : name);
        if (!found) {
            at_ -= name.size();
            return complain(error_text(found.error()));
        }
        if (!take("[")) return std::move(*found);
        return indexed(*found);
    }

    NamedValues literal() {
        double value = 0;
        const auto [end, code] =
            read_double(text_.data() + at_, text_.data() + text_.size(), value);
        if (code != std::errc()) return complain("expected a number");
        at_ = static_cast<std::size_t>(end - text_.data());
        return one_value(value);
    }

    std::string_view word(bool dots) {
        const std::size_t from = at_;
        while (at_ < text_.size() &&
               (is_letter(text_[at_]) || is_digit(text_[at_]) || (dots && text_[at_] == '.')))
            ++at_;
        return text_.substr(from, at_ - from);
    }

    NamedValues call(std::string_view name) {
        const NamedValues value = sum();
        if (name == "moved") {
            need(",");
            const NamedValues moved = combine(value, sum(), [](double a, double b) {
                const bool same =
                    std::abs(a - b) <= k_counts_as_moved || (std::isnan(a) && std::isnan(b));
                return same ? 0.0 : 1.0;
            });
            need(")");
            return one_value(moved.values.sum());
        }
        need(")");
        if (error_) return one_value(0);
        if (name == "abs") return each(value, [](double v) { return std::abs(v); });
        if (name == "sqrt") return each(value, [](double v) { return std::sqrt(v); });
        for (const Function& function : k_functions)
            if (function.name == name) return one_value(function.of(value.values));
        return complain(worded("there is no function “{}”: expected sum, mean, var, std, min, max, "
                               "abs, sqrt or moved",
                               name));
    }

    // An index, and where it begins in the text.
    struct Place {
        std::string name;
        std::size_t at;
    };

    // Behind "[": a name along the only side that has names or along both, "name]", "name, name]".
    NamedValues indexed(const NamedValues& all) {
        const std::optional<Place> first = index_word();
        if (!take(",")) {
            need("]");
            if (error_ || !first) return complain("expected a name or a number in the brackets");
            // The index into a single row is that of the column, unless it names the row.
            const bool column = all.values.rows() == 1 && !position(*all.rows, first->name) &&
                                (all.rows->empty() || all.values.cols() > 1);
            return column ? part(all, std::nullopt, first) : part(all, first, std::nullopt);
        }
        const std::optional<Place> second = index_word();
        need("]");
        return error_ ? one_value(0) : part(all, first, second);
    }

    std::optional<Place> index_word() {
        (void)take("");
        const std::size_t begin = at_;
        if (take("\"")) {
            const std::size_t end = text_.find('"', at_);
            if (end == text_.npos) {
                complain("expected “\"” behind the name");
                return std::nullopt;
            }
            std::string name(text_.substr(at_, end - at_));
            at_ = end + 1;
            return Place{std::move(name), begin};
        }
        const std::string_view name = word(false);
        return name.empty() ? std::nullopt : std::optional(Place{std::string(name), begin});
    }

    static std::optional<Index> position(const Names& names, const std::string& name) {
        const auto at = std::ranges::find(names, name);
        return at == names.end() ? std::nullopt : std::optional<Index>(at - names.begin());
    }

    Index along(const Names& names, Index count, const Place& place) {
        const std::string& name = place.name;
        if (const auto at = position(names, name)) return *at;
        Index index = -1;
        const char* const end = name.data() + name.size();
        if (std::from_chars(name.data(), end, index).ptr == end && index >= 0 && index < count)
            return index;
        at_ = place.at;
        complain(names.empty() ? worded("there is no place “{}”: expected 0 to {}", name, count - 1)
                               : worded("there is no “{}”: expected one of {}", name,
                                        shortened(joined(names))));
        return 0;
    }

    NamedValues part(const NamedValues& all, const std::optional<Place>& row,
                     const std::optional<Place>& column) {
        NamedValues out = all;
        if (row) {
            const Index at = along(*all.rows, all.values.rows(), *row);
            if (error_) return one_value(0);
            out.values = Matrix<double>(out.values.row(at));
            out.rows = Names{};
        }
        if (column) {
            const Index at = along(*all.columns, all.values.cols(), *column);
            if (error_) return one_value(0);
            out.values = Matrix<double>(out.values.col(at));
            out.columns = Names{};
        }
        return out;
    }

    template<class F>
    NamedValues each(NamedValues value, F&& f) {
        value.values = value.values.unaryExpr(f);
        return value;
    }

    // Combines value by value; one row, one column or one value stands for all.
    template<class F>
    NamedValues combine(const NamedValues& a, const NamedValues& b, F&& f) {
        const Index rows = std::max(a.values.rows(), b.values.rows());
        const Index cols = std::max(a.values.cols(), b.values.cols());
        const auto fits = [&](const Matrix<double>& m) {
            return (m.rows() == rows || m.rows() == 1) && (m.cols() == cols || m.cols() == 1);
        };
        if (error_ || !fits(a.values) || !fits(b.values))
            return complain(worded("{}×{} and {}×{} values do not go together", a.values.rows(),
                                   a.values.cols(), b.values.rows(), b.values.cols()));
        NamedValues out = a.values.size() >= b.values.size() ? a : b;
        const auto at = [](const Matrix<double>& m, Index r, Index c) {
            return m(m.rows() == 1 ? 0 : r, m.cols() == 1 ? 0 : c);
        };
        const auto both = [&](Index r, Index c) {
            return f(at(a.values, r, c), at(b.values, r, c));
        };
        out.values = Matrix<double>::NullaryExpr(rows, cols, both);
        return out;
    }

    std::string_view text_;
    const LessonScope& scope_;
    std::size_t at_ = 0;
    int depth_ = 0; // of signed_power() within itself
    std::optional<Error> error_;
};

} // namespace

Result<NamedValues> evaluate(std::string_view expression, const LessonScope& scope) {
    return ExpressionReader(expression, scope).run();
}

Result<double> evaluate_number(std::string_view expression, const LessonScope& scope) {
    const auto value = TRY(evaluate(expression, scope));
    if (value.values.size() != 1)
        return fail(
            worded("“{}” is {} values: expected one number", expression, value.values.size()));
    return value.values(0, 0);
}

} // namespace normscope
