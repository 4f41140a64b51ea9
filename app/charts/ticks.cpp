#include "app/charts/ticks.h"

#include "app/charts/number_format.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace normscope {
namespace {

constexpr int k_most_ticks = 40;
constexpr double k_few_decades = 3.5;
constexpr int k_decades_apart[] = {1, 2, 3, 5, 10, 20, 50, 100, 200, 400};

// Whether two labels, each centred on its tick, keep clear of each other.
bool keep_clear(const Scale& scale, const Tick& a, const Tick& b, const LabelRoom& room) {
    const float apart = std::abs(scale.pixel(b.value) - scale.pixel(a.value));
    return !(apart < (room(b.label) + room(a.label)) / 2);
}

bool have_room(const Scale& scale, const std::vector<Tick>& ticks, const LabelRoom& room) {
    const auto crowd = [&](const Tick& a, const Tick& b) { return !keep_clear(scale, a, b, room); };
    return std::ranges::adjacent_find(ticks, crowd) == ticks.end();
}

// Every `step` from lo to hi, up to the first that does not keep clear of the one before.
struct StepTicks {
    std::vector<Tick> ticks;
    double count = 0; // that there would be
    bool fit = true;
};

StepTicks ticks_by(const Scale& scale, double lo, double hi, double step, const LabelRoom& room) {
    StepTicks out;
    std::vector<Tick>& ticks = out.ticks;
    const double slack = step * 1e-6; // an end that is a tick but for rounding
    const double first = std::ceil((lo - slack) / step), last = std::floor((hi + slack) / step);
    out.count = last - first + 1;
    const double largest = std::max(std::abs(lo), std::abs(hi));
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
    for (double i = first; i <= last && out.fit; ++i) {
        const double value = i == 0 ? 0.0 : i * step;
        // Enough digits to tell neighbours apart.
        const int digits = static_cast<int>(std::ceil(std::log10(largest / step)));
        ticks.push_back({value, largest >= 1e6 || step < 1e-4
                                    ? scientific_text(value, std::clamp(digits, 0, 15))
                                    : fixed_text(value, decimals)});
        const std::size_t n = ticks.size();
        out.fit = n < 2 || keep_clear(scale, ticks[n - 2], ticks[n - 1], room);
    }
    return out;
}

std::vector<Tick> linear_ticks(const Scale& scale, const LabelRoom& room) {
    const double lo = std::min(scale.lo, scale.hi), hi = std::max(scale.lo, scale.hi);
    double step = nice_step((hi - lo) / k_most_ticks);
    StepTicks tried = ticks_by(scale, lo, hi, step, room);
    while (tried.count > 2 && !tried.fit) {
        const double before = std::exchange(step, nice_step(step * 1.5)); // in 1, 2, 5, 10, …
        tried = ticks_by(scale, lo, hi, step, room);
        // A single tick is no scale: between 2 and 5 there are 4 and 3.
        if (tried.count < 2 && step > 2.1 * before)
            for (const double between : {2 * before, 1.5 * before})
                if (StepTicks t = ticks_by(scale, lo, hi, between, room); t.count >= 2 && t.fit)
                    return std::move(t.ticks);
    }
    if (!tried.fit) tried.ticks.pop_back();
    return std::move(tried.ticks);
}

std::string decade_label(int exponent) {
    return "1e" + std::to_string(exponent);
}

std::vector<Tick> log_ticks(const Scale& scale, const LabelRoom& room) {
    const double lo = std::min(scale.lo, scale.hi), hi = std::max(scale.lo, scale.hi);
    const double from = std::log10(lo), to = std::log10(hi), slack = 1e-9;
    std::vector<Tick> ticks;
    if (to - from < k_few_decades) {
        // 1, 2, 5 within each, where they fit.
        for (int e = static_cast<int>(std::floor(from)); e <= static_cast<int>(std::ceil(to)); ++e)
            for (const double m : {1.0, 2.0, 5.0}) {
                const double value = m * std::pow(10.0, e);
                if (value >= lo * (1 - slack) && value <= hi * (1 + slack))
                    ticks.push_back({value, number_text(value, 3)});
            }
        if (ticks.size() >= 2 && have_room(scale, ticks, room)) return ticks;
    }
    // Hardly a whole decade: a straight axis' ticks.
    if (std::floor(to + slack) - std::ceil(from - slack) < 1) return linear_ticks(scale, room);
    for (const int every : k_decades_apart) {
        ticks.clear();
        for (int e = static_cast<int>(std::ceil(from - slack));
             e <= static_cast<int>(std::floor(to + slack)); ++e)
            if (e % every == 0) ticks.push_back({std::pow(10.0, e), decade_label(e)});
        if (ticks.size() < 2 || have_room(scale, ticks, room)) break;
    }
    return ticks;
}

std::vector<Tick> symlog_ticks(const Scale& scale, const LabelRoom& room) {
    const double lo = std::min(scale.lo, scale.hi), hi = std::max(scale.lo, scale.hi);
    const double largest = std::max({std::abs(lo), std::abs(hi), scale.linear_to});
    const int e0 = static_cast<int>(std::ceil(std::log10(scale.linear_to) - 1e-9));
    const int e1 = static_cast<int>(std::floor(std::log10(largest) + 1e-9));
    std::vector<Tick> ticks;
    for (const int every : k_decades_apart) {
        ticks = {{0, "0"}};
        for (int e = e0; e <= e1; e += every) {
            ticks.push_back({std::pow(10.0, e), decade_label(e)});
            ticks.push_back({-std::pow(10.0, e), "-" + decade_label(e)});
        }
        std::erase_if(ticks, [&](const Tick& t) { return t.value < lo || t.value > hi; });
        std::ranges::sort(ticks, {}, &Tick::value);
        if (ticks.size() < 2 || have_room(scale, ticks, room)) break;
    }
    return ticks;
}

} // namespace

