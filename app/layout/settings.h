#pragma once
#include "app/layout/column.h"

#include <algorithm>
#include <initializer_list>

namespace normscope {

// Draws the control of a setting that has the value `now`; `otherwise`: its default. Returns the
// value that a hand gave it.
std::optional<FieldValue> setting_control(Ui& ui, Rect place, const FieldInfo& field,
                                          const FieldLook& look, const FieldValue& now,
                                          const FieldValue& otherwise);
// setting_control() behind its label.
std::optional<FieldValue> setting_row(Column& column, const FieldInfo& field, const FieldLook& look,
                                      const FieldValue& now, const FieldValue& otherwise);

template<class S>
FieldLook look_of(const Field<S>& field, const S& now) {
    FieldLook look = field.words.look;
    if (field.look) field.look(now, look);
    return look;
}

// The rows of these settings of `now`, each named by its key: a change goes into `next`, with the
// settings that follow it. `row` draws one: setting_row(), and what else it is for the panel.
template<class S, class Row>
void settings_by(const S& now, S& next, std::initializer_list<std::string_view> keys, Row&& row) {
    for (const std::string_view key : keys) {
        const auto rows = fields<S>();
        const Field<S>& field = *std::ranges::find(rows, key, &Field<S>::key);
        FieldLook look = look_of(field, now);
        if (!look.shown) continue;
        const std::optional<FieldValue> value = row(field, look);
        if (!value) continue;
        field.set(next, *value);
        if (field.follow) field.follow(next, now);
    }
}

template<class S>
void settings(Column& column, const S& now, S& next, std::initializer_list<std::string_view> keys) {
    settings_by(now, next, keys, [&](const Field<S>& field, const FieldLook& look) {
        return setting_row(column, field, look, field.get(now), field.get(S{}));
    });
}

} // namespace normscope
