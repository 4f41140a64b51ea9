#include "app/charts/color_key.h"
#include "app/words/add_norm_words.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/backward/panels.h"
#include "app/workspaces/shared/matrix_menu.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_steps_w = 330;
constexpr float k_cards_head = 36;     // at scale 1
constexpr float k_wide = 1360;         // pixels at scale 1: steps beside the cards
constexpr float k_medium = 900;        // five cards in a row
constexpr float k_medium_cards = 1060; // with as much room around their digits as in a wide window
constexpr float k_cards_h = 350;       // with their head
// Of faders and curves beside the steps, as long as what is below them needs no room.
constexpr float k_most_row_h = 400, k_row_above_folds_h = 290;
constexpr float k_low_cell = 21, k_lowest_cell = 18; // the heights of cells in low cards
constexpr float k_row_h = 212;          // of faders or curves, where the steps have no column
constexpr float k_stage_h = 260;        // of what is played there
constexpr std::size_t k_few_faders = 8; // of γ; more of them get more room

constexpr std::array<std::string_view, 4> k_signs = {"+", "=", "→", "→"};

// Between and within the cards. Where they are narrow the digits need the room.
struct CardSpacing {
    float gap; // with the sign on it
    float padding;
    float sign_radius;
};

CardSpacing card_spacing(const Ui& ui, float width) {
    return width < ui.px(k_medium_cards) ? CardSpacing{9, 7, 10} : CardSpacing{12, 7, 12};
}

// After card `i`.
void connector(Ui& ui, Point at, std::size_t i, std::string_view sign, float radius) {
    const float r = ui.px(radius);
    ui.name(fmt::format("sign-{}", i), square_around(at, r), PartKind::sign);
    if (sign.empty()) { // nothing goes across: a ring with a stroke through it
        const float d = r * 0.6f;
        ui.canvas.fill_circle(at, r, ui.theme.ink_soft);
        ui.canvas.fill_circle(at, r - ui.px(2), ui.theme.panel);
        ui.canvas.line({at.x - d, at.y + d}, {at.x + d, at.y - d}, ui.theme.ink_soft, ui.px(2));
        return;
    }
    ui.canvas.fill_circle(at, r, ui.theme.accent);
    ui.canvas.text_in(square_around(at, r), sign, TextRole::title, ui.theme.on_accent);
}

// Left of the cells. Those of few features are large, and so are the names beside them.
float names_room(const Ui& ui, const Document& d) {
    constexpr Index k_few_features = 4;
    return names_width(ui, *d.tokens,
                       d.feature_count() <= k_few_features ? TextRole::brand : TextRole::title);
}

