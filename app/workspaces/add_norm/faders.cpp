#include "app/widgets/controls.h"
#include "app/workspaces/add_norm/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_narrowest_with_text = 36; // of its own width
constexpr float k_narrowest_fader = 14;     // with its cap and a gap still seen as one
constexpr float k_least_h = 160;            // of faders that a hand can set; words need more
constexpr ChoiceName k_brushes[] = {
    {"1", "1"}, {"4", "4"}, {"16", "16"}, {"64", "64"}, {"all", "all"}};
constexpr int k_brush_sizes[] = {1, 4, 16, 64, 0};

struct Side {
    Param param;
    std::string_view id;
    Stage stage;
    std::string_view title, start;
};

// Whether fader i is lit: its token or feature is hovered, in the cards or here, or the played step
// is the one of γ and β.
bool lit(const AddNormPanel& p, Index i) {
    if (p.view.playing == static_cast<int>(WorkedKind::scale_and_shift)) return true;
    const auto axis = affine_axis(p.document);
    return axis && p.frame.view.hover.along(*axis) == i;
}

// "d3": of feature 3.
std::string id_of(const Document& d, Index i) {
    const auto axis = affine_axis(d);
    return axis ? fmt::format("{}{}", *axis == Axis::feature ? 'd' : 't', i) : "all";
}

constexpr double k_powers_of_ten_from = 1e6; // digits before the point no one reads

std::string range_text(double value) {
    return std::abs(value) < k_powers_of_ten_from ? number_text(value, 6)
                                                  : scientific_text(value, 1);
}

void range_fields(AddNormPanel& p, Rect& head, Param param) {
    const FaderRange range = p.document.range(param);
    const std::string low = range_text(range.lo), high = range_text(range.hi);
    const auto cut = [&](const std::string& text) {
        return cut_right(head, std::max(34.0f, p.text_width(text, TextRole::label) + 12.0f));
    };
    const auto set = [&](FaderRange to) {
        FaderRange grown = to;
        grown.grow(*p.document.param(param));
        if (!(to.lo < to.hi)) {
            p.state.complaint =
                worded("The faders of {} need a top above their bottom: {} to {} stays as it was",
                       symbol(param), low, high);
        } else if (grown == range && !(to == range)) {
            p.state.complaint =
                worded("The faders of {} reach all of its values: {} to {} stays as it was",
                       symbol(param), low, high);
        } else {
            p.edit(SetParamRange{param, grown});
            if (!(grown == to))
                p.say(worded("The faders of {} reach from {} to {}: all of its "
                             "values lie between",
                             symbol(param), range_text(grown.lo), range_text(grown.hi)));
        }
    };
    const Rect high_field = cut(high);
    p.canvas.text_in(cut_right(head, 22), tr("to"), TextRole::small, p.theme.ink_soft);
    // Tab goes through them as they are read.
    if (const auto lo =
            number_field(p, "range-low", cut(low), range.lo, low, "The bottom of these faders"))
        set({*lo, range.hi});
    if (const auto hi =
            number_field(p, "range-high", high_field, range.hi, high, "The top of these faders"))
        set({range.lo, *hi});
}

// One fader each for some values of γ or β, and under "More" one for all of them.
struct FaderRow {
    float pitch;    // from one to the next
    bool staggered; // values and names on two lines by turns
};

// None where they would be too narrow to take hold of. No value moves it: a drag moves no fader.
std::optional<FaderRow> fader_row(const AddNormPanel& p, float width) {
    const auto n = static_cast<float>(p.document.gamma->size());
    const float columns = n > 1 && p.view.more ? n + 1 : n;
    const float pitch = width / columns;
    if (n == 1 || pitch >= k_narrowest_with_text) return FaderRow{std::min(pitch, 64.0f), false};
    const float staggered = width / (columns + 1); // the outer texts reach half a fader farther
    if (staggered >= k_narrowest_fader) return FaderRow{staggered, true};
    return std::nullopt;
}

// The largest digits with which every value of γ and β has its place below its fader. Where values
// stand close on a line, signs and points as narrow as they are keep them apart.
TextRole text_role_for(const Ui& ui, const Document& document, const FaderRow& row) {
    const float width = row.staggered ? 2 * row.pitch : row.pitch;
    float longest = 0;
    for (const Param param : {Param::gamma, Param::beta})
        for (const double v : *document.param(param))
            longest = std::max(longest, ui.text_width(compact_text(v, 2), TextRole::number));
    const float small =
        text_role_spec(TextRole::number_small).size / text_role_spec(TextRole::number).size;
    if (longest <= width - 6) return TextRole::number;
    if (longest * small <= width - 3) return TextRole::number_small;
    return TextRole::number_narrow;
}

