#include "app/shell/lessons/play_lesson.h"

#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/shell/frame/state.h"
#include "app/shell/lessons/hand.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace normscope {
namespace {

// The decimal numbers of a text, as they stand in it: "1.0838".
std::vector<std::string> decimals_in(std::string_view text) {
    constexpr std::string_view k_digits = "0123456789";
    const auto end_of_digits = [&](std::size_t at) {
        return std::min(text.find_first_not_of(k_digits, at), text.size());
    };
    std::vector<std::string> found;
    for (std::size_t at = 0; (at = text.find_first_of(k_digits, at)) != text.npos;) {
        const std::size_t begin = std::exchange(at, end_of_digits(at));
        const std::size_t end = text.substr(at).starts_with('.') ? end_of_digits(at + 1) : at;
        if (end <= at + 1) continue;
        found.emplace_back(text.substr(begin, end - begin));
        at = end;
    }
    return found;
}

class Play {
  public:
    Play(const Lesson& lesson, const std::filesystem::path& assets, const LessonFonts& fonts,
         const LessonWatch& watch, const std::function<void()>& rest)
        : lesson_(lesson), watch_(watch), hands_(assets, fonts, rest) {}

    std::vector<std::string> run() {
        if (const auto started = hands_.begin(lesson_); !started)
            return {error_text(started.error())};
        for (std::size_t i = 0; i < lesson_.steps.size(); ++i) {
            at_ = i;
            play_step();
            if (!hands_.plays()) break;
            if (player().at() != i || i + 1 == lesson_.steps.size()) continue;
            click("lesson.next");
            if (!hands_.plays() || player().at() != i + 1) {
                wrong("“Next” does not lead on");
                break;
            }
        }
        return std::move(problems_);
    }

  private:
    const LessonPlayer& player() const { return hands_.state().lesson->player; }
    const LessonStep& step() const { return lesson_.steps[at_]; }

    void wrong(const std::string& what) {
        problems_.push_back(
            worded("{}: step {} “{}”: {}", lesson_.file.string(), at_ + 1, step().title, what));
    }

    void play_step() {
        if (player().at() != at_) return wrong(hands_.state().status);
        if (watch_) watch_(hands_.state(), false);
        names();
        for (const LessonClaim& claim : step().expect)
            if (claim.at_start) confirm(claim.condition);
        read(step().title);
        read(step().text);
        if (step().predict) predict(*step().predict);
        if (step().task) do_task(*step().task);
        if (!hands_.plays()) return wrong("the solution ends the lesson");
        if (watch_) watch_(hands_.state(), true);
        read(step().reveal);
        read(step().principle);
        for (const LessonClaim& claim : step().expect)
            if (!claim.at_start) confirm(claim.condition);
        unproved();
    }

    void names() {
        const std::pair<const char*, const std::vector<std::string>*> lists[] = {
            {"ring", &step().ring},
            {"show", &step().show},
            {"dim", &step().dim},
            {"lock", &step().lock},
            {"hide", &step().hide}};
        for (const auto& [key, list] : lists)
            for (const std::string& name : *list)
                if (!lesson_target(hands_.parts(), name))
                    wrong(worded("{}: nothing on the screen is named “{}”", key, name));
    }

    void read(const std::string& text) {
        const auto spans = lesson_text(text, player().scope());
        for (const std::string& problem : lesson_text_problems(spans)) wrong(problem);
        for (std::string& decimal : decimals_of(spans)) typed_.push_back(std::move(decimal));
    }

    // Says, behind `before`, what does not hold.
    void demand(const LessonCondition& condition, const std::string& before = {}) {
        const auto held = holds(condition, player().scope(), hands_.look());
        if (!held)
            wrong(error_text(held.error()));
        else if (!*held)
            wrong(before + unmet(condition, player().scope()));
    }

    void confirm(const LessonCondition& claim) {
        demand(claim, worded("expect: "));
        if (claim.value.is_number()) claimed_.push_back(claim.value.get<double>());
        if (claim.is.empty()) return;
        if (const auto number = evaluate_number(claim.is, player().scope()))
            claimed_.push_back(*number);
    }

    // A decimal in words is a claim about the program: "expect" must hold it against it.
    void unproved() {
        for (const std::string& typed : typed_) {
            const auto decimals = static_cast<int>(typed.size() - typed.find('.') - 1);
            const bool proved = std::ranges::any_of(claimed_, [&](double value) {
                return fixed_text(std::abs(value), decimals) == typed;
            });
            if (!proved)
                wrong(worded("the text says {}, which no \"expect\" is about: write it as an "
                             "expression or claim it",
                             typed));
        }
        typed_.clear();
    }

    void click(const std::string& name) { act({LessonAct::Kind::click, name, {}, {}, {}}); }
    void act(const LessonAct& act) {
        if (const auto done = hands_.act(act); !done) wrong(error_text(done.error()));
    }

