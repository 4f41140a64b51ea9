#include "app/charts/color_key.h"
#include "app/workspaces/add_norm/panels.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_medium_cards = 1060; // with as much room around their digits as in a wide window
constexpr float k_low_cell = 21, k_lowest_cell = 18; // the heights of cells in low cards

constexpr std::string_view k_signs[] = {"+", "=", "→", "→"};

// Between and within the cards. Where they are narrow the digits need the room.
struct CardSpacing {
    float gap; // with the sign on it
    float padding;
    float sign_radius;
};

CardSpacing card_spacing(float width) {
    return width < k_medium_cards ? CardSpacing{9, 7, 10} : CardSpacing{12, 7, 12};
}

// After card `i`.
void connector(Ui& ui, Point at, std::size_t i, std::string_view sign, float radius) {
    const float r = radius;
    ui.name(fmt::format("sign-{}", i), square_around(at, r), PartKind::sign);
    if (sign.empty()) { // nothing goes across: a ring with a stroke through it
        const float d = r * 0.6f;
        ui.canvas.fill_circle(at, r, ui.theme.ink_soft);
        ui.canvas.fill_circle(at, r - 2, ui.theme.panel);
        ui.canvas.line({at.x - d, at.y + d}, {at.x + d, at.y - d}, ui.theme.ink_soft, 2);
        return;
    }
    ui.canvas.fill_circle(at, r, ui.theme.accent);
    ui.canvas.text_in(square_around(at, r), sign, TextRole::title, ui.theme.on_accent);
}

// How many cards stand in a row: all, or fewer where that gives the digits of a few features room.
std::size_t cards_a_row(const AddNormPanel& p, float width) {
    const Document& d = p.document;
    const float digits = p.text_width("−8.8", TextRole::number_narrow);
    const float tight = digits + 2, airy = digits / 0.8f;
    const CardSpacing spacing = card_spacing(width);
    const float edge = edge_room(p, width).left + edge_room(p, width).right;
    const auto cell_w = [&](float columns) {
        const float gaps = spacing.gap * (columns - 1);
        const float w = (width - names_room(p, d) - edge - gaps) / columns;
        return (w - (2 * spacing.padding)) / static_cast<float>(d.feature_count());
    };
    constexpr std::size_t k_fewer = 3;
    const bool helps = cell_w(k_tensors) < airy && cell_w(k_fewer) >= tight;
    return helps ? k_fewer : k_tensors;
}

// Half way down the cells of a card that was drawn.
float rows_middle(const AddNormPanel& p, std::size_t card, float else_at) {
    const auto& cells = p.frame.memory.of<AddNormMemory>().cells_at[card];
    if (!cells) return else_at;
    const float rows = cells->port.cell_h * static_cast<float>(p.document.token_count());
    return cells->area.y + std::min(rows, cells->area.h) / 2;
}

// Colours and their numbers, once for each scale of the cards.
struct ColorKey {
    std::string_view of;
    double limit;
    std::vector<Tensor> cards;
};
std::vector<ColorKey> keys_of(const AddNormPanel& p) {
    const double x_hat = color_limit(p, Tensor::x_hat), y = color_limit(p, Tensor::y);
    std::vector<ColorKey> keys{
        {"X, F(X), Z", color_limit(p, Tensor::z), {Tensor::x, Tensor::f, Tensor::z}}};
    if (x_hat == y)
        keys.push_back({"x\u0302, Y", y, {Tensor::x_hat, Tensor::y}});
    else
        keys.insert(keys.end(), {{"x\u0302", x_hat, {Tensor::x_hat}}, {"Y", y, {Tensor::y}}});
    return keys;
}

// The head of the cards: their question, colour keys, "Play" and "Cards | Geometry".
void cards_head(AddNormPanel& p, Rect& area) {
    const IdScope scope(p, "cards");
    Rect row = cut_top(area, 28, 8);
    if (!p.state.picture) {
        view_choice(p, row);
        play_button(p, row);
    }
    const std::vector<ColorKey> keys = keys_of(p);
    const float gap = 18;
    float keys_w = 0;
    for (const ColorKey& key : keys) keys_w += color_key_width(p.canvas, key.limit, key.of) + gap;
    Rect key_row = keys_w <= row.w ? cut_right(row, keys_w) : cut_top(area, 20, 6);
    for (const ColorKey& key : keys) {
        const float w = color_key_width(p.canvas, key.limit, key.of);
        const Rect at = cut_left(key_row, w, gap);
        for (const Tensor card : key.cards) name_key(p, card, at);
        draw_color_key(p.canvas, p.theme, at, key.limit, key.of);
    }
    const Index n = p.document.token_count();
    const std::string title = n == 1 ? worded("What does one Add & Norm do to this token?")
                                     : worded("What does one Add & Norm do to these {} tokens?", n);
    if (p.text_width(title, TextRole::title) <= row.w) p.label(row, title, TextRole::title);
}

