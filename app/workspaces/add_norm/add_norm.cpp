#include "app/words/add_norm_words.h"
#include "app/workspaces/add_norm/panels.h"
#include "app/workspaces/backward/panels.h"
#include "app/workspaces/shared/matrix_menu.h"
#include "app/workspaces/shared/page.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

constexpr float k_steps_w = 282;
constexpr float k_wide = 1360;         // pixels at scale 1: steps beside the cards
constexpr float k_medium = 900;        // five cards in a row
constexpr float k_medium_cards = 1060; // with as much room around their digits as in a wide window
constexpr float k_cards_h = 366;
constexpr float k_steps_h = 850;           // in one column
constexpr float k_steps_two_col_h = 660;   // in two
constexpr float k_steps_three_col_h = 430; // in three
constexpr float k_row_gap = 10;            // where the steps have no column
constexpr float k_stage_h = 300;           // of what is played there
constexpr std::size_t k_few_faders = 8;    // of γ; more of them get more room

constexpr std::array<std::string_view, 4> k_signs = {"+", "=", "→", "→"};

// Between and within the cards. Where they are narrow the digits need the room.
struct CardSpacing {
    float gap; // with the sign on it
    float padding;
    float sign_radius;
};

CardSpacing card_spacing(const Ui& ui, float width) {
    return width < ui.px(k_medium_cards) ? CardSpacing{9, 7, 10} : CardSpacing{14, 10, 12};
}

// After card `i`.
void connector(Ui& ui, Point at, int i, std::string_view sign, float radius) {
    const float r = ui.px(radius);
    ui.name(fmt::format("sign-{}", i), {at.x - r, at.y - r, 2 * r, 2 * r}, PartKind::sign);
    if (sign.empty()) { // nothing goes across: a ring with a stroke through it
        const float d = r * 0.6f;
        ui.canvas.fill_circle(at, r, ui.theme.ink_soft);
        ui.canvas.fill_circle(at, r - ui.px(2), ui.theme.panel);
        ui.canvas.line({at.x - d, at.y + d}, {at.x + d, at.y - d}, ui.theme.ink_soft, ui.px(2));
        return;
    }
    ui.canvas.fill_circle(at, r, ui.theme.accent);
    ui.canvas.text_in({at.x - r, at.y - r, 2 * r, 2 * r}, sign, TextRole::title,
                      ui.theme.on_accent);
}

// Left of the cells. Those of few features are large, and so are the names beside them.
float names_room(const Ui& ui, const Document& d) {
    constexpr Index k_few_features = 4;
    return names_width(ui, *d.tokens,
                       d.feature_count() <= k_few_features ? TextRole::brand : TextRole::title);
}

// How many cards stand in a row: all, or fewer where that lets a few features keep their digits.
int cards_a_row(const Ui& ui, const Document& d, float width) {
    constexpr float k_digits_w = 23; // of a cell with a sign, a digit and a decimal
    const CardSpacing spacing = card_spacing(ui, width);
    const int all = static_cast<int>(k_tensors);
    const auto cell_w = [&](int columns) {
        const float gaps = ui.px(spacing.gap) * static_cast<float>(columns - 1);
        const float w = (width - names_room(ui, d) - gaps) / static_cast<float>(columns);
        return (w - ui.px(2 * spacing.padding)) / static_cast<float>(d.feature_count());
    };
    constexpr int k_fewer = 3;
    const bool helps = cell_w(all) < ui.px(k_digits_w) && cell_w(k_fewer) >= ui.px(k_digits_w);
    return helps ? k_fewer : all;
}

// Half way down the cells of a card that was drawn.
float rows_middle(const Frame& f, int card, float else_at) {
    const auto& cells = f.memory.of<AddNormMemory>().cells_at[static_cast<std::size_t>(card)];
    if (!cells) return else_at;
    const float rows = cells->port.cell_h * static_cast<float>(f.document.token_count());
    return cells->area.y + std::min(rows, cells->area.h) / 2;
}

