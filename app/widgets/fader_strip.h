#pragma once
#include "app/model/document.h"
#include "app/widgets/ui.h"

#include <optional>
#include <span>
#include <vector>

namespace normscope {

// Faders from `first` to `last` set to one value.
struct FaderStroke {
    Index first, last;
    double value;
};

// Hundreds of faders as bars side by side, painted with a brush: drag sets what the mouse passes
// over, right-drag resets it, the wheel scrolls, arrow keys move and nudge.
struct FaderStripSpec {
    std::span<const double> values;
    double neutral = 0;
    FaderRange range;
    Color color;
    int brush = 1;    // faders set at once; 0: all
    float scroll = 0; // the first visible fader
    std::optional<Index> lit;
    std::optional<Index> follow; // scroll to this one, if it is out of sight
};

struct FaderStripResult {
    std::vector<FaderStroke> strokes;
    std::optional<float> scroll;
    std::optional<Index> hovered;
    std::optional<Index> moved;   // what the arrow keys went to
    std::optional<Index> touched; // what the mouse set last
};

FaderStripResult fader_strip(Ui& ui, NamePart part, Rect r, const FaderStripSpec& spec);

} // namespace normscope