// The cards from `begin` on, `columns` a row, of which the first holds token names. Z, x̂ and Y
// stand side by side where three have room. The height.
float cards(AddNormPanel& p, std::size_t columns, float card_h, bool low, std::size_t begin = 0) {
    const CardSpacing spacing = card_spacing(p.rect.w);
    const float gap = spacing.gap;
    const float names_w = names_room(p, p.document);
    const EdgeRoom edge = edge_room(p, p.rect.w);
    const float w = std::floor(
        (p.rect.w - names_w - edge.left - edge.right - gap * static_cast<float>(columns - 1)) /
        static_cast<float>(columns));
    std::array<Rect, k_tensors> at;
    Rect row{p.rect.x, p.rect.y, p.rect.w, card_h};
    constexpr auto k_z = static_cast<std::size_t>(Tensor::z);
    const auto is_first = [&](std::size_t i) {
        return i == begin || (columns == 3 ? i == k_z : (i - begin) % columns == 0);
    };
    for (std::size_t i = begin; i < k_tensors; ++i) {
        const float extra = (is_first(i) ? names_w : 0) + (i == k_z ? edge.left + edge.right : 0);
        if (is_first(i) && i > begin) row = {p.rect.x, row.bottom() + gap, p.rect.w, card_h};
        at[i] = cut_left(row, w + extra, gap);
        card_panel(p, at[i], static_cast<Tensor>(i),
                   {is_first(i) ? names_w : 0, edge, spacing.padding, low});
    }
    for (std::size_t i = begin; i + 1 < k_tensors; ++i) {
        const Rect next = at[i + 1];
        const float between = next.y - gap / 2; // from the row above
        const bool left_out = i == 0 && p.document.residual == Residual::no_skip;
        const Point place = is_first(i + 1)
                                ? Point{next.center().x, between}
                                : Point{next.x - gap / 2, rows_middle(p, i, next.y + 100)};
        connector(p, place, i, left_out ? std::string_view() : k_signs[i], spacing.sign_radius);
    }
    return row.bottom() - p.rect.y;
}

// `draw` draws the cards below their head into p.rect and returns their height.
template<class Draw>
void headed_cards(AddNormPanel& p, Draw&& draw) {
    const Rect all = p.rect;
    Rect area = all;
    cards_head(p, area);
    const float head = area.y - all.y;
    p.rect = area;
    const float height = head + draw();
    p.rect = all;
    p.name("cards", {all.x, all.y, all.w, height}, PartKind::panel);
    p.needed = height;
}

} // namespace

float names_room(const Ui& ui, const Document& d) {
    constexpr Index k_few_features = 4;
    return names_width(ui, *d.tokens,
                       d.feature_count() <= k_few_features ? TextRole::brand : TextRole::title);
}

// The cards stand in two rows where one would leave the digits no room.
void cards_panel(AddNormPanel& p) {
    headed_cards(p, [&] {
        const std::size_t columns = cards_a_row(p, p.rect.w);
        const Index tokens = p.document.token_count();
        const float edge = edge_room(p, p.rect.w).below;
        const float two = (p.rect.h - card_spacing(p.rect.w).gap) / 2;
        if (columns == k_tensors || two < low_card_height(tokens, k_lowest_cell, edge))
            return cards(p, k_tensors, p.rect.h, false);
        return cards(p, columns, two, two < card_height(tokens));
    });
    p.needed = 0;
}

void card_rows_panel(AddNormPanel& p) {
    const auto& playing = p.view.playing;
    const float w = p.rect.w;
    const bool medium = w >= k_row_of_cards;
    const std::size_t columns = medium ? cards_a_row(p, p.rect.w) : w >= 620 ? 3 : w >= 430 ? 2 : 1;
    std::size_t begin = 0;
    while (!medium && playing &&
           !takes_part(static_cast<Tensor>(begin), static_cast<WorkedKind>(*playing)))
        ++begin;
    const float most = playing ? 230 : medium ? 290 : 330;
    const Index tokens = p.document.token_count();
    float card_h = std::min(most, card_height(tokens));
    // Two rows of low cards, of which a window shows both; below them the page goes on, where it is
    // wide enough for that.
    const float two =
        (p.frame.memory.of<AddNormMemory>().page_h - k_cards_head - card_spacing(p.rect.w).gap) / 2;
    const float edge = edge_room(p, p.rect.w).below;
    const float low_h = std::min(two, low_card_height(tokens, k_low_cell, edge));
    const bool low = columns == 3 && (medium || card_h > two) && !p.frame.derived.error() &&
                     low_h >= low_card_height(tokens, k_lowest_cell, edge);
    if (low) card_h = low_h;
    headed_cards(p, [&] { return cards(p, columns, card_h, low, begin); });
}

} // namespace normscope
