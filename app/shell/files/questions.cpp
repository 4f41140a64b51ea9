#include "app/shell/files/file_commands.h"

#include "app/language/language.h"
#include "app/layout/sliders.h"
#include "app/shell/frame/state.h"
#include "app/widgets/controls.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>

namespace normscope {
namespace {

constexpr float k_question_w = 520, k_list_w = 620, k_question_gap = 16;
constexpr float k_about_h = 52; // of a thing that is asked about

// With room for `text`, and for `more` below it.
Size question_size(const Ui& ui, float width, float widest, const std::string& text, float more) {
    const float w = std::min(width, widest);
    return {w, paragraph_height(ui, w, text) + (k_question_gap + more + k_answer_height)};
}

// Cuts the words off the top of a question, and the row of its answers off the bottom.
Rect cut_question(Ui& ui, Rect& r, const std::string& words) {
    const Rect answers = cut_bottom(r, k_answer_height, k_question_gap);
    cut_top(r, paragraph(ui, r, words), 10);
    return answers;
}

int cancel_or_open(Ui& ui, Rect row) {
    constexpr ChoiceName k_answers[] = {{"cancel", "Cancel"}, {"open", "Open"}};
    return answer_buttons(ui, row, k_answers);
}

class Question final : public Dialog {
  public:
    Question(std::string title, std::string text, std::vector<Answer> answers,
             std::vector<AskedAbout> list)
        : title_(std::move(title)), text_(std::move(text)), answers_(std::move(answers)),
          list_(std::move(list)) {}

    std::string title() const override { return title_; }
    Size wanted(const Ui& ui, float widest) const override {
        if (list_.empty()) return question_size(ui, k_question_w, widest, text_, 0);
        return question_size(ui, k_list_w, widest, text_,
                             10 + static_cast<float>(list_.size()) * k_about_h);
    }
    void draw(Ui& ui, Rect r, App::State& s) override {
        const Rect row = cut_question(ui, r, text_);
        if (!list_.empty()) draw_list(ui, r, s);
        const int chosen = answer_buttons(ui, row, names_of(answers_));
        if (chosen >= 0) take(entry_at(answers_, chosen), s);
    }

  private:
    static std::vector<ChoiceName> names_of(const std::vector<Answer>& answers) {
        std::vector<ChoiceName> names;
        for (const Answer& a : answers) names.push_back({a.id, a.label});
        return names;
    }

    void take(const Answer& answer, App::State& s) {
        if (answer.run) s.defer(answer.run);
        close();
    }

    // As many as have room; the others wait until these are decided.
    void draw_list(Ui& ui, Rect r, App::State& s) {
        const float h = k_about_h;
        const auto room = static_cast<std::size_t>(std::max(1.0f, std::floor(r.h / h)));
        const std::size_t shown = list_.size() <= room ? list_.size() : room - 1;
        std::vector<float> columns; // the widest button of each, from the right
        for (const AskedAbout& about : list_)
            for (const auto i : indices(about.answers)) {
                columns.resize(std::max(columns.size(), i + 1));
                const Answer& answer = about.answers[about.answers.size() - 1 - i];
                columns[i] = std::max(columns[i], button_width(ui, answer.label));
            }
        const Rect frame{r.x, r.y, r.w, h * static_cast<float>(std::min(room, list_.size()))};
        ui.canvas.stroke_rect(frame, ui.theme.border, 1, 5);
        for (const auto k : indices(std::min(room, list_.size()))) {
            Rect row = cut_top(r, h);
            if (k > 0) ui.canvas.across(row, row.y, ui.theme.border);
            row = row.inset(12, 8);
            if (k == shown) {
                ui.label(row, worded("and {} more", list_.size() - shown), TextRole::label,
                         ui.theme.ink_soft);
                break;
            }
            const AskedAbout& about = list_[k];
            for (const auto i : indices(about.answers)) {
                const Answer& answer = about.answers[about.answers.size() - 1 - i];
                const Rect place = cut_right(row, columns[i], 8);
                if (button(ui, answer.id, {place.x, place.center().y - 14, place.w, 28},
                           {.label = answer.label}))
                    take(answer, s);
            }
            ui.label(cut_top(row, row.h / 2), Text::typed(about.name));
            ui.label(row, Text::typed(about.detail), TextRole::small, ui.theme.ink_soft);
        }
    }

    std::string title_, text_;
    std::vector<Answer> answers_;
    std::vector<AskedAbout> list_;
};

class MatrixQuestion final : public Dialog {
  public:
    MatrixQuestion(const OpenRequest& request, LoadedFile loaded)
        : request_(request), loaded_(std::move(loaded)), input_(request_.as == OpenAs::f ? 1 : 0) {}

    std::string title() const override {
        return worded("Open {}", request_.path.filename().string());
    }
    Size wanted(const Ui& ui, float widest) const override {
        return question_size(ui, k_question_w, widest, what(), 10 + (stack() ? 76.0f : 38.0f) + 24);
    }

    void draw(Ui& ui, Rect r, App::State& s) override {
        const Rect row = cut_question(ui, r, what());
        if (const NpyArray* array = stack()) draw_slice(ui, cut_top(r, 38), *array);
        if (request_.as == OpenAs::ask && !request_.fresh) draw_input(ui, cut_top(r, 38));
        if (!error_.empty()) ui.label(cut_top(r, 24), error_, TextRole::label, ui.theme.error);
        const int chosen = cancel_or_open(ui, row);
        if (chosen == 0) close();
        if (chosen == 1) open(s);
    }

  private:
    const NpyArray* stack() const { return std::get_if<NpyArray>(&loaded_); }

