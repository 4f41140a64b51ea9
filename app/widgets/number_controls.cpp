#include "app/io/text.h"
#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "app/widgets/controls.h"
#include "core/base/rounding.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

std::optional<double> number_in(Ui& ui, std::string_view text, std::string_view otherwise) {
    std::string pointed(trim(text));
    const std::size_t comma = pointed.find(',');
    const bool of_thousands =
        pointed.find_first_of("123456789") < comma && pointed.size() - comma == 4; // "1,234"
    if (is_comma_number(pointed) && !of_thousands) pointed[comma] = '.';
    const auto value = parse_number(pointed);
    if (value) return *value;
    if (!trim(text).empty())
        ui.state.complaint = sentence(value.error()) + " " + std::string(tr(otherwise));
    return std::nullopt;
}

namespace {

// A number shown at `r` that becomes a text field when asked. The new value, if one was typed that
// is accepted.
std::optional<double> typed_value(Ui& ui, ImGuiID id, Rect r, TextRole role, Align align,
                                  const std::optional<Accepted>& accepted = {}) {
    const auto text = ui.edit_text(id, r, role, align);
    if (!text) return std::nullopt;
    const auto value = number_in(ui, *text, "The value stays as it was");
    if (!value || !accepted) return value;
    const auto [least, most] = accepted->bounds;
    const bool whole = !accepted->whole || *value == std::floor(*value);
    if (whole && *value >= least && *value <= most) return value;
    const std::string typed(trim(*text));
    ui.state.complaint =
        !whole ? worded("Expected a whole number, found {}. The value stays as it was", typed)
               : worded("Expected a number from {} to {}, found {}. The value stays as it was",
                        least, most, typed);
    return std::nullopt;
}

// A value that a click turns into a field. While it is one, the field has the mouse: the second
// click of a double-click belongs to it.
Hit value_hit(Ui& ui, NamePart part, Rect r, bool focusable) {
    Hit hit;
    hit.id = part.id();
    if (!ui.editing_text(hit.id))
        return ui.hit(part, r, {.kind = PartKind::field, .focusable = focusable});
    ui.name(part, r, PartKind::field, true, hit.id);
    if (focusable) ui.tab_stop(hit.id);
    return hit;
}

std::string shortest(double value) {
    return fmt::format("{}", value);
}

enum class ValueCommand { reset, type };

// The menu of a fader or slider at `r`, which a right-click, the menu key or Shift+F10 opens.
// `value`: the number that Copy takes; none: the fader stands for several numbers.
std::optional<ValueCommand> value_menu(Ui& ui, const Hit& hit, Rect r, double reset,
                                       std::optional<double> value) {
    const std::string id = std::to_string(hit.id);
    const bool by_key =
        hit.focused && (key_pressed(Key::menu) || (shift_down() && key_pressed(Key::f10)));
    const bool asked = hit.right_clicked || by_key;
    if (!asked && ui.state.menu.id != id) return std::nullopt;
    std::optional<ValueCommand> chosen;
    std::vector<MenuItem> items{{"reset",
                                 worded("Reset to {}", short_text(reset)),
                                 [&] { chosen = ValueCommand::reset; },
                                 {{Key::del}}},
                                {"type", "Type a value…", [&] { chosen = ValueCommand::type; }}};
    if (value)
        items.push_back(
            {"copy", "Copy the value", [&] { ImGui::SetClipboardText(shortest(*value).c_str()); }});
    const IdScope scope(ui, "menu");
    const auto below = by_key ? std::optional(Point{r.x, r.bottom()}) : std::nullopt;
    page_menu(ui, id, asked, below, std::move(items));
    return chosen;
}

// Whether a text begins on the widget that has the keyboard.
bool begins_text(const Ui& ui, const Hit& hit) {
    return hit.focused && !ctrl_down() && !alt_down() && !ui.begun_text().empty();
}

// Whether a text begins on a track, which must show the focus: after a drag a digit is a workspace.
bool types_on(const Ui& ui, const Hit& track) {
    return ui.state.text_edit == 0 && ui.state.focus_visible && begins_text(ui, track);
}

// A click, Enter or Space opens the field of a value; so does what is typed, all of which
// edit_text() takes.
void open_value(Ui& ui, const Hit& hit, double value) {
    if (hit.clicked)
        ui.begin_text_edit(hit.id, shortest(value), true);
    else if (begins_text(ui, hit))
        ui.begin_text_edit(hit.id, {}, false);
}

struct FittedNumber {
    std::string text;
    TextRole role;
};

// With as many decimals as there is room for; a number with too many digits before the point as a
// power of ten, in the narrowest digits rather than with a decimal less.
FittedNumber number_that_fits(const Ui& ui, double value, TextRole role, float room) {
    const auto fits = [&](const std::string& text, TextRole in) {
        return ui.text_width(text, in) <= room;
    };
    for (int decimals = 2; decimals >= 0; --decimals)
        if (std::string text = fixed_text(value, decimals); fits(text, role))
            return {std::move(text), role};
    for (int decimals = 1; decimals >= 0; --decimals)
        for (const TextRole tried : {role, TextRole::number_narrow})
            if (std::string text = scientific_text(value, decimals); fits(text, tried))
                return {std::move(text), tried};
    return {scientific_text(value, 0), TextRole::number_narrow};
}

// The lowest line of text of a fader, taken off `r`.
Rect fader_text_row(Rect& r, FaderText text) {
    if (text == FaderText::one_line) return cut_bottom(r, 20);
    const Rect lower = cut_bottom(r, 17);
    const Rect upper = cut_bottom(r, 17);
    return (text == FaderText::upper ? upper : lower).inset(-r.w / 2, 0);
}

} // namespace