double round_up(double least, std::initializer_list<double> steps) {
    const double decade = std::pow(10.0, std::floor(std::log10(least)));
    for (const double m : steps)
        if (m * decade >= least * (1 - 1e-9)) return m * decade;
    return 10 * decade;
}

double nice_step(double least) {
    return round_up(least, {1, 2, 5});
}

Extent nice_range(double lo, double hi, int parts) {
    const double step = nice_step((hi - lo) / parts);
    return {std::floor(lo / step + 1e-9) * step, std::ceil(hi / step - 1e-9) * step};
}

std::vector<Tick> make_ticks(const Scale& scale, const LabelRoom& room) {
    const double span = scale.hi - scale.lo;
    if (!std::isfinite(span) || span == 0) return {};
    if (scale.kind == ScaleKind::linear) return linear_ticks(scale, room);
    if (scale.kind == ScaleKind::symlog) return symlog_ticks(scale, room);
    return scale.lo > 0 && scale.hi > 0 ? log_ticks(scale, room) : std::vector<Tick>{};
}

std::vector<Tick> row_ticks(const Canvas& canvas, const Scale& y, TextRole role, float lines) {
    const float room = canvas.line_height(role) * lines;
    return make_ticks(y, [room](std::string_view) { return room; });
}

std::vector<Tick> count_ticks(const Canvas& canvas, const Scale& x) {
    const auto half = [&](const Tick& t) {
        return canvas.text_size(t.label, TextRole::small).w / 2;
    };
    const float gap = 14 * canvas.scale();
    std::vector<Tick> ticks = make_ticks(x, [&](std::string_view label) {
        return canvas.text_size(label, TextRole::small).w + gap;
    });
    std::erase_if(ticks,
                  [](const Tick& t) { return std::abs(t.value - std::round(t.value)) > 1e-6; });
    for (Tick& t : ticks) t.label = fixed_text(t.value, 0);
    // The last one, in place of those that it leaves no room.
    const Tick last{x.hi, fixed_text(x.hi, 0)};
    while (!ticks.empty() && x.pixel(ticks.back().value) + half(ticks.back()) + gap >
                                 x.pixel(last.value) - half(last))
        ticks.pop_back();
    ticks.push_back(last);
    return ticks;
}

float widest_label(const Canvas& canvas, std::span<const Tick> ticks, TextRole role) {
    float widest = 0;
    for (const Tick& t : ticks) widest = std::max(widest, canvas.text_size(t.label, role).w);
    return widest;
}

void draw_rows(Canvas& canvas, const Theme& theme, Rect plot, const Scale& y,
               std::span<const Tick> ticks) {
    const float px = canvas.scale(), line = canvas.line_height(TextRole::small);
    for (const Tick& t : ticks) {
        const float at = y.pixel(t.value);
        canvas.line({plot.x, at}, {plot.right(), at}, theme.rule, px);
        canvas.text({plot.x - 6 * px, at - line / 2}, t.label, TextRole::small, theme.ink_soft,
                    Align::right);
    }
}

void draw_columns(Canvas& canvas, const Theme& theme, Rect plot, const Scale& x,
                  std::span<const Tick> ticks, Rect labels) {
    const float px = canvas.scale(), base = plot.bottom();
    for (const Tick& t : ticks) {
        const float at = x.pixel(t.value);
        canvas.line({at, base}, {at, base + 3 * px}, theme.ink_soft, px);
        const float half = canvas.text_size(t.label, TextRole::small).w / 2;
        canvas.text({moved_within(at, half, labels.x, labels.right()), labels.y}, t.label,
                    TextRole::small, theme.ink_soft, Align::center);
    }
}

void draw_x_title(Canvas& canvas, const Theme& theme, Rect plot, Rect area,
                  std::string_view title) {
    if (!title.empty())
        canvas.text({plot.center().x, area.bottom() - canvas.line_height(TextRole::small)},
                    canvas.elide(title, TextRole::small, plot.w), TextRole::small, theme.ink_soft,
                    Align::center);
}

} // namespace normscope
