#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/words/transformer_arithmetic.h"
#include "app/workspaces/transformer/lens.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

// A gradient that is shown, and its length.
struct GradientMap {
    std::string_view slot, title;
    Stage stage;
    Matrix<float> values;
    StackSide side; // whose tokens are its rows
    double length() const { return values.cast<double>().norm(); }
};

// The gradients that go back through a box, from its output down.
std::vector<GradientMap> maps_of(const TransformerStudy& study, const Box& box) {
    const Matrix<float> dy = study.gradient(box);
    const StackSide side = box.side;
    switch (box.kind) {
    case Box::Kind::add_norm: {
        const auto& back = *study.backward(box);
        std::vector<GradientMap> out{{"dy", "∂L/∂Y", Stage::y, dy, side}};
        if (!study.add_norm(box).norm_first)
            out.push_back({"dz", "∂L/∂Z", Stage::z, back.dz, side});
        out.push_back({"skip", "down the skip", Stage::x, back.skip, side});
        out.push_back({"through-f", "through F", Stage::f, back.branch, side});
        return out;
    }
    case Box::Kind::sublayer: {
        const auto& back = *study.backward(box);
        std::vector<GradientMap> out{{"df", "∂L/∂F(X)", Stage::f, dy, side},
                                     {"through-f", "∂L/∂X through F", Stage::x, back.branch, side}};
        if (back.dmemory.size() > 0)
            out.push_back({"dmemory", "∂L/∂memory, of this layer", Stage::y, back.dmemory,
                           StackSide::encoder});
        return out;
    }
    case Box::Kind::embedding:
        return {{"dx", "∂L/∂X of the first layer", Stage::x, dy, side}};
    case Box::Kind::final_norm:
        return {{"dy", "∂L/∂Y of the stack", Stage::y, dy, side}};
    case Box::Kind::linear:
        return {{"dlogits", "∂L/∂logits", Stage::z, dy, side}};
    case Box::Kind::softmax:
        break;
    }
    return {{"dp", "∂L/∂p", Stage::z, dy, side}};
}

// "∂L/∂X = skip + F = 0.0121 + −0.0043 = 0.0078", or the number itself.
std::string cell_words(const std::vector<GradientMap>& maps, const Box& box,
                       const HeatmapCell& at) {
    const auto value = [&](const GradientMap& map) {
        return static_cast<double>(map.values(at.row, at.col));
    };
    if (box.kind != Box::Kind::add_norm)
        return worded("{} = {}", maps.front().title, significant_text(value(maps.front())));
    const double skip = value(maps[maps.size() - 2]), branch = value(maps.back());
    return sum_words("∂L/∂X = skip + F", skip, branch, skip + branch, std::nullopt);
}

} // namespace

void gradient_lens(Lens& lens, Rect r) {
    Ui& ui = lens.p;
    const TransformerStudy& study = lens.study;
    const Box& box = lens.box;
    const std::vector<GradientMap> maps = maps_of(study, box);
    std::vector<double> largest;
    for (const GradientMap& map : maps) {
        largest.push_back(most_of(map.values));
        lens.names_w = std::max(lens.names_w, words_width(ui, study.tokens(map.side)));
    }
    const double limit = common_limit(largest);
    const Rect foot = cut_bottom(r, k_caption_h + k_formula_h, 4);
    const std::vector<Rect> at = stacked_maps(r, maps.size(), maps.front().values.rows());
    for (const auto i : indices(maps)) {
        const GradientMap& map = maps[i];
        lens.map(at[i], {.slot = map.slot,
                         .title = map.title,
                         .note = worded("norm {}", number_text(map.length(), 3)),
                         .stage = map.stage,
                         .values = map.values,
                         .limit = limit,
                         .side = map.side});
    }
    const HeatmapCell cell = lens.worked_cell(maps.front().values);
    const bool of_words = box.kind == Box::Kind::linear || box.kind == Box::Kind::softmax;
    captioned(ui, foot,
              worded("{}, {} {}", lens.word(cell.row), of_words ? "word" : "feature", cell.col + 1),
              std::array{cell_words(maps, box, cell)});
}

} // namespace normscope
