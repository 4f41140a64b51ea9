#include "app/model/printed_number.h"
#include "app/widgets/controls.h"
#include "app/words/norm_formula.h"
#include "app/words/worked_steps.h"
#include "app/workspaces/add_norm/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace normscope {

namespace {

constexpr float k_line = 16;
constexpr float k_heading = 22;
constexpr float k_step_gap = 4;
constexpr float k_indent = 12;  // of a result that stands below its line
constexpr float k_column = 262; // the width a line needs
constexpr float k_column_gap = 20;
constexpr float k_below_steps = 283; // the table of statistics and a question with its answer
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
    TextRole role = TextRole::number_narrow;
    std::size_t second_lines = 0;
    float opened_h = 0; // more than a line's, of the one that shows all its terms
};

bool is_opened(const AddNormView& v, const WorkedStep& step, const WorkedLine& line) {
    return !line.all.empty() && entry_at(v.opened, step.kind);
}

// "= (3.16 + 0.61 + 1.87) / 3".
bool is_sum(const WorkedLine& line) {
    return line.text.starts_with("= (") && line.text.rfind(" = ") == std::string::npos;
}

// The index where a line that is too long breaks: before its result, or before the sign of a term;
// npos where the line fits or no break does.
std::size_t break_of(const Ui& ui, const WorkedLine& line, float width, TextRole role) {
    constexpr std::size_t k_nowhere = std::string::npos;
    const std::string_view text = line.text;
    const auto fits = [&](std::size_t end) {
        return ui.text_width(text.substr(0, end), role) <= width;
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
            out.opened_h = paragraph_height(ui, width, line.all, TextRole::number_small) - k_line;
    const auto fit = [&](TextRole role, bool sums_too) {
        return std::ranges::all_of(step.lines, [&](const WorkedLine& line) {
            return (!sums_too && is_sum(line)) || ui.text_width(line.text, role) <= width;
        });
    };
    if (fit(TextRole::formula, true))
        out.role = TextRole::formula;
    else if (fit(TextRole::number_small, false))
        out.role = TextRole::number_small;
    for (const WorkedLine& line : step.lines)
        out.second_lines += break_of(ui, line, width, out.role) != std::string::npos;
    return out;
}

float step_height(const WorkedStep& step, const Setting& setting) {
    return (k_heading + k_line * static_cast<float>(step.lines.size() + setting.second_lines)) +
           setting.opened_h;
}

// The height of the steps [first, last), one below the other.
float steps_height(const Ui& ui, const AddNormView& v, const WorkedSteps& worked, std::size_t first,
                   std::size_t last, float width) {
    float h = 0;
    for (std::size_t i = first; i < std::min(last, worked.steps.size()); ++i)
        h += step_height(worked.steps[i], setting_of(ui, v, worked.steps[i], width)) + k_step_gap;
    return h;
}

// A line that leaves terms out: a click shows all of them, in as many lines as they take.
float terms_line(AddNormPanel& p, Rect r, const WorkedStep& step, const WorkedLine& line,
                 const Setting& setting, Color ink) {
    const bool opened = is_opened(p.view, step, line);
    r.h += opened ? setting.opened_h : 0;
    const Hit hit = p.hit("terms", r, k_by_mouse);
    if (hit.hovered) p.canvas.fill_rect(r, p.theme.control_hover, 3);
    if (hit.clicked) entry_at(p.next.opened, step.kind) = !opened;
    p.tooltip(hit, opened ? "Click to show the first terms" : "Click to show all terms");
    if (opened)
        paragraph(p, r, line.all, TextRole::number_small, ink);
    else
        p.label(r, line.text, setting.role, ink);
    return r.h;
}

// Terms of a formula: pointed at, or reached by Tab, one lights its cells and shows its code.
void formula_terms(AddNormPanel& p, Rect r, std::string_view formula, std::size_t line,
                   TextRole role) {
    if (p.state.picture) return;
    std::size_t at = 0;
    for (int i = 0; const auto found = find_term(formula, at); ++i) {
        const float x = r.x + p.text_width(formula.substr(0, found->at), role);
        const std::string_view sign = formula.substr(found->at, found->length);
        const Rect place{x, r.y, p.text_width(sign, role), r.h};
        at = found->at + found->length;
        if (place.right() > r.right()) return;
        const Hit hit = p.hit(fmt::format("term-{}-{}", line, i), place, {.kind = PartKind::place});
        const bool by_key = hit.focused && p.state.focus_visible;
        if (hit.hovered) p.actions.view.hover.term = found->term;
        if (by_key) p.actions.keyed.emplace().term = found->term;
        if (p.frame.view.hover.term == found->term)
            p.canvas.across(place, place.bottom() - 1, p.theme.ink_of(Stage::x_hat), 2);
        p.focus_ring(hit, place, 2);
        if (!hit.hovered && !by_key) continue;
        const TermCode code = code_of(found->term, p.document.norm);
        note_below(p, place,
                   worded("PyTorch:  {}\nC++:  {}\n{}", code.pytorch, code.cpp, code.file));
    }
}

// A line that may go on below itself. Returns its height.
float worked_line(AddNormPanel& p, Rect r, std::size_t number, const WorkedLine& line,
                  const Setting& setting, Color ink) {
    const Rect first = r;
    const std::size_t cut =
        setting.second_lines > 0 ? break_of(p, line, r.w, setting.role) : std::string::npos;
    if (cut != std::string::npos) r.h *= 2;
    if (line.place >= 0) {
        const Hit hit = p.hit(fmt::format("line-{}", number), r, k_by_mouse);
        if (hit.hovered) light_place(p.frame, p.actions, worked_group(p), line.place);
        if (hovered_place(p.frame) == line.place) p.canvas.fill_rect(r, p.theme.control_hover, 3);
    }
    const Color color = line.elision ? p.theme.ink_soft : ink;
    const std::string_view text = line.text;
    p.label(first, text.substr(0, cut), setting.role, color);
    if (line.place < 0) formula_terms(p, first, text.substr(0, cut), number, setting.role);
    if (cut == std::string::npos) return r.h;
    Rect second = cut_bottom(r, first.h);
    cut_left(second, k_indent);
    p.label(second, text.substr(cut + 1), setting.role, color);
    return 2 * first.h;
}

// Steps [first, last), one below the other.
float draw_steps(AddNormPanel& p, Rect area, const WorkedSteps& worked, std::size_t first,
                 std::size_t last) {
    float y = area.y;
    for (std::size_t i = first; i < std::min(last, worked.steps.size()); ++i) {
        const WorkedStep& step = worked.steps[i];
        const IdScope scope(p, entry_at(k_step_ids, step.kind));
        const Setting setting = setting_of(p, p.view, step, area.w);
        const Rect block{area.x - 6, y, area.w + 12, step_height(step, setting) + 2};
        p.name("", block, PartKind::panel);
        const bool playing = p.view.playing == static_cast<int>(step.kind);
        const bool faded = p.view.playing && !playing;
        if (playing)
            p.canvas.fill_rect(block, p.theme.of(stage_of(step.kind)).with_alpha(0.12f), 4);
        const Color heading = p.theme.ink_of(stage_of(step.kind));
        const Color ink = faded ? mix(p.theme.ink, p.theme.panel, 0.45f) : p.theme.ink;
        p.label({area.x, y, area.w, k_heading}, step.heading, TextRole::title, heading);
        y += k_heading;
        for (const auto j : indices(step.lines)) {
            const WorkedLine& line = step.lines[j];
            const Rect r{area.x, y, area.w, k_line};
            y += line.all.empty() ? worked_line(p, r, j, line, setting, ink)
                                  : terms_line(p, r, step, line, setting, ink);
        }
        y += k_step_gap;
    }
    return y - area.y;
}

std::string title_of(const AddNormPanel& p) {
    return worded("Worked steps · ") +
           set_name(p.document, p.frame.derived.sets(), worked_group(p));
}

// With the line of the value under the mouse, else of the pinned one, and as many lines as without
// it, so that nothing moves there. `most`: lines of a step that has one a value.
WorkedSteps steps_in_focus(const AddNormPanel& p, float width, Index most) {
    WorkedOptions options;
    options.most_lines = most;
    const StatisticSets sets = p.frame.derived.sets();
    const Axis axis = place_axis(sets);
    auto shown_too = p.frame.view.hover.along(axis);
    // Over the steps the mouse points at a line: another number of lines would move it away.
    if (!shown_too || p.rect.contains(p.mouse())) shown_too = p.frame.view.pinned(axis);
    if (shown_too) shown_too = sets.place(*shown_too, *shown_too);
    const Index n = sets.size();
    const bool all_shown = n <= options.most_lines + 1; // a single one is never left out
    if (shown_too && !all_shown) {
        const bool at_end = *shown_too == n - 1, long_row = n > k_long_row;
        const bool shown = *shown_too < most - (long_row ? 1 : 0) || (long_row && at_end);
        if (!shown) options.most_lines = most - (at_end ? 1 : 2);
        options.always.push_back(*shown_too);
    }
    WorkedSteps worked = worked_steps(p.frame.derived, worked_group(p), options);
    for (WorkedStep& step : worked.steps)
        for (WorkedLine& line : step.lines)
            if (!line.all.empty() &&
                (n <= k_few_terms || p.text_width(line.all, TextRole::number_small) <= width))
                line.text = std::exchange(line.all, {});
    return worked;
}

// As many lines as `height` has room for, else as in `few`, which has `fewest` a step.
WorkedSteps steps_that_fit(const AddNormPanel& p, const WorkedSteps& few, Index fewest, float width,
                           float height) {
    constexpr Index k_most = 24; // more are a table, not an example
    // A step with a line a value gets one more.
    const auto is_cut = [](const WorkedStep& step) {
        return std::ranges::any_of(step.lines, &WorkedLine::elision);
    };
    const auto cut = std::ranges::count_if(few.steps, is_cut);
    const float left = height - steps_height(p, {}, few, 0, few.steps.size(), width);
    const float more_lines = left / (k_line * static_cast<float>(std::max<Index>(cut, 1)));
    const Index all = p.frame.derived.sets().size() - 1; // a single line is never left out
    Index most = std::min({k_most, all, fewest + static_cast<Index>(more_lines)});
    for (; most > fewest; --most) {
        WorkedSteps more = steps_in_focus(p, width, most);
        if (steps_height(p, {}, more, 0, more.steps.size(), width) <= height) return more;
    }
    return few;
}

std::string precision_note(const WorkedSteps& worked, NormKind norm) {
    if (worked.x_hat_lost)
        return worded("x\u0302 is next to 0: ε is far above {}", norm_entry(norm).spread->symbol);
    if (!worked.unit.empty()) return worded("X, F(X), Z, μ, √ in units of {}", worked.unit);
    if (worked.exact) return {}; // each line follows from the numbers printed
    if (!worked.finite) return "∞ and NaN go on into what follows";
    if (!worked.close) return "as printed; what was rounded off grows";
    return "as printed; results differ in their last digits";
}

void note_below_title(Ui& ui, Rect& inside, const WorkedSteps& worked, NormKind norm) {
    const std::string note = precision_note(worked, norm);
    if (!note.empty()) soft_label(ui, cut_top(inside, 20, 2), note);
}

} // namespace

