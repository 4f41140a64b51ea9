#include "app/shell/lessons/play_lesson.h"

#include "app/charts/cairo_canvas.h"
#include "app/language/language.h"
#include "app/lessons/answers.h"
#include "app/lessons/lesson_text.h"
#include "app/lessons/question.h"
#include "app/shell/files/figure.h"
#include "app/shell/frame/state.h"
#include "core/base/lists.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace normscope {
namespace {

constexpr Size k_a4{794, 1123};        // at 96 pixels an inch
constexpr float k_paper_scale = 0.85f; // of what is read on a screen
constexpr float k_paper_margin = 56;   // at 96 pixels an inch
constexpr Rect k_written_area =
    Rect{k_paper_margin, k_paper_margin, k_a4.w - 2 * k_paper_margin, k_a4.h - 2 * k_paper_margin}
        .times(1 / k_paper_scale);
constexpr float k_most_picture_h = 300 / k_paper_scale;
constexpr float k_answer_line = 150; // to write a number on
constexpr float k_written_line = 34, k_below_words = 6, k_option_indent = 24;
constexpr float k_date_share = 0.35f, k_task_edge = 12;
constexpr float k_chart_w = 420, k_chart_h = 220;

using Spans = std::vector<LessonSpan>;

struct PaperOption {
    Spans text, feedback;
    bool right;
};

// A step on paper, with the numbers that it had when it was played.
struct PaperStep {
    Spans title, text; // in text, question and task a number keeps its source where it is a secret
    std::optional<FigureRequest> picture, picture_at_end;
    Spans question, answer; // the answer of all but a choice
    std::vector<PaperOption> options;
    std::optional<LessonPrediction> predict;
    std::vector<double> values; // of the items of an order or a sketch
    std::vector<Spans> lines;   // of an order
    Spans task, reveal, principle;
};

// The numbers of both sheets. One that the solutions tell before the tasks do is a secret: it
// answers an earlier step.
class Secrets {
  public:
    void tell(const std::string& source, const LessonScope& scope) {
        (void)is_secret(source, scope, true);
    }
    Spans tell(Spans spans, const LessonScope& scope) {
        for (const LessonSpan& span : spans) tell(span.source, scope);
        return spans;
    }
    // Text of the tasks: a number that is no secret loses its source.
    Spans ask(Spans spans, const LessonScope& scope) {
        for (LessonSpan& span : spans)
            if (!is_secret(span.source, scope, false)) span.source.clear();
        return spans;
    }

  private:
    // `secret`: whether a new one is.
    bool is_secret(std::string source, const LessonScope& scope, bool secret) {
        constexpr std::string_view k_at_start = "start.";
        if (source.empty()) return false;
        const auto value = evaluate(source, scope);
        if (!value) return false;
        if (source.starts_with(k_at_start)) source.erase(0, k_at_start.size());
        for (const Number& known : numbers_)
            if (known.source == source && known.values.rows() == value->values.rows() &&
                known.values.cols() == value->values.cols() && known.values == value->values)
                return known.secret;
        numbers_.push_back({std::move(source), value->values, secret});
        return secret;
    }

