#pragma once
#include "app/workspaces/workspace_table.h"
#include "tests/app/shell/harness.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>

// Checks of a drawn frame, which return a fault in words, or none.
namespace normscope::testing {

inline constexpr float k_slack = 1.0f;

inline Rect intersect(const Rect& a, const Rect& b) {
    const float x = std::max(a.x, b.x), y = std::max(a.y, b.y);
    return {x, y, std::min(a.right(), b.right()) - x, std::min(a.bottom(), b.bottom()) - y};
}

inline std::string words(const Rect& r) {
    return "(" + std::to_string(r.x) + ", " + std::to_string(r.y) + ", " + std::to_string(r.w) +
           ", " + std::to_string(r.h) + ")";
}

inline std::optional<std::string> overlapping_widgets(const DrawLog& log) {
    std::vector<NamedPart> all; // panels hold their controls, and menus cover some
    for (const NamedPart& part : log.parts)
        if (part.id != 0) all.push_back(part);
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size(); ++j) {
            const Rect a = intersect(all[i].rect, all[i].clip);
            const Rect b = intersect(all[j].rect, all[j].clip);
            const Rect both = intersect(a, b);
            if (both.w > k_slack && both.h > k_slack)
                return all[i].name + " " + words(a) + " over " + all[j].name + " " + words(b);
        }
    return std::nullopt;
}

// How many controls stand on the page of a workspace, each choice of several counted, a slider with
// its number once; the cells and words that are edited where they stand are no controls.
inline std::size_t controls_within(const DrawLog& log, std::string_view workspace) {
    return static_cast<std::size_t>(std::ranges::count_if(log.parts, [&](const NamedPart& part) {
        const bool control = part.kind == PartKind::button || part.kind == PartKind::choice ||
                             part.kind == PartKind::slider || part.kind == PartKind::fader ||
                             part.kind == PartKind::field;
        return control && is_within(part.name, workspace) && !part.name.ends_with(".value");
    }));
}

// A name that is not lower-case words joined by "-" and ".", or that stands twice.
inline std::optional<std::string> wrong_name(const DrawLog& log) {
    std::set<std::string_view> seen;
    for (const NamedPart& part : log.parts) {
        bool in_word = false, well_formed = true;
        for (const char c : part.name) {
            const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            well_formed &= letter || (in_word && (c == '-' || c == '.'));
            in_word = letter;
        }
        if (!well_formed || !in_word) return "“" + part.name + "” is no name";
        if (!seen.insert(part.name).second) return "“" + part.name + "” stands twice";
    }
    return std::nullopt;
}

// A line's ascenders and descenders may touch the next line's; its letters may not.
inline Rect letters(const LoggedText& t) {
    return {t.rect.x, t.rect.y + t.rect.h * 0.2f, t.rect.w, t.rect.h * 0.6f};
}

inline std::optional<std::string> overlapping_texts(const DrawLog& log) {
    const auto& all = log.texts;
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size(); ++j) {
            const Rect both = intersect(intersect(letters(all[i]), all[i].clip),
                                        intersect(letters(all[j]), all[j].clip));
            if (both.w > k_slack && both.h > k_slack)
                return "“" + all[i].text + "” " + words(all[i].rect) + " over “" + all[j].text +
                       "” " + words(all[j].rect);
        }
    return std::nullopt;
}

// Text that its clip cuts. Below and above the part of the workspace that is scrolled into sight it
// may be cut, sideways nowhere.
inline std::optional<std::string> clipped_text(const DrawLog& log, Size window, float scale) {
    const NamedPart* const bar = find_part(log.parts, "bar");
    const NamedPart* page = nullptr;
    for (const Workspace& workspace : workspace_table())
        if (const NamedPart* const part = find_part(log.parts, workspace.id)) page = part;
    const float top = page ? page->rect.y : bar ? bar->rect.bottom() : 0;
    const float bottom = window.h - 32 * scale; // above the line with the last message
    for (const LoggedText& t : log.texts) {
        const Rect inside = intersect(t.rect, t.clip);
        const bool sideways = inside.w < t.rect.w - k_slack;
        const bool at_edge = (t.rect.y < top && t.rect.bottom() > std::floor(top)) ||
                             (t.rect.y < std::ceil(bottom) && t.rect.bottom() > bottom);
        const bool out_of_sight = t.clip.w <= 0 || t.clip.h <= 0 || inside.h <= 0 || at_edge;
        if (out_of_sight) continue;
        const Rect tall = letters(t);
        const bool upright = intersect(tall, t.clip).h < tall.h - k_slack;
        if (sideways || upright)
            return "“" + t.text + "” " + words(t.rect) + " in " + words(t.clip);
    }
    return std::nullopt;
}

} // namespace normscope::testing
