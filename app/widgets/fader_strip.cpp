#include "app/widgets/controls.h"
#include "app/widgets/imgui_compat.h"
#include "core/base/lists.h"
#include "core/base/rounding.h"

#include <algorithm>
#include <cmath>

namespace normscope {
namespace {

constexpr float k_bar = 5; // of one fader, its gap included

struct Strip {
    Rect area;
    float bar;
    float first;
    Index count;
    FaderRange range;

    // A stroke beyond an edge stays at the last fader in sight.
    Index index_at(float x) const {
        const float seen = std::clamp(x - area.x, 0.0f, std::max(area.w - 1, 0.0f));
        return std::min(static_cast<Index>(std::floor(seen / bar + first)), count - 1);
    }
    double value_at(float y) const {
        const double t = static_cast<double>((area.bottom() - y) / area.h);
        return to_hundredths(range.at(std::clamp(t, 0.0, 1.0)));
    }
    float y_of(double value) const {
        const double t = std::clamp(range.unit_of(value), 0.0, 1.0);
        return area.bottom() - area.h * static_cast<float>(t);
    }
};

void stroke(const Strip& s, int brush, Index at, double value, std::vector<FaderStroke>& out) {
    if (brush == 0) return out.push_back({0, s.count - 1, value});
    const Index from = std::max<Index>(0, at - (brush - 1) / 2);
    const Index to = std::min<Index>(s.count - 1, from + brush - 1);
    if (from <= to) out.push_back({from, to, value});
}

void scroll_bar(Ui& ui, Rect r, const Strip& s, float seen, FaderStripResult& out) {
    const Hit hit = ui.hit("scroll", r, k_by_mouse);
    const float n = static_cast<float>(s.count);
    ui.canvas.fill_rect(r, ui.theme.rule, k_fully_round);
    const float w = std::max(16.0f, r.w * seen / n);
    const float x = r.x + (r.w - w) * (n > seen ? s.first / (n - seen) : 0);
    ui.canvas.fill_rect({x, r.y, w, r.h}, ui.theme.ink_soft.with_alpha(hit.hovered ? 0.8f : 0.5f),
                        k_fully_round);
    if (hit.held && r.w > w)
        out.scroll = std::clamp((ui.mouse().x - r.x - w / 2) / (r.w - w), 0.0f, 1.0f) * (n - seen);
}

} // namespace

FaderStripResult fader_strip(Ui& ui, NamePart part, Rect r, const FaderStripSpec& spec) {
    const IdScope scope(ui, part);
    FaderStripResult out;
    const auto n = std::ssize(spec.values);
    const float bar = std::max(k_bar, r.w / static_cast<float>(n));
    const float seen = r.w / bar;
    const bool scrolls = static_cast<float>(n) > seen + 0.01f;
    const Rect bar_row = scrolls ? cut_bottom(r, 8) : Rect{};
    if (scrolls) cut_bottom(r, 4);
    const float first = std::clamp(spec.scroll, 0.0f, std::max(0.0f, static_cast<float>(n) - seen));
    const Strip s{r, bar, first, n, spec.range};

    const Hit hit = ui.hit("", r, {.kind = PartKind::fader});
    if (hit.hovered) {
        claim_mouse_wheel();
        if (!ui.state.keys_lead) out.hovered = s.index_at(ui.mouse().x);
        const float wheel = ImGui::GetIO().MouseWheel + ImGui::GetIO().MouseWheelH;
        if (wheel != 0 && scrolls) out.scroll = first - wheel * seen / 6;
    }
    const bool right = hit.hovered && ImGui::IsMouseDown(ImGuiMouseButton_Right);
    if (hit.held || right) {
        // Everything between the last position and this one, so that a quick stroke leaves no gaps.
        const Point now = ui.mouse();
        const Point moved = hit.pressed ? Point{} : ui.mouse_moved();
        const Index to = s.index_at(now.x);
        const Index from = s.index_at(now.x - moved.x);
        const Index step = to >= from ? 1 : -1;
        for (Index i = from;; i += step) {
            const double t =
                to == from ? 1.0 : static_cast<double>(i - from) / static_cast<double>(to - from);
            const double value =
                right ? spec.neutral : s.value_at(now.y - moved.y * static_cast<float>(1 - t));
            stroke(s, spec.brush, i, value, out.strokes);
            out.touched = i;
            if (i == to) break;
        }
    }
    if (hit.focused) {
        ui.state.scroll_keys_used = true;
        const Index i = std::clamp<Index>(spec.lit.value_or(static_cast<Index>(first)), 0, n - 1);
        if (key_pressed(Key::left, true)) out.moved = std::max<Index>(i - 1, 0);
        if (key_pressed(Key::right, true)) out.moved = std::min<Index>(i + 1, n - 1);
        if (key_pressed(Key::home)) out.moved = 0;
        if (key_pressed(Key::end)) out.moved = n - 1;
        if (out.moved) ui.state.keys_lead = true; // from where the mouse rests, too
        const double value = entry_at(spec.values, i);
        const double by = shift_down() ? 0.01 : 0.1;
        if (key_pressed(Key::up, true)) stroke(s, spec.brush, i, value + by, out.strokes);
        if (key_pressed(Key::down, true)) stroke(s, spec.brush, i, value - by, out.strokes);
        if (key_pressed(Key::del)) stroke(s, spec.brush, i, spec.neutral, out.strokes);
    }

    // A hand that rests sets what is there already: that is no edit, and costs no further pass.
    const auto is_there = [&](const FaderStroke& set) {
        return std::ranges::all_of(
            spec.values.subspan(static_cast<std::size_t>(set.first),
                                static_cast<std::size_t>(set.last - set.first + 1)),
            [&](double value) { return value == set.value; });
    };
    if (std::ranges::all_of(out.strokes, is_there)) out.strokes.clear();

    if (scrolls && spec.follow) {
        const auto at = static_cast<float>(*spec.follow);
        if (at < first || at + 1 > first + seen) out.scroll = std::max(0.0f, at + 0.5f - seen / 2);
    }

    ui.canvas.push_clip(r);
    ui.canvas.fill_rect(r, mix(ui.theme.panel, ui.theme.rule, 0.35f), 3);
    const float y0 = s.y_of(spec.neutral);
    const Index last = std::min<Index>(n, static_cast<Index>(std::ceil(first + seen)) + 1);
    for (Index i = static_cast<Index>(first); i < last; ++i) {
        const float x = r.x + (static_cast<float>(i) - first) * bar;
        if (spec.lit == i) ui.canvas.fill_rect({x, r.y, bar, r.h}, spec.color.with_alpha(0.18f));
        const float y = s.y_of(entry_at(spec.values, i));
        ui.canvas.fill_rect(
            {x + bar * 0.1f, std::min(y, y0) - 1.0f, bar * 0.8f, std::abs(y - y0) + 2.0f},
            spec.color);
    }
    ui.canvas.across(r, y0, ui.theme.ink_soft.with_alpha(0.5f));
    ui.canvas.pop_clip();
    ui.focus_ring(hit, r, 3);
    if (scrolls) scroll_bar(ui, bar_row, s, seen, out);
    return out;
}

} // namespace normscope
