#include "app/workspaces/train/panels.h"
#include "app/workspaces/workspace_table.h"

#include <array>
#include <utility>

namespace normscope {

namespace {

constexpr std::array<PanelEntry<TrainView>, 8> k_panels = {{
    {"setup", race_setup_panel},
    {"run", run_panel},
    {"race", race_panel},
    {"lanes", lanes_panel},
    {"maps", maps_panel},
    {"inside", inside_panel},
    {"gradient", train_gradient_panel},
    {"sweep", sweep_panel},
}};

// With room for all lanes, so that nothing moves when one comes or goes.
GridCell lanes() {
    return cell("lanes").high(286);
}

// From the height of the lowest maps on.
GridCell maps() {
    return cell("maps").high(222);
}

GridCell wide() {
    const GridCell below =
        row(cell("inside").wide(0.34f), cell("gradient").wide(0.34f), cell("sweep").wide(0.32f));
    return row(column(cell("setup"), cell("run").leading()).wide(344),
               column(row(cell("race"), lanes().wide(570)).high(300).growing(1), maps(),
                      GridCell(below).high(256).growing(1)));
}

GridCell medium() {
    return column(row(column(cell("run"), cell("setup")).wide(314),
                      column(cell("race").high(340).growing(1), lanes(), maps())),
                  row(cell("inside"), cell("gradient")).high(276), cell("sweep").high(316));
}

GridCell narrow() {
    return column(cell("race").high(340), cell("run"), lanes(), maps(), cell("setup"),
                  cell("inside").high(256), cell("gradient").high(256), cell("sweep").high(316));
}

constexpr std::array<FigureEntry, 7> k_figures = {{
    {"race", "Race", {760, 420}, draw_figure_of<TrainView, race_panel>, {320, 200}},
    {"lanes", "Lanes", {560, 280}, draw_figure_of<TrainView, lanes_panel>, {480, 260}},
    {"maps",
     "What each lane has learned",
     {1200, 320},
     draw_figure_of<TrainView, maps_panel>,
     {640, 240}},
    {"inside", "Inside", {720, 420}, draw_figure_of<TrainView, inside_panel>, {420, 260}},
    {"train-gradient",
     "Gradient by layer and step",
     {720, 420},
     draw_figure_of<TrainView, train_gradient_panel>,
     {420, 260}},
    {"sweep",
     "Learning-rate sweep",
     {720, 420},
     draw_figure_of<TrainView, sweep_panel>,
     {420, 260}},
    {"run", "Run", {420, 150}, draw_figure_of<TrainView, run_panel>, {340, 140}},
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

struct TrainWorkspace final : Workspace {
    TrainWorkspace() {
        id = "train";
        label = "Train";
        key = 6;
        figures = k_figures;
        gestures = k_gestures;
        hides_matrices = true;
        file_label = "Train on your data";
        numbers_label = "The race's numbers as CSV";
    }

    void keep_look(View& view, Look& look) const override { view.of<TrainView>().keep(look); }
    float draw(const Turn& turn) const override {
        constexpr float k_wide = 1380, k_medium = 860; // pixels at scale 1
        turn.actions.view.of<TrainView>().pointed.reset();
        const float width = page_room(turn).w;
        const GridCell page = width >= k_wide ? wide() : width >= k_medium ? medium() : narrow();
        return draw_panels<TrainView>(turn, page, turn.rect.h, k_panels);
    }
    bool keep_up(DrawMemory& m, const Document& d, const Document* /*began*/) const override {
        auto& memory = m.of<TrainMemory>();
        memory.runner.update(d.train, std::exchange(memory.ahead, 0));
        memory.sweep.update(d.train, std::exchange(memory.sweeping, false) &&
                                         !memory.runner.state().too_large());
        return true;
    }
    void compute(DrawMemory& m, const Document& d) const override {
        m.of<TrainMemory>().runner.compute(d.train);
    }
    std::optional<Edit> run_on(View& view, const Document& d, double seconds) const override {
        return race_due(view, d, seconds);
    }
    void at_rest(View& view) const override {
        TrainView& own = view.of<TrainView>();
        own.pointed.reset();
        own.renaming.reset();
        own.predicting = false;
    }
    void fit(View& view, const Document& d) const override {
        auto& lane = view.of<TrainView>().lane;
        if (lane && *lane >= d.train.lanes->size()) lane.reset();
    }
    std::string names(const Document& d) const override {
        std::string all;
        for (const Lane& lane : *d.train.lanes) all += lane.name;
        return all;
    }
    std::optional<OpenedPart> take_opened(DrawMemory& m) const override {
        return std::exchange(m.of<TrainMemory>().opened, std::nullopt);
    }
    Result<Edit> take_file(const Document& d, const std::filesystem::path& path) const override {
        return race_on_file(d, path);
    }
    std::string numbers(DrawMemory& m, const Document& d) const override {
        return race_csv(d.train, m.of<TrainMemory>().runner.state());
    }
};

} // namespace

const Workspace& train_workspace() {
    static const TrainWorkspace k_workspace;
    return k_workspace;
}

} // namespace normscope