    struct Number {
        std::string source;
        Matrix<double> values;
        bool secret;
    };
    std::vector<Number> numbers_;
};

// Room to write the numbers that are secrets.
Spans with_blanks(Spans spans) {
    for (LessonSpan& span : spans)
        if (!span.source.empty()) span = {"________"};
    return spans;
}

// The figures of the tasks do not show these.
struct Covers {
    std::vector<std::string> parts; // that this step or one before hides
    bool outcome = false;           // the document is as a task left it that answers its question
};

// The first panel that the step shows and that is not covered, with the covers in it.
std::optional<FigureRequest> picture_of(const App::State& s, const LessonStep& step,
                                        const std::vector<std::string>& covered) {
    const Workspace& workspace = s.workspace();
    for (const std::string& name : step.show)
        for (const FigureEntry& figure : workspace.figures)
            if (name == fmt::format("{}.{}", workspace.id, figure.id) && !find_in(covered, name))
                return FigureRequest{.document = s.document(),
                                     .view = s.view,
                                     .figure = std::string(figure.id),
                                     .covered = covered};
    return std::nullopt;
}

// Before the prediction is made, and once everything is done.
void note_step(std::vector<PaperStep>& steps, Secrets& secrets, Covers& covers, const App::State& s,
               bool done) {
    const LessonPlayer& player = s.lesson->player;
    const LessonStep& step = player.step();
    const LessonScope scope = player.scope();
    const auto read = [&](const std::string& text) { return lesson_text(text, scope); };
    const auto asked = [&](const std::string& text) { return secrets.ask(read(text), scope); };
    const auto told = [&](const std::string& text) { return secrets.tell(read(text), scope); };
    if (done) {
        steps.back().picture_at_end = picture_of(s, step, {});
        covers.outcome = covers.outcome || (step.predict && step.task);
        steps.back().reveal = told(step.reveal);
        steps.back().principle = told(step.principle);
        return;
    }
    PaperStep& out = steps.emplace_back();
    out.title = read(step.title);
    out.text = asked(step.text);
    add_all(covers.parts, lesson_covers(player));
    covers.outcome = covers.outcome && !step.begins_anew();
    if (!covers.outcome) out.picture = picture_of(s, step, covers.parts);
    if (step.task) out.task = asked(step.task->text);
    if (!step.predict) return;
    const LessonPrediction& predict = *step.predict;
    out.question = asked(predict.question);
    out.answer = told(predict.right);
    secrets.tell(predict.value, scope);
    out.predict = predict;
    if (predict.kind == LessonPrediction::Kind::order)
        for (const LessonItem& item : predict.items) out.lines.push_back(read(item.text));
    out.values = item_values(predict, player.scope()).value_or(out.values);
    for (const LessonOption& option : predict.options)
        out.options.push_back({read(option.text),
                               option.right ? told(option.feedback) : read(option.feedback),
                               option.right});
}

// Puts one block below another, on as many pages as that takes.
class Paper {
  public:
    Paper(Ui& ui, const Pages& pages) : ui_(ui), pages_(pages) {}

    void space(float height) { cut_top(area_, height); }

