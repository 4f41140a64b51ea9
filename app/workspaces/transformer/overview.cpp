#include "app/language/language.h"
#include "app/workspaces/transformer/panels.h"
#include "core/base/lists.h"

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
    if (!p.view.gradient) {
        const AddNormNumbers n = study.add_norm(add);
        return {n.x_norm, n.f_norm, true};
    }
    const BlockBackward<float>* const back = study.backward(add);
    if (!back) return {};
    return {back->skip.cast<double>().norm(), back->branch.cast<double>().norm(), true};
}

namespace {

constexpr float k_line = 18, k_row = 20;

// The two numbers of an Add, each in its part of the bar where that has room.
void write_shares(Ui& ui, Rect bar, const Meeting& m) {
    const std::string text = m.text();
    const auto colon = std::min(text.find(':'), text.size());
    const auto write = [&](Rect part, const std::string& number, Stage stage, Align align) {
        part = part.inset(2, 0);
        if (ui.text_width(number, TextRole::number_narrow) <= part.w)
            ui.label(part, number, TextRole::number_narrow, ink_on(ui.theme.of(stage)), align);
    };
    const Rect skip = cut_left(bar, bar.w * m.drawn_share());
    write(skip, text.substr(0, colon), Stage::x, Align::left);
    if (colon < text.size()) write(bar, text.substr(colon + 1), Stage::f, Align::right);
}

// Every Add & Norm of a stack as a bar, layers upwards; a click chooses it. Numbers and names
// that do not lie whole in `sight` are left out.
void overview_of(TransformerPanel& p, Rect area, Rect sight, StackSide side) {
    const TransformerStudy& study = transformer_of(p);
    const IdScope scope(p, id_of(side));
    const int layers = study.layers(side), blocks = study.blocks(side);
    const float line_h = k_line;
    p.label(cut_top(area, line_h), side == StackSide::encoder ? "Encoder" : "Decoder",
            TextRole::small);
    const float row = std::min(k_row, (area.h - line_h) / static_cast<float>(layers));
    const float column = (area.w - line_h) / static_cast<float>(blocks);
    for (int l = layers; l-- > 0;) {
        Rect line = cut_top(area, row);
        const Rect number = cut_left(line, line_h);
        if (row >= 14)
            p.label(number, std::to_string(l + 1), TextRole::small,
                    entry_at(p.view.layer, side) == l ? p.theme.ink : p.theme.ink_soft);
        for (const auto b : indices(blocks)) {
            const Box box{Box::Kind::add_norm, side, l, b};
            const Rect bar = cut_left(line, column).inset(2, std::max(1.0f, row * 0.1f));
            const Hit hit =
                p.hit(fmt::format("layer-{}-{}", l + 1, id_of(study, box)), bar, k_by_mouse);
            const Meeting m = meeting_at(p, box);
            Rect rest = bar;
            p.canvas.fill_rect(cut_left(rest, bar.w * m.drawn_share()), p.theme.of(Stage::x));
            p.canvas.fill_rect(rest, p.theme.of(Stage::f));
            if (row >= 16 && sight.encloses(bar)) write_shares(p, bar, m);
            if (p.view.box == box) p.canvas.stroke_rect(bar.inset(-2), p.theme.ink, 2, 3);
            p.tooltip(hit, worded("{}: {}", place_of(study, box), m.text()));
            if (!hit.clicked) continue;
            choose_box(p, box);
            p.next.lens_open = true;
        }
    }
    Rect names = cut_top(area, line_h);
    cut_left(names, line_h);
    for (const auto b : indices(blocks))
        if (const Rect place = cut_left(names, column); sight.encloses(place))
            soft_label(p, place, short_name(study.reading({Box::Kind::sublayer, side, 0, b})),
                       Align::center);
}

} // namespace

void draw_overview(TransformerPanel& p, Rect area, Rect sight) {
    const IdScope scope(p, "overview");
    if (area.h < 100) return;
    const TransformerStudy& study = transformer_of(p);
    int columns = 0, layers = 0;
    for (const StackSide side : study.sides()) {
        columns += study.blocks(side);
        layers = std::max(layers, study.layers(side));
    }
    // Close above the stacks whose ⊕ it is of.
    cut_top(area, std::max(0.0f, area.h - (5 * k_line + k_row * static_cast<float>(layers))));
    p.label(cut_top(area, k_line).shared_with(sight),
            p.view.gradient ? "What comes down from each ⊕, in %" : "What meets at each ⊕, in %");
    const auto key = [&](Stage stage, std::string_view words) {
        Rect line = cut_top(area, k_line).shared_with(sight);
        p.canvas.fill_rect(cut_left(line, 12, 6).inset(0, 3), p.theme.of(stage));
        soft_label(p, line, words);
    };
    key(Stage::x, p.view.gradient ? "gradient down the skip" : "‖X‖, which comes by the skip");
    key(Stage::f, p.view.gradient ? "gradient into the sublayer" : "‖F(X)‖, from the sublayer");
    const float gap = 14;
    const float column = std::min((area.w - gap) / static_cast<float>(columns), 62.0f);
    for (const StackSide side : study.sides())
        overview_of(p, cut_left(area, column * static_cast<float>(study.blocks(side)), gap), sight,
                    side);
}

} // namespace normscope
