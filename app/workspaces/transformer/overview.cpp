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

Meeting meeting_at(const TransformerStudy& study, bool gradient, const Box& add) {
    if (!gradient) return {study.add_norm(add).x_norm, study.add_norm(add).f_norm, true};
    const BlockBackward<float>* const back = study.backward(add);
    if (!back) return {};
    return {back->skip.cast<double>().norm(), back->branch.cast<double>().norm(), true};
}

namespace {

// Every Add & Norm of a stack as a bar, layers upwards; a click chooses it.
void overview_of(Ui& ui, Rect area, const Frame& f, Actions& a, const TransformerStudy& study,
                 StackSide side) {
    const IdScope scope(ui, side == StackSide::encoder ? "encoder" : "decoder");
    const TransformerView& view = f.view.of<TransformerView>();
    const int layers = study.layers(side), blocks = study.blocks(side);
    ui.label(cut_top(area, ui.px(18)), side == StackSide::encoder ? "Encoder" : "Decoder",
             TextRole::small, ui.theme.ink);
    Rect numbers = cut_left(area, ui.px(18));
    const Rect names = cut_bottom(area, ui.px(18));
    const float row = std::min(ui.px(20), area.h / static_cast<float>(layers));
    const float column = area.w / static_cast<float>(blocks);
    for (int b = 0; b < blocks; ++b)
        soft_label(ui,
                   {area.x + column * static_cast<float>(b),
                    area.y + row * static_cast<float>(layers), column, names.h},
                   short_name(study.reading({Box::Kind::sublayer, side, 0, b})), Align::center);
    for (int l = 0; l < layers; ++l) {
        const float y = area.y + row * static_cast<float>(layers - 1 - l);
        if (row >= ui.px(14))
            ui.label({numbers.x, y, numbers.w, row}, std::to_string(l + 1), TextRole::small,
                     view.layer[static_cast<std::size_t>(side)] == l ? ui.theme.ink
                                                                     : ui.theme.ink_soft);
        for (int b = 0; b < blocks; ++b) {
            const Box box{Box::Kind::add_norm, side, l, b};
            const Rect bar = Rect{area.x + column * static_cast<float>(b), y, column, row}.inset(
                ui.px(2), std::max(1.0f, row * 0.1f));
            const Hit hit = ui.hit(fmt::format("layer-{}-{}", l + 1, id_of(study, box)), bar,
                                   {.focusable = false});
            const Meeting m = meeting_at(study, view.gradient, box);
            Rect rest = bar;
            ui.canvas.fill_rect(cut_left(rest, bar.w * m.drawn_share()), ui.theme.of(Stage::x));
            ui.canvas.fill_rect(rest, ui.theme.of(Stage::f));
            if (row >= ui.px(16))
                ui.label(bar.inset(ui.px(4), 0), m.text().substr(0, m.text().find(':')),
                         TextRole::number_tiny, ink_on(ui.theme.of(Stage::x)));
            if (view.box == box)
                ui.canvas.stroke_rect(bar.inset(-ui.px(2)), ui.theme.ink, ui.px(2), ui.px(3));
            ui.tooltip(hit, worded("{}: {}", place_of(study, box), m.text()));
            if (!hit.clicked) continue;
            a.view.of<TransformerView>().box = box;
            a.view.of<TransformerView>().layer[static_cast<std::size_t>(side)] = l;
        }
    }
}

} // namespace

void draw_overview(Ui& ui, Rect area, const Frame& f, Actions& a, const TransformerStudy& study) {
    const IdScope scope(ui, "overview");
    const bool gradient = f.view.of<TransformerView>().gradient;
    if (area.h < ui.px(70)) return;
    soft_label(ui, cut_top(area, ui.px(22)),
               gradient ? "gradient down the skip, % of skip + sublayer"
                        : "‖X‖, % of ‖X‖ + ‖F(X)‖");
    const std::vector<StackSide> sides = study.sides();
    int columns = 0;
    for (const StackSide side : sides) columns += study.blocks(side);
    const float gap = ui.px(14);
    const float w = std::min(area.w - gap, ui.px(62) * static_cast<float>(columns));
    for (const StackSide side : sides) {
        overview_of(
            ui,
            cut_left(area, w * static_cast<float>(study.blocks(side)) / static_cast<float>(columns),
                     gap),
            f, a, study, side);
    }
}

} // namespace normscope
