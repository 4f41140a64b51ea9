#include "app/shell/lessons/play_lesson.h"

#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/shell/frame/state.h"
#include "app/shell/lessons/hand.h"
#include "app/workspaces/workspace_table.h"
#include "core/base/lists.h"
#include "core/base/printable.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/ranges.h>
#include <iterator>
#include <ranges>
#include <utility>

namespace normscope {
namespace {

class Play {
  public:
    Play(const Lesson& lesson, const std::filesystem::path& assets, const LessonFonts& fonts,
         const LessonWatch& watch)
        : lesson_(lesson), watch_(watch), hands_(assets, fonts) {}

    Turns run() {
        co_await hands_.begin(lesson_);
        if (!hands_.done()) {
            problems_ = {error_text(hands_.done().error())};
            co_return;
        }
        head();
        for (const auto i : indices(lesson_.steps)) {
            at_ = i;
            co_await play_step();
            if (!hands_.plays()) break;
            if (player().at() != i || i + 1 == lesson_.steps.size()) continue;
            co_await click("lesson.next");
            if (!hands_.plays() || player().at() != i + 1) {
                wrong("“Next” does not lead on");
                break;
            }
        }
    }
    std::vector<std::string> problems() { return std::move(problems_); }

  private:
    const LessonPlayer& player() const { return hands_.state().lesson->player; }
    const LessonStep& step() const { return lesson_.steps[at_]; }

    void wrong_of_lesson(const std::string& what) {
        problems_.push_back(brief(worded("{}: {}", lesson_.file.string(), what)));
    }
    void wrong(const std::string& what) {
        wrong_of_lesson(worded("step {} “{}”: {}", at_ + 1, step().title, what));
    }

    // Why `said` under `key` is none of the names; empty where it is one.
    template<class Names>
    static std::string unknown(const std::string& key, const std::string& said,
                               const Names& names) {
        if (said.empty() || find_in(names, said)) return {};
        return worded("{}: there is no “{}”: expected one of {}", key, said,
                      shortened(joined(names)));
    }
    std::string unknown(const std::string& key, LessonCondition::Kind kind,
                        const std::string& said) const {
        using Kind = LessonCondition::Kind;
        const Document& d = hands_.state().document();
        if (kind == Kind::token) return unknown(key, said, *d.tokens);
        if (kind == Kind::feature) return unknown(key, said, *d.features);
        if (kind != Kind::workspace) return {};
        return unknown(key, said, workspace_table() | std::views::transform(&Workspace::id));
    }

    // The menu and the panel show these as they are.
    static std::string braces(const std::string& key, const std::string& text) {
        if (text.find_first_of("{}") == text.npos) return {};
        return worded("{}: “{}” is shown with its braces: leave them out", key, text);
    }

    // Around the steps.
    void head() {
        namespace fs = std::filesystem;
        const auto check = [&](const std::string& problem) {
            if (!problem.empty()) wrong_of_lesson(problem);
        };
        check(braces("title", lesson_.title));
        check(braces("question", lesson_.question));
        check(unknown("language", lesson_.language,
                      languages() | std::views::transform(&Language::id)));
        std::vector<Lesson> others = hands_.state().lessons;
        const auto is_this = [&](const Lesson& other) {
            std::error_code error;
            return fs::equivalent(other.file, lesson_.file, error);
        };
        std::erase_if(others, is_this);
        if (find_in(others, lesson_.id, &Lesson::id))
            check(worded("id: “{}” is a lesson that comes with the program: choose another id",
                         lesson_.id));
        if (lesson_.prerequisites.empty()) return;
        LessonShelf beside = load_lessons(fs::absolute(lesson_.file).parent_path());
        std::erase_if(beside.lessons, is_this);
        std::ranges::move(beside.lessons, std::back_inserter(others));
        for (const std::string& id : lesson_.prerequisites)
            check(unknown("prerequisites", id, others | std::views::transform(&Lesson::id)));
    }