    std::string what() const {
        if (const NpyArray* a = stack())
            return worded("It holds {} matrices of {}×{}: one of them can be opened.", a->slices,
                          a->stacked.rows() / a->slices, a->stacked.cols());
        const Matrix<double>& m = std::get<Table>(loaded_).values;
        return worded("It holds a matrix of {}×{}, as X and F(X) are. Which one is it?", m.rows(),
                      m.cols());
    }

    void name_row(Ui& ui, Rect& r, std::string_view words) {
        const Rect name = cut_left(r, 150);
        ui.label({name.x, name.y, name.w, 28}, words, TextRole::label, ui.theme.ink_soft);
    }

    void draw_slice(Ui& ui, Rect r, const NpyArray& array) {
        name_row(ui, r, worded("Slice, 0 to {}", array.slices - 1));
        const auto last = static_cast<int>(array.slices - 1);
        SliderSpec spec = counted(static_cast<double>(slice_), 0, last, 0,
                                  "The index along the array's first axis");
        spec.accepted = whole_numbers(0, last);
        slide_into(ui, "slice", cut_top(r, 28), spec, slice_);
    }

    void draw_input(Ui& ui, Rect r) {
        name_row(ui, r, "It becomes");
        constexpr ChoiceName k_inputs[] = {{"x", "X"}, {"f", "F(X)"}};
        if (const auto chosen = segmented(ui, "input", r, k_inputs, input_)) input_ = *chosen;
    }

    void open(App::State& s) {
        const auto table = std::make_shared<Table>(); // commands are copied about; a table is not
        if (const NpyArray* array = stack()) {
            auto matrix = slice(*array, slice_);
            if (!matrix) {
                error_ = error_text(matrix.error());
                return;
            }
            table->values = std::move(*matrix);
        } else {
            *table = std::get<Table>(std::move(loaded_));
        }
        const Input input = input_ == 1 ? Input::f : Input::x;
        s.defer([request = request_, table, input](App::State& app) {
            set_input(app, request, std::move(*table), input);
        });
        close();
    }

    OpenRequest request_;
    LoadedFile loaded_;
    Index slice_ = 0;
    int input_ = 0;
    std::string error_;
};

class PartQuestion final : public Dialog {
  public:
    using Take = std::function<void(App::State&, const CellBlock&)>;

    PartQuestion(std::string file, Index tokens, Index features, Take take)
        : file_(std::move(file)), tokens_(tokens), features_(features), take_(std::move(take)),
          part_(first_part(tokens, features)) {}

    std::string title() const override { return worded("Open a part of {}", file_); }
    Size wanted(const Ui& ui, float widest) const override {
        return question_size(ui, k_question_w, widest, what(), 10 + 2 * 38 + 48);
    }

    void draw(Ui& ui, Rect r, App::State& s) override {
        const Rect row = cut_question(ui, r, what());
        range(ui, cut_top(r, 38), {"tokens", "Tokens"}, tokens_, part_.row, part_.rows);
        range(ui, cut_top(r, 38), {"features", "Features"}, features_, part_.col, part_.cols);
        const bool fits = fits_document(part_.rows, part_.cols);
        paragraph(ui, r, shown(fits), TextRole::label, fits ? ui.theme.ink : ui.theme.error);
        const int chosen = cancel_or_open(ui, row);
        if (chosen == 1 && fits) s.defer(given(take_, part_));
        if (chosen == 0 || (chosen == 1 && fits)) close();
    }

  private:
    std::string what() const {
        return worded("It holds {} tokens of {} features. At most {} tokens, {} features and {} "
                      "values are shown at once: choose which.",
                      tokens_, features_, k_max_tokens, k_max_features, k_most_values);
    }
    std::string shown(bool fits) const {
        const Index values = part_.rows * part_.cols;
        if (!fits) return worded("These are {} values: choose fewer.", values);
        return worded("Shown: tokens {} to {} and features {} to {}, {} values.", part_.row,
                      part_.row + part_.rows - 1, part_.col, part_.col + part_.cols - 1, values);
    }

    static void range(Ui& ui, Rect r, ChoiceName axis, Index all, Index& first, Index& count) {
        r.h = 28;
        ui.label(cut_left(r, 130), axis.label, TextRole::label, ui.theme.ink_soft);
        const auto field = [&](std::string_view label, std::string_view id, Index& value,
                               Index least, Index most) {
            ui.label(cut_left(r, 64), label, TextRole::label, ui.theme.ink_soft, Align::right);
            cut_left(r, 8);
            const auto typed =
                number_field(ui, fmt::format("{}-{}", axis.id, id), cut_left(r, 90),
                             static_cast<double>(value), std::to_string(value), "Click to type",
                             whole_numbers(static_cast<double>(least), static_cast<double>(most)));
            if (typed) value = static_cast<Index>(*typed);
        };
        field(tr("from"), "first", first, 0, all - 1);
        count = std::min(count, all - first);
        field(tr("count"), "count", count, 1, all - first);
    }

    std::string file_;
    Index tokens_, features_;
    Take take_;
    CellBlock part_;
};

} // namespace

std::unique_ptr<Dialog> ask_part(const std::string& file, Index tokens, Index features,
                                 std::function<void(App::State&, const CellBlock&)> take) {
    return std::make_unique<PartQuestion>(file, tokens, features, std::move(take));
}

std::unique_ptr<Dialog> ask(std::string title, std::string text, std::vector<Answer> answers,
                            std::vector<AskedAbout> list) {
    return std::make_unique<Question>(std::move(title), std::move(text), std::move(answers),
                                      std::move(list));
}

std::unique_ptr<Dialog> ask_matrix(const OpenRequest& request, LoadedFile loaded) {
    return std::make_unique<MatrixQuestion>(request, std::move(loaded));
}

} // namespace normscope
