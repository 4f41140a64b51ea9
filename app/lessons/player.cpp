#include "app/lessons/player.h"

#include "app/charts/number_format.h"
#include "app/language/language.h"
#include "app/session/lesson/lesson.h"
#include "core/base/lists.h"
#include "core/base/read_double.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <limits>
#include <numeric>
#include <system_error>

namespace normscope {
namespace {

using Kind = LessonCondition::Kind;

constexpr int k_digits = 6; // significant digits of a number in a message

Result<bool> amount_holds(const LessonCondition& c, const LessonScope& scope) {
    const auto value = TRY(evaluate_number(c.subject, scope));
    const auto compare = [&](const std::string& bound, auto&& is) -> Result<bool> {
        if (bound.empty()) return true;
        const auto other = TRY(evaluate_number(bound, scope));
        return is(value, other);
    };
    const auto equal = [&](double v, double is) {
        return std::abs(v - is) <= c.within + 1e-12 * std::abs(is);
    };
    return TRY(compare(c.is, equal)) && TRY(compare(c.below, std::less())) &&
           TRY(compare(c.above, std::greater()));
}

const std::string* name_at(const Names& names, std::optional<Index> at) {
    return at && *at < std::ssize(names) ? &entry_at(names, *at) : nullptr;
}

} // namespace

Result<bool> holds(const LessonCondition& c, const LessonScope& scope, const LessonLook& look) {
    const Document& d = scope.now.document();
    const auto is_pinned = [&](const Names& names, std::optional<Index> at) {
        const std::string* const name = name_at(names, at);
        return name && *name == c.subject;
    };
    switch (c.kind) {
    case Kind::amount:
        return amount_holds(c, scope);
    case Kind::setting: {
        const auto value = setting_json(d, c.subject);
        if (!value) return fail("there is no setting “{}”", c.subject);
        return *value == c.value;
    }
    case Kind::token:
        return is_pinned(*d.tokens, look.token);
    case Kind::feature:
        return is_pinned(*d.features, look.feature);
    case Kind::workspace:
        return look.workspace == c.subject;
    case Kind::deed:
        return look.deeds.contains(c.subject);
    }
    return false;
}

std::string unmet(const LessonCondition& c, const LessonScope& scope) {
    if (c.kind == Kind::setting) {
        const auto value = setting_json(scope.now.document(), c.subject);
        return worded("the setting “{}” is {}, expected {}", c.subject,
                      value ? value->dump() : "not there", c.value.dump());
    }
    if (c.kind == Kind::deed) return worded("“{}” was not done", c.subject);
    if (c.kind != Kind::amount) return worded("“{}” is not there", c.subject);
    const auto value = evaluate_number(c.subject, scope);
    std::string text = worded("“{}” is {}", c.subject,
                              value ? number_text(*value, k_digits) : error_text(value.error()));
    if (!c.is.empty()) text = worded("{}, expected {} within {}", text, c.is, c.within);
    if (!c.below.empty()) text = worded("{}, expected less than {}", text, c.below);
    if (!c.above.empty()) text = worded("{}, expected more than {}", text, c.above);
    return text;
}

void LessonPlayer::take(Lesson lesson) {
    lesson_ = std::move(lesson);
    at_ = std::min(at_, lesson_.steps.size() - 1);
    clear_answer();
}

void LessonPlayer::clear_answer() {
    option.reset();
    number.reset();
    order.clear();
    heights.clear();
    key_column = 0;
    if (!step().predict) return;
    order = first_places(step().predict->items.size());
    heights.assign(order.size(), std::numeric_limits<double>::quiet_NaN());
}

void LessonPlayer::answer_again() {
    const std::string kept = checked();
    if (!step().predict || kept.empty()) return;
    const LessonPrediction& predict = *step().predict;
    switch (predict.kind) {
    case LessonPrediction::Kind::choice:
        for (const auto i : indices(predict.options))
            if (predict.options[i].key == kept) option = i;
        break;
    case LessonPrediction::Kind::number:
        if (double value = 0;
            read_double(kept.data(), kept.data() + kept.size(), value).ec == std::errc())
            number = value;
        break;
    case LessonPrediction::Kind::cell:
        break;
    case LessonPrediction::Kind::order:
        order = order_from(predict, kept).value_or(order);
        break;
    case LessonPrediction::Kind::sketch:
        heights = heights_from(predict, kept).value_or(heights);
        break;
    }
}

void LessonPlayer::go(std::size_t step, const Document& begins) {
    at_ = std::min(step, lesson_.steps.size() - 1);
    start_ = now_ = std::make_shared<const Quantities>(begins, ask_race_);
    deeds_.clear();
    shown_act.reset();
    revealed_ = false;
    clear_answer();
    answer_again();
    record_.step = at_;
    changed_ = true;
}

void LessonPlayer::note(std::string_view deed) {
    if (!asks()) deeds_.emplace(deed);
}

void LessonPlayer::look_at(const Document& document, LessonLook look) {
    look_ = std::move(look);
    if (!same_objects(now_->document(), document))
        now_ = std::make_shared<const Quantities>(document, ask_race_);
    if (asks() || !step().task || answer().done) return;
    const bool done = std::ranges::all_of(step().task->done, [&](const LessonCondition& c) {
        return holds(c, scope(), look_).value_or(false);
    });
    if (!done) return;
    own_answer().done = true;
    changed_ = true;
}

bool LessonPlayer::task_holds() const {
    return !step().task || std::ranges::all_of(step().task->done, [&](const LessonCondition& c) {
        const bool of_document = c.kind == Kind::amount || c.kind == Kind::setting;
        return !of_document || holds(c, scope(), look_).value_or(false);
    });
}

const StepAnswer& LessonPlayer::answer() const {
    static const StepAnswer none;
    const auto at = record_.answers.find(at_);
    return at == record_.answers.end() ? none : at->second;
}

bool LessonPlayer::answered(std::size_t step) const {
    const auto found = record_.answers.find(step);
    return !lesson_.steps[step].predict ||
           (found != record_.answers.end() && !found->second.tries.empty());
}

bool LessonPlayer::complete(std::size_t step) const {
    const LessonStep& of = lesson_.steps[step];
    if (!of.predict && !of.task) return step <= at_;
    const auto found = record_.answers.find(step);
    const bool done = found != record_.answers.end() && found->second.done;
    return answered(step) && (!of.task || done);
}

void LessonPlayer::finish() {
    changed_ = record_.finished = true;
    for (const auto i : indices(lesson_.steps)) record_.finished &= complete(i);
}

std::string LessonPlayer::cell_name(const std::optional<LessonCell>& cell) const {
    if (!cell) return "";
    const Document& d = now_->document();
    const std::string* const row = name_at(*d.tokens, cell->token);
    const std::string* const column = name_at(*d.features, cell->feature);
    return row && column ? *row + ", " + *column : "";
}

std::optional<LessonCell> LessonPlayer::pointed_cell() const {
    if (!look_.token || !look_.feature) return std::nullopt;
    return LessonCell{*look_.token, *look_.feature};
}

std::optional<LessonCell> LessonPlayer::checked_cell() const {
    const Document& d = now_->document();
    for (LessonCell cell; cell.token < d.token_count(); ++cell.token) {
        if (!checked().starts_with(*name_at(*d.tokens, cell.token) + ", ")) continue;
        for (cell.feature = 0; cell.feature < d.feature_count(); ++cell.feature)
            if (cell_name(cell) == checked()) return cell;
    }
    return std::nullopt;
}

std::optional<LessonCell> LessonPlayer::right_cell() const {
    const auto value = evaluate(step().predict->value, scope());
    if (!value) return std::nullopt;
    LessonCell cell;
    value->values.maxCoeff(&cell.token, &cell.feature);
    return cell;
}

std::string LessonPlayer::made_answer() const {
    const LessonPrediction& predict = *step().predict;
    switch (predict.kind) {
    case LessonPrediction::Kind::choice:
        return option ? predict.options[*option].key : "";
    case LessonPrediction::Kind::number:
        return number ? fmt::format("{}", *number) : "";
    case LessonPrediction::Kind::cell:
        return cell();
    case LessonPrediction::Kind::order:
        return kept_order(predict, order);
    case LessonPrediction::Kind::sketch:
        return std::ranges::any_of(heights, [](double h) { return std::isnan(h); })
                   ? ""
                   : kept_heights(heights);
    }
    return {};
}

bool LessonPlayer::is_right() const {
    const LessonPrediction& predict = *step().predict;
    switch (predict.kind) {
    case LessonPrediction::Kind::choice:
        return predict.options[*option].right;
    case LessonPrediction::Kind::number: {
        const auto is = evaluate_number(predict.value, scope());
        const double within = predict.within * (predict.relative && is ? std::abs(*is) : 1);
        return is && std::abs(*number - *is) <= within + 1e-12 * std::abs(*is);
    }
    case LessonPrediction::Kind::cell:
        return right_cell() && cell() == cell_name(right_cell());
    case LessonPrediction::Kind::order: {
        const auto values = item_values(predict, scope());
        return values && is_in_order(order, *values);
    }
    case LessonPrediction::Kind::sketch: {
        const auto values = item_values(predict, scope());
        return values && sketch_fits(predict, heights, *values);
    }
    }
    return false;
}

bool LessonPlayer::can_check() const {
    if (!step().predict || made_answer().empty() || made_answer() == checked()) return false;
    (void)is_right(); // asks for a race that must be trained first
    return !now_->waits() && !start_->waits();
}

void LessonPlayer::check() {
    if (!can_check()) return;
    StepAnswer& answer = own_answer();
    answer.right = is_right();
    if (answer.tries.empty()) answer.first_right = answer.right;
    answer.tries.push_back(made_answer());
    changed_ = true;
}

void LessonPlayer::show_hint() {
    if (!step().task || answer().hints > step().task->hints.size()) return;
    ++own_answer().hints;
    changed_ = true;
}

std::pair<std::size_t, std::size_t> LessonPlayer::score() const {
    std::size_t right = 0, made = 0;
    for (const auto& [step, answer] : record_.answers) {
        if (answer.tries.empty()) continue;
        ++made;
        right += answer.first_right ? 1 : 0;
    }
    return {right, made};
}

} // namespace normscope
