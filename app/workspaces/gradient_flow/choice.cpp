#include "app/workspaces/gradient_flow/choice.h"

#include <vector>

namespace normscope {

namespace {

constexpr float k_line = 28;
constexpr float k_between = 4;

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
    const auto lines = static_cast<float>(lines_of(ui, width, labels).size());
    return ui.px(lines * k_line + (lines - 1) * k_between);
}

std::optional<int> wrapped_choice(Ui& ui, std::string_view id, Rect area,
                                  std::span<const std::string_view> labels, int current,
                                  std::span<const std::string_view> hints) {
    const IdScope scope(id);
    std::optional<int> chosen;
    std::size_t first = 0;
    for (const std::size_t count : lines_of(ui, area.w, labels)) {
        const IdScope line_scope(static_cast<int>(first));
        const auto at = static_cast<int>(first);
        const int in_line =
            current >= at && current < at + static_cast<int>(count) ? current - at : -1;
        const Rect line = cut_top(area, ui.px(k_line));
        cut_top(area, ui.px(k_between));
        if (const auto c = segmented(ui, "line", line, labels.subspan(first, count), in_line,
                                     hints.empty() ? hints : hints.subspan(first, count)))
            chosen = at + *c;
        first += count;
    }
    return chosen;
}

} // namespace normscope
