#include "app/model/printed_number.h"
#include "app/widgets/controls.h"
#include "app/widgets/paragraph.h"
#include "app/words/prediction.h"
#include "app/words/worked_steps.h"
#include "app/workspaces/add_norm/memory.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/add_norm/view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace normscope {

namespace {

constexpr float k_line = 19;
constexpr float k_heading = 24;
constexpr float k_step_gap = 8;
constexpr float k_indent = 12;  // of a result that stands below its line
constexpr float k_column = 262; // the width a line needs
constexpr float k_column_gap = 20;
constexpr float k_below_steps = 290; // the table of statistics and a question with its answer
constexpr float k_played_head = 42;  // down to the note below the title
constexpr std::array<std::string_view, k_worked_steps> k_step_ids = {
    "add", "mean", "variance", "normalize", "scale-and-shift"};
constexpr Index k_most_for_prediction = 1 << 18; // values: an answer derives two documents

Stage stage_of(WorkedKind kind) {
    switch (kind) {
    case WorkedKind::add:
        return Stage::z;
    case WorkedKind::scale_and_shift:
        return Stage::y;
    default:
        return Stage::x_hat;
    }
}

// How a step is set: in the largest type in which no line of it is cut. Long numbers ask for a
// smaller one, and where the smallest is too large, for a line of their own for the result.
struct Setting {
    TextRole role = TextRole::number_tiny;
    std::size_t second_lines = 0;
};

// Where a line that is too long for the smallest type goes on; npos where it is not.
std::size_t break_of(const Ui& ui, const WorkedLine& line, float width) {
    return ui.canvas.text_size(line.text, TextRole::number_tiny).w <= width
               ? std::string::npos
               : line.text.rfind(" = ");
}

Setting setting_of(const Ui& ui, const WorkedStep& step, float width) {
    const std::string& longest =
        std::ranges::max_element(step.lines, {}, [](const WorkedLine& line) {
            return columns(line.text); // of one width each
        })->text;
    for (const TextRole role : {TextRole::formula, TextRole::number_small, TextRole::number_tiny})
        if (ui.canvas.text_size(longest, role).w <= width) return {role};
    Setting out;
    for (const WorkedLine& line : step.lines)
        out.second_lines += break_of(ui, line, width) != std::string::npos;
    return out;
}

float step_height(const Ui& ui, const WorkedStep& step, const Setting& setting) {
    return ui.px(k_heading + k_line * static_cast<float>(step.lines.size() + setting.second_lines));
}

// Of the steps [first, last), one below the other.
float steps_height(const Ui& ui, const WorkedSteps& worked, std::size_t first, std::size_t last,
                   float width) {
    float h = 0;
    for (std::size_t i = first; i < std::min(last, worked.steps.size()); ++i)
        h += step_height(ui, worked.steps[i], setting_of(ui, worked.steps[i], width)) +
             ui.px(k_step_gap);
    return h;
}

// Steps [first, last), one below the other.
float draw_steps(Ui& ui, Rect area, const Frame& f, Actions& a, const WorkedSteps& worked,
                 std::size_t first, std::size_t last) {
    const float line_h = ui.px(k_line);
    const StatisticSets sets = f.derived.sets();
    const bool by_feature = sets.by_feature();
    float y = area.y;
    for (std::size_t i = first; i < std::min(last, worked.steps.size()); ++i) {
        const WorkedStep& step = worked.steps[i];
        const IdScope scope(ui, k_step_ids[static_cast<std::size_t>(step.kind)]);
        const Setting setting = setting_of(ui, step, area.w);
        const Rect block{area.x - ui.px(6), y, area.w + ui.px(12),
                         step_height(ui, step, setting) + ui.px(2)};
        ui.name("", block, PartKind::panel);
        const bool playing = f.view.of<AddNormView>().playing == static_cast<int>(step.kind);
        const bool faded = f.view.of<AddNormView>().playing && !playing;
        if (playing)
            ui.canvas.fill_rect(block, ui.theme.of(stage_of(step.kind)).with_alpha(0.12f),
                                ui.px(4));
        const Color heading = ui.theme.ink_of(stage_of(step.kind));
        const Color ink = faded ? mix(ui.theme.ink, ui.theme.panel, 0.45f) : ui.theme.ink;
        ui.label({area.x, y, area.w, ui.px(k_heading)}, step.heading, TextRole::title, heading);
        y += ui.px(k_heading);
        for (std::size_t j = 0; j < step.lines.size(); ++j) {
            const WorkedLine& line = step.lines[j];
            const std::size_t cut =
                setting.second_lines > 0 ? break_of(ui, line, area.w) : std::string::npos;
            const bool broken = cut != std::string::npos;
            const Rect r{area.x, y, area.w, broken ? 2 * line_h : line_h};
            if (line.place >= 0) {
                const Hit hit = ui.hit(fmt::format("line-{}", j), r, {.focusable = false});
                const auto hovered = by_feature ? f.view.hover.token : f.view.hover.feature;
                if (hit.hovered) {
                    const Index set = worked_group(f);
                    a.view.hover.token = sets.token(set, line.place);
                    a.view.hover.feature = sets.feature(set, line.place);
                }
                if (hovered && sets.place(*hovered, *hovered) == line.place)
                    ui.canvas.fill_rect(r, ui.theme.control_hover, ui.px(3));
            }
            const Color color = line.elision ? ui.theme.ink_soft : ink;
            const std::string_view text = line.text;
            ui.label({r.x, y, r.w, line_h}, text.substr(0, cut), setting.role, color);
            if (broken)
                ui.label({r.x + ui.px(k_indent), y + line_h, r.w - ui.px(k_indent), line_h},
                         text.substr(cut + 1), setting.role, color);
            y += r.h;
        }
        y += ui.px(k_step_gap);
    }
    return y - area.y;
}

// Mean, spread and shape of the group through Z, x̂ and Y.
float statistics(Ui& ui, Rect area, const Frame& f) {
    constexpr std::array<Tensor, 3> k_through = {Tensor::z, Tensor::x_hat, Tensor::y};
    constexpr std::array<Stage, 3> k_stages = {Stage::z, Stage::x_hat, Stage::y};
    constexpr std::array<std::string_view, 3> k_heads = {"Z", "x\u0302", "Y"};
    constexpr std::array<ChoiceName, 6> k_rows = {{{"mean", "mean"},
                                                   {"std", "std"},
                                                   {"min", "min"},
                                                   {"max", "max"},
                                                   {"skewness", "skew"},
                                                   {"kurtosis", "kurt."}}};
    const IdScope scope(ui, "statistics");
    constexpr std::array<std::string_view, 6> k_meanings = {
        "Mean",
        "Standard deviation, the square root of the variance ÷N",
        "The least value",
        "The largest value",
        "Skewness: 0 where both sides are alike",
        "Excess kurtosis: 0 for a normal distribution, −2 for two values"};
    const Pool pool{Pool::Kind::block, 0, f.derived.sets().block(worked_group(f))};
    std::array<Moments, 3> m;
    for (std::size_t i = 0; i < 3; ++i)
        m[i] =
            distribution(f.memory.of<AddNormMemory>().distributions, f.derived, k_through[i], pool)
                ->moments;
    const float line_h = ui.px(k_line);
    float y = area.y;
    ui.label({area.x, y, area.w, ui.px(24)}, "Statistics", TextRole::title, ui.theme.ink);
    y += ui.px(24);
    const float name_w = ui.px(44);
    const float w = std::min((area.w - name_w) / 3, ui.px(84));
    const auto cell = [&](std::size_t column) {
        return Rect{area.x + name_w + w * static_cast<float>(column), y, w, line_h};
    };
    for (std::size_t i = 0; i < 3; ++i)
        ui.label(cell(i), k_heads[i], TextRole::small, ui.theme.ink_of(k_stages[i]), Align::right);
    y += line_h;
    for (std::size_t row = 0; row < k_rows.size(); ++row) {
        const Rect name{area.x, y, name_w, line_h};
        ui.label(name, k_rows[row].label, TextRole::small, ui.theme.ink_soft);
        ui.tooltip(ui.hit(k_rows[row].id, name, {.focusable = false}), k_meanings[row]);
        for (std::size_t i = 0; i < 3; ++i) {
            const bool nan = m[i].nans > 0; // Moments' extremes are those of the other values
            const std::array<double, 6> values = {m[i].mean,
                                                  m[i].std,
                                                  nan ? m[i].mean : m[i].min,
                                                  nan ? m[i].mean : m[i].max,
                                                  m[i].skewness,
                                                  m[i].excess_kurtosis};
            const bool of_shape = row >= 4; // skewness and kurtosis have no unit
            ui.label(cell(i), statistic_text(values[row], of_shape ? 1 : m[i].std),
                     TextRole::number_small, ui.theme.ink, Align::right);
        }
        y += line_h;
    }
    return y - area.y + ui.px(10);
}

float prediction(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const IdScope scope(ui, "prediction");
    Rect rest = area;
    Rect head = cut_top(rest, ui.px(24));
    const std::size_t at = f.view.of<AddNormView>().prediction % prediction_count();
    const bool small = f.document.x->size() <= k_most_for_prediction;
    const bool revealed = f.view.of<AddNormView>().revealed && small;
    const auto another = [&](Rect place) {
        if (!button(ui, "next", place, {"Another", ButtonLook::plain, true, "The next question"}))
            return;
        a.view.of<AddNormView>().prediction = (at + 1) % prediction_count();
        a.view.of<AddNormView>().revealed = false;
    };
    const float gap = ui.px(6);
    const auto lines = [&](std::string_view text, TextRole role, Color ink) {
        cut_top(rest, paragraph(ui, rest, text, role, ink) + gap);
    };
    const std::string_view question = prediction_question(at);
    if (revealed) { // the answer takes the buttons' room, and the question's where there is no more
        another(cut_right(head, button_width(ui, "Another")));
        const PredictionAnswer found = answer(at, f.document);
        const auto height = [&](std::string_view text, TextRole role) {
            return paragraph_height(ui, rest.w, text, role) + gap;
        };
        if (height(question, TextRole::small) + height(found.measured, TextRole::number_small) +
                height(found.reason, TextRole::small) <=
            rest.h + gap)
            lines(question, TextRole::small, ui.theme.ink_soft);
        lines(found.measured, TextRole::number_small, ui.theme.ink);
        lines(found.reason, TextRole::small, ui.theme.ink_soft);
    } else {
        lines(question, TextRole::small, ui.theme.ink_soft);
    }
    ui.label(head, "Predict, then reveal", TextRole::title, ui.theme.ink);
    if (revealed) return rest.y - area.y;
    FlowLayout flow(ui, rest);
    if (button(ui, "reveal", flow.next(button_width(ui, "Reveal")),
               {"Reveal", ButtonLook::primary, small,
                small ? "Compute the answer with this document"
                      : "This document is too large to compute answers while you wait"}))
        a.view.of<AddNormView>().revealed = true;
    another(flow.next(button_width(ui, "Another")));
    return flow.bottom() - area.y;
}

std::string title_of(const Frame& f) {
    return "Worked steps · " + set_name(f.document, f.derived.sets(), worked_group(f));
}

// With the line of the value under the mouse, else of the pinned one, and as many lines as without
// it, so that nothing moves there. `most`: lines of a step that has one a value.
WorkedSteps steps_in_focus(const Frame& f, Index most) {
    WorkedOptions options;
    options.most_lines = most;
    const StatisticSets sets = f.derived.sets();
    const auto hovered = sets.by_feature() ? f.view.hover.token : f.view.hover.feature;
    const auto pinned = sets.by_feature() ? f.view.pinned_token : f.view.pinned_feature;
    auto shown_too = hovered ? hovered : pinned;
    if (shown_too) shown_too = sets.place(*shown_too, *shown_too);
    const Index n = sets.size();
    const bool all_shown = n <= options.most_lines + 1; // a single one is never left out
    if (shown_too && !all_shown) {
        const bool at_end = *shown_too == n - 1, long_row = n > k_long_row;
        const bool shown = *shown_too < most - (long_row ? 1 : 0) || (long_row && at_end);
        if (!shown) options.most_lines = most - (at_end ? 1 : 2);
        options.always.push_back(*shown_too);
    }
    return worked_steps(f.derived, worked_group(f), options);
}

bool wraps(const Ui& ui, const WorkedSteps& worked, float width) {
    return std::ranges::any_of(worked.steps, [&](const WorkedStep& step) {
        return setting_of(ui, step, width).second_lines > 0;
    });
}

// As many lines as `height` has room for beside what is below them, few where that is little.
WorkedSteps steps_that_fit(const Ui& ui, const Frame& f, float width, float height) {
    constexpr Index k_few = 3;
    constexpr Index k_most = 24; // more are a table, not an example
    WorkedSteps few = steps_in_focus(f, k_few);
    if (wraps(ui, few, width)) return steps_in_focus(f, k_few - 1);
    const auto spare_beside = [&](const WorkedSteps& worked) {
        return height - ui.px(k_below_steps) -
               steps_height(ui, worked, 0, worked.steps.size(), width);
    };
    const float spare = spare_beside(few);
    const auto with_a_line_each = std::ranges::count_if(few.steps, [](const WorkedStep& step) {
        return step.lines.back().place >= 0 || step.lines.back().elision;
    });
    const float a_line = ui.px(k_line) * static_cast<float>(with_a_line_each);
    const auto more = static_cast<Index>(std::max(0.0f, spare / a_line));
    const bool elided = std::ranges::any_of(few.steps, [](const WorkedStep& step) {
        return std::ranges::any_of(step.lines, &WorkedLine::elision);
    });
    if (!elided) return few;
    for (Index most = std::min(k_few + more, k_most); most > k_few; --most) {
        WorkedSteps worked = steps_in_focus(f, most);
        // Lines that are longer than those of the first few may take two lines' room.
        if (spare_beside(worked) >= 0) return worked;
    }
    return few;
}

std::string precision_note(const WorkedSteps& worked, NormKind norm) {
    if (worked.x_hat_lost)
        return fmt::format("x\u0302 is next to 0: ε is far above {}", norm_entry(norm).spread());
    if (!worked.unit.empty()) return fmt::format("X, F(X), Z, μ, √ in units of {}", worked.unit);
    if (worked.exact) return "each line follows from the numbers printed";
    if (!worked.finite) return "∞ and NaN go on into what follows";
    if (!worked.close) return "as printed; what was rounded off grows";
    return "as printed; results differ in their last digits";
}

} // namespace

