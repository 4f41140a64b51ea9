#include "app/model/field.h"

#include "app/language/language.h"
#include "app/model/printed_number.h"

#include <cmath>

namespace normscope {

namespace {

std::string shown(double number) {
    return std::isnan(number) ? std::string("NaN") : short_text(number);
}
std::string shown(std::integral auto number) {
    return std::to_string(number);
}

template<class T>
Result<void> in_range(const FieldInfo& f, T number) {
    const auto value = static_cast<double>(number);
    if (value >= f.bounds.least && value <= f.bounds.most) return {};
    const std::string range =
        f.bounds.most < k_unbounded
            ? worded("from {} to {}", shown(f.bounds.least), shown(f.bounds.most))
        : f.bounds.least > -k_unbounded
            ? worded("a finite number from {} up", shown(f.bounds.least))
            : worded("a finite number");
    return fail(f.words.way_out.empty()
                    ? worded("{} must be {}, but it is {}", f.label, range, shown(number))
                    : worded("{} must be {}, but it is {}; {}", f.label, range, shown(number),
                             f.words.way_out));
}

struct CheckValue {
    const FieldInfo& field;

    template<class T>
    Result<void> operator()(const T& value) const {
        if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
            return in_range(field, value);
        else
            return {};
    }
    Result<void> operator()(const std::optional<double>& value) const {
        return value ? in_range(field, *value) : Result<void>();
    }
    Result<void> operator()(const std::vector<Index>& values) const {
        for (const Index value : values) TRY(in_range(field, value));
        return {};
    }
};

struct DescribeValue {
    const FieldInfo& field;

    Wording operator()(const Chosen& value) const {
        const std::string_view label = field.words.choices[value.at].label;
        return field.label.empty() ? wording("{}", label) : wording("{}: {}", field.label, label);
    }
    template<class T>
    Wording operator()(const T& value) const {
        if constexpr (std::is_same_v<T, bool>)
            return wording("{}: {}", field.label, value ? "on" : "off");
        else if constexpr (std::is_arithmetic_v<T>)
            return wording("{} → {}", field.label,
                           value == T{} && !field.words.none.empty() ? field.words.none
                                                                     : shown(value));
        else
            return wording("{}", field.label);
    }
    Wording operator()(const std::optional<double>& value) const {
        return value ? (*this)(*value) : wording("{} → {}", field.label, field.words.none);
    }
};

} // namespace

Result<void> check_value(const FieldInfo& field, const FieldValue& value) {
    return std::visit(CheckValue{field}, value);
}

Wording describe_value(const FieldInfo& field, const FieldValue& value) {
    return std::visit(DescribeValue{field}, value);
}

} // namespace normscope
