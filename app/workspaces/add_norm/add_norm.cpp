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
constexpr float k_wide = 1360;   // steps beside the cards
constexpr float k_cards_h = 350; // with their head
// The most height of faders and curves beside the steps: with the setup's folds closed, and open.
constexpr float k_most_row_h = 400, k_row_above_folds_h = 290;
constexpr float k_row_h = 212;          // of faders or curves, where the steps have no column
constexpr float k_stage_h = 260;        // of what is played there
constexpr std::size_t k_few_faders = 8; // of γ; more of them get more room

constexpr PanelEntry<AddNormView> k_panels[] = {
    {"cards", cards_panel},        {"card-rows", card_rows_panel},
    {"faders", faders_panel},      {"before-after", before_after_panel},
    {"stage", stage_panel},        {"setup", setup_panel},
    {"worked-steps", steps_panel}, {"played-step", played_step_panel},
};

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

// The menu on cells and names of the five cards.
void card_menu(AddNormPanel& p) {
    const auto& menu = p.actions.view.menu;
    const Tensor which = menu && menu->tensor ? *menu->tensor : Tensor::x;
    MenuMatrix matrix{p.frame.derived.view(which)};
    if (which == Tensor::x) matrix = {matrix.values, Input::x, &p.view.editor_x};
    if (which == Tensor::f) matrix = {matrix.values, Input::f, &p.view.editor_f};
    for (Edit& edit : matrix_menu(p, matrix)) p.edit(std::move(edit));
}

template<Tensor which>
void own_card_panel(AddNormPanel& p) {
    const EdgeRoom edge = which == Tensor::z ? edge_room(p, p.rect.w * k_tensors) : EdgeRoom{};
    const Rect key = cut_bottom(p.rect, 24);
    card_panel(p, p.rect, which, {names_room(p, p.document), edge});
    name_key(p, which, key);
    draw_color_key(p.canvas, p.theme, key.inset(10, 2), color_limit(p, which));
}

// A panel of Geometry; words instead where the document's tokens do not have three features.
template<PanelDraw<AddNormView> draw_in>
void space_only_panel(AddNormPanel& p) {
    if (p.document.feature_count() == k_space_features) return draw_in(p);
    paragraph(p, panel(p, "geometry", p.rect, {.title = "Geometry"}),
              "Geometry is drawn of tokens of three features.");
}

constexpr FigureEntry k_figures[] = {
    {"cards", "Five cards", {1340, 416}, figure_of<cards_panel>},
    {k_card_ids[0], "X", {360, 380}, figure_of<own_card_panel<Tensor::x>>},
    {k_card_ids[1], "F(X)", {360, 380}, figure_of<own_card_panel<Tensor::f>>},
    {k_card_ids[2], "Z", {360, 380}, figure_of<own_card_panel<Tensor::z>>},
    {k_card_ids[3], "x\u0302", {360, 380}, figure_of<own_card_panel<Tensor::x_hat>>},
    {k_card_ids[4], "Y", {360, 380}, figure_of<own_card_panel<Tensor::y>>},
    {"x-to-y", "X → Y", {400, 240}, figure_of<x_to_y_panel>, {386, 232}, true},
    {"before-after", "Before and after", {800, 400}, figure_of<before_after_panel>},
    {"faders", "γ and β", {640, 480}, figure_of<faders_to_y_panel>},
    {"worked-steps", "Worked steps", {320, 680}, figure_of<steps_panel>, {300, 680}},
    {"setup", "Setup", {1120, 270}, figure_of<setup_panel>, {1000, 270}},
    {"geometry", "Geometry", {900, 720}, figure_of<space_only_panel<space_panel>>},
    {"x-hat-length",
     "Length of x\u0302 against ε",
     {560, 300},
     figure_of<space_only_panel<x_hat_length_panel>>},
};

constexpr Gesture k_gestures[] = {
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
};

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
    float draw(Turn turn) const override {
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
        const GridCell page = width >= k_wide           ? wide(p)
                              : width >= k_row_of_cards ? medium(playing)
                                                        : narrow(playing);
        const float height = draw_panels<AddNormView>(turn, page, turn.rect.h, k_panels);
        draw_flights(p);
        card_menu(p);
        return height;
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