void steps_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "worked-steps");
    Rect inside = panel(ui, "", r, {.title = title_of(f)});
    const float column_w = ui.px(k_column);
    const float gap = ui.px(k_column_gap);
    const bool three_columns = inside.w >= 3 * column_w + 2 * gap;
    const bool two_columns = !three_columns && inside.w >= 2 * column_w + gap;
    const Rect note = cut_top(inside, ui.px(20));
    cut_top(inside, ui.px(2));
    const float w = three_columns ? (inside.w - 2 * gap) / 3
                    : two_columns ? (inside.w - gap) * 0.54f
                                  : inside.w;
    // Beside one another the columns have no room to spare.
    const WorkedSteps worked =
        steps_that_fit(ui, f, w, three_columns || two_columns ? 0 : inside.h);
    ui.label(note, precision_note(worked, f.document.norm), TextRole::small, ui.theme.ink_soft);
    const std::size_t all = worked.steps.size();
    if (three_columns) {
        const Rect first = cut_left(inside, w);
        cut_left(inside, gap);
        const Rect second = cut_left(inside, w);
        cut_left(inside, gap);
        draw_steps(ui, first, f, a, worked, 0, 3);
        draw_steps(ui, second, f, a, worked, 3, all);
    } else if (two_columns) {
        const Rect left = cut_left(inside, w);
        cut_left(inside, gap);
        draw_steps(ui, left, f, a, worked, 0, all);
    } else {
        cut_top(inside, draw_steps(ui, inside, f, a, worked, 0, all));
    }
    cut_top(inside, statistics(ui, inside, f));
    if (!ui.state.picture || f.view.of<AddNormView>().revealed) prediction(ui, inside, f, a);
}

