#pragma once
#include "app/layout/measured.h"

#include <concepts>
#include <functional>
#include <string_view>
#include <vector>

namespace normscope {

inline constexpr float k_panel_gap = 12;

// The plan of a page: a panel, or a row or column of plans.
struct GridCell {
    enum class Kind : std::uint8_t { panel, row, column };
    Kind kind = Kind::panel;
    std::string_view panel = {};
    std::vector<GridCell> parts = {};
    float width = 1;               // in a row: above 1 a length, else a share of what these leave
    float height = 0;              // 0: what the panel needs
    float grows = 0;               // its share of the room that its column has left
    float most = 0;                // the height that it grows to; 0: any
    bool comes_into_sight = false; // the page scrolls to it

    GridCell wide(float w) && {
        width = w;
        return std::move(*this);
    }
    GridCell high(float h) && {
        height = h;
        return std::move(*this);
    }
    GridCell growing(float share) && {
        grows = share;
        return std::move(*this);
    }
    GridCell up_to(float h) && {
        most = h;
        return std::move(*this);
    }
};

inline GridCell cell(std::string_view panel) {
    return {.panel = panel};
}
template<std::same_as<GridCell>... Parts>
GridCell row(Parts... parts) {
    return {.kind = GridCell::Kind::row, .parts = {std::move(parts)...}};
}
template<std::same_as<GridCell>... Parts>
GridCell column(Parts... parts) {
    return {.kind = GridCell::Kind::column, .parts = {std::move(parts)...}};
}

// Draws a panel into a room and returns the height that it needed.
using DrawCell = std::function<float(std::string_view panel, Rect room)>;

// Draws a page from the top of `room`, at least as high as that where something grows. Returns the
// height that it needs.
float draw_grid(Ui& ui, const GridCell& page, Rect room, const DrawCell& draw);

} // namespace normscope
