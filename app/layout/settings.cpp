#include "app/layout/settings.h"

#include "app/layout/sliders.h"
#include "core/base/lists.h"

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
    case Track::from_zero:
        return from_zero(value, look.lo, look.hi, reset, look.hint);
    case Track::two_digits: {
        SliderSpec spec = two_digits(value, look.lo, look.hi, reset, look.hint);
        spec.text.insert(0, look.before);
        return spec;
    }
    default:
        return counted(value, static_cast<int>(look.lo), static_cast<int>(look.hi),
                       static_cast<int>(reset), look.hint);
    }
}

// In their order on the screen; none of a setting that is no choice.
std::span<const ChoiceName> shown_choices(const FieldInfo& field, const FieldLook& look,
                                          const FieldValue& now) {
    if (std::holds_alternative<bool>(now)) return k_on_off;
    if (!std::holds_alternative<Chosen>(now)) return {};
    return look.choices.empty() ? field.words.choices : look.choices;
}

// One of the choices of the table, which the screen may order and call otherwise.
std::optional<Chosen> choose_in(Ui& ui, NamePart part, Rect place,
                                const std::vector<ChoiceName>& table,
                                std::span<const ChoiceName> shown, const FieldLook& look,
                                Chosen now) {
    const std::size_t at = place_in(shown, table[now.at].id, &ChoiceName::id);
    const auto chosen = wrapped_choice(ui, part, place, shown, static_cast<int>(at), look.hints);
    if (!chosen) return std::nullopt;
    return Chosen{place_in(table, entry_at(shown, *chosen).id, &ChoiceName::id)};
}

// A FieldValue may itself be a number or none: what was not given is not one of those.
template<class T>
std::optional<FieldValue> given(const std::optional<T>& value) {
    return value ? std::optional(FieldValue(*value)) : std::nullopt;
}

} // namespace

std::optional<FieldValue> setting_control(Ui& ui, Rect place, const FieldInfo& field,
                                          const FieldLook& look, const FieldValue& now,
                                          const FieldValue& otherwise) {
    if (!look.instead.empty()) {
        soft_label(ui, {place.x, place.y, place.w, k_control_height}, look.instead);
        return std::nullopt;
    }
    const NamePart part(look.name.empty() ? field.key : look.name, true);
    const auto shown = shown_choices(field, look, now);
    if (const auto* const chosen = std::get_if<Chosen>(&now))
        return given(choose_in(ui, part, place, field.words.choices, shown, look, *chosen));
    if (const bool* const on = std::get_if<bool>(&now)) {
        const auto chosen = wrapped_choice(ui, part, place, shown, *on ? 0 : 1, look.hints);
        return chosen ? given(std::optional(*chosen == 0)) : std::nullopt;
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

std::optional<FieldValue> setting_row(Column& column, const FieldInfo& field, const FieldLook& look,
                                      const FieldValue& now, const FieldValue& otherwise) {
    const std::string_view label = look.row.empty() ? field.label : look.row;
    const auto shown = shown_choices(field, look, now);
    const Rect place = shown.empty() ? column.row(label) : column.row_of(label, shown);
    return setting_control(column.ui(), place, field, look, now, otherwise);
}

} // namespace normscope