float played_steps_panel(Ui& ui, Rect r, const Frame& f, Actions& a, PlayedSteps which) {
    const IdScope scope(ui, "worked-steps");
    const bool one = which == PlayedSteps::one;
    // Where each column ends.
    std::vector<std::size_t> ends = {k_worked_steps};
    const float column_w = ui.px(k_column);
    const float gap = ui.px(k_column_gap);
    const float inside_w = r.w - ui.px(20);
    if (!one && inside_w >= 3 * column_w + 2 * gap)
        ends = {2, 4, k_worked_steps};
    else if (!one && inside_w >= 2 * column_w + gap)
        ends = {3, k_worked_steps};
    const float columns = static_cast<float>(ends.size());
    const float w = (inside_w - gap * (columns - 1)) / columns;
    const WorkedSteps worked = steps_that_fit(ui, f, w, 0);
    float tallest = 0;
    std::size_t first = 0;
    if (one) // room for each, so that what is below stays where it is
        for (; first < k_worked_steps; ++first)
            tallest = std::max(tallest, steps_height(ui, worked, first, first + 1, w));
    else
        for (const std::size_t end : ends) {
            tallest = std::max(tallest, steps_height(ui, worked, first, end, w));
            first = end;
        }
    r.h = ui.px(k_played_head + 20) + tallest + ui.px(10);
    const std::string title = title_of(f);
    Rect inside = panel(ui, "", r, {.title = title});
    Rect buttons{inside.x, r.y + ui.px(8), inside.w, ui.px(28)};
    cut_left(buttons, ui.canvas.text_size(title, TextRole::title).w + ui.px(16));
    play_buttons(ui, buttons, f, a);
    ui.label(cut_top(inside, ui.px(20)), precision_note(worked, f.document.norm), TextRole::small,
             ui.theme.ink_soft);
    cut_top(inside, ui.px(2));
    const auto played = static_cast<std::size_t>(f.view.of<AddNormView>().playing.value_or(0));
    if (one) ends = {played + 1};
    first = one ? played : 0;
    for (const std::size_t end : ends) {
        draw_steps(ui, cut_left(inside, w), f, a, worked, first, end);
        cut_left(inside, gap);
        first = end;
    }
    return r.h;
}

} // namespace normscope
