#pragma once
#include "app/layout/column.h"
#include "app/layout/grid.h"
#include "app/layout/settings.h"
#include "app/workspaces/shared/frame.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace normscope {

// A panel's turn. V: how its workspace is looked at.
template<class V>
struct Panel : Turn {
    const Document& document = frame.document;
    const V& view = frame.view.of<V>();
    V& next = actions.view.of<V>();
    float needed = 0; // its height; 0: as much as it is given

    void edit(Edit edit) { actions.edits.push_back(std::move(edit)); }
    void say(std::string sentence) { actions.status = std::move(sentence); }
    // The control of a setting of the document in `place`: a change becomes an edit. Returns what
    // it became.
    template<auto First, auto... Rest>
    std::optional<MemberType<First, Rest...>> control(Rect place) {
        const auto& field = *set<First, Rest...>({}).field;
        const auto& now = part_of<StructOf<First>>(document);
        auto value = setting_control(*this, place, field, look_of(field, now), field.get(now),
                                     field.get({}));
        if (!value) return std::nullopt;
        StructOf<First> next_one = now;
        field.set(next_one, *value);
        edit(SetField<StructOf<First>>{&field, *std::move(value)});
        return member<First, Rest...>(next_one);
    }
    // Draws the frame of the whole panel, named by the open scope; the room within it.
    Rect framed(const PanelSpec& spec = {}) { return panel(*this, "", rect, spec); }
    Column column(NamePart part, const PanelSpec& spec) {
        return {*this, part, rect, spec, needed};
    }
};

template<class V>
using PanelDraw = void (*)(Panel<V>&);

template<class V>
struct PanelEntry {
    std::string_view id; // in the grid
    PanelDraw<V> draw;
};

inline constexpr float k_page_margin = 14;

// The room within the margin.
inline Rect page_room(const Turn& page) {
    return page.rect.inset(k_page_margin);
}

// Draws a page of these panels, with a margin around it; returns its height. `most`: of what grows.
template<class V>
float draw_panels(Turn page, const GridCell& layout, float most,
                  std::span<const PanelEntry<V>> panels) {
    const float margin = k_page_margin;
    Rect room = page.rect.inset(margin);
    room.h = std::min(room.h, most);
    const auto draw = [&](std::string_view id, Rect r) {
        Panel<V> p{{page, r, page.frame, page.actions}};
        std::ranges::find(panels, id, &PanelEntry<V>::id)->draw(p);
        return p.needed;
    };
    return std::max(draw_grid(page, layout, room, draw), room.h) + 2 * margin;
}

// The panel as a figure of its own.
template<class V>
void draw_figure(Turn turn, PanelDraw<V> draw) {
    Panel<V> p{turn};
    draw(p);
}
template<auto draw>
void figure_of(Turn turn) {
    draw_figure(turn, draw);
}

} // namespace normscope
