#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/workspaces/train/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace normscope {

namespace {

constexpr float k_phase_line = 20, k_phase_gap = 14, k_least_cell = 64, k_phase_words = 56;
constexpr float k_least_phase = 275; // of a column

// How many cells a row has room for.
std::size_t fitting(Rect row, float cell, std::size_t wanted) {
    return std::min(wanted, static_cast<std::size_t>(std::max(1.0f, row.w / cell)));
}

// Words, then numbers to the right of them, as many as there is room for.
void number_line(Ui& ui, Rect& column, std::string_view words, std::span<const double> numbers,
                 float cell = k_least_cell, int digits = 3) {
    Rect row = cut_top(column, k_phase_line);
    soft_label(ui, cut_left(row, k_phase_words), words);
    for (const double number : numbers.first(fitting(row, cell, numbers.size())))
        ui.label(cut_left(row, cell), number_text(number, digits), TextRole::number_small,
                 ui.theme.ink, Align::right);
}

// The titles above the columns of numbers.
void head_line(Ui& ui, Rect& column, std::span<const std::string_view> titles, float cell) {
    Rect head = cut_top(column, k_phase_line);
    cut_left(head, k_phase_words);
    for (const std::string_view title : titles.first(fitting(head, cell, titles.size())))
        soft_label(ui, cut_left(head, cell), title, Align::right);
}

std::vector<double> first_row(const Matrix<float>& m) {
    std::vector<double> out;
    for (const auto i : indices(m.cols())) out.push_back(static_cast<double>(m(0, i)));
    return out;
}

// The layers that have a line, from the last down: two lines are kept for what stands around them.
std::vector<std::size_t> lines_of_layers(Rect column, std::size_t layers) {
    const float lines = std::max(3.0f, column.h / k_phase_line);
    return layers_down(layers, static_cast<std::size_t>(lines) - 2);
}

void forward_phase(Ui& ui, Rect column, const MlpStep& step) {
    number_line(ui, column, "logit", first_row(step.pass.logits));
    for (const std::size_t l : lines_of_layers(column, step.before.layers.size()))
        number_line(ui, column, worded("layer {}", l + 1),
                    first_row(pre_activation(step.before, step.pass, l)));
    number_line(ui, column, "point", first_row(step.batch.x));
}

// −log of the probability of its class, of each of the first points.
void loss_phase(Ui& ui, Rect column, const MlpStep& step) {
    head_line(ui, column, std::array<std::string_view, 3>{"logit", "p(class)", "−log p"},
              k_least_cell);
    const Rect last = cut_bottom(column, k_phase_line);
    const Matrix<float>& logits = step.pass.logits;
    for (Index i = 0; i < logits.rows() && column.h >= k_phase_line; ++i) {
        const Index label = entry_at(step.batch.classes, i);
        const double logit = static_cast<double>(logits(i, 0));
        const double p = 1 / (1 + std::exp(label == 1 ? -logit : logit));
        number_line(ui, column, worded("class {}", label), std::array{logit, p, -std::log(p)});
    }
    ui.label(last, worded("mean of {} points: {}", logits.rows(), number_text(step.loss, 4)),
             TextRole::small);
}

// The first weight of a layer stands for all of them.
Index first_weight(const MlpStep& step, std::size_t layer) {
    return step.before.layers[layer].weight;
}

double gradient_of_layer(const MlpStep& step, std::size_t layer) {
    const Index size = step.before.inputs_of(layer) * step.before.config.width;
    return static_cast<double>(step.pass.gradients.segment(first_weight(step, layer), size).norm());
}

// A line a layer, its numbers with so many digits below their titles.
template<class NumbersOf>
void layer_lines(Ui& ui, Rect column, const MlpStep& step, std::span<const std::string_view> titles,
                 int digits, NumbersOf&& numbers_of) {
    constexpr float k_cell = k_least_cell + 8;
    head_line(ui, column, titles, k_cell);
    for (const std::size_t l : lines_of_layers(column, step.before.layers.size())) {
        if (column.h < k_phase_line) return;
        number_line(ui, column, worded("layer {}", l + 1), numbers_of(l), k_cell, digits);
    }
}

void backward_phase(Ui& ui, Rect column, const MlpStep& step) {
    constexpr std::string_view k_titles[] = {"∂L/∂w₁₁", "‖∂L/∂W‖"};
    layer_lines(ui, column, step, k_titles, 3, [&](std::size_t l) {
        return std::array{static_cast<double>(step.pass.gradients(first_weight(step, l))),
                          gradient_of_layer(step, l)};
    });
}

void update_phase(Ui& ui, Rect column, const MlpStep& step) {
    constexpr std::string_view k_titles[] = {"w₁₁", "change", "after"};
    layer_lines(ui, column, step, k_titles, 4, [&](std::size_t l) {
        const double before = static_cast<double>(step.before.values(first_weight(step, l)));
        const double after = static_cast<double>(step.after(first_weight(step, l)));
        return std::array{before, after - before, after};
    });
}

struct Phase {
    std::string title;
    void (*draw)(Ui&, Rect, const MlpStep&);
};

} // namespace

void step_phases_panel(TrainPanel& p) {
    Rect inside = panel(p, "phases", p.rect, {.title = "The next step, in four phases"});
    const std::vector<SeenLane> lanes = chosen_first(p, seen_lanes(p));
    const auto say = [&](std::string_view words) { soft_label(p, inside, words, Align::center); };
    if (lanes.empty()) return say("No lane is on: tick one in Lanes");
    const SeenLane& lane = lanes.front();
    const auto next = lane.state && lane.state->shot ? lane.state->shot->next : nullptr;
    if (p.frame.view.running) return say("The race runs: pause it to look at one step");
    if (!next) return say("Of this net no step is shown: it is too large, or has no numbers left");
    if (next->before.config.outputs != 1) return say("A step is shown of points in two classes");
    const std::array<Phase, 4> phases = {
        {{"1 Forward: what φ reads of the first point", forward_phase},
         {"2 Loss: −log p of the right class", loss_phase},
         {"3 Backward: gradients of the weights", backward_phase},
         {worded("4 Update at rate {}", number_text(next->learning_rate, 3)), update_phase}}};
    lane_heading(p, cut_top(inside, 22), lane, worded("step {}", next->step + 1));
    const float gap = k_phase_gap;
    const int columns =
        std::clamp(static_cast<int>((inside.w + gap) / (k_least_phase + gap)), 1, 4);
    const int lines = (4 + columns - 1) / columns;
    const float w =
        (inside.w - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    const float h = inside.h / static_cast<float>(lines);
    for (const auto i : indices(4)) {
        Rect column{inside.x + static_cast<float>(i % columns) * (w + gap),
                    inside.y + static_cast<float>(i / columns) * h, w, h};
        const Phase& phase = entry_at(phases, i);
        p.label(cut_top(column, 22), phase.title);
        p.canvas.push_clip(column);
        phase.draw(p, column, *next);
        p.canvas.pop_clip();
    }
}

} // namespace normscope