// The cards from `begin` on, `columns` a row, of which the first holds token names. The height.
float cards(Ui& ui, Rect area, const Frame& f, Actions& a, int columns, float card_h,
            int begin = 0) {
    const CardSpacing spacing = card_spacing(ui, area.w);
    const float gap = ui.px(spacing.gap);
    const float names_w = names_room(ui, f.document);
    const float w = std::floor((area.w - names_w - gap * static_cast<float>(columns - 1)) /
                               static_cast<float>(columns));
    float y = area.y;
    for (int first = begin; first < static_cast<int>(k_tensors); first += columns) {
        float x = area.x;
        const int last = std::min(first + columns, static_cast<int>(k_tensors));
        for (int i = first; i < last; ++i) {
            const float extra = i == first ? names_w : 0;
            card_panel(ui, {x, y, w + extra, card_h}, f, a, static_cast<Tensor>(i), extra,
                       spacing.padding);
            x += w + extra + gap;
        }
        if (first > begin) // from the row above: on the edge, above the token names
            connector(ui, {area.x, rows_middle(f, first, y + ui.px(48))}, first - 1,
                      k_signs[static_cast<std::size_t>(first - 1)], spacing.sign_radius);
        x = area.x + names_w;
        for (int i = first; i + 1 < last; ++i) {
            x += w + gap;
            const bool left_out = i == 0 && f.document.residual == Residual::no_skip;
            connector(ui, {x - gap / 2, rows_middle(f, i, y + ui.px(100))}, i,
                      left_out ? std::string_view() : k_signs[static_cast<std::size_t>(i)],
                      spacing.sign_radius);
        }
        y += card_h + gap;
    }
    ui.name("cards", {area.x, area.y, area.w, y - gap - area.y}, PartKind::panel);
    return y - gap - area.y;
}

// As the picture: cards, faders and curves, choices; the steps in a column at the right.
float wide(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float gap = ui.px(12);
    const float setup_h = setup_height(ui, area.w - ui.px(k_steps_w) - gap);
    const float least = ui.px(k_cards_h) + ui.px(240) + setup_h + 2 * gap;
    area.h = std::max({area.h, least, ui.px(k_steps_h) + opened_height(ui, f)});
    const float height = area.h;
    Rect right = cut_right(area, ui.px(k_steps_w), gap);
    const Rect bottom = cut_bottom(area, setup_h, gap);
    const float spare = height - least;
    const Rect top = cut_top(
        area,
        card_height(ui, f.document.token_count(), ui.px(k_cards_h) + std::floor(spare * 0.5f)),
        gap);
    cards(ui, top, f, a, static_cast<int>(k_tensors), top.h);
    const float share = f.document.gamma->size() > k_few_faders ? 0.5f : 0.45f;
    const Rect faders = cut_left(area, std::floor(area.w * share), gap);
    faders_panel(ui, faders, f, a);
    if (f.view.of<AddNormView>().playing)
        stage_panel(ui, area, f, a);
    else
        before_after_panel(ui, area, f, a);
    setup_panel(ui, bottom, f, a);
    steps_panel(ui, right, f, a);
    return height;
}

