#pragma once
#include "app/charts/number_format.h"
#include "app/model/edit.h"
#include "app/widgets/ui.h"
#include "core/base/lists.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace normscope {

enum class ButtonLook { plain, primary, quiet };

// A push button. Disabled ones do not react and say why in `hint`; one that is disabled while it
// has the keyboard keeps it until Tab goes on.
struct ButtonSpec {
    Text label;
    std::string_view hint = {};
    bool enabled = true;
    ButtonLook look = ButtonLook::plain;
};
bool button(Ui& ui, NamePart part, Rect r, const ButtonSpec& spec);

// The look of a button, for every control that is pressed like one.
void draw_button(Ui& ui, const Hit& hit, Rect r, const ButtonSpec& spec);

// The ground of what can be pressed and draws its own edge; `rounding`: at scale 1.
inline void draw_plate(Ui& ui, const Hit& hit, Rect r, float rounding = 5) {
    ui.canvas.fill_rect(r, hit.hovered ? ui.theme.control_hover : ui.theme.control, rounding);
}

// As wide as its words need.
float button_width(const Ui& ui, Text label);

inline constexpr float k_control_height = 28;

// Buttons in a row, left to right, that wrap to the next line; the rectangle of each.
class FlowLayout {
  public:
    FlowLayout(Rect area, float height = k_control_height);
    Rect next(float width);
    float bottom() const { return y_ + height_; }

  private:
    Rect area_;
    float gap_, height_, x_, y_;
};

// One of several, all visible: in one line, or in lines of `counts` each. Tab stops at what is
// chosen; left and right arrows walk along them, and what they come to is chosen.
std::optional<int> segmented(Ui& ui, NamePart part, Rect area, std::span<const ChoiceName> choices,
                             int current, std::span<const std::string_view> hints = {},
                             std::span<const std::size_t> counts = {});
float segmented_width(const Ui& ui, std::span<const ChoiceName> choices);
float segmented_lines_height(std::size_t lines);

// One of the choices of an enumeration.
template<class E>
std::optional<E> choose(Ui& ui, NamePart part, Rect area, E now,
                        std::span<const std::string_view> hints = {}) {
    const std::optional<int> chosen =
        segmented(ui, part, area, names_of<E>(), static_cast<int>(choice_place(now)), hints);
    return chosen ? std::optional(entry_at(choices(now), *chosen).value) : std::nullopt;
}

// The control of a setting is named by its row: behind the workspace, whatever panel it stands in.
template<auto First, auto... Rest>
NamePart setting() {
    return {set<First, Rest...>({}).field->key, true};
}

// The choice of a setting of `s`; what is chosen becomes an edit.
template<auto First, auto... Rest>
void choose_setting(Ui& ui, Rect area, const StructOf<First>& s, std::vector<Edit>& edits,
                    std::span<const std::string_view> hints = {}) {
    if (const auto chosen =
            choose(ui, setting<First, Rest...>(), area, member<First, Rest...>(s), hints))
        edits.push_back(set<First, Rest...>(*chosen));
}

// One of many: a button with the present one, which opens the list of all.
std::optional<int> drop_down(Ui& ui, NamePart part, Rect r, std::span<const ChoiceName> choices,
                             int current);

// The numbers that a control takes when they are typed. It refuses any other in a sentence that
// names the number.
struct Accepted {
    Bounds bounds;
    bool whole = false;
};
constexpr Accepted whole_numbers(double least, double most) {
    return {{least, most}, true};
}
inline constexpr Accepted k_counts = whole_numbers(0, 1e9); // an int holds each of them

// A value on a horizontal track. `to_unit` and `from_unit` map it to [0, 1].
struct SliderSpec {
    double value = 0;
    std::function<double(double)> to_unit;
    std::function<double(double)> from_unit;
    double reset = 0;   // Delete, or its menu
    double step = 0.02; // of the unit, by arrow key
    std::string text;   // the value in words, right of the track; click it to type
    std::string_view hint = {};
    std::optional<Accepted> accepted = {}; // none: all numbers
};
struct SliderResult {
    std::optional<double> value;
    bool held = false;
};
SliderResult slider(Ui& ui, NamePart part, Rect r, const SliderSpec& spec);

