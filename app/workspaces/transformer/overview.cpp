#include "app/language/language.h"
#include "app/workspaces/transformer/panels.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

std::string Meeting::text() const {
    if (!known || !std::isfinite(skip + branch)) return known ? "NaN" : "";
    const int percent = static_cast<int>(std::lround(100 * share()));
    return fmt::format("{}:{}", percent, 100 - percent);
}

Meeting meeting_at(const TransformerPanel& p, const Box& add) {
    const TransformerStudy& study = transformer_of(p);
    if (!p.view.gradient) return {study.add_norm(add).x_norm, study.add_norm(add).f_norm, true};
    const BlockBackward<float>* const back = study.backward(add);
    if (!back) return {};
    return {back->skip.cast<double>().norm(), back->branch.cast<double>().norm(), true};
}

namespace {

constexpr float k_line = 18; // pixels at scale 1

// Every Add & Norm of a stack as a bar, layers upwards; a click chooses it.
void overview_of(TransformerPanel& p, Rect area, StackSide side) {
    Ui& ui = p.ui;
    const TransformerStudy& study = transformer_of(p);
    const IdScope scope(ui, id_of(side));
    const int layers = study.layers(side), blocks = study.blocks(side);
    const float line_h = ui.px(k_line);
    ui.label(cut_top(area, line_h), side == StackSide::encoder ? "Encoder" : "Decoder",
             TextRole::small, ui.theme.ink);
    const float row = std::min(ui.px(20), (area.h - line_h) / static_cast<float>(layers));
    const float column = (area.w - line_h) / static_cast<float>(blocks);
    for (int l = layers; l-- > 0;) {
        Rect line = cut_top(area, row);
        const Rect number = cut_left(line, line_h);
        if (row >= ui.px(14))
            ui.label(number, std::to_string(l + 1), TextRole::small,
                     p.view.layer[static_cast<std::size_t>(side)] == l ? ui.theme.ink
                                                                       : ui.theme.ink_soft);
        for (int b = 0; b < blocks; ++b) {
            const Box box{Box::Kind::add_norm, side, l, b};
            const Rect bar = cut_left(line, column).inset(ui.px(2), std::max(1.0f, row * 0.1f));
            const Hit hit = ui.hit(fmt::format("layer-{}-{}", l + 1, id_of(study, box)), bar,
                                   {.focusable = false});
            const Meeting m = meeting_at(p, box);
            Rect rest = bar;
            ui.canvas.fill_rect(cut_left(rest, bar.w * m.drawn_share()), ui.theme.of(Stage::x));
            ui.canvas.fill_rect(rest, ui.theme.of(Stage::f));
            if (row >= ui.px(16))
                ui.label(bar.inset(ui.px(4), 0), m.text().substr(0, m.text().find(':')),
                         TextRole::number_tiny, ink_on(ui.theme.of(Stage::x)));
            if (p.view.box == box)
                ui.canvas.stroke_rect(bar.inset(-ui.px(2)), ui.theme.ink, ui.px(2), ui.px(3));
            ui.tooltip(hit, worded("{}: {}", place_of(study, box), m.text()));
            if (hit.clicked) choose_box(p, box);
        }
    }
    Rect names = cut_top(area, line_h);
    cut_left(names, line_h);
    for (int b = 0; b < blocks; ++b)
        soft_label(ui, cut_left(names, column),
                   short_name(study.reading({Box::Kind::sublayer, side, 0, b})), Align::center);
}

} // namespace

void draw_overview(TransformerPanel& p, Rect area) {
    Ui& ui = p.ui;
    const IdScope scope(ui, "overview");
    if (area.h < ui.px(70)) return;
    soft_label(ui, cut_top(area, ui.px(22)),
               p.view.gradient ? "gradient down the skip, % of skip + sublayer"
                               : "‖X‖, % of ‖X‖ + ‖F(X)‖");
    const TransformerStudy& study = transformer_of(p);
    int columns = 0;
    for (const StackSide side : study.sides()) columns += study.blocks(side);
    const float gap = ui.px(14);
    const float column = std::min((area.w - gap) / static_cast<float>(columns), ui.px(62));
    for (const StackSide side : study.sides())
        overview_of(p, cut_left(area, column * static_cast<float>(study.blocks(side)), gap), side);
}

} // namespace normscope