    void predict(const LessonPrediction& predict) {
        read(predict.question);
        for (const std::string* words : {&predict.right, &predict.wrong}) read(*words);
        std::size_t right = 0;
        for (std::size_t i = 0; i < predict.options.size(); ++i) {
            const LessonOption& option = predict.options[i];
            for (const std::string* words : {&option.text, &option.feedback, &option.not_chosen})
                read(*words);
            if (option.right) right = i;
        }
        if (!player().asks()) return wrong("the prediction is made already");
        switch (predict.kind) {
        case LessonPrediction::Kind::choice:
            click(fmt::format("lesson.choice-{}", right));
            break;
        case LessonPrediction::Kind::number: {
            const auto value = evaluate_number(predict.value, player().scope());
            if (!value) return wrong(error_text(value.error()));
            act({LessonAct::Kind::enter, "lesson.number", fmt::format("{}", *value), {}, {}});
            break;
        }
        case LessonPrediction::Kind::cell:
            point_at(predict);
            break;
        case LessonPrediction::Kind::order:
            put_in_order(predict);
            break;
        case LessonPrediction::Kind::sketch:
            sketch(predict);
            break;
        }
        click("lesson.check");
        if (player().asks())
            wrong("the prediction was not taken");
        else if (!player().answer().right)
            wrong("the right answer counts as wrong");
    }

    void make(const std::vector<HandMove>& moves) {
        if (const auto done = hands_.make(moves); !done) wrong(error_text(done.error()));
    }

    // Each line from where it stands to its place, the first one first.
    void put_in_order(const LessonPrediction& predict) {
        for (const LessonItem& item : predict.items) read(item.text);
        const auto values = item_values(predict, player().scope());
        if (!values) return wrong(error_text(values.error()));
        if (std::ranges::any_of(*values, [](double v) { return std::isnan(v); }))
            return wrong("a line of the order has no number to be ordered by");
        if (is_in_order(player().order, *values))
            wrong("the lines stand in their order before a hand has moved");
        const LineOrder right = right_order(*values);
        for (std::size_t place = 0; place < right.size(); ++place) {
            const auto row = [&](std::size_t line) {
                const auto* const part =
                    find_part(hands_.parts(), fmt::format("lesson.order-{}", line + 1));
                return part ? part->rect.center() : Point{};
            };
            const Point from = row(right[place]);
            const Point to = row(player().order[place]);
            if (from.y <= to.y) continue;
            // Beyond the middle, and there for as many frames as lines change places.
            std::vector<Point> way(right.size() + 1, Point{to.x, to.y - 1});
            way.front() = from;
            make(drag_along(way));
        }
    }

    void sketch(const LessonPrediction& predict) {
        read(predict.axis.title);
        const auto values = item_values(predict, player().scope());
        if (!values) return wrong(error_text(values.error()));
        const NamedPart* const plot = find_part(hands_.parts(), "lesson.sketch");
        if (!plot) return wrong("nothing on the screen is named “lesson.sketch”");
        std::vector<Point> way;
        for (std::size_t i = 0; i < values->size(); ++i) {
            const double height = (*values)[i];
            if (!(height >= predict.axis.from && height <= predict.axis.to))
                wrong(worded("“{}” is {}, which is not on the sketch's axis, from {} to {}",
                             predict.items[i].value, number_text(height, 3), predict.axis.from,
                             predict.axis.to));
            else
                way.push_back(sketch_place(predict, plot->rect, i, height));
        }
        if (way.size() == values->size()) make(drag_along(way));
    }

    void point_at(const LessonPrediction& predict) {
        const auto value = evaluate(predict.value, player().scope());
        if (!value) return wrong(error_text(value.error()));
        Index token = 0, feature = 0;
        value->values.maxCoeff(&token, &feature);
        const Document& d = hands_.state().document();
        act({LessonAct::Kind::click,
             predict.target,
             {},
             name_of(d, Axis::token, token),
             name_of(d, Axis::feature, feature)});
    }

    void do_task(const LessonTask& task) {
        read(task.text);
        read(task.now);
        for (const std::string& hint : task.hints) read(hint);
        if (player().task_done()) return wrong("the task is done before a hand has moved");
        for (const LessonAct& one : task.solution)
            if (hands_.plays()) act(one);
        if (!hands_.plays()) return;
        read(task.now);
        if (player().task_done()) return;
        wrong("the solution does not complete the task");
        for (const LessonCondition& condition : task.done) demand(condition);
    }

    const Lesson& lesson_;
    const LessonWatch& watch_;
    LessonHands hands_;
    std::size_t at_ = 0;
    std::vector<std::string> typed_; // decimals in words of this step
    std::vector<double> claimed_;    // of the lesson so far
    std::vector<std::string> problems_;
};

} // namespace

std::vector<std::string> decimals_of(const std::vector<LessonSpan>& spans) {
    std::vector<std::string> all;
    for (const LessonSpan& span : spans)
        if (span.look == LessonSpan::Look::plain || span.look == LessonSpan::Look::bold)
            for (std::string& decimal : decimals_in(span.text)) all.push_back(std::move(decimal));
    return all;
}

std::vector<std::string> play_lesson(const Lesson& lesson, const std::filesystem::path& assets,
                                     const LessonFonts& fonts, const LessonWatch& watch,
                                     const std::function<void()>& rest) {
    return Play(lesson, assets, fonts, watch, rest).run();
}

} // namespace normscope