void few_faders(AddNormPanel& p, Rect r, const Side& side, const FaderRow& row) {
    const std::vector<double>& values = *p.document.param(side.param);
    const auto n = std::ssize(values);
    FaderSpec spec;
    spec.neutral = neutral(side.param);
    spec.range = p.document.range(side.param);
    spec.color = p.theme.of(side.stage);
    spec.ink = p.theme.ink_of(side.stage);
    spec.text_role = text_role_for(p, p.document, row);
    if (row.staggered) cut_left(r, row.pitch / 2);
    constexpr Index k_all = -1;
    for (Index i = n > 1 && p.view.more ? k_all : 0; i < n; ++i) {
        const bool all = i == k_all;
        const std::string name = all ? std::string(tr("all")) : parameter_name(p.document, i);
        spec.value = all ? values.front() : entry_at(values, i);
        spec.mixed =
            all && std::ranges::adjacent_find(values, std::not_equal_to<>()) != values.end();
        spec.name = name;
        spec.lit = !all && lit(p, i);
        if (row.staggered)
            spec.text = spec.text == FaderText::upper ? FaderText::lower : FaderText::upper;
        const FaderResult result =
            fader(p, all ? "all" : id_of(p.document, i), cut_left(r, row.pitch), spec);
        const Index first = all ? 0 : i, last = all ? n - 1 : i;
        if (result.reset)
            p.edit(ResetParam{side.param, first, last});
        else if (result.value)
            p.edit(SetParam{side.param, first, last, *result.value});
        if (all) continue;
        if (result.hovered || result.held) light_parameter(p.document, p.actions.view.hover, i);
        if (result.focused) light_parameter(p.document, p.actions.keyed.emplace(), i);
    }
}

void many_faders(AddNormPanel& p, Rect r, const Side& side) {
    const std::vector<double>& values = *p.document.param(side.param);
    Rect readout = cut_bottom(r, 26, 5);
    FaderStripSpec spec;
    spec.values = values;
    spec.neutral = neutral(side.param);
    spec.range = p.document.range(side.param);
    spec.color = p.theme.of(side.stage);
    spec.brush = p.view.brush;
    spec.scroll = p.view.fader_scroll;
    // There are many of them only where each belongs to a feature or a token.
    const Axis axis = affine_axis(p.document).value_or(Axis::token);
    const auto focus = in_focus(p.frame, axis);
    spec.lit = focus;
    const auto pinned = p.frame.view.pinned(axis);
    if (pinned != p.view.fader_followed) spec.follow = p.next.fader_followed = pinned;
    const FaderStripResult result = fader_strip(p, "strip", r, spec);
    for (const FaderStroke& s : result.strokes)
        p.edit(SetParam{side.param, s.first, s.last, s.value});
    if (result.scroll) p.next.fader_scroll = *result.scroll;
    if (result.hovered) p.actions.view.hover.along(axis) = *result.hovered;
    // The fader that was set stays in the field below; the strip does not move under the mouse.
    if (const auto pin = result.touched ? result.touched : result.moved) {
        p.actions.view.pinned(axis) = pin;
        if (result.touched) p.next.fader_followed = pin;
    }
    const Index shown =
        std::clamp<Index>(result.hovered.value_or(focus.value_or(0)), 0, std::ssize(values) - 1);
    const double value = entry_at(values, shown);
    const std::string text = worded("{}[{}] = {}", symbol(side.param),
                                    parameter_name(p.document, shown), compact_text(value, 2));
    if (const auto typed = number_field(p, "value", readout, value, text, "Click to type a value"))
        p.edit(SetParam{side.param, shown, shown, *typed});
}

void one_side(AddNormPanel& p, Rect r, const Side& side) {
    const IdScope scope(p, side.id);
    p.name("", r, PartKind::panel);
    Rect head = cut_top(r, 26, 4);
    if (p.view.more) range_fields(p, head, side.param);
    p.label(head, side.title, TextRole::title, p.theme.ink_of(side.stage));
    const float title_w = p.text_width(side.title, TextRole::title);
    if (!p.view.more && title_w + small_width(p, side.start) + 12 <= head.w)
        soft_label(p, head, side.start, Align::right);
    if (const auto row = fader_row(p, r.w))
        few_faders(p, r, side, *row);
    else
        many_faders(p, r, side);
}

// The purpose of γ and β.
std::string purpose(const Document& d) {
    if (!norm_entry(d.norm).normalizes()) return "Training learns γ and β: they stretch and shift.";
    const std::string purpose =
        worded("The norm brings all values to one size. Training learns γ and β, which stretch and "
               "shift them again where that helps.");
    const bool of_token = norm_entry(d.norm).shares == Shares::token;
    const std::string undoing = undoing_words(d);
    return purpose + ' ' +
           (of_token ? worded("{} undo the norm of one token.", undoing)
                     : worded("{} undo the norm.", undoing));
}

} // namespace

void faders_panel(AddNormPanel& p) {
    Rect inside = panel(p, "faders", p.rect, {});
    if (!p.state.picture) {
        const std::string words = purpose(p.document);
        const float h = paragraph_height(p, inside.w, words, TextRole::small);
        if (inside.h - h > k_least_h) soft_paragraph(p, cut_bottom(inside, h, 6), words);
    }
    const float half = (inside.w - 20) / 2;
    if (!fader_row(p, half) && !p.state.picture) {
        Rect row = cut_bottom(inside, 28, 6);
        const IdScope scope(p, "faders");
        const float label_w = 50;
        p.label(cut_left(row, label_w), "Brush", TextRole::label, p.theme.ink_soft);
        const std::size_t at = place_in(k_brush_sizes, p.view.brush);
        if (const auto chosen = segmented(p, "brush", row, k_brushes, static_cast<int>(at)))
            p.next.brush = entry_at(k_brush_sizes, *chosen);
    }
    Rect left = cut_left(inside, half, 20);
    one_side(p, left, {Param::gamma, "gamma", Stage::gamma, "γ scale", "a layer starts at 1"});
    one_side(p, inside, {Param::beta, "beta", Stage::beta, "β shift", "a layer starts at 0"});
}

} // namespace normscope