double to_significant(double value, int digits) {
    const double first = std::floor(std::log10(std::abs(value)) + 1e-9);
    return round_half_away(value, digits - 1 - static_cast<int>(first));
}

SliderResult slider(Ui& ui, NamePart part, Rect r, const SliderSpec& spec) {
    if (ui.state.picture) {
        ui.label(r, spec.text, TextRole::number);
        return {};
    }
    const IdScope scope(ui, part);
    SliderResult out;
    const float text_w = std::max(62.0f, ui.text_width(spec.text, TextRole::number) + 12.0f);
    const Rect field = cut_right(r, text_w, 8);
    const Hit hit = ui.hit("", r, {.kind = PartKind::slider});
    const float radius = 8;
    const Rect track = r.inset(radius, (r.h - 4) / 2);
    const double unit = std::clamp(spec.to_unit(spec.value), 0.0, 1.0);
    const ImGuiID field_id = ImGui::GetID("value");
    if (hit.pressed && !hit.double_clicked) ui.state.drag_start = spec.value;
    if (hit.double_clicked) {
        // The first click has moved it, and was the beginning of this.
        out.value = ui.state.drag_start;
        ui.begin_text_edit(field_id, shortest(ui.state.drag_start), true);
    } else if (hit.held && !ui.editing_text(field_id)) {
        out.value = spec.from_unit(
            std::clamp(static_cast<double>((ui.mouse().x - track.x) / track.w), 0.0, 1.0));
    }
    const auto command = value_menu(ui, hit, r, spec.reset, spec.value);
    if (command == ValueCommand::reset) out.value = spec.reset;
    if (command == ValueCommand::type) ui.begin_text_edit(field_id, shortest(spec.value), true);
    if (hit.focused) {
        ui.state.scroll_keys_used = true;
        const double step = spec.step * (shift_down() ? 0.1 : 1);
        if (key_pressed(Key::right, true) || key_pressed(Key::up, true))
            out.value = spec.from_unit(std::min(1.0, unit + step));
        if (key_pressed(Key::left, true) || key_pressed(Key::down, true))
            out.value = spec.from_unit(std::max(0.0, unit - step));
        if (key_pressed(Key::home)) out.value = spec.from_unit(0);
        if (key_pressed(Key::end)) out.value = spec.from_unit(1);
        if (key_pressed(Key::del)) out.value = spec.reset;
    }
    out.held = hit.held;
    ui.canvas.fill_rect(track, ui.theme.rule, k_fully_round);
    const float x = track.x + track.w * static_cast<float>(unit);
    ui.canvas.fill_circle({x, track.center().y}, radius, ui.theme.accent);
    ui.focus_ring(hit, r, 8);
    ui.tooltip(hit, spec.hint);

    const Hit typed = value_hit(ui, "value", field, true);
    open_value(ui, typed, spec.value);
    if (types_on(ui, hit)) ui.begin_text_edit(typed.id, {}, false);
    if (!ui.editing_text(typed.id)) {
        if (typed.hovered) ui.canvas.fill_rect(field, ui.theme.control_hover, 3);
        ui.canvas.text_in(field.inset(4, 0), spec.text, TextRole::number, ui.theme.ink,
                          Align::left);
        ui.focus_ring(typed, field, 3);
        ui.tooltip(typed, "Click to type a value");
    }
    if (const auto value =
            typed_value(ui, typed.id, field, TextRole::number, Align::left, spec.accepted))
        out.value = value;
    return out;
}

