#include "app/layout/sliders.h"

#include "app/charts/number_format.h"
#include "core/base/lists.h"
#include "core/base/rounding.h"

#include <algorithm>
#include <cmath>

namespace normscope {

namespace {

// The place of a value among ascending steps, which may lie between two.
double place_among(std::span<const double> steps, double value) {
    if (value <= steps.front()) return 0;
    for (std::size_t i = 1; i < steps.size(); ++i)
        if (value <= steps[i])
            return static_cast<double>(i - 1) + (value - steps[i - 1]) / (steps[i] - steps[i - 1]);
    return static_cast<double>(steps.size() - 1);
}

// A slider by the value's logarithm, in steps as `rounded` makes them.
SliderSpec log_slider(double value, double lo, double hi, double reset, std::string_view hint,
                      double (*rounded)(double)) {
    const double from = std::log10(lo);
    const double span = std::log10(hi) - from;
    const auto value_at = [=](double t) {
        return std::clamp(rounded(std::pow(10.0, from + t * span)), lo, hi);
    };
    return {.value = value,
            .to_unit = [=](double v) { return v > 0 ? (std::log10(v) - from) / span : 0; },
            .from_unit = value_at,
            .reset = reset,
            .text = number_text(value, 3),
            .hint = hint};
}

} // namespace

SliderSpec counted(double value, int lo, int hi, int reset, std::string_view hint) {
    const double span = hi - lo;
    return {.value = value,
            .to_unit = [=](double v) { return (v - lo) / span; },
            .from_unit = [=](double t) { return std::round(lo + t * span); },
            .reset = static_cast<double>(reset),
            .step = 1 / span,
            .text = fixed_text(value, 0),
            .hint = hint};
}

SliderSpec listed(double value, std::span<const double> steps, double reset,
                  std::string_view hint) {
    const auto last = static_cast<double>(steps.size() - 1);
    const auto step_at = [=](double t) {
        return entry_at(steps, std::clamp(std::round(t * last), 0.0, last));
    };
    return {.value = value,
            .to_unit = [=](double v) { return place_among(steps, v) / last; },
            .from_unit = step_at,
            .reset = reset,
            .step = 1 / last,
            .text = fixed_text(value, 0),
            .hint = hint};
}

SliderSpec linear(double value, double lo, double hi, double reset, std::string_view hint) {
    return {.value = value,
            .to_unit = [=](double v) { return (v - lo) / (hi - lo); },
            .from_unit = [=](double t) { return to_hundredths(lo + t * (hi - lo)); },
            .reset = reset,
            .text = compact_text(value, 2),
            .hint = hint};
}

SliderSpec logarithmic(double value, double lo, double hi, double reset, std::string_view hint) {
    SliderSpec spec = log_slider(value, lo, hi, reset, hint, to_hundredths);
    if (value >= 0.01 && value < 1000) spec.text = fixed_text(value, 2);
    return spec;
}

SliderSpec two_digits(double value, double lo, double hi, double reset, std::string_view hint) {
    return log_slider(value, lo, hi, reset, hint, [](double v) { return to_significant(v, 2); });
}

SliderSpec from_zero(double value, double lo, double hi, double reset, std::string_view hint) {
    constexpr double k_zero = 0.03, k_first = 0.04; // of the track: the end of 0, and where lo is
    SliderSpec spec = log_slider(value, lo, hi, reset, hint, [](double v) {
        return to_significant(v, 1); // 1e-5, 2e-5, … 9e-5
    });
    spec.to_unit = [=, along = spec.to_unit](double v) {
        return v <= 0 ? 0.0 : std::clamp(k_first + (1 - k_first) * along(v), k_first, 1.0);
    };
    spec.from_unit = [=, along = spec.from_unit](double t) {
        return t < k_zero ? 0.0 : along(std::max(0.0, (t - k_first) / (1 - k_first)));
    };
    return spec;
}

std::optional<Index> group_stepper(Ui& ui, NamePart part, Rect r, Index groups, Index width) {
    const StepperSpec spec = divisors(groups, width);
    return stepper(ui, part, cut_left(r, stepper_width(ui, spec.text)), spec);
}

std::optional<std::uint64_t> seed_row(Ui& ui, NamePart part, Rect r, std::uint64_t seed,
                                      std::string_view hint, std::string_view next_hint) {
    const std::string text = std::to_string(seed);
    const Rect field = cut_left(r, std::clamp(button_width(ui, text), 50.0f, 150.0f), 6.0f);
    const auto typed = seed_field(ui, part, field, seed, text, hint);
    const std::string_view label = "Next";
    const bool next =
        button(ui, "next-seed", cut_left(r, button_width(ui, label)), {label, next_hint});
    return next ? std::optional(seed + 1) : typed;
}

} // namespace normscope
