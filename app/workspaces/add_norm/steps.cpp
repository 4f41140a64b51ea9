#include "app/model/printed_number.h"
#include "app/widgets/controls.h"
#include "app/words/norm_formula.h"
#include "app/words/worked_steps.h"
#include "app/workspaces/add_norm/panels.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace normscope {

namespace {

constexpr float k_line = 18;
constexpr float k_heading = 24;
constexpr float k_step_gap = 6;
constexpr float k_indent = 12;  // of a result that stands below its line
constexpr float k_column = 262; // the width a line needs
constexpr float k_column_gap = 20;
constexpr float k_below_steps = 283; // the table of statistics and a question with its answer
constexpr float k_played_head = 42;  // down to the note below the title
constexpr Index k_few_terms = 3;     // all of them are shown, in two lines where one has no room
constexpr std::array<std::string_view, k_worked_steps> k_step_ids = {
    "add", "mean", "variance", "normalize", "scale-and-shift"};

Stage stage_of(WorkedKind kind) {
    if (kind == WorkedKind::add) return Stage::z;
    return kind == WorkedKind::scale_and_shift ? Stage::y : Stage::x_hat;
}

// How a step is set: in the largest type in which no line is cut; where even the smallest is too
// large, with results on second lines. A sum takes its second line before the smallest type.
struct Setting {
    TextRole role = TextRole::number_tiny;
    std::size_t second_lines = 0;
    float opened_h = 0; // more than a line's, of the one that shows all its terms
};

bool is_opened(const AddNormView& v, const WorkedStep& step, const WorkedLine& line) {
    return !line.all.empty() && v.opened[static_cast<std::size_t>(step.kind)];
}

// "= (3.16 + 0.61 + 1.87) / 3".
bool is_sum(const WorkedLine& line) {
    return line.text.starts_with("= (") && line.text.rfind(" = ") == std::string::npos;
}

// Where a line that is too long goes on: before its result, or the last term that fits; else npos.
std::size_t break_of(const Ui& ui, const WorkedLine& line, float width, TextRole role) {
    constexpr std::size_t k_nowhere = std::string::npos;
    const std::string_view text = line.text;
    const auto fits = [&](std::size_t end) {
        return ui.canvas.text_size(text.substr(0, end), role).w <= width;
    };
    const auto last_that_fits = [&](std::string_view sign) {
        std::size_t at = text.rfind(sign);
        while (at != k_nowhere && !fits(at)) at = at > 0 ? text.rfind(sign, at - 1) : k_nowhere;
        return at;
    };
    if (fits(k_nowhere)) return k_nowhere;
    if (const std::size_t result = last_that_fits(" = "); result != k_nowhere) return result;
    const std::size_t plus = last_that_fits(" + "), minus = last_that_fits(" − ");
    return plus == k_nowhere ? minus : minus == k_nowhere ? plus : std::max(plus, minus);
}

Setting setting_of(const Ui& ui, const AddNormView& v, const WorkedStep& step, float width) {
    Setting out;
    for (const WorkedLine& line : step.lines)
        if (is_opened(v, step, line))
            out.opened_h =
                paragraph_height(ui, width, line.all, TextRole::number_small) - ui.px(k_line);
    const auto longest = [&](bool sums) {
        std::string_view found;
        int most = 0; // its characters are of one width
        for (const WorkedLine& line : step.lines)
            if (const int c = columns(line.text); c > most && is_sum(line) == sums) {
                most = c;
                found = line.text;
            }
        return found;
    };
    const std::string_view line = longest(false), sum = longest(true);
    const auto fits = [&](std::string_view text, TextRole role) {
        return ui.canvas.text_size(text, role).w <= width;
    };
    out.role = fits(line, TextRole::formula) && fits(sum, TextRole::formula) ? TextRole::formula
               : fits(line, TextRole::number_small) ? TextRole::number_small
                                                    : TextRole::number_tiny;
    if (fits(line, out.role) && fits(sum, out.role)) return out;
    for (const WorkedLine& one : step.lines)
        out.second_lines += break_of(ui, one, width, out.role) != std::string::npos;
    return out;
}

float step_height(const Ui& ui, const WorkedStep& step, const Setting& setting) {
    return ui.px(k_heading +
                 k_line * static_cast<float>(step.lines.size() + setting.second_lines)) +
           setting.opened_h;
}

// Of the steps [first, last), one below the other.
float steps_height(const Ui& ui, const AddNormView& v, const WorkedSteps& worked, std::size_t first,
                   std::size_t last, float width) {
    float h = 0;
    for (std::size_t i = first; i < std::min(last, worked.steps.size()); ++i)
        h += step_height(ui, worked.steps[i], setting_of(ui, v, worked.steps[i], width)) +
             ui.px(k_step_gap);
    return h;
}

// A line that leaves terms out: a click shows all of them, in as many lines as they take.
float terms_line(Ui& ui, Rect r, const Frame& f, Actions& a, const WorkedStep& step,
                 const WorkedLine& line, const Setting& setting, Color ink) {
    const bool opened = is_opened(f.view.of<AddNormView>(), step, line);
    r.h += opened ? setting.opened_h : 0;
    const Hit hit = ui.hit("terms", r, {.focusable = false});
    if (hit.hovered) ui.canvas.fill_rect(r, ui.theme.control_hover, ui.px(3));
    if (hit.clicked) a.view.of<AddNormView>().opened[static_cast<std::size_t>(step.kind)] = !opened;
    ui.tooltip(hit, opened ? "Click to show the first terms" : "Click to show all terms");
    if (opened)
        paragraph(ui, r, line.all, TextRole::number_small, ink);
    else
        ui.label(r, line.text, setting.role, ink);
    return r.h;
}

// Terms of a formula: pointed at, or reached by Tab, one lights its cells and shows its code.
void formula_terms(Ui& ui, Rect r, const Frame& f, Actions& a, std::string_view formula,
                   std::size_t line, TextRole role) {
    if (ui.state.picture) return;
    std::size_t at = 0;
    for (int i = 0; const auto found = find_term(formula, at); ++i) {
        const float x = r.x + ui.canvas.text_size(formula.substr(0, found->at), role).w;
        const std::string_view sign = formula.substr(found->at, found->length);
        const Rect place{x, r.y, ui.canvas.text_size(sign, role).w, r.h};
        at = found->at + found->length;
        if (place.right() > r.right()) return;
        const Hit hit =
            ui.hit(fmt::format("term-{}-{}", line, i), place, {.kind = PartKind::place});
        const bool by_key = hit.focused && ui.state.focus_visible;
        if (hit.hovered) a.view.hover.term = found->term;
        if (by_key) {
            a.keyed.emplace();
            a.keyed->term = found->term;
        }
        if (f.view.hover.term == found->term)
            ui.canvas.across(place, place.bottom() - ui.px(1), ui.theme.ink_of(Stage::x_hat),
                             ui.px(2));
        ui.focus_ring(hit, place, ui.px(2));
        if (!hit.hovered && !by_key) continue;
        const TermCode code = code_of(found->term, f.document.norm);
        note_below(ui, place,
                   worded("PyTorch:  {}\nC++:  {}\n{}", code.pytorch, code.cpp, code.file));
    }
}

// Steps [first, last), one below the other.
float draw_steps(Ui& ui, Rect area, const Frame& f, Actions& a, const WorkedSteps& worked,
                 std::size_t first, std::size_t last) {
    const float line_h = ui.px(k_line);
    const AddNormView& view = f.view.of<AddNormView>();
    float y = area.y;
    for (std::size_t i = first; i < std::min(last, worked.steps.size()); ++i) {
        const WorkedStep& step = worked.steps[i];
        const IdScope scope(ui, k_step_ids[static_cast<std::size_t>(step.kind)]);
        const Setting setting = setting_of(ui, view, step, area.w);
        const Rect block{area.x - ui.px(6), y, area.w + ui.px(12),
                         step_height(ui, step, setting) + ui.px(2)};
        ui.name("", block, PartKind::panel);
        const bool playing = view.playing == static_cast<int>(step.kind);
        const bool faded = view.playing && !playing;
        if (playing)
            ui.canvas.fill_rect(block, ui.theme.of(stage_of(step.kind)).with_alpha(0.12f),
                                ui.px(4));
        const Color heading = ui.theme.ink_of(stage_of(step.kind));
        const Color ink = faded ? mix(ui.theme.ink, ui.theme.panel, 0.45f) : ui.theme.ink;
        ui.label({area.x, y, area.w, ui.px(k_heading)}, step.heading, TextRole::title, heading);
        y += ui.px(k_heading);
        for (std::size_t j = 0; j < step.lines.size(); ++j) {
            const WorkedLine& line = step.lines[j];
            if (!line.all.empty()) {
                y += terms_line(ui, {area.x, y, area.w, line_h}, f, a, step, line, setting, ink);
                continue;
            }
            const std::size_t cut = setting.second_lines > 0
                                        ? break_of(ui, line, area.w, setting.role)
                                        : std::string::npos;
            const bool broken = cut != std::string::npos;
            const Rect r{area.x, y, area.w, broken ? 2 * line_h : line_h};
            if (line.place >= 0) {
                const Hit hit = ui.hit(fmt::format("line-{}", j), r, {.focusable = false});
                if (hit.hovered) light_place(f, a, worked_group(f), line.place);
                if (hovered_place(f) == line.place)
                    ui.canvas.fill_rect(r, ui.theme.control_hover, ui.px(3));
            }
            const Color color = line.elision ? ui.theme.ink_soft : ink;
            const std::string_view text = line.text;
            ui.label({r.x, y, r.w, line_h}, text.substr(0, cut), setting.role, color);
            if (line.place < 0)
                formula_terms(ui, {r.x, y, r.w, line_h}, f, a, text.substr(0, cut), j,
                              setting.role);
            if (broken)
                ui.label({r.x + ui.px(k_indent), y + line_h, r.w - ui.px(k_indent), line_h},
                         text.substr(cut + 1), setting.role, color);
            y += r.h;
        }
        y += ui.px(k_step_gap);
    }
    return y - area.y;
}

std::string title_of(const Frame& f) {
    return worded("Worked steps · ") + set_name(f.document, f.derived.sets(), worked_group(f));
}

// With the line of the value under the mouse, else of the pinned one, and as many lines as without
// it, so that nothing moves there. `most`: lines of a step that has one a value.
WorkedSteps steps_in_focus(const Ui& ui, const Frame& f, float width, Index most) {
    WorkedOptions options;
    options.most_lines = most;
    const StatisticSets sets = f.derived.sets();
    const Axis axis = place_axis(sets);
    auto shown_too = f.view.hover.along(axis);
    if (!shown_too) shown_too = f.view.pinned(axis);
    if (shown_too) shown_too = sets.place(*shown_too, *shown_too);
    const Index n = sets.size();
    const bool all_shown = n <= options.most_lines + 1; // a single one is never left out
    if (shown_too && !all_shown) {
        const bool at_end = *shown_too == n - 1, long_row = n > k_long_row;
        const bool shown = *shown_too < most - (long_row ? 1 : 0) || (long_row && at_end);
        if (!shown) options.most_lines = most - (at_end ? 1 : 2);
        options.always.push_back(*shown_too);
    }
    WorkedSteps worked = worked_steps(f.derived, worked_group(f), options);
    for (WorkedStep& step : worked.steps)
        for (WorkedLine& line : step.lines)
            if (!line.all.empty() &&
                (n <= k_few_terms ||
                 ui.canvas.text_size(line.all, TextRole::number_small).w <= width))
                line.text = std::exchange(line.all, {});
    return worked;
}

// Whether the line of a value takes two.
bool wraps(const Ui& ui, const WorkedSteps& worked, float width) {
    return std::ranges::any_of(worked.steps, [&](const WorkedStep& step) {
        return std::ranges::any_of(step.lines, [&](const WorkedLine& line) {
            return line.place >= 0 &&
                   break_of(ui, line, width, TextRole::number_tiny) != std::string::npos;
        });
    });
}

// As many lines as `height` has room for beside what is below them, few where that is little.
WorkedSteps steps_that_fit(const Ui& ui, const Frame& f, float width, float height) {
    constexpr Index k_few = 3;
    constexpr Index k_most = 24; // more are a table, not an example
    WorkedSteps few = steps_in_focus(ui, f, width, k_few);
    if (wraps(ui, few, width)) return steps_in_focus(ui, f, width, k_few - 1);
    const auto spare_beside = [&](const WorkedSteps& worked) {
        return height - ui.px(k_below_steps) -
               steps_height(ui, {}, worked, 0, worked.steps.size(), width);
    };
    const bool elided = std::ranges::any_of(few.steps, [](const WorkedStep& step) {
        return std::ranges::any_of(step.lines, &WorkedLine::elision);
    });
    if (!elided) return few;
    const float spare = spare_beside(few);
    const auto with_a_line_each = std::ranges::count_if(few.steps, [](const WorkedStep& step) {
        return step.lines.back().place >= 0 || step.lines.back().elision;
    });
    const float a_line = ui.px(k_line) * static_cast<float>(with_a_line_each);
    const auto more = static_cast<Index>(std::max(0.0f, spare / a_line));
    for (Index most = std::min(k_few + more, k_most); most > k_few; --most) {
        WorkedSteps worked = steps_in_focus(ui, f, width, most);
        // Lines that are longer than those of the first few may take two lines' room.
        if (spare_beside(worked) >= 0) return worked;
    }
    return few;
}

std::string precision_note(const WorkedSteps& worked, NormKind norm) {
    if (worked.x_hat_lost)
        return worded("x\u0302 is next to 0: ε is far above {}", norm_entry(norm).spread->symbol);
    if (!worked.unit.empty()) return worded("X, F(X), Z, μ, √ in units of {}", worked.unit);
    if (worked.exact) return "each line follows from the numbers printed";
    if (!worked.finite) return "∞ and NaN go on into what follows";
    if (!worked.close) return "as printed; what was rounded off grows";
    return "as printed; results differ in their last digits";
}

} // namespace

