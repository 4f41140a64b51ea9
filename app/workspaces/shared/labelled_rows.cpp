#include "app/workspaces/shared/labelled_rows.h"

#include <vector>

namespace normscope {

namespace {

// How many choices each line holds: as many as fit, then evened out.
std::vector<std::size_t> lines_of(const Ui& ui, float width, std::span<const ChoiceName> choices) {
    for (std::size_t lines = 1; lines < choices.size(); ++lines) {
        std::vector<std::size_t> counts;
        bool fits = true;
        std::size_t first = 0;
        for (std::size_t i = 0; i < lines; ++i) {
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
    return segmented_lines_height(ui, lines_of(ui, width, choices).size());
}

std::optional<int> wrapped_choice(Ui& ui, NamePart part, Rect area,
                                  std::span<const ChoiceName> choices, int current,
                                  std::span<const std::string_view> hints) {
    return segmented_lines(ui, part, area, choices, lines_of(ui, area.w, choices), current, hints);
}

} // namespace normscope
