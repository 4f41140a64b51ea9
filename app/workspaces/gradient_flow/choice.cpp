#include "app/workspaces/gradient_flow/choice.h"

#include <vector>

namespace normscope {

namespace {

// How many labels each line holds: as many as fit, then evened out.
std::vector<std::size_t> lines_of(const Ui& ui, float width,
                                  std::span<const std::string_view> labels) {
    for (std::size_t lines = 1; lines < labels.size(); ++lines) {
        std::vector<std::size_t> counts;
        bool fits = true;
        std::size_t first = 0;
        for (std::size_t i = 0; i < lines; ++i) {
            const std::size_t last = (i + 1) * labels.size() / lines;
            fits = fits && segmented_width(ui, labels.subspan(first, last - first)) <= width;
            counts.push_back(last - first);
            first = last;
        }
        if (fits) return counts;
    }
    return std::vector<std::size_t>(labels.size(), 1);
}

} // namespace

float wrapped_choice_height(const Ui& ui, float width, std::span<const std::string_view> labels) {
    return segmented_lines_height(ui, lines_of(ui, width, labels).size());
}

std::optional<int> wrapped_choice(Ui& ui, std::string_view id, Rect area,
                                  std::span<const std::string_view> labels, int current,
                                  std::span<const std::string_view> hints) {
    return segmented_lines(ui, id, area, labels, lines_of(ui, area.w, labels), current, hints);
}

} // namespace normscope
