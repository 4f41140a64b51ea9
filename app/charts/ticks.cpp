#include "app/charts/ticks.h"

#include "app/charts/number_format.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace normscope {
namespace {

constexpr double k_few_ticks = 4, k_most_ticks = 40;
constexpr double k_few_decades = 3.5;
constexpr double k_slack = 1e-9; // an end that is a decade but for rounding
constexpr int k_decades_apart[] = {1, 2, 3, 5, 10, 20, 50, 100, 200, 400};

// Whether all labels, each centred on its tick, keep clear of their neighbours.
bool have_room(const Scale& scale, const std::vector<Tick>& ticks, const LabelRoom& room) {
    const auto crowd = [&](const Tick& a, const Tick& b) {
        const float apart = std::abs(scale.pixel(b.value) - scale.pixel(a.value));
        return apart < (room(b.label) + room(a.label)) / 2;
    };
    return std::ranges::adjacent_find(ticks, crowd) == ticks.end();
}

std::vector<Tick> ticks_by(double step, Extent seen) {
    const double slack = step * 1e-6; // an end that is a tick but for rounding
    const double first = std::ceil((seen.lo - slack) / step);
    const double last = std::floor((seen.hi + slack) / step);
    const double largest = std::max(std::abs(seen.lo), std::abs(seen.hi));
    // Enough digits to tell neighbours apart.
    const int digits = static_cast<int>(std::ceil(std::log10(largest / step)));
    const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
    std::vector<Tick> ticks;
    for (int i = 0; i <= last - first; ++i) {
        const double at = first + i, value = at == 0 ? 0.0 : at * step;
        ticks.push_back({value, largest >= 1e6 || step < 1e-4
                                    ? scientific_text(value, std::clamp(digits, 0, 15))
                                    : fixed_text(value, decimals)});
    }
    return ticks;
}

std::vector<Tick> linear_ticks(const Scale& scale, Extent seen, const LabelRoom& room) {
    // More ticks than narrow labels have room for need not be tried.
    const double length = std::abs(scale.pixel(seen.hi) - scale.pixel(seen.lo));
    const double most = std::clamp(length / room("1"), k_few_ticks, k_most_ticks);
    double step = nice_step((seen.hi - seen.lo) / most);
    std::vector<Tick> ticks = ticks_by(step, seen);
    while (ticks.size() > 2 && !have_room(scale, ticks, room)) {
        const double before = std::exchange(step, nice_step(step * 1.5)); // in 1, 2, 5, 10, …
        ticks = ticks_by(step, seen);
        // A single tick is no scale: between 2 and 5 there are 4 and 3.
        if (ticks.size() < 2 && step > 2.1 * before)
            for (const double between : {2 * before, 1.5 * before})
                if (auto more = ticks_by(between, seen);
                    more.size() >= 2 && have_room(scale, more, room))
                    return more;
    }
    if (!have_room(scale, ticks, room)) ticks.pop_back();
    return ticks;
}

// The exponents of the decades at or within an end of an axis.
int first_decade(double lo) {
    return static_cast<int>(std::ceil(std::log10(lo) - k_slack));
}
int last_decade(double hi) {
    return static_cast<int>(std::floor(std::log10(hi) + k_slack));
}

// The decades from 10^first to 10^last that have room; on a symlog axis 0 and those of both signs.
std::vector<Tick> decade_ticks(const Scale& scale, Extent seen, int first, int last,
                               const LabelRoom& room) {
    const bool signs = scale.kind == ScaleKind::symlog;
    std::vector<Tick> ticks;
    for (const int every : k_decades_apart) {
        ticks.clear();
        if (signs) ticks.push_back({0, "0"});
        for (int e = first; e <= last; ++e) {
            if ((signs ? e - first : e) % every != 0) continue;
            const double value = std::pow(10.0, e);
            const std::string label = "1e" + std::to_string(e);
            ticks.push_back({value, label});
            if (signs) ticks.push_back({-value, std::string(k_minus) + label});
        }
        if (signs)
            std::erase_if(ticks,
                          [&](const Tick& t) { return t.value < seen.lo || t.value > seen.hi; });
        std::ranges::sort(ticks, {}, &Tick::value);
        if (ticks.size() < 2 || have_room(scale, ticks, room)) break;
    }
    return ticks;
}

// 1, 2, 5 within each of few decades, where they fit; whole decades, or a straight axis' ticks
// where there is hardly one.
std::vector<Tick> log_ticks(const Scale& scale, Extent seen, const LabelRoom& room) {
    const double from = std::log10(seen.lo), to = std::log10(seen.hi);
    if (to - from < k_few_decades) {
        std::vector<Tick> ticks;
        for (int e = static_cast<int>(std::floor(from)); e <= static_cast<int>(std::ceil(to)); ++e)
            for (const double m : {1.0, 2.0, 5.0}) {
                const double value = m * std::pow(10.0, e);
                if (value >= seen.lo * (1 - k_slack) && value <= seen.hi * (1 + k_slack))
                    ticks.push_back({value, number_text(value, 3)});
            }
        if (ticks.size() >= 2 && have_room(scale, ticks, room)) return ticks;
    }
    const int first = first_decade(seen.lo), last = last_decade(seen.hi);
    return last - first < 1 ? linear_ticks(scale, seen, room)
                            : decade_ticks(scale, seen, first, last, room);
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
    const Extent seen{std::min(scale.lo, scale.hi), std::max(scale.lo, scale.hi)};
    if (scale.kind == ScaleKind::linear) return linear_ticks(scale, seen, room);
    if (scale.kind == ScaleKind::log)
        return seen.lo > 0 ? log_ticks(scale, seen, room) : std::vector<Tick>{};
    const double most = std::max({-seen.lo, seen.hi, scale.linear_to});
    return decade_ticks(scale, seen, first_decade(scale.linear_to), last_decade(most), room);
}

} // namespace normscope