FaderResult fader(Ui& ui, NamePart part, Rect r, const FaderSpec& spec) {
    const IdScope scope(ui, part);
    FaderResult out;
    const Rect whole = r;
    const Rect name_row = fader_text_row(r, spec.text);
    if (spec.text != FaderText::one_line) cut_bottom(r, 4);
    const Rect value_row = fader_text_row(r, spec.text);
    cut_bottom(r, 4);
    const bool alone = spec.text == FaderText::one_line; // no neighbour's text below the track
    const Hit hit = ui.hit("", r, {.kind = PartKind::fader});
    const Theme& theme = ui.theme;

    const float cap_h = 10;
    const float cap_w = std::min(22.0f, r.w - 4.0f);
    const Rect track{r.center().x - 3, r.y + cap_h / 2, 6, r.h - cap_h};
    const auto y_of = [&](double v) {
        const double placed = std::isnan(v) ? spec.neutral : v; // the field below says NaN
        const double t = std::clamp(spec.range.unit_of(placed), 0.0, 1.0);
        return track.bottom() - track.h * static_cast<float>(t);
    };

    // A drag moves relative to where it began: a click or a double-click changes nothing.
    if (hit.pressed) {
        ui.state.drag_start = std::isfinite(spec.value) ? spec.value : spec.neutral;
        ui.state.drag_total = 0;
    }
    if (hit.held) {
        if (!hit.pressed) ui.state.drag_total -= ui.mouse_moved().y * (shift_down() ? 0.1f : 1.0f);
        const auto pixels = static_cast<double>(track.h);
        const double per_pixel = spec.range.hi / pixels - spec.range.lo / pixels;
        const double raw =
            std::clamp(ui.state.drag_start + per_pixel * static_cast<double>(ui.state.drag_total),
                       spec.range.lo, spec.range.hi);
        const double value = to_hundredths(raw); // what the field below shows
        if (value != spec.value && ui.state.drag_total != 0) out.value = value;
    }
    const auto command = value_menu(ui, hit, whole, spec.neutral,
                                    spec.mixed ? std::nullopt : std::optional(spec.value));
    out.reset = command == ValueCommand::reset;
    // A click that does not move the fader is meant to give it the keyboard, visibly.
    if (hit.released && hit.clicked && ui.state.drag_total == 0) ui.state.focus_visible = true;
    if (hit.focused) {
        ui.state.scroll_keys_used = true;
        const double step = shift_down() ? 0.01 : 0.1;
        const auto nudge = [&](double by) { out.value = to_hundredths(spec.value + by); };
        if (key_pressed(Key::up, true)) nudge(step);
        if (key_pressed(Key::down, true)) nudge(-step);
        if (key_pressed(Key::page_up, true) && !ctrl_down()) nudge(0.5);
        if (key_pressed(Key::page_down, true) && !ctrl_down()) nudge(-0.5);
        if (key_pressed(Key::home)) out.value = spec.range.lo; // as of a slider
        if (key_pressed(Key::end)) out.value = spec.range.hi;
        if (key_pressed(Key::del) || key_pressed(Key::backspace)) out.reset = true;
    }
    if (out.reset) out.value = spec.neutral;
    out.hovered = hit.hovered;
    out.held = hit.held;
    out.focused = hit.focused && ui.state.focus_visible;

    const double shown = out.value.value_or(spec.value);
    if (spec.lit && alone) {
        ui.canvas.fill_rect(whole, spec.color.with_alpha(0.10f), 4);
    } else if (spec.lit) {
        for (const Rect& lit : {r, value_row, name_row})
            ui.canvas.fill_rect(lit, spec.color.with_alpha(0.10f), 4);
    }
    ui.canvas.fill_rect(track, theme.rule, k_fully_round);
    const float y = y_of(shown);
    const float y0 = y_of(spec.neutral);
    const Rect deviation{track.x, std::min(y, y0), track.w, std::abs(y - y0)};
    ui.canvas.fill_rect(deviation, spec.color.with_alpha(spec.mixed ? 0.25f : 0.6f));
    ui.canvas.line({track.x - 3, y0}, {track.right() + 3, y0}, theme.ink_soft.with_alpha(0.5f));
    const Rect cap{r.center().x - cap_w / 2, y - cap_h / 2, cap_w, cap_h};
    if (spec.mixed || std::isnan(shown)) {
        ui.canvas.fill_rect(cap, theme.panel, 4);
        ui.canvas.stroke_rect(cap, spec.color, 2, 4);
    } else {
        ui.canvas.fill_rect(
            cap, hit.hovered || hit.held ? mix(spec.color, theme.ink, 0.15f) : spec.color, 4);
    }
    ui.focus_ring(hit, alone ? whole : r, 4);

    const Hit typed = value_hit(ui, "value", value_row, false);
    const bool start_typing = command == ValueCommand::type || typed.clicked ||
                              hit.double_clicked || (hit.focused && hit.clicked && !hit.released);
    if (start_typing) {
        ui.state.focus = hit.id; // what had the keyboard before would hear the Enter
        ui.begin_text_edit(typed.id, shortest(spec.value), true);
    } else if (types_on(ui, hit)) {
        ui.begin_text_edit(typed.id, {}, false);
    }
    if (!ui.editing_text(typed.id)) {
        // Long ones would run into their neighbours'.
        const float gap = alone && std::abs(shown) < 1000 ? 0 : 4.0f;
        const float room = value_row.w - gap;
        const auto [text, role] = spec.mixed ? FittedNumber{"…", spec.text_role}
                                             : number_that_fits(ui, shown, spec.text_role, room);
        ui.label(value_row, text, role, theme.ink, Align::center);
        ui.tooltip(typed, "Click to type a value");
    }
    if (const auto value = typed_value(ui, typed.id, value_row, TextRole::number, Align::center))
        out.value = value;
    ui.label(alone ? name_row : name_row.inset(2, 0), Text::typed(spec.name), TextRole::small,
             spec.lit ? spec.ink : theme.ink_soft, Align::center);
    return out;
}