// Without room for a column at the right: the steps come in three columns.
float medium(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float gap = ui.px(k_row_gap);
    const float top = area.y;
    const float card_h = card_height(ui, f.document.token_count(), ui.px(320));
    const float steps_h = ui.px(k_steps_three_col_h) + opened_height(ui, f);
    const int columns = cards_a_row(ui, f.document, area.w);
    area.h = 1e6f; // as far down as it takes: the page scrolls
    const auto& playing = f.view.of<AddNormView>().playing;
    cut_top(area, cards(ui, area, f, a, columns, card_h) + gap);
    if (playing) { // beside the cells that it lights up: in sight of them
        const float step_w = ui.px(k_steps_w);
        Rect played = cut_top(area, std::max(ui.px(k_stage_h), played_step_height(ui, f, step_w)));
        played_step_panel(ui, cut_left(played, step_w, gap), f, a);
        stage_panel(ui, played, f, a);
        cut_top(area, gap);
    }
    Rect middle = cut_top(area, ui.px(270), gap);
    const Rect faders = cut_left(middle, std::floor(middle.w * 0.5f), gap);
    faders_panel(ui, faders, f, a);
    before_after_panel(ui, middle, f, a);
    setup_panel(ui, cut_top(area, setup_height(ui, area.w), gap), f, a);
    if (!playing) steps_panel(ui, cut_top(area, steps_h), f, a);
    return area.y - top;
}

// Large text on a small screen: one column, cards one, two or three a row. The step that is played
// stands above the cards that it lights up.
float narrow(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float gap = ui.px(k_row_gap);
    const float top = area.y;
    const float steps_h =
        ui.px(area.w >= ui.px(620) ? k_steps_two_col_h : k_steps_h) + opened_height(ui, f);
    area.h = 1e6f;
    const int columns = area.w >= ui.px(620) ? 3 : area.w >= ui.px(430) ? 2 : 1;
    const auto& playing = f.view.of<AddNormView>().playing;
    if (playing) {
        played_step_panel(ui, cut_top(area, played_step_height(ui, f, area.w), gap), f, a);
        stage_panel(ui, cut_top(area, ui.px(k_stage_h), gap), f, a);
    }
    int begin = 0;
    while (playing && !takes_part(static_cast<Tensor>(begin), static_cast<WorkedKind>(*playing)))
        ++begin;
    const float card_h = card_height(ui, f.document.token_count(), ui.px(playing ? 230 : 330));
    cut_top(area, cards(ui, area, f, a, columns, card_h, begin) + gap);
    faders_panel(ui, cut_top(area, ui.px(270), gap), f, a);
    before_after_panel(ui, cut_top(area, ui.px(270), gap), f, a);
    setup_panel(ui, cut_top(area, setup_height(ui, area.w), gap), f, a);
    if (!playing) steps_panel(ui, cut_top(area, steps_h), f, a);
    return area.y - top;
}

// Of the cells and names of the five cards.
void card_menu(Ui& ui, const Frame& f, Actions& a) {
    const auto& menu = a.view.menu;
    const Tensor which = menu && menu->tensor ? *menu->tensor : Tensor::x;
    const AddNormView& own = f.view.of<AddNormView>();
    MenuMatrix matrix{f.derived.view(which)};
    if (which == Tensor::x) matrix = {matrix.values, Input::x, &own.editor_x};
    if (which == Tensor::f) matrix = {matrix.values, Input::f, &own.editor_f};
    for (Edit& edit : matrix_menu(ui, f, a, matrix)) a.edits.push_back(std::move(edit));
}

template<Tensor which>
void card_figure(Ui& ui, Rect r, const Frame& f, Actions& a) {
    card_panel(ui, r, f, a, which, names_room(ui, f.document));
}

void all_cards_figure(Ui& ui, Rect r, const Frame& f, Actions& a) {
    cards(ui, r, f, a, static_cast<int>(k_tensors), r.h);
}

// What is drawn in space, of a document that has a place there.
template<PanelFn* draw_in>
void space_figure(Ui& ui, Rect r, const Frame& f, Actions& a) {
    if (f.document.feature_count() == k_space_features) return draw_in(ui, r, f, a);
    paragraph(ui, panel(ui, "geometry", r, {.title = "Geometry"}),
              "Geometry is drawn of tokens of three features.", TextRole::label, ui.theme.ink);
}

