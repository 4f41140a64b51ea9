#include "app/widgets/controls.h"

#include "core/base/lists.h"

#include <algorithm>
#include <cmath>

namespace normscope {
namespace {

constexpr float k_rounding = 5;
constexpr float k_between_lines = 4; // of a choice that wraps

// The segment the keyboard is at, in the row that is drawn; what was done to the row.
struct Walk {
    std::optional<int> chosen;
    std::optional<int> focused;
    std::vector<ImGuiID> ids; // of the segments
};

// The segments from `first` to before `last` in one line. Where the words do not fit, each gives up
// the same share.
void draw_segments(Ui& ui, Rect line, std::span<const ChoiceName> choices, std::size_t first,
                   std::size_t last, int current, std::span<const std::string_view> hints,
                   Walk& walk) {
    const auto here = choices.subspan(first, last - first);
    const float gap = 3;
    const float gaps = gap * static_cast<float>(here.size() - 1);
    const float squeeze = std::min(1.0f, (line.w - gaps) / (segmented_width(ui, here) - gaps));
    float x = line.x;
    for (std::size_t i = first; i < last; ++i) {
        const std::string_view id = choices[i].id;
        const Text label = choices[i].words();
        const float w = std::floor(button_width(ui, label) * squeeze);
        const Rect r{x, line.y, w, std::min(line.h, k_control_height)};
        const bool on = static_cast<int>(i) == current;
        // Tab stops once: at what is chosen.
        const ImGuiID own = NamePart(id).id();
        const bool stop = on || (current < 0 && i == 0) || ui.state.focus == own;
        const Hit hit = ui.hit(id, r, {.kind = PartKind::choice, .focusable = stop});
        if (hit.pressed) ui.state.focus = hit.id;
        Hit drawn = hit;
        drawn.hovered = hit.hovered && !on; // what is chosen does not light up
        draw_button(ui, drawn, r,
                    {.label = label, .look = on ? ButtonLook::primary : ButtonLook::plain});
        if (i < hints.size()) ui.tooltip(hit, hints[i]);
        if (hit.clicked && !on) walk.chosen = static_cast<int>(i);
        if (hit.focused) walk.focused = static_cast<int>(i);
        walk.ids.push_back(hit.id);
        x += w + gap;
    }
}

} // namespace

void draw_button(Ui& ui, const Hit& hit, Rect r, const ButtonSpec& spec) {
    const Theme& t = ui.theme;
    const bool on = spec.enabled, lit = hit.hovered;
    Color fill = lit && on ? t.control_hover : t.control;
    Color border = t.border, ink = on ? t.ink : t.ink_soft;
    if (spec.look == ButtonLook::quiet) {
        border = t.border.with_alpha(0);
        if (!lit) fill = t.panel.with_alpha(0);
    } else if (spec.look == ButtonLook::primary) {
        fill = border = !on ? t.rule : lit ? mix(t.accent, t.panel, 0.15f) : t.accent;
        if (on) ink = t.on_accent;
    }
    ui.canvas.fill_rect(r, fill, k_rounding);
    ui.canvas.stroke_rect(r, border, 1, k_rounding);
    ui.label(r.inset(4, 0), spec.label, TextRole::label, ink, Align::center);
    ui.focus_ring(hit, r, k_rounding);
}

float button_width(const Ui& ui, Text label) {
    return std::ceil(ui.text_width(label, TextRole::label) + 18);
}

// In a picture nothing can be pressed: buttons are left out, and below what is set stands as text.
bool button(Ui& ui, NamePart part, Rect r, const ButtonSpec& spec) {
    if (ui.state.picture) return false;
    // One that had the keyboard when it was disabled keeps its place in the order of Tab.
    const bool has_keys = ui.state.focus == part.id();
    const Hit hit = ui.hit(part, r, {PartKind::button, spec.enabled || has_keys, spec.enabled});
    draw_button(ui, hit, r, spec);
    ui.tooltip(hit, spec.hint);
    return spec.enabled && hit.clicked;
}

FlowLayout::FlowLayout(Rect area, float height)
    : area_(area), gap_(6), height_(height), x_(area.x), y_(area.y) {}

Rect FlowLayout::next(float width) {
    width = std::min(width, area_.w);
    if (x_ > area_.x && x_ + width > area_.right() + 0.5f) {
        x_ = area_.x;
        y_ += height_ + gap_;
    }
    const Rect r{x_, y_, width, height_};
    x_ += width + gap_;
    return r;
}

float segmented_width(const Ui& ui, std::span<const ChoiceName> choices) {
    float w = 0;
    for (const ChoiceName& choice : choices) w += button_width(ui, choice.words()) + 3.0f;
    return w - 3;
}

float segmented_lines_height(std::size_t lines) {
    const auto n = static_cast<float>(lines);
    return n * k_control_height + (n - 1) * k_between_lines;
}

std::optional<int> segmented(Ui& ui, NamePart part, Rect area, std::span<const ChoiceName> choices,
                             int current, std::span<const std::string_view> hints,
                             std::span<const std::size_t> counts) {
    if (ui.state.picture) {
        if (current >= 0)
            ui.label({area.x, area.y, area.w, std::min(area.h, k_control_height)},
                     entry_at(choices, current).words());
        return std::nullopt;
    }
    const IdScope scope(ui, part);
    Walk walk;
    std::size_t first = 0;
    const std::size_t all = choices.size();
    for (const std::size_t count : counts.empty() ? std::span(&all, 1) : counts) {
        draw_segments(ui, cut_top(area, k_control_height, k_between_lines), choices, first,
                      first + count, current, hints, walk);
        first += count;
    }
    // After all are drawn, so that one press moves by one.
    if (walk.focused) {
        const int n = static_cast<int>(choices.size());
        int to = *walk.focused;
        if (key_pressed(Key::right)) to = std::min(n - 1, to + 1);
        if (key_pressed(Key::left)) to = std::max(0, to - 1);
        if (to != *walk.focused) {
            ui.state.focus = entry_at(walk.ids, to);
            ui.state.focus_visible = true;
            if (to != current) walk.chosen = to;
        }
    }
    return walk.chosen;
}

std::optional<int> drop_down(Ui& ui, NamePart part, Rect r, std::span<const ChoiceName> choices,
                             int current) {
    const Text now = entry_at(choices, current).words();
    if (ui.state.picture) {
        ui.label(r, now);
        return std::nullopt;
    }
    const std::string words = std::string(now.view()) + " ▾";
    const Text label = Text::typed(words);
    r.w = std::min(r.w, button_width(ui, label));
    const bool asked = button(ui, part, r, {label});
    const IdScope scope(ui, part);
    std::optional<int> chosen;
    std::vector<MenuItem> items;
    for (const auto i : indices(static_cast<int>(choices.size()))) {
        const ChoiceName& choice = entry_at(choices, i);
        items.push_back({.id = std::string(choice.id),
                         .label = std::string(choice.label),
                         .run = [&chosen, i] { chosen = i; },
                         .checked = i == current,
                         .as_typed = choice.as_typed});
    }
    page_menu(ui, std::to_string(part.id()), asked, Point{r.x, r.bottom()}, std::move(items));
    return chosen == current ? std::nullopt : chosen;
}

Rect panel(Ui& ui, NamePart part, Rect r, const PanelSpec& spec) {
    ui.name(part, r, PartKind::panel);
    constexpr float k_corner = 7;
    ui.canvas.fill_rect(r, ui.theme.panel, k_corner);
    ui.canvas.stroke_rect(r, ui.theme.border, 1, k_corner);
    if (spec.bar) ui.canvas.fill_rect({r.x, r.y, r.w, 4}, *spec.bar, 2);
    Rect inside = r.inset(spec.padding, 10);
    if (spec.title.empty()) return inside;
    Rect head = cut_top(inside, 24);
    // Without room for both, the hint is cut before the title, or left out where little remains.
    const float beside = head.w - ui.text_width(spec.title, TextRole::title) - 6 - 2;
    const float whole = ui.text_width(spec.hint, TextRole::small);
    const float hint_w = std::min(whole, std::max(beside, head.w * 0.28f));
    if (!spec.hint.empty() && hint_w >= std::min(whole, 80.0f))
        ui.label(cut_right(head, hint_w + 1), spec.hint, TextRole::small, ui.theme.ink_soft,
                 Align::right);
    cut_right(head, 6);
    ui.label(head, spec.title, TextRole::title, spec.title_color.value_or(ui.theme.ink));
    cut_top(inside, 4);
    return inside;
}

void note_below(const Ui& ui, Rect r, const std::string& lines) {
    const float line = ui.from_pixels(ImGui::GetTextLineHeightWithSpacing());
    const float wanted = ui.from_pixels(ImGui::CalcTextSize(lines.c_str())).x + 24;
    const float x = std::max(0.0f, std::min(r.x, ui.window().w - wanted));
    const bool above = r.bottom() + 5 * line > ui.window().h;
    ImGui::SetNextWindowPos(ui.pixels(Point{x, above ? r.y - 4 : r.bottom() + 4}), ImGuiCond_Always,
                            {0, above ? 1.0f : 0.0f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ui.pixels(Size{10, 7}));
    ImGui::BeginTooltip();
    ImGui::TextUnformatted(lines.c_str());
    ImGui::EndTooltip();
    ImGui::PopStyleVar();
}

} // namespace normscope