    Turns play_step() {
        if (player().at() != at_) co_return wrong(hands_.state().status);
        if (watch_) watch_(hands_.state(), false);
        names();
        start();
        for (const LessonClaim& claim : step().expect)
            if (claim.at_start) confirm(claim.condition);
        if (const std::string problem = braces("title", step().title); !problem.empty())
            wrong(problem);
        read(step().text);
        if (step().predict) co_await predict(*step().predict);
        if (step().task) co_await do_task(*step().task);
        if (!hands_.plays()) co_return wrong("the solution ends the lesson");
        if (watch_) watch_(hands_.state(), true);
        read(step().reveal);
        read(step().principle);
        for (const LessonClaim& claim : step().expect)
            if (!claim.at_start) confirm(claim.condition);
        unproved();
    }

    void names() {
        const std::pair<const char*, const std::vector<std::string>*> lists[] = {
            {"ring", &step().ring}, {"show", &step().show}, {"dim", &step().dim},
            {"lock", &step().lock}, {"hide", &step().hide}, {"cover", &step().cover}};
        for (const auto& [key, list] : lists)
            for (const std::string& name : *list)
                if (!lesson_target(hands_.parts(), name))
                    wrong(worded("{}: nothing on the screen is named “{}”", key, name));
        if (step().ring.empty() || !step().task) return;
        for (const LessonAct& act : step().task->solution)
            if (const NamedPart* const part = find_part(hands_.parts(), act.target);
                part && !is_ringed(part->rect.center()))
                wrong(worded("ring: it is not around “{}”, which the solution uses", act.target));
    }

    bool is_ringed(Point at) const {
        return std::ranges::any_of(step().ring, [&](const std::string& name) {
            const auto r = lesson_target(hands_.parts(), name);
            return r && r->contains(at);
        });
    }

    void start() {
        using Kind = LessonCondition::Kind;
        if (!step().start) return;
        const LessonStart& is = *step().start;
        for (const std::string& problem :
             {unknown("start/workspace", Kind::workspace, is.workspace),
              unknown("start/token", Kind::token, is.token),
              unknown("start/feature", Kind::feature, is.feature)})
            if (!problem.empty()) wrong(problem);
    }

    void read(const std::string& text) {
        const auto spans = lesson_text(text, player().scope());
        for (const std::string& problem : lesson_text_problems(spans)) wrong(problem);
        for (const LessonSpan& span : spans)
            if (span.look == LessonSpan::Look::number &&
                (span.text.find("NaN") != text.npos || span.text.find("∞") != text.npos))
                wrong(worded("“{}” shows {}: ask for a finite number, or say it in words", text,
                             span.text));
        if (step().own_words) return;
        for (std::string& decimal : decimals_of(spans)) typed_.push_back(std::move(decimal));
    }

    // Says, behind `before`, what does not hold.
    void demand(const LessonCondition& condition, const std::string& before = {}) {
        const auto held = holds(condition, player().scope(), hands_.look());
        if (!held)
            wrong(error_text(held.error()));
        else if (!*held) {
            const std::string name =
                unknown(before.empty() ? "done" : "expect", condition.kind, condition.subject);
            wrong(name.empty() ? before + unmet(condition, player().scope()) : name);
        }
    }

