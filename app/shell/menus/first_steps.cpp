#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/menus/menus.h"
#include "app/widgets/controls.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace normscope {
namespace {

constexpr double k_most_added = 5;
constexpr double k_tried = 0.05;    // from so much added on, the answer is said
constexpr float k_slider_row = 560; // at least, beside the ways on
constexpr float k_way_gap = 6;
constexpr std::string_view k_question =
    "Question: add the same number to every value of X. What becomes of Y?";

// Whether the document is the one that is asked about, but for what was added.
bool asked_about(const FirstSteps& first, const Document& d) {
    return first.began && first.began->document().x->rows() == d.x->rows() &&
           first.began->document().x->cols() == d.x->cols() &&
           first.began->document().tokens == d.tokens;
}

double farthest_moved(const Derived& from, const Derived& to) {
    double most = 0;
    const MatrixView a = from.view(Tensor::y), b = to.view(Tensor::y);
    for (const auto r : indices(a.rows()))
        for (const auto c : indices(a.cols())) most = std::max(most, std::abs(a(r, c) - b(r, c)));
    return most;
}

// The number that was added to every value of X alike; none where single values differ.
std::optional<double> added_to_all(const FirstSteps& first, const Document& now) {
    const auto moved = (now.x->array() - first.began->document().x->array()).eval();
    const double added = std::round(moved(0, 0) * 1e6) / 1e6;
    if (!((moved - added).abs().maxCoeff() <= 1e-6)) return std::nullopt;
    return added;
}

std::string question_words() {
    return fmt::format("{} {}", tr(k_question), tr("Say it first, then drag."));
}

std::string words_of(const FirstSteps& first, const Derived& now, std::optional<double> added) {
    if (!added) return "Single values of X were changed: Undo leads back to the question.";
    if (std::abs(*added) < k_tried) return question_words();
    const double moved = farthest_moved(*first.began, now);
    if (moved < 0.005)
        return worded("You added {}: Z moved by {}, Y by {}. The norm takes the mean off, and "
                      "what you added with it.",
                      brief_text(*added), brief_text(*added), printed(moved, 2));
    return worded("Other numbers than X were changed too: Y moved by {} in all.",
                  brief_text(moved));
}

void slider_row(Ui& ui, Rect r, App::State& s, double added) {
    const std::string_view label = "Add to every value of X";
    ui.label(cut_left(r, ui.text_width(label, TextRole::label) + 12), label);
    SliderSpec spec;
    spec.value = added;
    spec.to_unit = [](double v) { return (v + k_most_added) / (2 * k_most_added); };
    spec.from_unit = [](double t) {
        return std::round((2 * t - 1) * k_most_added * 10) / 10; // in tenths
    };
    spec.text = printed(added, 1);
    spec.hint = "Drag";
    spec.accepted = {{-k_most_added, k_most_added}};
    if (const auto result = slider(ui, "add", r, spec); result.value && *result.value != added)
        s.defer([add = *result.value](App::State& app) {
            if (!app.first_steps || !asked_about(*app.first_steps, app.document())) return;
            const Matrix<double>& x = *app.first_steps->began->document().x;
            app.apply_edits({SetCells{Input::x, 0, 0, (x.array() + add).matrix()}});
        });
}

struct Way {
    std::string_view id, label, hint;
    void (*open)(App::State&) = nullptr; // none: the menu of that name
};
constexpr std::array k_ways = {
    Way{"lessons", "A lesson ▾", "Questions, one after the other"},
    Way{"example", "An example ▾", "Documents that come with the program"},
    Way{"own-data", "My data…", "A table of numbers: CSV, NPY, safetensors", ask_open}};
constexpr std::string_view k_go_on = "Go on with";

float ways_width(const Ui& ui) {
    float w = ui.text_width(k_go_on, TextRole::label) + 10;
    for (const Way& way : k_ways) w += button_width(ui, way.label) + k_way_gap;
    return w;
}

void ways_on(Ui& ui, Rect r, App::State& s) {
    ui.label(cut_left(r, ui.text_width(k_go_on, TextRole::label), 10), k_go_on, TextRole::label,
             ui.theme.ink_soft);
    for (const Way& way : k_ways) {
        const Rect at = cut_left(r, button_width(ui, way.label), k_way_gap);
        if (!button(ui, way.id, at, {way.label, way.hint})) continue;
        if (way.open)
            s.defer(way.open);
        else
            open_later(s, std::string(way.id), at);
    }
}

} // namespace

void show_first_steps(App::State& s) {
    const Example* const first = find_in(s.examples, k_first_example, &Example::id);
    if (!first) return;
    open_example(s, static_cast<std::size_t>(first - s.examples.data()));
    s.first_steps.emplace();
}

void draw_first_steps(Ui& ui, Rect& window, App::State& s) {
    if (!s.first_steps || s.lesson) return;
    FirstSteps& first = *s.first_steps;
    if (!first.began && s.derived->is_of(s.document())) {
        first.began = s.derived;
        first.workspace = s.view.workspace;
    }
    if (first.began && !asked_about(first, s.document())) return s.first_steps.reset();
    if (!first.began || first.workspace != s.view.workspace) return;
    const bool one_row = window.w >= ways_width(ui) + k_slider_row;
    const std::optional<double> added = added_to_all(first, s.document());
    const std::string words = words_of(first, *s.derived, added);
    const float words_w = window.w - (2 * (14 + 10) + 28);
    const auto height_of = [&](const std::string& text) {
        return std::max(28.0f, paragraph_height(ui, words_w, text, TextRole::title) + 8.0f);
    };
    const float words_h = std::max(height_of(words), height_of(question_words()));
    Rect r = cut_top(window, words_h + (one_row ? 64 : 104));
    const IdScope scope(ui, "first-steps");
    Rect inside = panel(ui, "", r.inset(14, 6), {.title = {}, .bar = ui.theme.accent});
    Rect head = cut_top(inside, words_h);
    Rect corner = cut_right(head, 28);
    if (button(ui, "close", cut_top(corner, 28),
               {"×", "Help › First steps brings it back", true, ButtonLook::quiet}))
        return s.defer([](App::State& app) { app.first_steps.reset(); });
    cut_top(head, 4);
    paragraph(ui, head, words, TextRole::title);
    cut_top(inside, 4);
    Rect row = cut_top(inside, 28);
    Rect ways = row;
    if (one_row) {
        ways = cut_right(row, ways_width(ui), 20);
    } else {
        cut_top(inside, 6);
        ways = cut_top(inside, 28);
    }
    if (added) slider_row(ui, row, s, *added);
    ways_on(ui, ways, s);
}

} // namespace normscope