std::optional<double> number_field(Ui& ui, NamePart part, Rect r, double value,
                                   const std::string& text, std::string_view hint,
                                   const std::optional<Accepted>& accepted) {
    if (ui.state.picture) {
        ui.label(r, text, TextRole::label, ui.theme.ink, Align::center);
        return std::nullopt;
    }
    const Hit hit = value_hit(ui, part, r, true);
    if (!ui.editing_text(hit.id)) draw_button(ui, hit, r, {text});
    ui.tooltip(hit, hint);
    open_value(ui, hit, value);
    return typed_value(ui, hit.id, r, TextRole::label, Align::center, accepted);
}

float stepper_width(const Ui& ui, const std::string& text) {
    return ui.text_width(text, TextRole::label) + (10 + 2 * (26 + 3));
}

std::optional<Index> stepper(Ui& ui, NamePart part, Rect r, const StepperSpec& spec) {
    const IdScope scope(ui, part);
    const Rect less = cut_left(r, 26), more = cut_right(r, 26);
    std::optional<Index> out;
    if (button(ui, "less", less, {"−", spec.less_hint, spec.less < spec.now})) out = spec.less;
    if (const auto typed = number_field(ui, "", r.inset(3, 0), static_cast<double>(spec.now),
                                        spec.text, spec.hint, spec.accepted))
        out = static_cast<Index>(*typed);
    if (button(ui, "more", more, {"+", spec.more_hint, spec.more > spec.now})) out = spec.more;
    return out;
}

StepperSpec divisors(Index now, Index whole) {
    Index less = std::min(now, whole + 1) - 1, more = now + 1;
    while (less > 1 && whole % less != 0) --less;
    while (more < whole && whole % more != 0) ++more;
    return {.now = now,
            .less = less >= 1 ? less : now,
            .more = more <= whole ? more : now,
            .text = worded("G = {}", now),
            .less_hint = worded("{} groups", less),
            .hint = worded("Click to type how many groups share the {} features", whole),
            .more_hint = worded("{} groups", more)};
}

std::optional<std::uint64_t> seed_field(Ui& ui, NamePart part, Rect r, std::uint64_t seed,
                                        const std::string& text, std::string_view hint) {
    constexpr Accepted k_seeds = whole_numbers(0, 1e15); // a double tells all of them apart
    const auto typed = number_field(ui, part, r, static_cast<double>(seed), text, hint, k_seeds);
    return typed ? std::optional(static_cast<std::uint64_t>(*typed)) : std::nullopt;
}

} // namespace normscope
