#include "app/charts/flow_band.h"
#include "app/language/language.h"
#include "app/model/flow/flow_setup.h"
#include "app/workspaces/gradient_flow/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace normscope {

namespace {

constexpr float k_words_w = 900; // of the sentence below the chart, in one line

struct QuantityName {
    FlowQuantity quantity;
    std::string_view id, label; // the choice
    std::string_view title;     // the panel
    std::string_view hint;
};

constexpr QuantityName k_quantities[] = {
    {FlowQuantity::gradient, "gradient", "gradient", "‖∂L/∂x‖ at each block", "Of the activations"},
    {FlowQuantity::activation, "activations", "activations", "Mean square of x at each block",
     "How large the activations are"},
    {FlowQuantity::w1, "w1", "W₁", "‖∂L/∂W₁‖ of each block",
     "The feed-forward layer's first matrix"},
    {FlowQuantity::w2, "w2", "W₂", "‖∂L/∂W₂‖ of each block",
     "The feed-forward layer's second matrix"},
    {FlowQuantity::attention, "attention", "attention", "‖∂L/∂W‖ of each block's attention",
     "Query, key, value and output matrix together"},
    {FlowQuantity::weight, "w", "W", "‖∂L/∂W‖ of each block", "The sublayer's matrix"},
    {FlowQuantity::gamma, "gamma", "γ", "‖∂L/∂γ‖ of each block", "All norms of a block together"},
    {FlowQuantity::beta, "beta", "β", "‖∂L/∂β‖ of each block", "All norms of a block together"},
};

bool per_activation(FlowQuantity q) {
    return q == FlowQuantity::gradient || q == FlowQuantity::activation;
}

// The quantities that the present stack has; the first two always.
std::vector<QuantityName> quantities_of(const StackStudy* study) {
    std::vector<QuantityName> out;
    for (const QuantityName& q : k_quantities)
        if (per_activation(q.quantity) || (study && !flow_points(*study, q.quantity).empty()))
            out.push_back(q);
    return out;
}

// A stack's line and band over the seeds.
struct Curve {
    std::string name;
    LineStyle style;
    std::vector<FlowPoint> values;
    std::vector<DataPoint> points;
    std::vector<DataRange> band;
    bool present = false;
};

// A prediction is of the gradient against that at the top, and so is what it is compared with.
enum class Scaling : std::uint8_t { own, of_the_top };

std::vector<DataPoint> points_of(const std::vector<FlowPoint>& values) {
    std::vector<DataPoint> out;
    for (const FlowPoint& p : values) out.push_back({static_cast<double>(p.block), p.mean});
    return out;
}

Curve curve_of(std::string name, LineStyle style, const StackStudy& study, FlowQuantity q,
               Scaling unit) {
    Curve c{std::move(name), style, flow_points(study, q), {}, {}, false};
    if (unit == Scaling::of_the_top && !c.values.empty()) {
        const double top = c.values.back().mean;
        for (FlowPoint& p : c.values) p = {p.block, p.mean / top, p.lo / top, p.hi / top};
    }
    c.points = points_of(c.values);
    if (study.seeds.size() > 1)
        for (const FlowPoint& p : c.values)
            c.band.push_back({static_cast<double>(p.block), p.lo, p.hi});
    return c;
}

// The pinned ones first, so that the present one lies over them. Of a stack without such values, or
// none that could be measured, one without points.
std::vector<Curve> curves_of(const FlowPanel& p, FlowQuantity q, Scaling unit) {
    std::vector<Curve> curves;
    const std::vector<PinnedStack>& pins = *p.document.flow.pinned;
    const std::vector<std::string> names = listed_names(p.document.flow);
    for (const auto i : indices(std::min(pins.size(), studies_of(p).pinned.size())))
        if (pins[i].shown && studies_of(p).pinned[i])
            curves.push_back(curve_of(names[i], pinned_style(p.theme, pins[i].look),
                                      *studies_of(p).pinned[i], q, unit));
    if (const StackStudy* study = present_study(p)) {
        curves.push_back(
            curve_of(p.state.picture ? stack_name(study->stack) : std::string(tr("this stack")),
                     present_style(p.theme), *study, q, unit));
        curves.back().present = true;
    }
    return curves;
}

// Values that a logarithmic axis has no place for.
bool has_unplaced(const std::vector<Curve>& curves) {
    for (const Curve& c : curves)
        for (const DataPoint& p : c.points)
            if (!std::isfinite(p.y) || p.y <= 0) return true;
    return false;
}

// The range of several seeds; empty where they do not differ.
std::string reach_text(const FlowPoint& p) {
    if (p.lo == p.hi) return {};
    return worded("({} to {})", flow_norm_text(p.lo), flow_norm_text(p.hi));
}

// "seeds 7 to 11".
std::string seeds_text(const StackStudy& study) {
    return worded("seeds {} to {}", study.seeds.front().seed, study.seeds.back().seed);
}

// The axis in words, and of several runs the mean that the line is.
std::string axis_text(const StackStudy* study) {
    if (!study || study->seeds.size() < 2) return worded("log scale");
    return worded("geometric mean of {} · log scale", seeds_text(*study));
}

// The values of the run that the river shows; empty where the line is no mean of several.
std::vector<FlowPoint> river_values(const StackStudy* study, FlowQuantity q) {
    if (!study || study->seeds.size() < 2) return {};
    StackStudy first;
    first.stack = study->stack;
    first.seeds = {study->seeds.front()};
    return flow_points(first, q);
}

const FlowPoint* value_at(const std::vector<FlowPoint>& values, int l) {
    return find_in(values, l, &FlowPoint::block);
}

std::string river_text(const StackStudy* study, FlowQuantity q, int l) {
    const std::vector<FlowPoint> values = river_values(study, q);
    const FlowPoint* const p = value_at(values, l);
    return p ? worded("seed {}: {}", study->stack.seed, flow_norm_text(p->mean)) : std::string();
}

// The place on the axis that belongs to a block: its input, or the block itself.
int place_of(FlowQuantity q, int block) {
    return per_activation(q) ? block - 1 : block;
}

// The place that is looked at: "After block 3, x₃".
std::string place_text(FlowQuantity q, int block) {
    const int l = place_of(q, block);
    return !per_activation(q) ? worded("Block {}", block)
           : l == 0           ? worded("At the input, x₀")
                              : worded("After block {}, x{}", l, subscript(l));
}

// The value at a block, for a stack that is compared with none.
std::string words_about(const Curve& c, const StackStudy* study, FlowQuantity q, int block) {
    const int l = place_of(q, block);
    const FlowPoint* const p = value_at(c.values, l);
    if (!p) return worded("{}: no value.", place_text(q, block));
    const std::string reach = reach_text(*p);
    const std::string river = river_text(study, q, l);
    return worded("{}: {} {}{}{}{}{}.", place_text(q, block), c.name, flow_norm_text(p->mean),
                  reach.empty() ? "" : " ", reach, river.empty() ? "" : ", ", river);
}

// In the order of the list of what is compared: the present stack first.
void list_values(Ui& ui, Rect r, const StackStudy* study, const std::vector<Curve>& curves,
                 FlowQuantity q, int block) {
    const int l = place_of(q, block);
    std::vector<ListedValue> values;
    for (const Curve& c : curves) {
        const FlowPoint* const p = value_at(c.values, l);
        const ListedValue value{c.name, c.style, p ? flow_norm_text(p->mean) : "none",
                                p ? reach_text(*p) : ""};
        values.insert(c.present ? values.begin() : values.end(), value);
    }
    const std::string river = river_text(study, q, l);
    const std::string place = place_text(q, block);
    value_list(ui, r, river.empty() ? place : worded("{} · this stack's {}", place, river), values);
}

std::string words_about_all(const StackStudy* study, const std::vector<Curve>& curves,
                            bool stopped) {
    if (!study) return stopped ? "Stopped." : "Measuring …";
    if (study->error) return "This stack could not be measured.";
    const std::size_t done = study->seeds.size();
    std::string words =
        study->seeds_wanted == 1 ? worded("One seed ({}).", study->stack.seed)
        : done < static_cast<std::size_t>(study->seeds_wanted)
            ? stopped ? worded("{} of {} seeds, stopped.", done, study->seeds_wanted)
                      : worded("{} of {} seeds so far; Esc stops here.", done, study->seeds_wanted)
            : worded("A seed draws the first weights. Geometric mean over {}; the band: from the "
                     "least to the most.",
                     seeds_text(*study));
    const auto without = std::ranges::count_if(
        curves, [](const Curve& c) { return !c.present && c.points.empty(); });
    if (without > 0)
        words += ' ' + (without == 1 ? worded("1 pinned stack has no such value.")
                                     : worded("{} pinned stacks have no such value.", without));
    if (has_unplaced(curves))
        words += ' ' + worded("Where a line breaks off the value is 0 or no number.");
    return words;
}

LineRange reach_of(std::span<const DataPoint> points, std::span<const DataRange> band) {
    std::vector<double> values;
    for (const DataPoint& p : points) values.push_back(p.y);
    for (const DataRange& range : band) values.insert(values.end(), {range.lo, range.hi});
    return line_range(ScaleKind::log, values);
}

// Marks on the edge of the axis where a line goes on beyond it, with how far.
void mark_leaving(LineChart& chart, std::span<const DataPoint> points, LineRange axis,
                  Color color) {
    for (const Leaving& leaving : leaves(points, axis))
        chart.marks.push_back({leaving.at.x, leaving.at.y,
                               worded("on to {}", flow_norm_text(leaving.farthest)), color});
}

// The legend in a picture of several curves, the present one first; on the screen there is a list.
void legend(Ui& ui, Rect& inside, const std::vector<Curve>& curves) {
    if (!ui.state.picture || curves.size() < 2) return;
    const float line = ui.canvas.line_height(TextRole::small) + 4;
    const float swatch = 24;
    std::vector<const Curve*> order;
    for (const Curve& c : curves) order.push_back(&c);
    if (curves.back().present) std::rotate(order.begin(), order.end() - 1, order.end());
    std::vector<Rect> places;
    float x = 0, y = 0;
    for (const Curve* c : order) {
        const float w = std::min(inside.w, swatch + 6.0f + small_width(ui, c->name) + 1);
        if (x > 0 && x + w > inside.w) {
            x = 0;
            y += line;
        }
        places.push_back({inside.x + x, inside.y + y, w, line});
        x += w + 18;
    }
    if (!has_room(ui, inside, y + line + 4)) return;
    cut_top(inside, y + line + 4);
    auto place = places.begin();
    for (const Curve* c : order) {
        Rect r = *place++;
        draw_swatch(ui, cut_left(r, swatch, 6), c->style, k_curve_marker);
        ui.label(r, Text::typed(c->name), TextRole::small);
    }
}

void choose_quantity(FlowPanel& p, Rect& inside, const std::vector<QuantityName>& names,
                     std::size_t now) {
    std::vector<ChoiceName> choices;
    std::vector<std::string_view> hints;
    for (const QuantityName& name : names) {
        choices.push_back({name.id, name.label});
        hints.push_back(name.hint);
    }
    // Folded, the choice is named by the panel's title.
    if (!more(p, cut_top(inside, k_row_line, k_row_gap), p.view.more_quantities,
              p.next.more_quantities))
        return;
    const Rect row = cut_top(inside, wrapped_choice_height(p, inside.w, choices));
    if (const auto c = wrapped_choice(p, "quantity", row, choices, static_cast<int>(now), hints))
        p.next.quantity = entry_at(names, *c).quantity;
}

} // namespace

