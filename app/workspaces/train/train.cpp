#include "app/workspaces/shared/page.h"
#include "app/workspaces/train/panels.h"
#include "app/workspaces/workspace_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace normscope {

namespace {

constexpr float k_wide = 1380, k_medium = 860; // pixels at scale 1
constexpr float k_controls_w = 344, k_lanes_w = 570;
constexpr float k_race_h = 300, k_inside_h = 256;

// Where not all of it is in sight, what runs the race comes first.
enum class First : std::uint8_t { setup, run };

void left_column(Ui& ui, Rect area, First first, const Frame& f, Actions& a) {
    PanelColumn column(ui, area);
    if (first == First::run) run_panel(ui, column.next(run_height(ui)), f, a);
    race_setup_panel(ui, column.next(race_setup_height(ui, f, area.w)), f, a);
    if (first == First::setup) run_panel(ui, column.next(run_height(ui)), f, a);
}

float left_height(const Ui& ui, const Frame& f, float width) {
    return race_setup_height(ui, f, width) + ui.px(k_panel_gap) + run_height(ui);
}

float wide(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float gap = ui.px(k_panel_gap), left_w = ui.px(k_controls_w);
    const float right_w = area.w - left_w - gap;
    const float race_h = std::max(ui.px(k_race_h), lanes_height(ui));
    const float maps_h = maps_height(ui, f, right_w);
    const float least = race_h + gap + maps_h + gap + ui.px(k_inside_h);
    const float h = std::max({area.h, left_height(ui, f, left_w), least});
    Rect all{area.x, area.y, area.w, h};
    const bool in_sight = left_height(ui, f, left_w) <= area.h;
    left_column(ui, cut_left(all, left_w, gap), in_sight ? First::setup : First::run, f, a);
    // What is left goes to the race and to what is below the maps.
    const float rest = h - least;
    Rect top = cut_top(all, race_h + std::floor(rest * 0.5f));
    lanes_panel(ui, cut_right(top, ui.px(k_lanes_w), gap), f, a);
    race_panel(ui, top, f, a);
    cut_top(all, gap);
    maps_panel(ui, cut_top(all, maps_h, gap), f, a);
    draw_row(ui, all, f, a, {0.34f, 0.34f, 0.32f}, inside_panel, train_gradient_panel, sweep_panel);
    return h;
}

float medium(Ui& ui, Rect area, const Frame& f, Actions& a) {
    const float gap = ui.px(k_panel_gap), left_w = ui.px(k_controls_w - 30);
    const float right_w = area.w - left_w - gap;
    const float maps_h = maps_height(ui, f, right_w);
    const float below_race = gap + lanes_height(ui) + gap + maps_h;
    const float h = std::max(left_height(ui, f, left_w), ui.px(k_race_h + 40) + below_race);
    Rect all{area.x, area.y, area.w, h};
    left_column(ui, cut_left(all, left_w, gap), First::run, f, a);
    PanelColumn right(ui, all);
    race_panel(ui, right.next(h - below_race), f, a);
    lanes_panel(ui, right.next(lanes_height(ui)), f, a);
    maps_panel(ui, right.next(maps_h), f, a);
    PanelColumn below(ui, {area.x, area.y + h + gap, area.w, 1e6f});
    draw_row(ui, below.next(ui.px(k_inside_h + 20)), f, a, {0.5f, 0.5f}, inside_panel,
             train_gradient_panel);
    sweep_panel(ui, below.next(ui.px(k_inside_h + 60)), f, a);
    return below.used(area.y);
}

float narrow(Ui& ui, Rect area, const Frame& f, Actions& a) {
    PanelColumn column(ui, {area.x, area.y, area.w, 1e6f});
    race_panel(ui, column.next(ui.px(k_race_h + 40)), f, a);
    run_panel(ui, column.next(run_height(ui)), f, a);
    lanes_panel(ui, column.next(lanes_height(ui)), f, a);
    maps_panel(ui, column.next(maps_height(ui, f, area.w)), f, a);
    race_setup_panel(ui, column.next(race_setup_height(ui, f, area.w)), f, a);
    inside_panel(ui, column.next(ui.px(k_inside_h)), f, a);
    train_gradient_panel(ui, column.next(ui.px(k_inside_h)), f, a);
    sweep_panel(ui, column.next(ui.px(k_inside_h + 60)), f, a);
    return column.used(area.y);
}

constexpr std::array<FigureEntry, 7> k_figures = {{
    {"race", "Race", {760, 420}, race_panel, {320, 200}},
    {"lanes", "Lanes", {560, 280}, lanes_panel, {480, 260}},
    {"maps", "What each lane has learned", {1200, 320}, maps_panel, {640, 240}},
    {"inside", "Inside", {720, 420}, inside_panel, {420, 260}},
    {"train-gradient", "Gradient by layer and step", {720, 420}, train_gradient_panel, {420, 260}},
    {"sweep", "Learning-rate sweep", {720, 420}, sweep_panel, {420, 260}},
    {"run", "Run", {420, 150}, run_panel, {340, 140}},
}};

constexpr std::array<Gesture, 7> k_gestures = {{
    {"", "Train"},
    {"Run, Step, Reset", "train all lanes side by side"},
    {"Drag the step, ← →", "everything goes back to it; Home, End"},
    {"Point at the race", "the table shows that step"},
    {"Click a lane", "Setup changes it alone"},
    {"Click a ribbon, Enter", "that layer opens in 1 Add & Norm"},
    {"Double-click, F2, Delete", "rename, remove a lane"},
}};

float draw(Ui& ui, Rect area, const Frame& f, Actions& a) {
    a.view.of<TrainView>().pointed.reset();
    return draw_page(ui, area, f, a, {k_wide, k_medium, wide, medium, narrow});
}

} // namespace

WorkspaceEntry train_workspace() {
    WorkspaceEntry w{"train", "Train", 6, draw, k_figures};
    w.gestures = k_gestures;
    w.keep_up = [](DrawMemory& m, const Document& d, const Document* /*began*/) {
        auto& memory = m.of<TrainMemory>();
        memory.runner.update(d.train, std::exchange(memory.ahead, 0));
        memory.sweep.update(d.train, std::exchange(memory.sweeping, false) &&
                                         !memory.runner.state().too_large());
        return true;
    };
    w.compute = [](DrawMemory& m, const Document& d) {
        m.of<TrainMemory>().runner.compute(d.train);
    };
    w.run_on = race_due;
    w.take_opened = [](DrawMemory& m) {
        return std::exchange(m.of<TrainMemory>().opened, std::nullopt);
    };
    w.file_label = "Train on your data";
    w.take_file = race_on_file;
    w.numbers_label = "The race's numbers as CSV";
    w.numbers = [](DrawMemory& m, const Document& d) {
        return race_csv(d.train, m.of<TrainMemory>().runner.state());
    };
    w.at_rest = [](View& view) {
        view.of<TrainView>().pointed.reset();
        view.of<TrainView>().renaming.reset();
        view.of<TrainView>().predicting = false;
    };
    w.fit = [](View& view, const Document& d) {
        auto& lane = view.of<TrainView>().lane;
        if (lane && *lane >= d.train.lanes->size()) lane.reset();
    };
    w.names = [](const Document& d) {
        std::string all;
        for (const Lane& lane : *d.train.lanes) all += lane.name;
        return all;
    };
    w.hides_matrices = true;
    return w;
}

} // namespace normscope
