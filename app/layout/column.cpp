#include "app/layout/column.h"
#include "core/base/lists.h"

#include <algorithm>
#include <vector>

namespace normscope {

namespace {

constexpr float k_no_bottom = 1e6f;
constexpr float k_least_panel = 64; // before its height is known
constexpr float k_panel_end = 10;   // below what is in it
constexpr float k_note = 16, k_below_note = 4;

// How many choices each line holds: as many as fit, then evened out.
std::vector<std::size_t> lines_of(const Ui& ui, float width, std::span<const ChoiceName> choices) {
    for (std::size_t lines = 1; lines < choices.size(); ++lines) {
        std::vector<std::size_t> counts;
        bool fits = true;
        std::size_t first = 0;
        for (const auto i : indices(lines)) {
            const std::size_t last = (i + 1) * choices.size() / lines;
            fits = fits && segmented_width(ui, choices.subspan(first, last - first)) <= width;
            counts.push_back(last - first);
            first = last;
        }
        if (fits) return counts;
    }
    return std::vector<std::size_t>(choices.size(), 1);
}

} // namespace

float wrapped_choice_height(const Ui& ui, float width, std::span<const ChoiceName> choices) {
    return segmented_lines_height(lines_of(ui, width, choices).size());
}

std::optional<int> wrapped_choice(Ui& ui, NamePart part, Rect area,
                                  std::span<const ChoiceName> choices, int current,
                                  std::span<const std::string_view> hints) {
    std::vector<std::size_t> lines = lines_of(ui, area.w, choices);
    if (segmented_lines_height(lines.size()) > area.h + 1) lines.clear(); // in one
    return segmented(ui, part, area, choices, current, hints, lines);
}

Column::Column(Ui& ui, NamePart part, Rect room, const PanelSpec& spec, float& needed)
    : ui_(ui), scope_(ui, part), top_(room.y), needed_(needed) {
    room.h = std::max(room.h, k_least_panel);
    area_ = panel(ui, "", room, spec);
    bottom_ = area_.bottom();
    area_.h = k_no_bottom;
    used_ = area_.y;
}

Column::~Column() {
    needed_ = used_ - top_ + k_panel_end;
}

Rect Column::next(float height, float gap) {
    const Rect r = cut_top(area_, height, gap);
    used_ = r.bottom();
    return r;
}

Rect Column::row_of(std::string_view label, float height) {
    Rect r = next(height, k_row_gap);
    Rect name = cut_left(r, k_row_label_w);
    name.h = std::min(name.h, k_row_line);
    const bool fits = ui_.text_width(label, TextRole::label) <= name.w;
    ui_.label(name, label, fits ? TextRole::label : TextRole::small, ui_.theme.ink_soft);
    return r;
}

void Column::note(std::string_view words) {
    Rect r = next(k_note, k_below_note);
    cut_left(r, k_row_label_w);
    ui_.label(r, words, TextRole::small, ui_.theme.ink_soft);
}

void Column::says(std::string_view words, float gap) {
    measured([&](Rect r) { return paragraph(ui_, r, words, TextRole::small, ui_.theme.ink_soft); },
             gap);
}

} // namespace normscope
