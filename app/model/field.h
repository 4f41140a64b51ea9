#pragma once
#include "app/language/language.h"
#include "app/model/shared.h"
#include "core/base/choice.h"
#include "core/base/matrix.h"
#include "core/base/result.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

// A setting is a row of a table: its check, its place in a session, its edit, what Undo calls it
// and the random edits of the tests follow from the row. A command that takes the table's settings
// (cli/options.h) has an option for each number and choice with a help text. The default is
// that of a default-constructed struct.
namespace normscope {

struct Document;

// How far a row of faders reaches.
struct FaderRange {
    double lo = 0;
    double hi = 0;
    bool operator==(const FaderRange&) const = default;

    // A fader cannot show a value outside its range: the range grows to the next half. Values that
    // are not finite are left out.
    void grow(std::span<const double> values);

    // From 0 at `lo` to 1 at `hi`, also where the way between them is too long for a number.
    double unit_of(double value) const { return (value / 2 - lo / 2) / (hi / 2 - lo / 2); }
    double at(double unit) const { return std::lerp(lo, hi, unit); }
};

inline constexpr FaderRange k_gamma_range{-1, 3};
inline constexpr FaderRange k_beta_range{-2, 2};

struct Chosen { // by its place in the table of choices
    std::size_t at;
    bool operator==(const Chosen&) const = default;
};

// The value of a setting: a flag, a whole number, a seed, a number, a number or none, a choice,
// whole numbers, numbers, a range or none.
using FieldValue =
    std::variant<bool, std::int64_t, std::uint64_t, double, std::optional<double>, Chosen,
                 std::vector<Index>, Shared<std::vector<double>>, std::optional<FaderRange>>;

inline constexpr double k_unbounded = std::numeric_limits<double>::max();

struct ChoiceName {
    std::string_view id, label;
    bool as_typed = false; // the label is a name that a person gave

    Text words() const { return as_typed ? Text::typed(label) : label; }
};

// The choices of an enumeration.
template<class E>
std::vector<ChoiceName> names_of() {
    std::vector<ChoiceName> names;
    for (const auto& choice : choices(E{})) names.push_back({choice.id, choice.label});
    return names;
}

struct Bounds { // of a number, and of each in a list
    double least = -k_unbounded, most = k_unbounded;
};
inline constexpr Bounds k_any_seed{0,
                                   static_cast<double>(std::numeric_limits<std::int64_t>::max())};

// The track that a setting's number is dragged along: whole numbers, one of several, linear,
// logarithmic, the same in steps of two significant digits, 0 at the left end and then in steps of
// one, or a number that divides another. What was typed may lie between.
enum class Track : std::uint8_t {
    none,
    counted,
    listed,
    linear,
    logarithmic,
    two_digits,
    from_zero,
    divisor
};

// How a setting is drawn in the list of a panel.
struct FieldLook {
    std::string_view name = {}; // of the control; empty: the key
    std::string_view row = {};  // beside the control; empty: the label
    Track track = Track::none;
    double lo = 0, hi = 0;                    // of the track; of a divisor: what it divides
    std::int64_t unit = 1;                    // of a whole number on its track
    std::vector<double> steps = {};           // of a listed one
    std::optional<double> reset = {};         // none: the default
    std::string_view before = {};             // the number of two digits
    std::string_view hint = {};               // of a number
    std::string_view next_hint = {};          // of a seed's button for the next one
    std::vector<ChoiceName> choices = {};     // on the screen, in their order; empty: the table's
    std::vector<std::string_view> hints = {}; // of the choices
    bool shown = true;
    std::string instead = {}; // said in place of the control, which has no meaning now
};

struct FieldWords {
    std::string_view none = {};    // what 0, or no number, is called
    std::string_view way_out = {}; // of a number out of bounds
    std::string_view help = {};    // of the option of a number or a choice; empty: it has none
    double command_most = 0;       // of the option; 0: the bounds' own
    std::vector<ChoiceName> choices = {};
    FieldLook look = {};
};

// The description of a setting, whatever struct it is in.
struct FieldInfo {
    std::string_view key;   // in a session; on the command line "--" and the key, - for _
    std::string_view label; // on the screen and in Undo; empty: its choices say all
    Bounds bounds;
    FieldWords words;
};

template<class S>
struct FieldHooks {
    // Makes further changes that the setting brings; it has its new value in `d` already.
    void (*then)(Document& d, const Document& before) = nullptr;
    // The name of the change in Undo, where “label → value” does not say it.
    Wording (*told)(const S& before, const S& after) = nullptr;
    bool (*unsaid)(const S&) = nullptr; // left out of a session
    // Adapts the look of the setting to the other settings.
    void (*look)(const S& now, FieldLook& look) = nullptr;
    // Other settings that follow when a hand changes this one, which has its new value already.
    void (*follow)(S& next, const S& now) = nullptr;
};

template<class S>
struct Field : FieldInfo, FieldHooks<S> {
    FieldValue (*get)(const S&);
    void (*set)(S&, const FieldValue&);
};

// The settings of S, a row each: specialized beside S.
template<class S>
std::span<const Field<S>> fields();

// Whether S, a part of the document, has such rows itself.
template<class S>
inline constexpr bool k_has_fields = true;

// The edit of one setting: set<&BatchSetup::momentum>(0.5).
template<class S>
struct SetField {
    const Field<S>* field;
    FieldValue value;
};

// Errors: a number out of range, in a sentence that names the setting, the range and the way out.
Result<void> check_value(const FieldInfo& field, const FieldValue& value);

// "Momentum → 0.1", "Loss: Σ Y".
Wording describe_value(const FieldInfo& field, const FieldValue& value);

template<class S>
Result<void> check_fields(const S& setup) {
    for (const Field<S>& field : fields<S>()) TRY(check_value(field, field.get(setup)));
    return {};
}

template<class S>
Wording describe_change(const Field<S>& field, const S& before, const FieldValue& value) {
    if (!field.told) return describe_value(field, value);
    S after = before;
    field.set(after, value);
    return field.told(before, after);
}

// The wording for the one setting that differs; `otherwise` where none does, or several do.
template<class S>
Wording describe_difference(const S& before, const S& after, Wording otherwise) {
    Wording told;
    for (const Field<S>& field : fields<S>())
        if (const FieldValue now = field.get(after); field.get(before) != now) {
            if (!told.message.empty()) return otherwise;
            told = describe_change(field, before, now);
        }
    return told.message.empty() ? otherwise : told;
}

// How a member becomes a value and back. Structured members have overloads beside their type.
template<class T>
FieldValue to_value(const T& member) {
    if constexpr (std::is_enum_v<T>) {
        return Chosen{choice_place(member)};
    } else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, Index>) {
        return std::int64_t{member};
    } else {
        return member;
    }
}
template<class T>
void from_value(const FieldValue& value, T& member) {
    if constexpr (std::is_enum_v<T>)
        member = choices(T{})[std::get<Chosen>(value).at].value;
    else if constexpr (std::is_same_v<T, int> || std::is_same_v<T, Index>)
        member = static_cast<T>(std::get<std::int64_t>(value));
    else
        member = std::get<T>(value);
}
template<std::size_t N>
FieldValue to_value(const std::array<Index, N>& member) {
    return std::vector<Index>(member.begin(), member.end());
}
template<std::size_t N>
void from_value(const FieldValue& value, std::array<Index, N>& member) {
    std::ranges::copy(std::get<std::vector<Index>>(value), member.begin());
}