    // A page begins where there is no room for so much.
    void keep_together(float height) {
        if (area_.h >= height) return;
        pages_.next_page();
        area_ = k_written_area;
    }
    float height(const Spans& spans, float indent = 0) {
        if (spans.empty()) return 0;
        return rich_paragraph_height(ui_, area_.w - indent, spans) + k_below_words;
    }
    void words(const Spans& spans, float indent = 0, std::optional<Color> ink = {},
               TextRole role = TextRole::label) {
        if (spans.empty()) return;
        keep_together(rich_paragraph_height(ui_, area_.w - indent, spans, role));
        Rect r = area_;
        r.x += indent;
        r.w -= indent;
        cut_top(area_, rich_paragraph(ui_, r, spans, ink, role) + k_below_words);
    }
    void line(std::string_view text, TextRole role, Color ink) {
        ui_.label(cut_top(area_, ui_.canvas.line_height(role) + 4), text, role, ink);
    }
    // A row to write the name and the date on.
    void name_line() {
        Rect row = cut_top(area_, k_written_line);
        const auto line = [&](Rect r, std::string_view words) {
            const float w = ui_.text_width(words, TextRole::small) + 8;
            ui_.label(r, words, TextRole::small, ui_.theme.ink_soft);
            const float y = r.bottom() - 8;
            ui_.canvas.line({r.x + w, y}, {r.right(), y}, ui_.theme.ink);
        };
        line(cut_right(row, row.w * k_date_share, 24), "Date");
        line(row, "Name");
    }
    // Puts the task into a frame, apart from the boxes to tick.
    void task(const Spans& spans) {
        const float h = rich_paragraph_height(ui_, area_.w - (2 * k_task_edge), spans);
        keep_together(h + 34);
        space(4);
        const float line_h = ui_.canvas.line_height(TextRole::title) + 4;
        const Rect box = cut_top(area_, h + line_h + 14, 8);
        ui_.canvas.stroke_rect(box, ui_.theme.ink_soft, 1, 4);
        Rect r = box.inset(k_task_edge, 7);
        ui_.label(cut_top(r, line_h), "Do", TextRole::title);
        rich_paragraph(ui_, r, spans);
    }
    // A box to tick, with a tick in it where the option is `right`.
    void box(bool right) {
        const Rect r = box_to_write_in({});
        if (!right) return;
        ui_.canvas.line({r.x + 3, r.y + 7}, {r.x + 6, r.y + 10}, ui_.theme.ink, 2);
        ui_.canvas.line({r.x + 6, r.y + 10}, {r.x + 12, r.y + 1}, ui_.theme.ink, 2);
    }
    Rect box_to_write_in(std::string_view written) {
        const Rect r{area_.x + 2, area_.y + 4, 13, 13};
        ui_.canvas.stroke_rect(r, ui_.theme.ink, 1.2f, 2);
        ui_.canvas.text_in(r, written, TextRole::number_small, ui_.theme.ink);
        return r;
    }
    void chart(const LessonPrediction& predict, std::span<const double> values) {
        keep_together(k_chart_h);
        Rect r = cut_top(area_, k_chart_h);
        r.w = std::min(r.w, k_chart_w);
        draw_sketch_chart(ui_.canvas, ui_.theme, r, predict, {}, values);
        space(8);
    }
    void rule_to_write_on() {
        const Rect r = cut_top(area_, k_written_line);
        ui_.canvas.line({r.x, r.bottom() - 6}, {r.x + k_answer_line, r.bottom() - 6},
                        ui_.theme.ink);
    }
    // A figure that needs more room than the paper has is drawn smaller, and all of it.
    void picture(const FigureRequest& request) {
        const PictureSize size = size_of(request);
        keep_together(size.h);
        const Rect r = cut_top(area_, size.h);
        const float by = size.shrunk;
        pages_.scale(by);
        draw_figure_at(ui_.canvas, {r.x / by, r.y / by, size.w / by, size.h / by}, request,
                       *figure_numbers(request));
        pages_.scale(1 / by);
        space(8);
    }
    float picture_height(const FigureRequest& request) const { return size_of(request).h; }

  private:
    struct PictureSize {
        float w, h, shrunk;
    };
    PictureSize size_of(const FigureRequest& request) const {
        const auto figures = workspace_table()[request.view.workspace].figures;
        const FigureEntry& usual = *find_in(figures, request.figure, &FigureEntry::id);
        const FigureEntry figure = usual.looked_at(request.view);
        const float most_h = k_most_picture_h * figure.size.h / usual.size.h;
        const Size need = figure.needed();
        const float shrunk = std::min({1.0f, area_.w / need.w, most_h / need.h});
        const float w = std::min(area_.w, shrunk * figure.size.w);
        const float h = std::clamp(figure.size.h * w / figure.size.w, shrunk * need.h, most_h);
        return {w, h, shrunk};
    }

