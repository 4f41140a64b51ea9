#include "app/charts/flow_band.h"

#include "app/charts/number_format.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace normscope {

namespace {

constexpr double k_linear_span = 1e3; // of the most over the least part
constexpr double k_clearly = 10;      // times as much, or a tenth: another kind than before
constexpr TextRole k_names = TextRole::small;
constexpr TextRole k_digits = TextRole::number_small;
constexpr float k_box_h = 30;
constexpr float k_widest_box = 62;

std::string norm_name(Index l) {
    return "‖g" + std::to_string(l) + "‖";
}

// Every how manieth of n places, `apart` pixels each, has room for something `wide`.
Index every(float apart, float wide, Index n) {
    for (const Index step : {1, 2, 4, 5, 8, 10, 12, 16, 20, 24, 32, 48})
        if (apart * static_cast<float>(step) >= wide) return step;
    return std::max<Index>(n, 1);
}

// The widths on one side of the axis.
Scale half_scale(FlowWidths widths, float axis, float end) {
    widths.from = axis;
    widths.to = end;
    return widths;
}

std::vector<Tick> half_ticks(const Canvas& canvas, const Scale& half) {
    return row_ticks(canvas, half, k_digits, 1.7f);
}

// The least and the most of the parts that a river can be as wide as; ∞ and 0 where there is none.
struct Reach {
    double least = INFINITY, most = 0;
};
Reach reach_of(std::span<const FlowSlice> slices) {
    Reach r;
    for (const FlowSlice& s : slices)
        for (const double part : {s.skip, s.branch}) {
            if (!std::isfinite(part) || part <= 0) continue;
            r.least = std::min(r.least, part);
            r.most = std::max(r.most, part);
        }
    return r;
}

// The band's parts on its plot.
struct BandDrawing {
    Canvas& canvas;
    const Theme& theme;
    const FlowBandPlot& p;
    const FlowBand& band;
    Index n = p.n;

    void draw_scale() const {
        const float line = canvas.line_height(k_digits), name_h = canvas.line_height(k_names);
        const auto draw_half = [&](float end, std::string_view name, Stage stage) {
            const Scale half = half_scale(band.widths, p.axis, end);
            for (const Tick& tick : half_ticks(canvas, half)) {
                const float y = half.pixel(tick.value);
                const float away = std::abs(y - p.axis);
                const bool at_axis = away < 0.5f;
                if (at_axis ? end < p.axis : away < line * 1.1f) continue;
                if (!at_axis) canvas.across(p.river, y, theme.rule.with_alpha(0.7f));
                canvas.text({p.ticks.right() - 6, y - line / 2}, tick.label, k_digits,
                            theme.ink_soft, Align::right);
            }
            if (!name.empty() && std::abs(end - p.axis) > 1.5f * name_h)
                canvas.text({p.names.x, (p.axis + end) / 2 - name_h / 2}, name, k_names,
                            theme.ink_of(stage));
        };
        draw_half(p.axis - p.half, band.has_skip ? "skip" : "", Stage::x);
        draw_half(p.axis + p.half, band.sublayer, Stage::f);
    }

    void draw_values() const {
        const float name_h = canvas.line_height(k_names);
        float wide = canvas.text_size(norm_name(n), k_names).w;
        for (const FlowSlice& s : band.slices)
            wide = std::max(wide, canvas.text_size(flow_norm_text(s.total), k_digits).w);
        wide += 10;
        const auto write = [&](float x, const std::string& name, double norm, bool lit) {
            const Color color = std::isfinite(norm) ? theme.ink : theme.error;
            canvas.text({x, p.values.y}, name, k_names, lit ? theme.ink : theme.ink_soft,
                        Align::center);
            canvas.text({x, p.values.y + name_h}, flow_norm_text(norm), k_digits, color,
                        Align::center);
        };
        const float half = wide / 2;
        const auto place = [&](Index i) {
            return moved_within(p.column(i).center().x, half, p.values.x, p.loss.x);
        };
        const Index step = every(p.river.w / static_cast<float>(n), wide, n);
        // Room is kept for the one that is looked at; far away where there is none.
        const std::optional<Index> looked_at = band.lit ? band.lit : band.chosen;
        const float lit_x = looked_at ? place(*looked_at) : -1e6f;
        float free_from = p.values.x - 1e6f;
        for (Index i = 0; i < n; i += step) {
            const float x = place(i);
            if (x - half < free_from - 0.5f) continue;
            if (std::abs(x - lit_x) < wide) continue;
            write(x, norm_name(i), band.slice(i).total, false);
            free_from = x + half;
        }
        if (looked_at) write(lit_x, norm_name(*looked_at), band.slice(*looked_at).total, true);
        write(p.loss.center().x, norm_name(n), band.top, false);
    }

