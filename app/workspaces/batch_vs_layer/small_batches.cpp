#include "app/charts/line_chart.h"
#include "app/workspaces/batch_vs_layer/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_marker = 5;

struct Quantity {
    std::string_view name, theory;
    double SmallBatch::*value;
    Stage stage;
    Marker marker;
    Dash dash;
};
constexpr Quantity k_quantities[] = {
    {"spread of μ", "1/√B", &SmallBatch::mean_spread, Stage::beta, Marker::circle, Dash::solid},
    {"mean of σ²", "(B−1)/B", &SmallBatch::variance, Stage::gamma, Marker::square, Dash::dashed},
    {"train − eval", "√(2−2·E s)", &SmallBatch::train_eval, Stage::x_hat, Marker::triangle,
     Dash::dotted},
    {"gradient kept", "(B−2)/B", &SmallBatch::gradient_energy, Stage::x, Marker::diamond,
     Dash::solid},
};

// Measured, and beside it theory; its heads are the chart's legend. The row under the mouse.
std::optional<std::size_t> table(Ui& ui, Rect r, std::span<const SmallBatch> all, bool numbers) {
    const float size_w = 40;
    const float w = (r.w - size_w) / static_cast<float>(std::size(k_quantities));
    const float line = 21;
    Rect heads = cut_top(r, line);
    Rect theories = cut_top(r, line);
    soft_label(ui, cut_left(heads, size_w), numbers ? "B" : "");
    cut_left(theories, size_w);
    for (const Quantity& q : k_quantities) {
        Rect head = cut_left(heads, w);
        const Rect sign = cut_left(head, 18);
        draw_marker(ui.canvas, q.marker, {sign.x + 8, sign.center().y}, k_marker,
                    ui.theme.of(q.stage));
        ui.label(head, q.name, TextRole::small, ui.theme.ink_of(q.stage));
        Rect theory = cut_left(theories, w);
        cut_left(theory, 18);
        soft_label(ui, theory, q.theory);
    }
    std::optional<std::size_t> lit;
    if (!numbers) return lit;
    const Rect rows{r.x, r.y, r.w, std::min(r.h, line * static_cast<float>(all.size()))};
    const Hit hit = ui.hit("table", rows, k_by_mouse);
    for (const auto i : indices(all)) {
        Rect row = cut_top(r, line);
        if (row.h < line) break;
        if (hit.hovered && row.contains(ui.mouse())) {
            lit = i;
            ui.canvas.fill_rect(row, ui.theme.control_hover, 3);
        }
        const SmallBatch theory = small_batch_theory(all[i].batch);
        ui.label(cut_left(row, size_w), fmt::format("{:g}", all[i].batch), TextRole::number_small);
        for (const Quantity& q : k_quantities) {
            Rect cell = cut_left(row, w);
            cut_left(cell, 18);
            const std::string measured = fixed_text(all[i].*q.value, 3);
            const std::string expected = fixed_text(theory.*q.value, 3);
            const float number_w = ui.text_width(measured, TextRole::number_small);
            const bool both = 2 * number_w + 14 <= cell.w;
            ui.label(cut_left(cell, number_w + 7), measured, TextRole::number_small);
            if (both) ui.label(cell, expected, TextRole::number_small, ui.theme.ink_of(q.stage));
        }
    }
    return lit;
}

// Every quantity of a batch, where the table has no room for it.
std::string theory_words(const SmallBatch& theory) {
    std::string all;
    for (const Quantity& q : k_quantities)
        all += fmt::format("{}{} {}", all.empty() ? "" : ", ", tr(q.name),
                           fixed_text(theory.*q.value, 3));
    return worded("B = {:g}, theory: {}, with s = √σ² of a batch.", theory.batch, all);
}