    Ui& ui_;
    const Pages& pages_;
    Rect area_ = k_written_area;
};

bool is_sketch(const PaperStep& step) {
    return step.predict->kind == LessonPrediction::Kind::sketch;
}

// A number is written on a rule; the others have room of their own.
bool is_written(const PaperStep& step) {
    return step.options.empty() && step.lines.empty() && !is_sketch(step);
}

Spans lettered(const PaperStep& step, const PaperOption& option) {
    Spans text{{fmt::format("{}  ", static_cast<char>('A' + (&option - step.options.data()))),
                LessonSpan::Look::bold}};
    add_all(text, option.text);
    return text;
}

// The height of a question with its options, lines or axes.
float question_height(Paper& paper, const PaperStep& step, const Spans& question, bool solutions) {
    float h = paper.height(question);
    for (const PaperOption& option : step.options) {
        h += paper.height(lettered(step, option), k_option_indent);
        if (solutions) h += paper.height(option.feedback, k_option_indent);
    }
    for (const Spans& line : step.lines) h += paper.height(line, k_option_indent);
    if (is_sketch(step)) h += k_chart_h;
    if (is_written(step)) h += k_written_line;
    return h;
}

// Lines with boxes for the numbers of their places, or axes to draw on; with `solutions` filled in.
void put_items(Paper& paper, const PaperStep& step, bool solutions) {
    const LineOrder right = right_order(step.values);
    for (const auto i : indices(step.lines)) {
        paper.keep_together(paper.height(step.lines[i], k_option_indent));
        paper.box_to_write_in(solutions ? std::to_string(place_in(right, i) + 1) : "");
        paper.words(step.lines[i], k_option_indent);
    }
    if (is_sketch(step))
        paper.chart(*step.predict,
                    solutions ? std::span<const double>(step.values) : std::span<const double>());
}

void put_step(Paper& paper, std::size_t number, const PaperStep& step, bool solutions) {
    // The picture after the task tells the answer: only the solutions have it.
    const auto& picture = solutions && step.picture_at_end ? step.picture_at_end : step.picture;
    Spans title{{fmt::format("{}  ", number), LessonSpan::Look::bold}};
    for (LessonSpan span : step.title) {
        span.look = LessonSpan::Look::bold;
        title.push_back(std::move(span));
    }
    const auto put = [&](const Spans& spans) { return solutions ? spans : with_blanks(spans); };
    const Spans question = put(step.question);
    const float question_h = step.predict ? question_height(paper, step, question, solutions) : 0;
    paper.keep_together(paper.height(title) + paper.height(step.text) +
                        (picture ? paper.picture_height(*picture) : question_h));
    paper.words(title);
    paper.words(put(step.text));
    if (picture) paper.picture(*picture);
    if (step.predict) {
        paper.keep_together(question_h);
        paper.words(question);
        for (const PaperOption& option : step.options) {
            const Spans text = lettered(step, option);
            paper.keep_together(paper.height(text, k_option_indent));
            paper.box(solutions && option.right);
            paper.words(text, k_option_indent);
            if (solutions) paper.words(option.feedback, k_option_indent);
        }
        put_items(paper, step, solutions);
        if (step.options.empty() && solutions) paper.words(step.answer);
        if (is_written(step) && !solutions) paper.rule_to_write_on();
    }
    if (!step.task.empty()) paper.task(put(step.task));
    if (solutions) {
        paper.words(step.reveal);
        paper.words(step.principle);
    }
    paper.space(16);
}

Result<std::string> print(const Lesson& lesson, const std::vector<PaperStep>& steps,
                          bool solutions) {
    return render_pages(k_a4, k_paper_scale, [&](Canvas& canvas, const Pages& pages) {
        const UnseenFrame unseen(k_a4);
        UiState state;
        state.picture = true;
        Ui ui(canvas, theme(ThemeKind::light), state);
        Paper paper(ui, pages);
        paper.line(solutions ? worded("{} · solutions", lesson.title) : lesson.title,
                   TextRole::brand, ui.theme.ink);
        paper.line(lesson.question, TextRole::label, ui.theme.ink_soft);
        if (!solutions) paper.name_line();
        paper.space(16);
        for (const auto i : indices(steps)) put_step(paper, i + 1, steps[i], solutions);
    });
}

} // namespace

Turns make_handout(const Lesson& lesson, const std::filesystem::path& assets,
                   const LessonFonts& fonts, Result<Handout>& made) {
    std::vector<PaperStep> steps;
    Secrets secrets;
    Covers covers;
    const LessonWatch note = [&](const App::State& s, bool done) {
        note_step(steps, secrets, covers, s, done);
    };
    std::vector<std::string> problems;
    co_await play_in_turns(lesson, assets, fonts, note, problems);
    const auto print_both = [&]() -> Result<Handout> {
        if (!problems.empty()) return fail(problems.front());
        auto tasks = TRY(print(lesson, steps, false));
        auto solutions = TRY(print(lesson, steps, true));
        return Handout{std::move(tasks), std::move(solutions)};
    };
    made = print_both();
}

std::filesystem::path solutions_beside(const std::filesystem::path& tasks) {
    std::filesystem::path solutions = tasks;
    return solutions.replace_filename(tasks.stem().string() + "-solutions" +
                                      std::string(k_pages_ending));
}

} // namespace normscope