    // The blocks' numbers where boxes have no room for them: as many as fit, below a bar for each
    // block that is looked at or that a path crosses.
    void draw_block_numbers() const {
        const float wide = canvas.text_size(std::to_string(n), k_names).w + 12;
        const Index step = every(p.river.w / static_cast<float>(n), wide, n);
        const auto x = [&](Index i) { return p.column(i).center().x; };
        const float top = p.boxes.y + p.boxes.h * 0.35f;
        const auto write = [&](Index i, Color color) {
            canvas.text({x(i), top}, std::to_string(i + 1), k_names, color, Align::center);
        };
        const auto near = [&](Index i, std::optional<Index> other) {
            return other && std::abs(x(i) - x(*other)) < wide;
        };
        const auto bar = [&](Index i, float least) {
            const Rect column = p.column(i);
            return Rect{column.x, p.boxes.y, std::max(least, column.w - 1), 3.0f};
        };
        for (const auto i : indices(n)) {
            if (band.crossed(i)) canvas.fill_rect(bar(i, 1), theme.of(Stage::f));
            if (band.lit == i) canvas.fill_rect(bar(i, 1), theme.focus);
            if (near(i, band.lit) || near(i, band.chosen)) continue;
            if ((i + 1) % step == 0 || (i == 0 && step > 2)) write(i, theme.ink_soft);
        }
        // The chosen block's number and plate give way to a lit neighbour's number, its bar stays.
        if (band.chosen) {
            const float w = wide - 4;
            const Rect plate{x(*band.chosen) - w / 2, top - 2, w, canvas.line_height(k_names) + 4};
            if (band.lit == band.chosen || !near(*band.chosen, band.lit)) {
                canvas.fill_rect(plate, theme.accent, 3);
                write(*band.chosen, theme.on_accent);
            }
            canvas.fill_rect(bar(*band.chosen, 2), theme.accent);
        }
        if (band.lit && band.lit != band.chosen) write(*band.lit, theme.ink);
    }

    void draw_boxes() const {
        const std::string name(band.sublayer);
        const auto full = [&](Index i) { return name + " " + std::to_string(i + 1); };
        const float column = p.river.w / static_cast<float>(n);
        const float full_w = canvas.text_size(full(n - 1), k_names).w + 14;
        const float digits_w = canvas.text_size(std::to_string(n), k_names).w + 8;
        const bool named = column >= full_w + 4;
        if (!named && column < digits_w + 3) return draw_block_numbers();
        const float w = named ? std::max(full_w, std::min(column * 0.7f, k_widest_box))
                              : std::min(column - 3, k_widest_box);
        const float h = p.boxes.h;
        for (const auto i : indices(n)) {
            const float x = p.column(i).center().x;
            const bool crossed = band.crossed(i);
            const bool lit = band.lit == i;
            const bool chosen = band.chosen == i;
            const Rect box{x - w / 2, p.boxes.y, w, h};
            canvas.fill_rect(box,
                             chosen           ? theme.accent
                             : lit || crossed ? theme.control_hover
                                              : theme.control,
                             4);
            if (lit && band.lit_half)
                canvas.fill_rect({box.x + (*band.lit_half == 1 ? w / 2 : 0), box.y, w / 2, h},
                                 theme.focus.with_alpha(0.35f), std::min(4.0f, w / 4));
            canvas.stroke_rect(box,
                               lit       ? theme.focus
                               : crossed ? theme.of(Stage::f)
                                         : theme.border,
                               lit || crossed ? 2.0f : 1.0f, std::min(4.0f, w / 3));
            canvas.text_in(box, named ? full(i) : std::to_string(i + 1), k_names,
                           chosen ? theme.on_accent : theme.ink);
        }
    }

    // One word for a run of columns that are not numbers.
    void draw_words() const {
        for (Index i = 0; i < n; ++i) {
            if (is_finite(band.slice(i))) continue;
            Index last = i;
            bool nan = false;
            for (; last < n && !is_finite(band.slice(last)); ++last)
                nan = nan || std::isnan(band.slice(last).total);
            const float x0 = p.column(i).x;
            const float x1 = p.column(last - 1).right();
            const std::string_view word = nan ? "not a number" : "overflow";
            const float w = canvas.text_size(word, k_names).w + 12;
            if (x1 - x0 >= w) {
                const float h = canvas.line_height(k_names) + 6;
                const Rect plate{(x0 + x1 - w) / 2, p.axis - h / 2, w, h};
                canvas.fill_rect(plate, theme.panel, 4);
                canvas.text_in(plate, word, k_names, theme.error);
            }
            i = last;
        }
    }
};

} // namespace

