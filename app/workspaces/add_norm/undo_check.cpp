#include "app/words/norm_formula.h"
#include "app/workspaces/add_norm/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>

namespace normscope {

std::string undoing_words(const Document& d) {
    const Spread& spread = *norm_entry(d.norm).spread;
    return worded("γ={} and β={}", unspaced(of_matrix(divisor_formula(spread, spread.in_formula))),
                  spread.centres ? "μ" : "0");
}

void undo_check(AddNormPanel& p, Rect area) {
    const IdScope scope(p, "undo-check");
    p.name("", area, PartKind::place);
    const Rect title = cut_top(area, 24, 6);
    p.label(title, "Does Y give Z back?", TextRole::title);
    p.tooltip(p.hit("title", title, k_by_mouse),
              "γ and β can undo what the norm did to a token: then its Y is its Z");
    const Document& d = p.document;
    const NormEntry& norm = norm_entry(d.norm);
    const StatisticSets sets = statistic_sets(d);
    const Spread& spread = *norm.spread;
    const std::string undoing = undoing_words(d);
    const Index focus = token_in_focus(p.frame).value_or(0);
    const std::string& name = group_name(d, Axis::token, focus);
    std::string words;
    if (!norm.normalizes())
        words = "Nothing is normalized: with γ=1, β=0, Y is Z.";
    else if (norm.shares == Shares::feature)
        words =
            d.token_count() == 1
                ? "A batch of one has no statistics: Y is no number, and there is nothing to undo."
                : worded("{} norm has one μ and σ a feature: with γ, β per feature too, {} "
                         "bring every token back to Z.",
                         norm.label, undoing);
    else if (sets.groups > 1)
        words = worded("With γ, β per feature and {} of each of its {} groups, Y of “{}” is "
                       "its Z again.",
                       undoing, sets.groups, name);
    else if (d.affine_per == AffinePer::token)
        words = worded("With γ, β per token, {} bring every token back to Z.", undoing);
    else if (const double rstd = p.frame.derived.rstd(focus);
             !std::isfinite(p.frame.derived.mean(focus)) || !std::isfinite(rstd) || rstd == 0)
        words = worded("“{}” has no finite {} above 0: x̂ does not hold what its Z was, "
                       "and no γ and β bring it back.",
                       name, spread.scale);
    else
        words = worded("With {} of “{}”, its Y is its Z again{}", undoing, name,
                       d.token_count() == 1
                           ? "."
                           : worded(". The others have another {}: theirs is not.", spread.takes));
    cut_top(area, soft_paragraph(p, area, words) + 8);
    const Rect heading = cut_top(area, 20);

    // As many tokens as there is room for, the one in focus among them.
    const float line_h = 20;
    const float column_w = 136;
    const float number_w = 46;
    const auto columns = static_cast<Index>(std::max(1.0f, std::floor(area.w / column_w)));
    const auto lines = static_cast<Index>(std::max(1.0f, std::floor(area.h / line_h)));
    const Index room = columns * lines;
    const Index n = d.token_count();
    const Index first = n <= room ? 0 : std::clamp<Index>(focus - room / 2, 0, n - room);
    p.label(heading,
            n <= room ? "max |Y − Z|"
                      : worded("max |Y − Z| of tokens {} to {} of {}", first, first + room - 1, n),
            TextRole::small);
    for (const auto i : indices(std::min(room, n))) {
        const Index token = first + i;
        Rect cell{area.x + column_w * static_cast<float>(i % columns),
                  area.y + line_h * static_cast<float>(i / columns), column_w - 12.0f, line_h};
        const double difference = p.frame.derived.max_abs_difference(token);
        const bool plain = difference == 0 || (difference >= 0.005 && difference < 1000);
        std::string text = plain ? fixed_text(difference, 2) : number_text(difference, 2);
        if (p.text_width(text, TextRole::number_small) > number_w)
            text = number_text(difference, 1);
        // The number before its name: after it, it would stand beside the next one.
        p.label(cut_left(cell, number_w, 8), text, TextRole::number_small,
                p.frame.derived.gives_back(token, difference) ? p.theme.ink_of(Stage::y)
                                                              : p.theme.ink,
                Align::right);
        p.label(cell, Text::typed(entry_at(*d.tokens, token)), TextRole::small,
                token == focus ? p.theme.ink : p.theme.ink_soft);
    }
}

} // namespace normscope