void steps_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "worked-steps");
    Rect inside = panel(ui, "", r, {.title = title_of(f)});
    if (ui.passes_by(r)) return;
    const float column_w = ui.px(k_column);
    const float gap = ui.px(k_column_gap);
    const bool three_columns = inside.w >= 3 * column_w + 2 * gap;
    const bool two_columns = !three_columns && inside.w >= 2 * column_w + gap;
    const Rect note = cut_top(inside, ui.px(20), ui.px(2));
    const float w = three_columns ? (inside.w - 2 * gap) / 3
                    : two_columns ? (inside.w - gap) * 0.54f
                                  : inside.w;
    // Beside one another the columns have no room to spare.
    const WorkedSteps worked =
        steps_that_fit(ui, f, w, three_columns || two_columns ? 0 : inside.h);
    soft_label(ui, note, precision_note(worked, f.document.norm));
    const std::size_t all = worked.steps.size();
    if (three_columns) {
        draw_steps(ui, cut_left(inside, w, gap), f, a, worked, 0, 3);
        draw_steps(ui, cut_left(inside, w, gap), f, a, worked, 3, all);
    } else if (two_columns) {
        draw_steps(ui, cut_left(inside, w, gap), f, a, worked, 0, all);
    } else {
        cut_top(inside, draw_steps(ui, inside, f, a, worked, 0, all));
    }
    cut_top(inside, statistics_part(ui, inside, f));
    if (!ui.state.picture || f.view.of<AddNormView>().revealed) prediction_part(ui, inside, f, a);
}