bool is_finite(const FlowSlice& s) {
    return std::isfinite(s.total) && std::isfinite(s.skip) && std::isfinite(s.branch);
}

std::string flow_norm_text(double norm) {
    constexpr int k_significant = 3;
    if (norm == 0) return "0";
    if (!std::isfinite(norm)) return fixed_text(norm, 0);
    const std::string exact = fmt::format("{:.{}e}", norm, k_significant - 1);
    const auto e = exact.find('e');
    const int exponent = std::stoi(exact.substr(e + 1));
    if (exponent < -2 || exponent >= k_significant)
        return exact.substr(0, e + 1) + std::to_string(exponent);
    return fixed_text(norm, k_significant - 1 - exponent);
}

ScaleKind flow_scale(std::span<const FlowSlice> slices, std::optional<ScaleKind> before) {
    const auto [least, most] = reach_of(slices);
    if (before == ScaleKind::log) return ScaleKind::log;
    const double stays = before == ScaleKind::linear ? k_clearly : 1;
    return most > k_linear_span * stays * least ? ScaleKind::log : ScaleKind::linear;
}

FlowWidths flow_widths(ScaleKind kind, std::span<const FlowSlice> slices) {
    const auto [least, most] = reach_of(slices);
    if (kind == ScaleKind::log) {
        if (most <= 0) return {kind, 0.1, 1};
        const double lo = std::pow(10.0, std::ceil(std::log10(least) - 1e-9) - 1);
        const double hi = std::pow(10.0, std::ceil(std::log10(most) - 1e-9));
        return {kind, lo, std::max(hi, lo * 10)};
    }
    if (most <= 0) return {kind, 0, 1};
    // Finer than 1, 2, 5, so that the river fills its bed.
    return {kind, 0, round_up(most, {1, 1.5, 2, 3, 4, 5, 6, 8})};
}

float flow_width(const FlowWidths& widths, double norm) {
    if (!std::isfinite(norm) || norm <= 0) return 0;
    return static_cast<float>(std::clamp(widths.fraction(norm), 0.0, 1.0));
}

FlowBandPlot flow_band_plot(const Canvas& canvas, Rect area, const FlowBand& band) {
    FlowBandPlot p;
    p.n = std::ssize(band.slices);
    p.widths = band.widths;
    p.has_skip = band.has_skip;
    Rect r = area;
    Rect top = cut_top(r, canvas.line_height(k_names) + canvas.line_height(k_digits) + 2, 8);
    Rect bottom = cut_bottom(r, k_box_h, 8);

    p.axis = r.center().y;
    p.half = std::max(0.0f, r.h / 2 - canvas.line_height(k_digits) / 2);
    const auto ticks = half_ticks(canvas, half_scale(band.widths, p.half, 0));
    const auto width = [&](std::string_view name) { return canvas.text_size(name, k_names).w; };
    const float loss_w = std::max({canvas.text_size(flow_norm_text(band.top), k_digits).w,
                                   width(norm_name(p.n)), width("loss")});

    p.names = cut_left(r, std::max(width("skip"), width(band.sublayer)) + 8);
    p.ticks = cut_left(r, widest_label(canvas, ticks, k_digits) + 8);
    p.loss = cut_right(r, loss_w + 10);
    p.river = r;
    cut_left(top, p.names.w);
    p.values = top;
    p.boxes = {r.x, bottom.y, r.w, bottom.h};
    return p;
}

void draw_flow_band(Canvas& canvas, const Theme& theme, Rect area, const FlowBand& band) {
    const FlowBandPlot p = flow_band_plot(canvas, area, band);
    if (p.n == 0 || p.river.w < 20 || p.river.h < 20) return;
    if (band.lit) {
        const Rect column = p.column(*band.lit);
        canvas.fill_rect({column.x, p.river.y, column.w, p.boxes.bottom() - p.river.y},
                         theme.control_hover, 3);
    }
    const BandDrawing drawing{canvas, theme, p, band};
    drawing.draw_scale();
    draw_flow_water(canvas, theme, p, band);
    draw_flow_ghost(canvas, theme, p, band);
    if (!band.route.empty()) draw_flow_route(canvas, theme, p, band);
    drawing.draw_words();
    drawing.draw_values();
    drawing.draw_boxes();
    const Rect loss{p.loss.x + 4, p.boxes.y, p.loss.w - 4, p.boxes.h};
    canvas.text_in(loss, "loss", k_names, theme.ink_soft);
}

} // namespace normscope