    void confirm(const LessonCondition& claim) {
        demand(claim, "expect: ");
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

    Turns click(std::string name) {
        return act({LessonAct::Kind::click, std::move(name), {}, {}, {}});
    }
    Turns act(LessonAct act) {
        co_await hands_.act(std::move(act));
        if (!hands_.done()) wrong(error_text(hands_.done().error()));
    }

    Turns predict(const LessonPrediction& predict) {
        read(predict.question);
        for (const std::string* words : {&predict.right, &predict.wrong}) read(*words);
        std::size_t right = 0;
        std::vector<std::string> choices;
        for (const auto i : indices(predict.options)) {
            const LessonOption& option = predict.options[i];
            const std::string reads = plain_words(option.text, player().scope());
            if (find_in(choices, reads))
                wrong(worded("two choices read “{}”: give one of them another text", reads));
            choices.push_back(reads);
            for (const std::string* words : {&option.text, &option.feedback, &option.not_chosen})
                read(*words);
            if (option.right) right = i;
        }
        if (!player().asks()) co_return wrong("the prediction is made already");
        switch (predict.kind) {
        case LessonPrediction::Kind::choice:
            co_await click(fmt::format("lesson.choice-{}", right));
            break;
        case LessonPrediction::Kind::number: {
            const auto value = evaluate_number(predict.value, player().scope());
            if (!value) co_return wrong(error_text(value.error()));
            LessonAct enter{
                LessonAct::Kind::enter, "lesson.number", fmt::format("{}", *value), {}, {}};
            co_await act(std::move(enter));
            break;
        }
        case LessonPrediction::Kind::cell:
            co_await point_at(predict);
            break;
        case LessonPrediction::Kind::order:
            co_await put_in_order(predict);
            break;
        case LessonPrediction::Kind::sketch:
            co_await sketch(predict);
            break;
        }
        if (player().asks()) co_await click("lesson.check"); // Enter checks a number
        if (player().asks())
            wrong("the prediction was not taken");
        else if (!player().answer().right)
            wrong("the right answer counts as wrong");
    }

    Turns make(std::vector<HandMove> moves) {
        co_await hands_.make(std::move(moves));
        if (!hands_.done()) wrong(error_text(hands_.done().error()));
    }

    // Each line from where it stands to its place, the first one first.
    Turns put_in_order(const LessonPrediction& predict) {
        for (const LessonItem& item : predict.items) read(item.text);
        const auto values = item_values(predict, player().scope());
        if (!values) co_return wrong(error_text(values.error()));
        if (std::ranges::any_of(*values, [](double v) { return std::isnan(v); }))
            co_return wrong("a line of the order has no number to be ordered by");
        if (is_in_order(player().order, *values))
            wrong("the lines stand in their order before a hand has moved");
        const LineOrder right = right_order(*values);
        for (const auto place : indices(right)) {
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
            co_await make(drag_along(way));
        }
    }

    Turns sketch(const LessonPrediction& predict) {
        read(predict.axis.title);
        const auto values = item_values(predict, player().scope());
        if (!values) co_return wrong(error_text(values.error()));
        const NamedPart* const plot = find_part(hands_.parts(), "lesson.sketch");
        if (!plot) co_return wrong("nothing on the screen is named “lesson.sketch”");
        std::vector<Point> way;
        for (const auto i : indices(values->size())) {
            const double height = (*values)[i];
            if (!(height >= predict.axis.from && height <= predict.axis.to))
                wrong(worded("“{}” is {}, which is not on the sketch's axis, from {} to {}",
                             predict.items[i].value, number_text(height, 3), predict.axis.from,
                             predict.axis.to));
            else
                way.push_back(sketch_place(predict, plot->rect, i, height));
        }
        if (way.size() == values->size()) co_await make(drag_along(way));
    }

    Turns point_at(const LessonPrediction& predict) {
        const auto value = evaluate(predict.value, player().scope());
        if (!value) co_return wrong(error_text(value.error()));
        if (value->values.hasNaN())
            co_return wrong(
                worded("“{}” is NaN in a cell, so that none is the largest", predict.value));
        Index token = 0, feature = 0;
        const double largest = value->values.maxCoeff(&token, &feature);
        if ((value->values.array() == largest).count() > 1)
            wrong(worded("“{}” is largest in more than one cell, of which only the first counts as "
                         "right: ask for another amount",
                         predict.value));
        const Document& d = hands_.state().document();
        LessonAct click_cell{LessonAct::Kind::click,
                             predict.target,
                             {},
                             name_of(d, Axis::token, token),
                             name_of(d, Axis::feature, feature)};
        co_await act(std::move(click_cell));
    }

    Turns do_task(const LessonTask& task) {
        read(task.text);
        read(task.now);
        for (const std::string& hint : task.hints) read(hint);
        if (player().task_done()) co_return wrong("the task is done before a hand has moved");
        for (const LessonAct& one : task.solution)
            if (hands_.plays()) co_await act(one);
        if (!hands_.plays()) co_return;
        read(task.now);
        if (player().task_done()) co_return;
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

Turns play_in_turns(const Lesson& lesson, const std::filesystem::path& assets,
                    const LessonFonts& fonts, const LessonWatch& watch,
                    std::vector<std::string>& problems) {
    Play play(lesson, assets, fonts, watch);
    co_await play.run();
    problems = play.problems();
}

std::vector<std::string> play_lesson(const Lesson& lesson, const std::filesystem::path& assets,
                                     const LessonFonts& fonts, const LessonWatch& watch) {
    std::vector<std::string> problems;
    finish(play_in_turns(lesson, assets, fonts, watch, problems));
    return problems;
}

} // namespace normscope