void gradients_panel(FlowPanel& p) {
    const IdScope scope(p, "gradient-norms");
    const StackStudy* study = present_study(p);
    const std::vector<QuantityName> names = quantities_of(study);
    const bool asked = hidden_until_revealed(p);
    std::size_t now = 0;
    for (std::size_t i = 0; i < names.size() && !asked; ++i)
        if (names[i].quantity == p.view.quantity) now = i;
    const FlowQuantity q = names[now].quantity;
    const FlowStory* const story = told_story(p.document.flow);
    const bool revealed = p.view.predict && p.view.revealed && story;
    const Scaling unit =
        revealed && q == FlowQuantity::gradient ? Scaling::of_the_top : Scaling::own;
    Rect inside = panel(
        p, "", p.rect,
        {.title = asked                         ? std::string_view("What do you expect?")
                  : unit == Scaling::of_the_top ? std::string_view("‖∂L/∂x‖, against the top")
                                                : names[now].title,
         .hint = std::string(outdated_hint(p, asked ? worded("log scale") : axis_text(study)))});
    if (asked) return ask_expectation(p, inside);
    const std::vector<Curve> all = curves_of(p, q, unit);
    std::vector<Curve> curves = all;
    std::erase_if(curves, [](const Curve& c) { return c.points.empty(); });
    if (p.state.picture) {
        name_stack(p, inside, study ? study->stack : p.document.flow.stack);
        legend(p, inside, curves);
    } else {
        choose_quantity(p, inside, names, now);
    }
    cut_top(inside, 8);
    // Room for the list is kept before a block is hovered, so that nothing moves.
    const bool listed = all.size() > 1 && !p.state.picture;
    const float sentence_h = lines_height(p, inside.w, k_words_w);
    const float words_h =
        listed ? std::max(sentence_h, value_list_height(p, inside.w, all.size())) : sentence_h;
    const Rect words = cut_bottom(inside, has_room(p, inside, words_h) ? words_h : 0, 4.0f);

    LineChart chart;
    chart.y_kind = ScaleKind::log;
    chart.x_counts = true;
    chart.x_lo = per_activation(q) ? 0 : 1;
    chart.x_title = per_activation(q) ? "block (0 = input)" : "block";
    std::vector<LineRange> reaches;
    double last = 1;
    for (const Curve& c : curves) {
        chart.series.push_back({c.points, c.style, c.present ? 2.5f : 2.0f, c.band});
        reaches.push_back(reach_of(c.points, c.band));
        last = std::max(last, c.points.back().x);
    }
    const FlowView& v = p.view;
    const Curve* const present =
        !curves.empty() && curves.back().present ? &curves.back() : nullptr;
    std::vector<DataPoint> guess;
    if (revealed && q == FlowQuantity::gradient && present) {
        const DataPoint top = present->points.back();
        guess = expectation(v, static_cast<int>(top.x), top.y, story->answer_decades);
        chart.series.insert(chart.series.begin(), {guess, {p.theme.focus.with_alpha(0.6f)}, 5});
    }
    // The numbers of the river, which is of one seed, beside those of the mean.
    std::vector<FlowPoint> river;
    if (unit == Scaling::own && !p.state.picture && present) river = river_values(study, q);
    const std::vector<DataPoint> river_line = points_of(river);
    if (!river.empty()) chart.series.push_back({river_line, {p.theme.of(Stage::x), Dash::dotted}});
    chart.x_hi = std::max(last, chart.x_lo + 1);
    LineRange range = curves_range(reaches);
    if (!guess.empty()) range = with_guess(range, reach_of(guess, {}), reaches.back());
    for (const Curve& c : curves) mark_leaving(chart, c.points, range, c.style.color);
    chart.y_lo = range.lo;
    chart.y_hi = range.hi;
    const int blocks = static_cast<int>(last);
    // Behind the last block there is one more activation.
    const int last_block = blocks + (per_activation(q) ? 1 : 0);
    const auto focus = block_in_focus(p, last_block);
    const auto marked = focus || river.empty() ? focus : std::optional(1); // the input
    if (marked && present)
        if (const FlowPoint* at = value_at(present->values, place_of(q, *marked))) {
            const auto block = static_cast<double>(at->block);
            const std::string mean = flow_norm_text(at->mean);
            chart.marks.push_back({block, at->mean, river.empty() ? mean : worded("mean {}", mean),
                                   present->style.color});
            if (const FlowPoint* of_river = value_at(river, at->block))
                chart.marks.push_back(
                    {block, of_river->mean,
                     worded("seed {}: {}", study->stack.seed, flow_norm_text(of_river->mean)),
                     p.theme.ink_of(Stage::x)});
        }
    const LinePlot plot = line_plot(p.canvas, inside, chart);
    const Hit hit = p.hit("chart", plot.plot, k_by_mouse);
    if (hit.hovered) {
        const double x = plot.x.value(p.mouse().x);
        const int l = static_cast<int>(std::lround(x)) + (per_activation(q) ? 1 : 0);
        p.actions.view.hover.block = std::clamp(l, 1, last_block);
    }
    draw_line_chart(p.canvas, p.theme, inside, chart);
    if (curves.empty())
        instead(p, inside,
                study && study->error ? ""
                : stopped_short(p)    ? "Stopped before there was anything to show."
                                      : "Measuring …");
    if (words.h <= 0) return;
    const StackStudy* const as_measured = unit == Scaling::own ? study : nullptr;
    if (focus && listed) return list_values(p, words, as_measured, all, q, *focus);
    const std::string says = revealed && study && !focus ? prediction_verdict(v, *study)
                             : focus && !curves.empty()
                                 ? words_about(curves.back(), as_measured, q, *focus)
                                 : words_about_all(study, all, stopped_short(p));
    p.canvas.push_clip(words);
    paragraph(p, words, says, TextRole::small, focus ? p.theme.ink : p.theme.ink_soft);
    p.canvas.pop_clip();
}

} // namespace normscope