void steps_panel(AddNormPanel& p) {
    const IdScope scope(p, "worked-steps");
    Rect inside = p.framed({.title = title_of(p)});
    const float column_w = k_column;
    const float gap = k_column_gap;
    const bool three_columns = inside.w >= 3 * column_w + 2 * gap;
    const bool two_columns = !three_columns && inside.w >= 2 * column_w + gap;
    const bool below = p.view.more && !p.state.picture;
    const float w = three_columns ? (inside.w - 2 * gap) / 3
                    : two_columns ? (inside.w - gap) * 0.54f
                                  : inside.w;
    // Beside one another the columns have no room to spare.
    const bool one_column = !three_columns && !two_columns;
    const float below_h = below ? k_below_steps : 0;
    const bool many = p.frame.derived.sets().size() > k_few_terms;
    const Index fewest = one_column && many ? 1 : 2;
    const WorkedSteps few = steps_in_focus(p, w, fewest);
    const WorkedSteps worked =
        steps_that_fit(p, few, fewest, w, one_column ? inside.h - below_h : 0);
    note_below_title(p, inside, worked, p.document.norm);
    const std::size_t all = worked.steps.size();
    const float top = inside.y;
    float steps_h = 0;
    if (three_columns) {
        steps_h = draw_steps(p, cut_left(inside, w, gap), worked, 0, 3);
        steps_h = std::max(steps_h, draw_steps(p, cut_left(inside, w, gap), worked, 3, all));
    } else {
        steps_h = draw_steps(p, one_column ? inside : cut_left(inside, w, gap), worked, 0, all);
    }
    if (one_column) cut_top(inside, steps_h);
    // As many lines as there is room for take what there is; the least of them are needed.
    const float least = one_column ? steps_height(p, p.view, few, 0, few.steps.size(), w) + below_h
                                   : std::max(steps_h, below_h);
    p.needed = top + least + 10 - p.rect.y;
    if (!below) return;
    cut_top(inside, statistics_part(p, inside));
    prediction_part(p, inside);
}

void played_step_panel(AddNormPanel& p) {
    const IdScope scope(p, "worked-steps");
    Rect inside = p.framed({.title = title_of(p)});
    const WorkedSteps worked = steps_in_focus(p, inside.w, 2);
    note_below_title(p, inside, worked, p.document.norm);
    // Room for each, so that what is below stays where it is.
    float tallest = 0;
    for (const auto i : indices(k_worked_steps))
        tallest = std::max(tallest, steps_height(p, p.view, worked, i, i + 1, inside.w));
    p.needed = inside.y - p.rect.y + tallest + 10;
    const auto played = static_cast<std::size_t>(p.view.playing.value_or(0));
    draw_steps(p, inside, worked, played, played + 1);
}

} // namespace normscope
