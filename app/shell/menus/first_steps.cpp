#include "app/language/language.h"
#include "app/model/printed_number.h"
#include "app/shell/files/file_commands.h"
#include "app/shell/menus/menus.h"
#include "app/widgets/controls.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace normscope {
namespace {

constexpr double k_most_added = 5;
constexpr double k_tried = 1; // from so much added on, the answer is said
constexpr float k_one_row = 1180;
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
    for (Index r = 0; r < a.rows(); ++r)
        for (Index c = 0; c < a.cols(); ++c) most = std::max(most, std::abs(a(r, c) - b(r, c)));
    return most;
}

// What was added to every value of X alike; nothing where single values differ.
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
    return worded("You added {}: Y moved by {}. Other numbers were changed too.",
                  brief_text(*added), brief_text(moved));
}

void slider_row(Ui& ui, Rect r, App::State& s, double added) {
    const std::string_view label = "Add to every value of X";
    ui.label(cut_left(r, ui.canvas.text_size(label, TextRole::label).w + ui.px(12)), label,
             TextRole::label, ui.theme.ink);
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

void ways_on(Ui& ui, Rect r, App::State& s) {
    FlowLayout flow(ui, r);
    const auto menu_way = [&](std::string_view id, std::string_view label, std::string_view hint) {
        const Rect at = flow.next(button_width(ui, label));
        if (button(ui, id, at, {label, ButtonLook::plain, true, hint}))
            open_later(s, std::string(id), at);
    };
    menu_way("lessons", "A lesson ▾", "Questions, one after the other");
    menu_way("example", "An example ▾", "Documents that come with the program");
    if (button(ui, "own-data", flow.next(button_width(ui, "My data…")),
               {"My data…", ButtonLook::plain, true, "A table of numbers: CSV, NPY, safetensors"}))
        s.defer(ask_open);
}

} // namespace

void show_first_steps(App::State& s) {
    const auto found = std::ranges::find(s.examples, k_first_example, &Example::id);
    if (found == s.examples.end()) return;
    open_example(s, static_cast<std::size_t>(found - s.examples.begin()));
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
    const bool one_row = window.w >= ui.px(k_one_row);
    const std::optional<double> added = added_to_all(first, s.document());
    const std::string words = words_of(first, *s.derived, added);
    const float words_w = window.w - ui.px(2 * (14 + 10) + 28);
    const auto height_of = [&](const std::string& text) {
        return std::max(ui.px(28), paragraph_height(ui, words_w, text, TextRole::title) + ui.px(8));
    };
    const float words_h = std::max(height_of(words), height_of(question_words()));
    Rect r = cut_top(window, words_h + ui.px(one_row ? 64 : 104));
    const IdScope scope(ui, "first-steps");
    Rect inside =
        panel(ui, "", r.inset(ui.px(14), ui.px(6)), {.title = {}, .bar = ui.theme.accent});
    Rect head = cut_top(inside, words_h);
    Rect corner = cut_right(head, ui.px(28));
    if (button(ui, "close", cut_top(corner, ui.px(28)),
               {"×", ButtonLook::quiet, true, "Help › First steps brings it back"}))
        return s.defer([](App::State& app) { app.first_steps.reset(); });
    cut_top(head, ui.px(4));
    paragraph(ui, head, words, TextRole::title, ui.theme.ink);
    cut_top(inside, ui.px(4));
    Rect row = cut_top(inside, ui.px(28));
    Rect ways = row;
    if (one_row) {
        ways = cut_right(row, ui.px(380), ui.px(20));
    } else {
        cut_top(inside, ui.px(6));
        ways = cut_top(inside, ui.px(28));
    }
    if (added) slider_row(ui, row, s, *added);
    const std::string_view on = "Go on with";
    ui.label(cut_left(ways, ui.canvas.text_size(on, TextRole::label).w + ui.px(10)), on,
             TextRole::label, ui.theme.ink_soft);
    ways_on(ui, ways, s);
}

} // namespace normscope
