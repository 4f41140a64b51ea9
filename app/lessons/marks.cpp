#include "app/lessons/panel.h"

#include "app/language/language.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

namespace normscope {
namespace {

constexpr float k_half_gap = 7;  // between neighbouring cards
constexpr float k_card_edge = 2; // of a card
constexpr float k_veil = 0.66f;  // how dense the veil over dimmed parts is

// The rectangle without `holes`, in strips.
template<class Strip>
void around(Rect area, const std::vector<Rect>& holes, Strip&& strip) {
    std::vector<float> ys{area.y, area.bottom()};
    for (const Rect& hole : holes)
        for (const float y : {hole.y, hole.bottom()})
            if (y > area.y && y < area.bottom()) ys.push_back(y);
    std::ranges::sort(ys);
    for (std::size_t i = 0; i + 1 < ys.size(); ++i) {
        std::vector<Rect> here;
        for (const Rect& hole : holes)
            if (hole.overlaps(area) && hole.y <= ys[i] && hole.bottom() >= ys[i + 1])
                here.push_back(hole);
        std::ranges::sort(here, {}, &Rect::x);
        float x = area.x;
        for (const Rect& hole : here) {
            if (hole.x > x) strip(Rect{x, ys[i], hole.x - x, ys[i + 1] - ys[i]});
            x = std::max(x, hole.right());
        }
        if (x < area.right()) strip(Rect{x, ys[i], area.right() - x, ys[i + 1] - ys[i]});
    }
}

std::vector<Rect> rects_of(const Ui& ui, std::span<const NamedPart> parts,
                           const std::vector<std::string>& names, float more) {
    std::vector<Rect> rects;
    for (const std::string& name : names)
        if (const auto r = lesson_target(parts, name))
            rects.push_back(ui.canvas.from_pixels(*r).inset(-more));
    return rects;
}

// The strips that a round sign at `r` lies on, a pixel high each.
void add_round(std::vector<Rect>& strips, Rect r) {
    const float radius = r.w / 2;
    for (float y = r.y; y < r.bottom(); ++y) {
        const float dy = y + 0.5f - r.center().y;
        const float half = std::sqrt(std::max(0.0f, radius * radius - dy * dy));
        strips.push_back({r.center().x - half, y, 2 * half, 1});
    }
}

// `signs`, a strip beside the other, stay in sight. A covered button has no room for words.
void cover(Ui& ui, Rect r, const std::vector<Rect>& signs, bool asks) {
    around(r, signs, [&](Rect strip) { ui.canvas.fill_rect(strip, ui.theme.panel); });
    if (r.h < 40) return;
    const Rect words{r.x, r.center().y + 14, r.w, 20};
    ui.canvas.text_in(r, "?", TextRole::brand, ui.theme.ink_soft);
    if (asks && words.bottom() + 8 < r.bottom())
        ui.label(words.inset(8, 0), "Answer first", TextRole::small, ui.theme.ink_soft,
                 Align::center);
}

// Rings the cell that the person points at; once it is checked, that one and the right one.
void ring_cells(Ui& ui, const LessonPlayer& player, std::span<const NamedPart> parts) {
    const auto& predict = player.step().predict;
    if (!predict || predict->kind != LessonPrediction::Kind::cell) return;
    const NamedPart* const cells = find_part(parts, predict->target);
    if (!cells) return;
    const auto ring = [&](const std::optional<LessonCell>& cell, Color color) {
        if (!cell) return;
        const Rect r = cells->cell(cell->token, cell->feature);
        if (cells->in_sight().overlaps(r))
            ui.canvas.stroke_rect(ui.canvas.from_pixels(r), color, 3, 3);
    };
    const bool right = player.answer().right;
    if (player.asks()) return ring(player.pointed_cell(), ui.theme.ink);
    ring(player.checked_cell(), right ? ui.theme.ink_of(Stage::y) : ui.theme.error);
    ring(player.right_cell(), ui.theme.ink_of(Stage::y));
}

// The words for the act at its target: a click, a text to type, Ctrl+Z.
std::string words_of(const LessonAct& act, PartKind kind) {
    if (act.kind == LessonAct::Kind::undo) return "Ctrl+Z";
    const std::string cell = act.token.empty() ? "" : act.token + ", " + act.feature + ": ";
    if (act.kind == LessonAct::Kind::click) return worded("{}click", cell);
    return opens_by_double_click(act, kind)
               ? worded("{}double-click, type {}, Enter", cell, act.text)
               : worded("{}click, type {}, Enter", cell, act.text);
}

// Writes the acts of a solution, numbered, each below its target; or only the act `shown`.
void draw_solution(Ui& ui, Rect area, const std::vector<LessonAct>& acts,
                   std::optional<std::size_t> shown, std::span<const NamedPart> parts) {
    const float line = 24;
    std::map<std::string_view, float> lines; // how many acts stand at a target so far
    for (const auto i : indices(acts)) {
        const NamedPart* const part = find_part(parts, acts[i].target);
        if (!part || (shown && *shown != i)) continue;
        const std::string words = worded("{}  {}", i + 1, words_of(acts[i], part->kind));
        const float w = ui.text_width(words, TextRole::small) + 16;
        const float below = lines[acts[i].target]++ * line;
        const Rect at = ui.canvas.from_pixels(part->rect);
        const Rect tag{std::clamp(at.x, area.x, std::max(area.x, area.right() - w)),
                       at.bottom() + 4 + below, w, line};
        ui.canvas.stroke_rect(at, ui.theme.accent, 2, 5);
        ui.canvas.fill_rect(tag, ui.theme.accent, 5);
        ui.canvas.text_in(tag, words, TextRole::small, ui.theme.on_accent);
    }
}

// Names of the parts that the step is about, over which no veil lies: it shows them, its answer has
// uncovered them, or its task needs them pressed. Empty: the whole page is lit.
std::vector<std::string> lesson_lights(const LessonPlayer& player) {
    const LessonStep& step = player.step();
    std::vector<std::string> names = step.show;
    if (names.empty() || player.asks()) return names;
    add_all(names, step.hide);
    if (step.task)
        for (const LessonAct& act : step.task->solution) names.push_back(act.target);
    return names;
}

// They stand over the edges of cards.
std::vector<Rect> signs_of(const Ui& ui, std::span<const NamedPart> parts) {
    std::vector<Rect> signs;
    for (const NamedPart& part : parts)
        if (part.kind == PartKind::sign) signs.push_back(ui.canvas.from_pixels(part.rect));
    return signs;
}

} // namespace

bool opens_by_double_click(const LessonAct& act, PartKind kind) {
    return act.kind == LessonAct::Kind::enter &&
           (kind == PartKind::fader || kind == PartKind::slider);
}

std::optional<Rect> lesson_target(std::span<const NamedPart> parts, std::string_view name) {
    if (const NamedPart* const part = find_part(parts, name)) return part->rect;
    std::optional<Rect> all;
    for (const NamedPart& part : parts) {
        if (!is_within(part.name, name) || part.kind == PartKind::key) continue;
        const Rect& r = part.rect;
        if (!all) all = r;
        const float x = std::min(all->x, r.x), y = std::min(all->y, r.y);
        all = {x, y, std::max(all->right(), r.right()) - x,
               std::max(all->bottom(), r.bottom()) - y};
    }
    return all;
}

std::vector<std::string> lesson_covers(const LessonPlayer& player) {
    std::vector<std::string> names;
    if (!player.last() || !player.complete()) names = player.step().cover;
    if (player.asks()) add_all(names, player.step().hide);
    return names;
}

std::vector<std::string> lesson_locks(const LessonPlayer& player) {
    std::vector<std::string> names = lesson_covers(player);
    add_all(names, player.step().lock);
    if (player.asks()) // what is done before the answer gives it away
        add_all(names, player.step().ring);
    return names;
}

std::vector<Rect> lesson_cover_places(const Ui& ui, const std::vector<std::string>& names,
                                      std::span<const NamedPart> parts) {
    std::vector<Rect> places;
    for (const std::string& name : names)
        if (const auto target = lesson_target(parts, name)) {
            Rect r = ui.canvas.from_pixels(*target);
            const NamedPart* const part = find_part(parts, name);
            if (part && part->kind == PartKind::panel) { // its bar and its edge stay
                r = r.inset(k_card_edge);
                cut_top(r, k_half_gap - k_card_edge);
            }
            places.push_back(r);
        }
    return places;
}

void draw_lesson_covers(Ui& ui, const std::vector<std::string>& names,
                        std::span<const NamedPart> parts, bool asks) {
    std::vector<Rect> strips;
    for (const Rect& sign : signs_of(ui, parts)) add_round(strips, sign);
    for (const Rect& r : lesson_cover_places(ui, names, parts)) cover(ui, r, strips, asks);
}

void draw_lesson_marks(Ui& ui, Rect area, const LessonPlayer& player,
                       std::span<const NamedPart> parts) {
    const LessonStep& step = player.step();
    const Color veil = ui.theme.background.with_alpha(k_veil);
    draw_lesson_covers(ui, lesson_covers(player), parts, player.asks());
    const std::vector<Rect> ringed =
        player.asks() ? std::vector<Rect>() : rects_of(ui, parts, step.ring, 3.0f);
    const auto veiled = [&](Rect r, const std::vector<Rect>& holes) {
        around(r, holes, [&](Rect strip) { ui.canvas.fill_rect(strip, veil); });
    };
    for (const Rect& r : rects_of(ui, parts, step.dim, 0)) veiled(r, ringed);
    if (!step.show.empty()) {
        std::vector<Rect> holes = rects_of(ui, parts, lesson_lights(player), k_half_gap);
        // The key of a shown card's colours is shown, wherever it stands.
        for (const NamedPart& part : parts)
            if (part.kind == PartKind::key &&
                std::ranges::any_of(lesson_lights(player), [&](const std::string& light) {
                    return is_within(part.name, light);
                }))
                holes.push_back(ui.canvas.from_pixels(part.rect));
        // A sign at the edge of a shown card is shown whole.
        const auto shown = [holes](const Rect& r) {
            return std::ranges::any_of(holes, [&](const Rect& hole) { return r.overlaps(hole); });
        };
        std::ranges::copy_if(signs_of(ui, parts), std::back_inserter(holes), shown);
        add_all(holes, ringed);
        veiled(area, holes);
    }
    for (const Rect& r : ringed) ui.canvas.stroke_rect(r, ui.theme.focus, 2.5f, 7);
    ring_cells(ui, player, parts);
    if (player.shows_solution())
        draw_solution(ui, area, step.task->solution, player.shown_act, parts);
}

} // namespace normscope
