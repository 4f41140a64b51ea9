#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

// Places and lengths on a surface: x to the right, y down.
namespace normscope {

struct Point {
    float x = 0, y = 0;
    constexpr Point times(float by) const { return {x * by, y * by}; }
    bool operator==(const Point&) const = default;
};

struct Size {
    float w = 0, h = 0;
    bool operator==(const Size&) const = default;
};

struct Rect {
    float x = 0, y = 0, w = 0, h = 0;

    float right() const { return x + w; }
    float bottom() const { return y + h; }
    Point center() const { return {x + w / 2, y + h / 2}; }
    bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }
    Rect inset(float dx, float dy) const {
        return {x + dx, y + dy, std::max(0.0f, w - 2 * dx), std::max(0.0f, h - 2 * dy)};
    }
    Rect inset(float d) const { return inset(d, d); }
    constexpr Rect times(float by) const { return {x * by, y * by, w * by, h * by}; }
    bool overlaps(const Rect& other) const {
        return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
    }
    bool encloses(const Rect& other) const {
        return other.x >= x && other.right() <= right() && other.y >= y &&
               other.bottom() <= bottom();
    }
    // The part that both share; without an extent where they are apart.
    Rect shared_with(const Rect& other) const {
        const float left = std::max(x, other.x), top = std::max(y, other.y);
        return {left, top, std::max(0.0f, std::min(right(), other.right()) - left),
                std::max(0.0f, std::min(bottom(), other.bottom()) - top)};
    }
    // Its point that lies nearest.
    Point nearest_to(Point p) const {
        return {std::clamp(p.x, x, right()), std::clamp(p.y, y, bottom())};
    }
    bool operator==(const Rect&) const = default;
};

// Slow at both ends of the way from 0 to 1.
inline float eased(float t) {
    return t * t * (3 - 2 * t);
}

// `middle`, moved so that what reaches `half` to both sides of it lies within [from, to].
inline float moved_within(float middle, float half, float from, float to) {
    return std::clamp(middle, from + half, std::max(from + half, to - half));
}

// Adds `r` to what is taken, unless it lies over some of that.
inline bool take_place(std::vector<Rect>& taken, Rect r) {
    const auto meets = [&](const Rect& other) { return r.overlaps(other); };
    if (std::ranges::any_of(taken, meets)) return false;
    taken.push_back(r);
    return true;
}

inline float distance(Point a, Point b) {
    return std::hypot(b.x - a.x, b.y - a.y);
}
// A share of the way from one to the other.
inline Point between(Point from, Point to, float share) {
    return {from.x + (to.x - from.x) * share, from.y + (to.y - from.y) * share};
}

// A square of 2r a side.
inline Rect square_around(Point center, float r) {
    return {center.x - r, center.y - r, 2 * r, 2 * r};
}

// Take a strip off one side, and a gap behind it; `from` keeps the rest. For laying a rectangle out
// from outside in.
inline Rect cut_top(Rect& from, float h, float gap = 0) {
    const Rect strip{from.x, from.y, from.w, std::min(h, from.h)};
    from = {from.x, strip.bottom(), from.w, from.h - strip.h};
    if (gap > 0) cut_top(from, gap);
    return strip;
}
inline Rect cut_bottom(Rect& from, float h, float gap = 0) {
    h = std::min(h, from.h);
    from.h -= h;
    const Rect strip{from.x, from.bottom(), from.w, h};
    if (gap > 0) cut_bottom(from, gap);
    return strip;
}
inline Rect cut_left(Rect& from, float w, float gap = 0) {
    const Rect strip{from.x, from.y, std::min(w, from.w), from.h};
    from = {strip.right(), from.y, from.w - strip.w, from.h};
    if (gap > 0) cut_left(from, gap);
    return strip;
}
inline Rect cut_right(Rect& from, float w, float gap = 0) {
    w = std::min(w, from.w);
    from.w -= w;
    const Rect strip{from.right(), from.y, w, from.h};
    if (gap > 0) cut_right(from, gap);
    return strip;
}

} // namespace normscope