// How many cards stand in a row: all, or fewer where that gives the digits of a few features room.
std::size_t cards_a_row(const AddNormPanel& p, float width) {
    const Ui& ui = p.ui;
    const Document& d = p.document;
    const float digits = ui.canvas.text_size("−8.8", TextRole::number_narrow).w;
    const float tight = digits + ui.px(2), airy = digits / 0.8f;
    const CardSpacing spacing = card_spacing(ui, width);
    const float edge = edge_room(p, width).left + edge_room(p, width).right;
    const auto cell_w = [&](float columns) {
        const float gaps = ui.px(spacing.gap) * (columns - 1);
        const float w = (width - names_room(ui, d) - edge - gaps) / columns;
        return (w - ui.px(2 * spacing.padding)) / static_cast<float>(d.feature_count());
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
};
std::vector<ColorKey> keys_of(const AddNormPanel& p) {
    const double x_hat = color_limit(p, Tensor::x_hat), y = color_limit(p, Tensor::y);
    std::vector<ColorKey> keys{{"X, F(X), Z", color_limit(p, Tensor::z)}};
    if (x_hat == y)
        keys.push_back({"x\u0302, Y", y});
    else
        keys.insert(keys.end(), {{"x\u0302", x_hat}, {"Y", y}});
    return keys;
}

// What the row of cards is about, its colours, "Play" and "Cards | Geometry".
void cards_head(AddNormPanel& p, Rect& area) {
    Ui& ui = p.ui;
    const IdScope scope(ui, "cards");
    Rect row = cut_top(area, ui.px(28), ui.px(8));
    if (!ui.state.picture) {
        view_choice(p, row);
        play_button(p, row);
    }
    const std::vector<ColorKey> keys = keys_of(p);
    const float gap = ui.px(18);
    float keys_w = 0;
    for (const ColorKey& key : keys) keys_w += color_key_width(ui.canvas, key.limit, key.of) + gap;
    Rect key_row = keys_w <= row.w ? cut_right(row, keys_w) : cut_top(area, ui.px(20), ui.px(6));
    for (const ColorKey& key : keys) {
        const float w = color_key_width(ui.canvas, key.limit, key.of);
        draw_color_key(ui.canvas, ui.theme, cut_left(key_row, w, gap), key.limit, key.of);
    }
    const Index n = p.document.token_count();
    const std::string title = n == 1 ? worded("What does one Add & Norm do to this token?")
                                     : worded("What does one Add & Norm do to these {} tokens?", n);
    if (ui.canvas.text_size(title, TextRole::title).w <= row.w)
        ui.label(row, title, TextRole::title, ui.theme.ink);
}

// The cards from `begin` on, `columns` a row, of which the first holds token names. Z, x̂ and Y
// stand side by side where three have room. The height.
float cards(AddNormPanel& p, std::size_t columns, float card_h, bool low, std::size_t begin = 0) {
    Ui& ui = p.ui;
    const CardSpacing spacing = card_spacing(ui, p.rect.w);
    const float gap = ui.px(spacing.gap);
    const float names_w = names_room(ui, p.document);
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
                                : Point{next.x - gap / 2, rows_middle(p, i, next.y + ui.px(100))};
        connector(ui, place, i, left_out ? std::string_view() : k_signs[i], spacing.sign_radius);
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
    p.ui.name("cards", {all.x, all.y, all.w, height}, PartKind::panel);
    p.needed = height;
}

void cards_panel(AddNormPanel& p) {
    headed_cards(p, [&] { return cards(p, k_tensors, p.rect.h, false); });
    p.needed = 0;
}

// As many cards a row as have room. While they are played in one column, those that the step
// lights up come first.
void card_rows_panel(AddNormPanel& p) {
    Ui& ui = p.ui;
    const auto& playing = p.view.playing;
    const float w = p.rect.w / ui.px(1);
    const bool medium = w >= k_medium;
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
    const float two = (p.frame.memory.of<AddNormMemory>().page_h - k_cards_head -
                       card_spacing(ui, p.rect.w).gap) /
                      2;
    const float edge = edge_room(p, p.rect.w).below / ui.px(1);
    const float low_h = std::min(two, low_card_height(tokens, k_low_cell, edge));
    const bool low = columns == 3 && (medium || card_h > two) && !p.frame.derived.error() &&
                     low_h >= low_card_height(tokens, k_lowest_cell, edge);
    if (low) card_h = low_h;
    headed_cards(p, [&] { return cards(p, columns, ui.px(card_h), low, begin); });
}

constexpr std::array<PanelEntry<AddNormView>, 8> k_panels = {{
    {"cards", cards_panel},
    {"card-rows", card_rows_panel},
    {"faders", faders_panel},
    {"before-after", before_after_panel},
    {"stage", stage_panel},
    {"setup", setup_panel},
    {"worked-steps", steps_panel},
    {"played-step", played_step_panel},
}};

// As the picture: cards; faders and curves above the choices; the steps at their right.
GridCell wide(const AddNormPanel& p) {
    const float most = k_cards_head + card_height(p.document.token_count());
    const float share = p.document.gamma->size() > k_few_faders ? 0.55f : 0.5f;
    const bool unfolded = p.view.more || p.view.tries;
    return column(cell("cards").high(std::min(k_cards_h, most)).growing(1).up_to(most),
                  row(column(row(cell("faders").wide(share),
                                 cell(p.view.playing ? "stage" : "before-after").wide(1 - share))
                                 .high(240)
                                 .growing(1)
                                 .up_to(unfolded ? k_row_above_folds_h : k_most_row_h),
                             cell("setup")),
                      cell("worked-steps").wide(k_steps_w))
                      .growing(1));
}

// Without room for a column at the right: the steps come in three columns. The one that is played
// stands beside the cells that it lights up, in sight of them.
GridCell medium(bool playing) {
    const GridCell middle = row(cell("faders"), cell("before-after")).high(k_row_h);
    if (!playing) return column(cell("card-rows"), middle, cell("setup"), cell("worked-steps"));
    return column(cell("card-rows"),
                  row(cell("played-step").wide(k_steps_w), cell("stage").high(k_stage_h)), middle,
                  cell("setup"));
}

// Large text on a small screen: one column. The step that is played stands above the cards that it
// lights up.
GridCell narrow(bool playing) {
    const GridCell faders = cell("faders").high(k_row_h),
                   curves = cell("before-after").high(k_row_h);
    if (!playing)
        return column(cell("card-rows"), faders, curves, cell("setup"), cell("worked-steps"));
    return column(cell("played-step"), cell("stage").high(k_stage_h), cell("card-rows"), faders,
                  curves, cell("setup"));
}

// Of the cells and names of the five cards.
void card_menu(AddNormPanel& p) {
    const auto& menu = p.actions.view.menu;
    const Tensor which = menu && menu->tensor ? *menu->tensor : Tensor::x;
    MenuMatrix matrix{p.frame.derived.view(which)};
    if (which == Tensor::x) matrix = {matrix.values, Input::x, &p.view.editor_x};
    if (which == Tensor::f) matrix = {matrix.values, Input::f, &p.view.editor_f};
    for (Edit& edit : matrix_menu(p, matrix)) p.edit(std::move(edit));
}

template<PanelDraw<AddNormView> panel>
constexpr FigureFn figure = draw_figure_of<AddNormView, panel>;

template<Tensor which>
void own_card_panel(AddNormPanel& p) {
    const EdgeRoom edge = which == Tensor::z ? edge_room(p, p.rect.w * k_tensors) : EdgeRoom{};
    const Rect key = cut_bottom(p.rect, p.ui.px(24));
    card_panel(p, p.rect, which, {names_room(p.ui, p.document), edge});
    draw_color_key(p.ui.canvas, p.ui.theme, key.inset(p.ui.px(10), p.ui.px(2)),
                   color_limit(p, which));
}

// What is drawn in space, of a document that has a place there.
template<PanelDraw<AddNormView> draw_in>
void space_only_panel(AddNormPanel& p) {
    if (p.document.feature_count() == k_space_features) return draw_in(p);
    paragraph(p.ui, panel(p.ui, "geometry", p.rect, {.title = "Geometry"}),
              "Geometry is drawn of tokens of three features.", TextRole::label, p.ui.theme.ink);
}

constexpr std::array<FigureEntry, 13> k_figures = {{
    {"cards", "Five cards", {1340, 416}, figure<cards_panel>},
    {k_card_ids[0], "X", {360, 380}, figure<own_card_panel<Tensor::x>>},
    {k_card_ids[1], "F(X)", {360, 380}, figure<own_card_panel<Tensor::f>>},
    {k_card_ids[2], "Z", {360, 380}, figure<own_card_panel<Tensor::z>>},
    {k_card_ids[3], "x\u0302", {360, 380}, figure<own_card_panel<Tensor::x_hat>>},
    {k_card_ids[4], "Y", {360, 380}, figure<own_card_panel<Tensor::y>>},
    {"x-to-y", "X → Y", {400, 240}, figure<x_to_y_panel>, {386, 232}, true},
    {"before-after", "Before and after", {800, 400}, figure<before_after_panel>},
    {"faders", "γ and β", {640, 480}, figure<faders_to_y_panel>},
    {"worked-steps", "Worked steps", {320, 680}, figure<steps_panel>, {300, 680}},
    {"setup", "Setup", {1120, 270}, figure<setup_panel>, {1000, 270}},
    {"geometry", "Geometry", {900, 720}, figure<space_only_panel<space_panel>>},
    {"x-hat-length",
     "Length of x\u0302 against ε",
     {560, 300},
     figure<space_only_panel<x_hat_length_panel>>},
}};

constexpr std::array<Gesture, 24> k_gestures = {{
    {"", "Cells of X and F(X)"},
    {"Click, Shift+click", "select a cell, or a block"},
    {"Type, Enter, Tab", "replace the value, go down, go right"},
    {"Arrow keys", "move, the steps follow; with Shift the block grows"},
    {"Space", "pin the cell's token and feature, or let them go"},
    {"Drag sideways, up, down", "scrub the value; with Shift finely"},
    {"Ctrl+C, Ctrl+X, Ctrl+V", "copy, cut, paste a block, also with a spreadsheet"},
    {"Ctrl+Enter", "fill the block with one value"},
    {"Delete", "set to zero"},
    {"Esc", "take back what is being typed"},
    {"Right-click, Shift+F10", "rename, insert, remove, duplicate, move"},
    {"", "Large matrices"},
    {"Wheel, Alt+plus, Alt+minus", "zoom in and out"},
    {"Drag, Shift+wheel, Ctrl+wheel", "move"},
    {"", "Faders of γ and β"},
    {"Drag, Shift+drag", "set, set finely"},
    {"↑ ↓, Shift, Page", "a tenth, a hundredth, a half"},
    {"Double-click or type", "enter a number"},
    {"Delete", "back to γ = 1, β = 0"},
    {"Right-click, Shift+F10", "reset, type or copy the value"},
    {"", "Geometry"},
    {"Drag, arrow keys", "turn the picture"},
    {"Drag a point", "move the token's Z; with Shift along an axis"},
    {"Drag a blue handle", "pull the mean or the length, which the norm forgets"},
}};

struct AddNormWorkspace final : Workspace {
    AddNormWorkspace() {
        id = "add-norm";
        label = "Add & Norm";
        key = 1;
        figures = k_figures;
        gestures = k_gestures;
        in_float64 = false;
    }

    void keep_look(View& view, Look& look) const override { view.of<AddNormView>().keep(look); }
    float draw(const Turn& turn) const override {
        AddNormPanel p{turn};
        if (p.view.space.shown) {
            p.next.play_runs = false; // the cards that it moves are not there
            return geometry_page(p);
        }
        run_play(p);
        play_keys(p);
        AddNormMemory& memory = turn.frame.memory.of<AddNormMemory>();
        memory.cells_at = {};
        memory.line.reset();
        memory.page_h = page_room(turn).h;
        const float width = page_room(turn).w;
        const bool playing = p.view.playing.has_value();
        const GridCell page = width >= k_wide     ? wide(p)
                              : width >= k_medium ? medium(playing)
                                                  : narrow(playing);
        const float height = draw_panels<AddNormView>(turn, page, turn.rect.h, k_panels);
        draw_flights(p);
        card_menu(p);
        return height;
    }
    bool keep_up(DrawMemory& m, const Document& d, const Document* /*began*/) const override {
        if (d.feature_count() == k_space_features) m.of<BackwardMemory>().backward.of(d);
        return true;
    }
    void compute(DrawMemory& m, const Document& d) const override {
        if (d.feature_count() == k_space_features) m.of<BackwardMemory>().backward.of(d);
    }
    bool animates(const View& view) const override {
        const AddNormView& own = view.of<AddNormView>();
        return own.space.playing || own.play_runs || dots_travel(view);
    }
    void at_rest(View& view) const override {
        AddNormView& own = view.of<AddNormView>();
        own.editor_x = own.editor_f = {};
        own.space.grab.reset();
        own.play_runs = false;
        own.sent.reset();
        view.renaming.reset();
    }
    void fit(View& view, const Document& d) const override {
        AddNormView& own = view.of<AddNormView>();
        keep_within(own.editor_x, d.token_count(), d.feature_count());
        keep_within(own.editor_f, d.token_count(), d.feature_count());
        auto& grab = own.space.grab;
        if (grab && (grab->token >= d.token_count() || d.feature_count() != k_space_features))
            grab.reset();
    }
    void look_anew(View& view, const View* own) const override {
        AddNormView& next = view.of<AddNormView>();
        next.playing.reset();
        next.play_runs = false;
        const AddNormView usual;
        const AddNormView& kept = own ? own->of<AddNormView>() : usual;
        next.fader_scroll = kept.fader_scroll;
        next.space = kept.space; // else a document opens with its cards: few have a place in space
    }
    // The seed of a Randomize that was undone or done again goes back into its field: one that was
    // undone, pressed again, makes its numbers anew.
    void stepped_over(View& view, const Edit& edit, bool again) const override {
        const auto* const randomize = std::get_if<Randomize>(&edit);
        if (!randomize) return;
        view.of<AddNormView>().seed = randomize->seed;
        view.of<AddNormView>().seed_used = again;
    }
    std::optional<std::string> warning(const Derived& derived) const override {
        return overflow_note(derived);
    }
    std::optional<std::string> effect(const Derived& before, const Derived& now) const override {
        return effect_of(before, now);
    }
};

} // namespace

const Workspace& add_norm_workspace() {
    static const AddNormWorkspace k_workspace;
    return k_workspace;
}

} // namespace normscope