constexpr std::array<FigureEntry, 12> k_figures = {{
    {"cards", "Five cards", {1340, 380}, all_cards_figure},
    {k_card_ids[0], "X", {360, 380}, card_figure<Tensor::x>},
    {k_card_ids[1], "F(X)", {360, 380}, card_figure<Tensor::f>},
    {k_card_ids[2], "Z", {360, 380}, card_figure<Tensor::z>},
    {k_card_ids[3], "x\u0302", {360, 380}, card_figure<Tensor::x_hat>},
    {k_card_ids[4], "Y", {360, 380}, card_figure<Tensor::y>},
    {"before-after", "Before and after", {800, 400}, before_after_panel},
    {"faders", "γ and β", {640, 320}, faders_panel},
    {"worked-steps", "Worked steps", {320, 860}, steps_panel, {300, 840}},
    {"setup", "Setup", {1120, 270}, setup_panel, {1000, 270}},
    {"geometry", "Geometry", {900, 720}, space_figure<space_panel>},
    {"x-hat-length", "Length of x\u0302 against ε", {560, 300}, space_figure<x_hat_length_panel>},
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

float draw(Ui& ui, Rect area, const Frame& f, Actions& a) {
    if (f.view.of<AddNormView>().space.shown) {
        a.view.of<AddNormView>().play_runs = false; // the cards that it moves are not there
        return geometry_page(ui, area, f, a);
    }
    run_play(f, a);
    play_keys(ui, f, a);
    f.memory.of<AddNormMemory>().cells_at = {};
    f.memory.of<AddNormMemory>().line.reset();
    const float height = draw_page(ui, area, f, a, {k_wide, k_medium, wide, medium, narrow});
    draw_flights(ui, f);
    card_menu(ui, f, a);
    return height;
}

} // namespace

WorkspaceEntry add_norm_workspace() {
    WorkspaceEntry w{"add-norm", "Add & Norm", 1, draw, k_figures};
    w.gestures = k_gestures;
    w.warning = overflow_note;
    w.effect = effect_of;
    w.in_float64 = false;
    w.keep_up = [](DrawMemory& m, const Document& d, const Document*) {
        if (d.feature_count() == k_space_features)
            m.of<BackwardMemory>().backward.keep_up(d); // the picture does without it
        return true;
    };
    w.compute = [](DrawMemory& m, const Document& d) {
        if (d.feature_count() == k_space_features) m.of<BackwardMemory>().backward.of(d);
    };
    w.animates = [](const View& view) {
        return view.of<AddNormView>().space.playing || view.of<AddNormView>().play_runs ||
               dots_travel(view);
    };
    w.at_rest = [](View& view) {
        AddNormView& own = view.of<AddNormView>();
        own.editor_x = own.editor_f = {};
        own.space.grab.reset();
        own.play_runs = false;
        own.sent.reset();
        view.renaming.reset();
    };
    w.fit = [](View& view, const Document& d) {
        keep_within(view.of<AddNormView>().editor_x, d.token_count(), d.feature_count());
        keep_within(view.of<AddNormView>().editor_f, d.token_count(), d.feature_count());
        auto& grab = view.of<AddNormView>().space.grab;
        if (grab && (grab->token >= d.token_count() || d.feature_count() != k_space_features))
            grab.reset();
    };
    w.look_anew = [](View& view, const View* own) {
        AddNormView& next = view.of<AddNormView>();
        next.playing.reset();
        next.play_runs = false;
        const AddNormView usual;
        const AddNormView& kept = own ? own->of<AddNormView>() : usual;
        next.fader_scroll = kept.fader_scroll;
        next.space = kept.space; // else a document opens with its cards: few have a place in space
    };
    // The seed of a Randomize that was undone or done again goes back into its field: one that was
    // undone, pressed again, makes its numbers anew.
    w.stepped_over = [](View& view, const Edit& edit, bool again) {
        const auto* const randomize = std::get_if<Randomize>(&edit);
        if (!randomize) return;
        view.of<AddNormView>().seed = randomize->seed;
        view.of<AddNormView>().seed_used = again;
    };
    return w;
}

} // namespace normscope
