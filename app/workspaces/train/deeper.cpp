#include "app/workspaces/train/panels.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

constexpr float k_least_line = 330; // pixels at scale 1

// A panel that is folded away into a line.
struct Deeper {
    std::string_view id, label, about;
    bool TrainView::*open;
};

constexpr std::array<Deeper, 4> k_deeper = {{
    {"inside", "Inside", "What φ of each layer reads, step by step", &TrainView::inside},
    {"gradient", "Gradient by layer", "How much of it each layer gets", &TrainView::gradient},
    {"sweep", "Learning-rate sweep", "The last loss by the rate", &TrainView::sweep},
    {"phases", "One step", "Its four phases with all numbers", &TrainView::phases},
}};

} // namespace

std::vector<std::string_view> deeper_panels(const TrainView& view) {
    std::vector<std::string_view> out;
    for (const Deeper& one : k_deeper)
        if (view.*one.open) out.push_back(one.id);
    return out;
}

void deeper_panel(TrainPanel& p) {
    Ui& ui = p.ui;
    Column rows = p.column("deeper", {});
    const auto n = std::clamp<std::size_t>(
        static_cast<std::size_t>(rows.width() / ui.px(k_least_line)), 1, k_deeper.size());
    const float w = rows.width() / static_cast<float>(n);
    Rect line;
    for (std::size_t i = 0; i < k_deeper.size(); ++i) {
        if (i % n == 0) line = rows.next(28, i + n < k_deeper.size() ? 4 : 0);
        Rect place = cut_left(line, w);
        const Deeper& one = k_deeper[i];
        const bool open = p.view.*one.open;
        if (!ui.state.missed.empty()) p.next.*one.open = true;
        const std::string label = std::string(tr(one.label)) + (open ? " ▴" : " ▾");
        if (left_button(ui, one.id, place,
                        {label, ButtonLook::plain, true,
                         open ? "Folds the panel below away" : "Opens the panel below"},
                        ui.px(8)))
            p.next.*one.open = !open;
        soft_label(ui, place, one.about);
    }
}

} // namespace normscope