float opened_height(const Ui& ui, const Frame& f) {
    if (!std::ranges::any_of(f.view.of<AddNormView>().opened, std::identity())) return 0;
    const WorkedSteps worked = steps_in_focus(ui, f, ui.px(k_column), 1);
    float h = 0;
    for (const WorkedStep& step : worked.steps)
        h += setting_of(ui, f.view.of<AddNormView>(), step, ui.px(k_column)).opened_h;
    return h;
}

float played_step_height(const Ui& ui, const Frame& f, float width) {
    const float w = width - ui.px(20);
    const WorkedSteps worked = steps_that_fit(ui, f, w, 0);
    float tallest = 0; // room for each, so that what is below stays where it is
    for (std::size_t i = 0; i < k_worked_steps; ++i)
        tallest =
            std::max(tallest, steps_height(ui, f.view.of<AddNormView>(), worked, i, i + 1, w));
    return ui.px(k_played_head + 20) + tallest + ui.px(10);
}

void played_step_panel(Ui& ui, Rect r, const Frame& f, Actions& a) {
    const IdScope scope(ui, "worked-steps");
    Rect inside = panel(ui, "", r, {.title = title_of(f)});
    const WorkedSteps worked = steps_that_fit(ui, f, inside.w, 0);
    soft_label(ui, cut_top(inside, ui.px(20), ui.px(2)), precision_note(worked, f.document.norm));
    const auto played = static_cast<std::size_t>(f.view.of<AddNormView>().playing.value_or(0));
    draw_steps(ui, inside, f, a, worked, played, played + 1);
}

} // namespace normscope
