#include "app/charts/distribution_chart.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace normscope {

namespace {

constexpr float k_dot_radius = 5;
constexpr float k_name_gap = 8; // to a dot at the end of the axis

// The colour of a line's name: that of the line, mixed with ink.
Color name_color(const Theme& theme, Color line) {
    return mix(line, theme.ink, 0.3f);
}

// The places of a curve's dots. Dots beyond the axis stand at its end, a ghost's nowhere.
struct Dots {
    std::vector<std::optional<Point>> at;
    float radius = 0;
};

Dots dots_of(const DistributionChart& chart, const DistributionCurve& c, Rect lane,
             const Scale& scale) {
    const float r = std::min(k_dot_radius, lane.h / 4);
    std::vector<float> x;
    for (const double v : c.dots) {
        const double on = std::clamp(v, chart.x_lo, chart.x_hi);
        x.push_back(std::isfinite(v) && (on == v || !c.ghost) ? scale.pixel(on) : NAN);
    }
    const std::vector<int> level = stack_dots(x, 2 * r - 1);
    const int highest = level.empty() ? 0 : *std::ranges::max_element(level);
    const float room = lane.h - 2 * r - 3;
    const float up = highest > 0 ? std::min(2 * r, room / static_cast<float>(highest)) : 0;
    Dots out{{}, r};
    for (const auto i : indices(x)) {
        const Point at{x[i], lane.bottom() - r - 2 - up * static_cast<float>(level[i])};
        out.at.push_back(std::isnan(at.x) ? std::nullopt : std::optional(at));
    }
    return out;
}

// Draws dots on the way from their lane to the next one, with a colour between those of the lanes.
void draw_travelling(Canvas& canvas, const Dots& from, const Dots& to, Color a, Color b, float t) {
    const float way = eased(t);
    for (const auto i : indices(std::min(from.at.size(), to.at.size()))) {
        if (!from.at[i] || !to.at[i]) continue;
        canvas.fill_circle(between(*from.at[i], *to.at[i], way), from.radius, mix(a, b, way));
    }
}

} // namespace

std::vector<int> stack_dots(std::span<const float> x, float apart) {
    std::vector<int> level(x.size());
    std::vector<char> taken(x.size() + 1);
    for (const auto i : indices(x)) {
        std::ranges::fill(taken, 0);
        for (const auto j : indices(i))
            if (std::abs(x[j] - x[i]) < apart) entry_at(taken, level[j]) = 1;
        level[i] = static_cast<int>(place_in(taken, 0));
    }
    return level;
}

Rect dot_lane(const DistributionChart& chart, const DistributionCurve& curve, Rect plot) {
    int lanes = 0, own = 0;
    for (const DistributionCurve& c : chart.curves) {
        if (c.ghost) continue;
        if (c.color == curve.color) own = lanes;
        ++lanes;
    }
    const float h = plot.h / static_cast<float>(std::max(lanes, 1));
    return {plot.x, plot.y + h * static_cast<float>(own), plot.w, h};
}

float dot_names_width(const Canvas& canvas, const DistributionChart& chart) {
    float w = 0;
    for (const DistributionCurve& c : chart.curves)
        if (chart.dots && !c.label.empty())
            w = std::max(w, canvas.text_size(c.label, TextRole::label).w + k_name_gap);
    return w;
}

void draw_dots(Canvas& canvas, const Theme& theme, const DistributionChart& chart, Rect plot,
               const Scale& x) {
    const double travelled = chart.travelled.value_or(static_cast<double>(chart.curves.size()));
    double reached = 0; // the lane
    Dots before;
    const DistributionCurve* last = nullptr;
    for (const DistributionCurve& c : chart.curves) {
        const Rect lane = dot_lane(chart, c, plot);
        if (!c.ghost && lane.bottom() < plot.bottom() - 0.5f)
            canvas.across(lane, lane.bottom(), theme.rule);
        const Dots dots = dots_of(chart, c, lane, x);
        if (c.ghost) {
            for (const auto& at : dots.at)
                if (at && !chart.travelled)
                    canvas.stroke_circle(*at, dots.radius, c.color.with_alpha(0.55f), 1.3f);
            continue;
        }
        if (travelled >= reached)
            for (const auto& at : dots.at)
                if (at) canvas.fill_circle(*at, dots.radius, c.color.with_alpha(0.85f));
        if (last && travelled > reached - 1 && travelled < reached)
            draw_travelling(canvas, before, dots, last->color, c.color,
                            static_cast<float>(travelled - (reached - 1)));
        ++reached;
        before = dots;
        last = &c;
        if (!c.label.empty())
            canvas.text({lane.x - k_name_gap, // beside its own dots
                         lane.bottom() - canvas.line_height(TextRole::label)},
                        c.label, TextRole::label, name_color(theme, c.color), Align::right);
    }
}

void draw_names(Canvas& canvas, const Theme& theme, std::span<const NamedLine> lines, Rect plot,
                std::vector<Rect> taken) {
    const float gap = 5;
    for (const NamedLine& line : lines) {
        if (line.points.empty() || line.name.empty()) continue;
        const auto top = std::ranges::min_element(line.points, {}, &Point::y);
        const Size size = canvas.text_size(line.name, TextRole::label);
        const auto put = [&](Point p, bool right) {
            const Rect r{right ? p.x + gap : p.x - gap - size.w, p.y - size.h / 2, size.w, size.h};
            if (!plot.encloses(r) || !take_place(taken, r)) return false;
            canvas.fill_rect(r, theme.panel.with_alpha(0.7f), 3);
            canvas.text({r.x, r.y}, line.name, TextRole::label, name_color(theme, line.color));
            return true;
        };
        // Down both sides of the top, the nearer points first.
        const auto at = static_cast<std::size_t>(top - line.points.begin());
        for (const auto i : indices(line.points)) {
            if (at + i < line.points.size() && put(line.points[at + i], true)) break;
            if (i <= at && put(line.points[at - i], false)) break;
        }
    }
}

} // namespace normscope
