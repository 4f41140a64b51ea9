#include "app/study/backward/conventions.h"

#include "app/workspaces/backward/panels.h"

#include <array>
#include <cmath>

namespace normscope {

void conventions_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    (void)a;
    const IdScope scope(ui, "conventions");
    const Backward& b = backward_of(f);
    const Index group = group_in_focus(f);
    const StatisticSets sets = b.sets();
    Rect inside =
        panel(ui, "", r,
              {.title = "Conventions",
               .hint = set_name(f.document, sets, group) +
                       (b.centres()         ? worded(": first x\u0302")
                        : sets.by_feature() ? worded(": first x\u0302, in training")
                                            : worded(": first x\u0302, were it layer norm"))});
    const Vector<double> values = values_of(b.z(), sets.block(group));
    const std::vector<double> z(values.begin(), values.end());
    constexpr std::array<double, 4> k_example = {1, 0, 0, 0};

    const float line = ui.px(22);
    const float value_w = ui.px(54);
    const auto cells = [&](Rect row, std::string_view name, std::string_view formula,
                           const std::string& divisor, const std::string& x,
                           const std::string& example, TextRole role, Color color) {
        const Rect last = cut_right(row, ui.px(62));
        const Rect value = cut_right(row, value_w);
        const Rect s = cut_right(row, value_w);
        if (row.w > ui.px(250)) {
            Rect left = cut_left(row, ui.px(128));
            ui.label(left, name, TextRole::small, ui.theme.ink);
            soft_label(ui, row, formula);
        } else {
            ui.label(row, name, TextRole::small, ui.theme.ink);
        }
        ui.label(s, divisor, role, color, Align::right);
        ui.label(value, x, role, color, Align::right);
        ui.label(last, example, role, color, Align::right);
    };
    cells(cut_top(inside, line), "", "", worded("divisor"), "x\u0302", "[1,0,0,0]", TextRole::small,
          ui.theme.ink_soft);
    for (const Convention& c : k_conventions) {
        if (inside.h < line) return;
        Rect row = cut_top(inside, line);
        const Normalization own = normalize_by(c, z, f.document.eps);
        const Normalization example = normalize_by(c, k_example, f.document.eps);
        const Hit hit = ui.hit(c.id, row, {.focusable = false});
        ui.tooltip(hit, c.who);
        if (hit.hovered) ui.canvas.fill_rect(row, ui.theme.control_hover, ui.px(3));
        const bool plain = own.divisor >= 0.1 && own.divisor < 100;
        cells(row, c.name, c.formula,
              plain ? fixed_text(own.divisor, 3) : number_text(own.divisor, 3),
              fixed_text(own.values[0], 3), fixed_text(example.values[0], 3),
              TextRole::number_small, ui.theme.ink);
    }
    const double inside_root = normalize_by(k_conventions[0], z, f.document.eps).values[0];
    const double outside_root = normalize_by(k_conventions[2], z, f.document.eps).values[0];
    const double apart = std::abs(inside_root - outside_root);
    if (apart > 0 && fixed_text(inside_root, 3) == fixed_text(outside_root, 3) && inside.h >= line)
        soft_label(ui, cut_top(inside, line),
                   worded("ε inside or outside: x̂ differs by {}", number_text(apart, 2)));
}

} // namespace normscope