// The member at the end of a path: member<&StackConfig::init, &InitRule::gain>(stack).
template<auto First, auto... Rest, class S>
auto& member(S& s) {
    if constexpr (sizeof...(Rest) == 0)
        return s.*First;
    else
        return member<Rest...>(s.*First);
}

template<class M>
struct MemberOf;
template<class S, class T>
struct MemberOf<T S::*> {
    using Struct = S;
};
template<auto First>
using StructOf = typename MemberOf<decltype(First)>::Struct;
template<auto First, auto... Rest>
using MemberType =
    std::remove_reference_t<decltype(member<First, Rest...>(std::declval<StructOf<First>&>()))>;

template<auto First, auto... Rest>
FieldValue get_member(const StructOf<First>& s) {
    return to_value(member<First, Rest...>(s));
}
template<auto First, auto... Rest>
void set_member(StructOf<First>& s, const FieldValue& value) {
    from_value(value, member<First, Rest...>(s));
}

template<auto First, auto... Rest>
Field<StructOf<First>> field(std::string_view key, std::string_view label, Bounds bounds = {},
                             FieldWords words = {}, FieldHooks<StructOf<First>> hooks = {}) {
    using T = MemberType<First, Rest...>;
    if constexpr (std::is_same_v<T, int>)
        bounds.most = std::min(bounds.most, double{std::numeric_limits<int>::max()});
    if constexpr (std::is_enum_v<T>)
        if (words.choices.empty()) words.choices = names_of<T>();
    return {{key, label, bounds, std::move(words)},
            hooks,
            get_member<First, Rest...>,
            set_member<First, Rest...>};
}

template<auto First, auto... Rest>
SetField<StructOf<First>> set(const MemberType<First, Rest...>& value) {
    const auto rows = fields<StructOf<First>>();
    const auto row = std::ranges::find(rows, &get_member<First, Rest...>,
                                       [](const auto& field) { return field.get; });
    return {&*row, to_value(value)};
}

// How many members a struct has: a table that lacks a row for one does not compile.
struct AnyMember {
    template<class T>
    operator T() const;
};
template<class S, class... Members>
consteval std::size_t member_count() {
    if constexpr (requires { S{Members{}..., AnyMember{}}; })
        return member_count<S, Members..., AnyMember>();
    else
        return sizeof...(Members);
}

} // namespace normscope