// The number of so many significant digits that is nearest to `value`, as one who types it.
double to_significant(double value, int digits);

// The place of a fader's value and name. In a row of narrow faders every second one has them a line
// lower, so that each has the width of two.
enum class FaderText { one_line, upper, lower };

// A vertical fader with its value and name below. Drag, wheel with Ctrl, arrow keys (Shift: fine,
// Page: coarse), double-click or typing for a number, Delete resets; so does its menu.
struct FaderSpec {
    double value = 0;
    double neutral = 0;
    FaderRange range;
    Color color;
    Color ink;
    std::string_view name;                 // below
    bool mixed = false;                    // stands for several values that differ
    bool lit = false;                      // its feature or token is hovered elsewhere
    TextRole text_role = TextRole::number; // of the value, the same for faders side by side
    FaderText text = FaderText::one_line;
};
struct FaderResult {
    std::optional<double> value;
    bool reset = false; // `value` is the neutral one, asked for as such
    bool hovered = false;
    bool held = false;
    bool focused = false; // by keyboard
};
FaderResult fader(Ui& ui, NamePart part, Rect r, const FaderSpec& spec);

// Faders from `first` to `last` set to one value.
struct FaderStroke {
    Index first, last;
    double value;
};

// Hundreds of faders as bars side by side, painted with a brush: drag sets what the mouse passes
// over, right-drag resets it, the wheel scrolls, arrow keys move and nudge.
struct FaderStripSpec {
    std::span<const double> values;
    double neutral = 0;
    FaderRange range;
    Color color;
    int brush = 1;    // faders set at once; 0: all
    float scroll = 0; // the first visible fader
    std::optional<Index> lit;
    std::optional<Index> follow; // scroll to this one, if it is out of sight
};

struct FaderStripResult {
    std::vector<FaderStroke> strokes;
    std::optional<float> scroll;
    std::optional<Index> hovered;
    std::optional<Index> moved;   // what the arrow keys went to
    std::optional<Index> touched; // what the mouse set last
};

FaderStripResult fader_strip(Ui& ui, NamePart part, Rect r, const FaderStripSpec& spec);

// The number that was typed. A text without one leaves a complaint, the reason and then
// `otherwise`, the consequence; an empty text leaves none.
std::optional<double> number_in(Ui& ui, std::string_view text, std::string_view otherwise);

// A number that is clicked to be typed, for shapes and ranges. `accepted`: none: all numbers.
std::optional<double> number_field(Ui& ui, NamePart part, Rect r, double value,
                                   const std::string& text, std::string_view hint = {},
                                   const std::optional<Accepted>& accepted = {});

// A whole number to type, between buttons to a smaller and a larger one; a button to `now` leads
// nowhere.
struct StepperSpec {
    Index now, less, more;
    std::string text; // that stands for `now`
    std::string less_hint, hint, more_hint;
    Accepted accepted = k_counts;
};
std::optional<Index> stepper(Ui& ui, NamePart part, Rect r, const StepperSpec& spec);
float stepper_width(const Ui& ui, const std::string& text);

// A stepper through the numbers of groups that divide `whole` features; `now` need not divide them.
StepperSpec divisors(Index now, Index whole);

// A seed to be typed: a whole number up to 1e15.
std::optional<std::uint64_t> seed_field(Ui& ui, NamePart part, Rect r, std::uint64_t seed,
                                        const std::string& text, std::string_view hint);

// A panel: background, border, optional bar of a colour along the top, title, hint at the right.
// Returns the inside below the title.
struct PanelSpec {
    std::string_view title;
    std::string_view hint = {};
    std::optional<Color> bar = std::nullopt;
    std::optional<Color> title_color = std::nullopt;
    float padding = 10; // left and right
};
Rect panel(Ui& ui, NamePart part, Rect r, const PanelSpec& spec);

// Draws lines below `r`, over everything else in this frame.
void note_below(const Ui& ui, Rect r, const std::string& lines);

} // namespace normscope
