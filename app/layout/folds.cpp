#include "app/layout/folds.h"

#include "app/language/language.h"
#include "app/layout/column.h"
#include "app/layout/small_words.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr int k_scrolling_passes = 4; // a page scrolls no further than it was high before
constexpr float k_least_line_w = 420; // of a button and its line
constexpr float k_fold_row = 28;

std::string button_name(const Fold& fold) {
    return fmt::format("{}.unfold", fold.id);
}

std::string button_label(const Fold& fold, bool open) {
    return fmt::format("{} {}", tr(fold.title), open ? "▾" : "▸");
}

} // namespace

void OpenFolds::open(std::string_view id) {
    if (!ids.insert(id).second) return;
    opened = id;
    passes = k_scrolling_passes;
}

void OpenFolds::toggle(std::string_view id) {
    if (ids.erase(id) == 0) open(id);
}

bool is_missed(const Ui& ui, std::string_view name) {
    return std::ranges::any_of(ui.state.missed,
                               [&](const std::string& missed) { return is_within(missed, name); });
}

float draw_folds(Ui& ui, Rect r, std::span<const Fold> folds, const OpenFolds& now,
                 OpenFolds& next) {
    const std::string workspace = ui.state.path.substr(0, ui.state.path.find('.'));
    next.passes = std::max(0, now.passes - 1);
    if (ui.state.picture) return 0;
    float needed = 0;
    {
        Column rows(ui, "more", r, {.title = "More on this page"}, needed);
        const auto columns =
            static_cast<std::size_t>(std::max(1.0f, std::floor(rows.width() / k_least_line_w)));
        float button_w = 0;
        for (const Fold& fold : folds)
            button_w = std::max(button_w, button_width(ui, button_label(fold, true)));
        const bool narrow = rows.width() < k_least_line_w;
        Rect line;
        for (const auto i : indices(folds)) {
            const Fold& fold = folds[i];
            if (i % columns == 0) line = rows.next(k_fold_row, k_row_gap);
            Rect place = cut_left(line, rows.width() / static_cast<float>(columns));
            const bool open = now.has(fold.id);
            const ButtonLook look = open ? ButtonLook::primary : ButtonLook::plain;
            const std::string name = button_name(fold);
            const Rect at = cut_left(place, button_w, 10).inset(0, 1);
            if (button(ui, {std::string_view(name), true}, at,
                       {button_label(fold, open), fold.line, true, look}))
                next.toggle(fold.id);
            else if (is_missed(ui, fmt::format("{}.{}", workspace, fold.id)))
                next.open(fold.id);
            if (narrow)
                rows.says(fold.line, 4);
            else
                soft_label(ui, place, fold.line);
        }
    }
    return needed;
}

GridCell with_open(GridCell page, std::span<const Fold> folds, const OpenFolds& now,
                   std::size_t in_a_row) {
    bool goes_on = false; // the last row has room for another one
    for (const Fold& fold : folds) {
        if (!now.has(fold.id)) continue;
        GridCell one = cell(fold.id).high(fold.height);
        one.comes_into_sight = now.passes > 0 && now.opened == fold.id;
        if (goes_on && fold.half) {
            page.parts.back().parts.push_back(std::move(one));
            goes_on = page.parts.back().parts.size() < in_a_row;
        } else {
            page.parts.push_back(row(std::move(one)));
            goes_on = fold.half && in_a_row > 1;
        }
    }
    return page;
}

} // namespace normscope
