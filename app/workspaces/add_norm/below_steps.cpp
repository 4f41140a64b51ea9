#include "app/words/prediction.h"
#include "app/workspaces/add_norm/panels.h"

#include <algorithm>

namespace normscope {

namespace {

constexpr float k_line_h = 18;
constexpr Index k_most_for_prediction = 1 << 18; // values: an answer derives two documents

} // namespace

float statistics_part(AddNormPanel& p, Rect area) {
    constexpr Tensor k_through[] = {Tensor::z, Tensor::x_hat, Tensor::y};
    constexpr Stage k_stages[] = {Stage::z, Stage::x_hat, Stage::y};
    constexpr std::string_view k_heads[] = {"Z", "x\u0302", "Y"};
    struct Line {
        std::string_view id, label, meaning;
        double Moments::*value;
    };
    constexpr Line k_rows[] = {
        {"mean", "mean", "Mean", &Moments::mean},
        {"std", "std",
         "Standard deviation: a typical distance from the mean, √σ² (divided by N, not N − 1)",
         &Moments::std},
        {"min", "min", "The least value", &Moments::min},
        {"max", "max", "The largest value", &Moments::max},
        {"skewness", "skew",
         "Skewness: 0 where both sides are alike, above 0 where the far values are large ones",
         &Moments::skewness},
        {"kurtosis", "tails",
         "Excess kurtosis: how far out single values lie; 0 for a bell curve, above it with "
         "outliers, −2 for two values",
         &Moments::excess_kurtosis}};
    const IdScope scope(p, "statistics");
    const Pool pool{Pool::Kind::block, 0, p.frame.derived.sets().block(worked_group(p))};
    DistributionMemo& memo = p.frame.memory.of<AddNormMemory>().distributions;
    std::array<Moments, 3> m;
    for (std::size_t i = 0; i < 3; ++i) {
        m[i] = distribution(memo, p.frame.derived, k_through[i], pool).moments;
        if (m[i].nans > 0) m[i].min = m[i].max = m[i].mean; // else those of the other values
    }
    const float line_h = k_line_h;
    float y = area.y;
    p.label({area.x, y, area.w, 24}, "Statistics", TextRole::title);
    y += 24;
    const float name_w = 44;
    const float w = std::min((area.w - name_w) / 3, 84.0f);
    const auto cell = [&](std::size_t column) {
        return Rect{area.x + name_w + w * static_cast<float>(column), y, w, line_h};
    };
    for (std::size_t i = 0; i < 3; ++i)
        p.label(cell(i), k_heads[i], TextRole::small, p.theme.ink_of(k_stages[i]), Align::right);
    y += line_h;
    for (const Line& row : k_rows) {
        const Rect name{area.x, y, name_w, line_h};
        soft_label(p, name, row.label);
        p.tooltip(p.hit(row.id, name, k_by_mouse), row.meaning);
        const bool of_shape = &row >= &k_rows[4]; // skewness and kurtosis have no unit
        for (std::size_t i = 0; i < 3; ++i)
            p.label(cell(i), statistic_text(m[i].*row.value, of_shape ? 1 : m[i].std),
                    TextRole::number_small, p.theme.ink, Align::right);
        y += line_h;
    }
    return y - area.y + 10;
}

void prediction_part(AddNormPanel& p, Rect rest) {
    const IdScope scope(p, "prediction");
    Rect head = cut_top(rest, 24);
    const std::size_t at = p.view.prediction % prediction_count();
    const bool small = p.document.x->size() <= k_most_for_prediction;
    const bool revealed = p.view.revealed && small;
    const auto another = [&](Rect place) {
        if (!button(p, "next", place, {"Another", "The next question"})) return;
        p.next.prediction = (at + 1) % prediction_count();
        p.next.revealed = false;
    };
    const float gap = 6;
    const auto lines = [&](std::string_view text, TextRole role, Color ink) {
        cut_top(rest, paragraph(p, rest, text, role, ink) + gap);
    };
    const std::string_view question = prediction_question(at);
    if (revealed) { // the answer takes the buttons' room, and the question's where there is no more
        another(cut_right(head, button_width(p, "Another")));
        const PredictionAnswer found = answer(at, p.document);
        const auto height = [&](std::string_view text, TextRole role) {
            return paragraph_height(p, rest.w, text, role) + gap;
        };
        if (height(question, TextRole::small) + height(found.measured, TextRole::number_small) +
                height(found.reason, TextRole::small) <=
            rest.h + gap)
            lines(question, TextRole::small, p.theme.ink_soft);
        lines(found.measured, TextRole::number_small, p.theme.ink);
        lines(found.reason, TextRole::small, p.theme.ink_soft);
    } else {
        lines(question, TextRole::small, p.theme.ink_soft);
    }
    p.label(head, "Predict, then reveal", TextRole::title);
    if (revealed) return;
    FlowLayout flow(rest);
    if (button(p, flow, "reveal",
               {"Reveal",
                small ? "Compute the answer with this document"
                      : "This document is too large to compute answers while you wait",
                small, ButtonLook::primary}))
        p.next.revealed = true;
    another(flow.next(button_width(p, "Another")));
}

} // namespace normscope