void chart(Ui& ui, Rect r, std::span<const SmallBatch> all, std::optional<std::size_t> lit) {
    LineChart c;
    c.x_kind = ScaleKind::log;
    c.x_lo = 1.8;
    c.x_hi = 142;
    c.y_hi = 1.02;
    c.x_title = "batch size B";
    for (const Index b : k_small_batch_sizes)
        c.x_ticks.push_back({static_cast<double>(b), fmt::format("{}", b)});
    std::array<std::vector<DataPoint>, std::size(k_quantities)> lines;
    constexpr int k_steps = 96;
    for (int i = 0; i <= k_steps; ++i) {
        const SmallBatch t = small_batch_theory(2 * std::pow(64.0, double(i) / k_steps));
        for (const auto q : indices(lines)) lines[q].push_back({t.batch, t.*k_quantities[q].value});
    }
    for (const auto q : indices(lines))
        c.series.push_back(
            {lines[q], {ui.theme.of(k_quantities[q].stage), k_quantities[q].dash}, 1.5f});
    draw_line_chart(ui.canvas, ui.theme, r, c);
    const LinePlot p = line_plot(ui.canvas, r, c);
    if (p.plot.w < 40 || p.plot.h < 40) return;
    if (lit) {
        const float x = p.x.pixel(all[*lit].batch);
        ui.canvas.down(p.plot, x, ui.theme.ink_soft);
    }
    for (const SmallBatch& b : all)
        for (const Quantity& q : k_quantities)
            draw_marker(ui.canvas, q.marker, {p.x.pixel(b.batch), p.y.pixel(b.*q.value)}, k_marker,
                        ui.theme.of(q.stage));
}

} // namespace

void small_batches_panel(BatchPanel& p) {
    const IdScope scope(p, "small-batches");
    const std::uint64_t seed = p.document.batch.seed;
    const SmallBatches* const made = p.frame.memory.of<BatchMemory>().small_batches.find(seed);
    const std::span<const SmallBatch> all = made ? made->sizes : std::span<const SmallBatch>();
    Rect inside = p.framed();
    Rect head = cut_top(inside, 28, 2);
    const std::string text = worded("seed {}", seed);
    if (const auto typed =
            seed_field(p, setting<&BatchSetup::seed>(),
                       cut_right(head, button_width(p, text), 8.0f), seed, text,
                       "One seed: of this experiment and of the sentences of Sequences; click "
                       "to type"))
        p.edit(set<&BatchSetup::seed>(*typed));
    if (!p.state.picture &&
        right_button(p, "numbers", head,
                     {"Numbers", "What was measured, beside theory, as a table", true,
                      p.view.numbers_shown ? ButtonLook::primary : ButtonLook::plain},
                     8))
        p.next.numbers_shown = !p.view.numbers_shown;
    const std::string_view shared = "for Sequences too:";
    const float shared_w = small_width(p, shared) + 1;
    if (head.w > shared_w + 130) soft_label(p, cut_right(head, shared_w), shared);
    p.label(head, "Small batches", TextRole::title);
    const Rect words = cut_bottom(inside, 44);
    const bool numbers = p.view.numbers_shown;
    const std::size_t rows = numbers ? std::size(k_small_batch_sizes) : 0;
    const float table_h = 21.0f * static_cast<float>(rows + 2);
    const Rect at = inside.h >= table_h + 150.0f
                        ? cut_top(inside, table_h, 6)
                        : cut_right(inside, std::min(470.0f, inside.w * 0.6f), 12.0f);
    const std::optional<std::size_t> lit = table(p, at, all, numbers);
    chart(p, inside, all, lit);
    const bool behind = !made || !made->is_of(seed);
    soft_paragraph(
        p, words,
        behind    ? made ? worded("Measuring with seed {}; what is shown is of seed {}.", seed,
                                  made->seed)
                         : worded("Measuring with seed {}. Lines: theory.", seed)
           : lit ? theory_words(small_batch_theory(all[*lit].batch))
        : numbers ? worded("Plain digits: {} features of N(0, 1), measured. Coloured digits: "
                           "theory, s = √σ² of a batch.",
                           k_small_batch_features)
                  : worded("Markers: {} features of N(0, 1), measured. Lines: theory. A batch of "
                           "two is always ±1 and lets no gradient through, but for ε.",
                           k_small_batch_features));
}

} // namespace normscope
