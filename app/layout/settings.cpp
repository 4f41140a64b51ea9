#include "app/layout/settings.h"

#include "app/layout/sliders.h"

namespace normscope {

namespace {

constexpr ChoiceName k_on_off[] = {{"on", "on"}, {"off", "off"}};

SliderSpec track_of(const FieldLook& look, double value, double otherwise) {
    const double reset = look.reset.value_or(otherwise);
    switch (look.track) {
    case Track::listed:
        return listed(value, look.steps, reset, look.hint);
    case Track::linear:
        return linear(value, look.lo, look.hi, reset, look.hint);
    case Track::logarithmic:
        return logarithmic(value, look.lo, look.hi, reset, look.hint);
    case Track::significant: {
        SliderSpec spec = log_slider(value, look.lo, look.hi);
        spec.reset = reset;
        spec.text = number_text(value, 3);
        spec.hint = look.hint;
        return spec;
    }
    default:
        return counted(value, static_cast<int>(look.lo), static_cast<int>(look.hi),
                       static_cast<int>(reset), look.hint);
    }
}

// One of the choices of the table, which the screen may order and call otherwise.
std::optional<Chosen> choice_row(Column& column, NamePart part, std::string_view label,
                                 const std::vector<ChoiceName>& table, const FieldLook& look,
                                 Chosen now) {
    const std::vector<ChoiceName>& shown = look.choices.empty() ? table : look.choices;
    const auto at = std::ranges::find(shown, table[now.at].id, &ChoiceName::id);
    const auto chosen = wrapped_choice(column.ui(), part, column.row_of(label, shown), shown,
                                       static_cast<int>(at - shown.begin()), look.hints);
    if (!chosen) return std::nullopt;
    const auto row =
        std::ranges::find(table, shown[static_cast<std::size_t>(*chosen)].id, &ChoiceName::id);
    return Chosen{static_cast<std::size_t>(row - table.begin())};
}

// A FieldValue may itself be a number or none: what was not given is not one of those.
template<class T>
std::optional<FieldValue> given(const std::optional<T>& value) {
    return value ? std::optional(FieldValue(*value)) : std::nullopt;
}

} // namespace

std::optional<FieldValue> setting_row(Column& column, const FieldInfo& field, const FieldLook& look,
                                      const FieldValue& now, const FieldValue& otherwise) {
    Ui& ui = column.ui();
    const std::string_view label = look.row.empty() ? field.label : look.row;
    const NamePart part(look.name.empty() ? field.key : look.name, true);
    if (const auto* const chosen = std::get_if<Chosen>(&now))
        return given(choice_row(column, part, label, field.words.choices, look, *chosen));
    if (const bool* const on = std::get_if<bool>(&now)) {
        const auto chosen = wrapped_choice(ui, part, column.row_of(label, k_on_off), k_on_off,
                                           *on ? 0 : 1, look.hints);
        return chosen ? given(std::optional(*chosen == 0)) : std::nullopt;
    }
    const Rect place = column.row(label);
    if (!look.instead.empty()) {
        soft_label(ui, place, look.instead);
        return std::nullopt;
    }
    if (const auto* const seed = std::get_if<std::uint64_t>(&now))
        return given(seed_row(ui, part, place, *seed, look.hint, look.next_hint));
    if (const auto* const whole = std::get_if<std::int64_t>(&now)) {
        if (look.track == Track::divisor)
            return given(group_stepper(ui, part, place, *whole, static_cast<Index>(look.hi)));
        const auto unit = static_cast<double>(look.unit);
        const auto units = slide<std::int64_t>(
            ui, part, place,
            track_of(look, static_cast<double>(*whole) / unit,
                     static_cast<double>(std::get<std::int64_t>(otherwise)) / unit));
        return units ? given(std::optional(*units * look.unit)) : std::nullopt;
    }
    return given(
        slide(ui, part, place, track_of(look, std::get<double>(now), std::get<double>(otherwise))));
}

} // namespace normscope
