#include "app/workspaces/train/panels.h"
#include "app/workspaces/workspace_table.h"

#include <array>
#include <utility>

namespace normscope {

namespace {

constexpr Fold k_folds[] = {
    {"inside", "Inside", "What φ of each layer reads, step by step.", 290},
    {"train-gradient", "Gradient by layer", "How much of it each layer gets.", 290},
    {"sweep", "Learning-rate sweep", "The last loss by the rate.", 290},
    {"phases", "One step", "Its four phases with all numbers.", 290},
};

void more(TrainPanel& p) {
    p.needed = draw_folds(p, p.rect, k_folds, p.view.folds, p.next.folds);
}

constexpr PanelEntry<TrainView> k_panels[] = {
    {"setup", race_setup_panel}, {"run", run_panel},
    {"race", race_panel},        {"lanes", lanes_panel},
    {"maps", maps_panel},        {"more", more},
    {"inside", inside_panel},    {"train-gradient", train_gradient_panel},
    {"sweep", sweep_panel},      {"phases", step_phases_panel},
};

// From the height of the lowest maps on.
GridCell maps() {
    return cell("maps").high(222);
}

GridCell wide() {
    return column(row(column(cell("race").high(300).growing(1), maps()),
                      column(cell("lanes"), cell("setup").growing(1), cell("more")).wide(500))
                      .growing(1));
}

GridCell medium() {
    return column(row(cell("race").high(340).growing(1), cell("lanes").wide(420)),
                  row(maps(), cell("setup").wide(420)), cell("more"));
}

GridCell narrow() {
    return column(cell("race").high(380), cell("lanes"), maps(), cell("setup"), cell("more"));
}

constexpr FigureEntry k_figures[] = {
    {"race", "Race", {760, 420}, figure_of<race_panel>, {320, 200}},
    {"lanes", "Lanes", {560, 310}, figure_of<lanes_panel>, {480, 300}},
    {"maps", "What each lane has learned", {1200, 320}, figure_of<maps_panel>, {640, 240}},
    {"inside", "Inside", {720, 420}, figure_of<inside_panel>, {420, 260}},
    {"train-gradient",
     "Gradient by layer and step",
     {720, 420},
     figure_of<train_gradient_panel>,
     {420, 260}},
    {"sweep", "Learning-rate sweep", {720, 420}, figure_of<sweep_panel>, {420, 260}},
    {"phases", "One step", {1200, 320}, figure_of<step_phases_panel>, {640, 240}},
    {"run", "Run", {420, 150}, figure_of<run_panel>, {340, 140}},
};

constexpr Gesture k_gestures[] = {
    {"", "Train"},
    {"Run, Step, Reset", "train all lanes side by side"},
    {"Drag the step, ← →", "everything goes back to it; Home, End"},
    {"Point at the race", "the table shows that step"},
    {"Click a lane", "Setup changes it alone"},
    {"More", "what is seldom changed"},
    {"Click a ribbon, Enter", "that layer opens in 1 Add & Norm"},
    {"Double-click, F2, Delete", "rename, remove a lane"},
};

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

    void keep_look(View& view, Look& look) const override {
        view.of<TrainView>().keep(look);
        keep_folds(look, k_folds, view.of<TrainView>().folds);
    }
    float draw(Turn turn) const override {
        constexpr float k_wide = 1380, k_medium = 860;
        turn.actions.view.of<TrainView>().pointed.reset();
        const float width = page_room(turn).w;
        GridCell page = width >= k_wide ? wide() : width >= k_medium ? medium() : narrow();
        page = with_open(std::move(page), k_folds, turn.frame.view.of<TrainView>().folds,
                         width >= k_medium ? 2 : 1);
        return draw_panels<TrainView>(turn, page, turn.rect.h, k_panels);
    }
    float draw_head(Turn turn) const override {
        const float height = draw_panels<TrainView>(turn, cell("run"), 0, k_panels);
        return height - k_page_margin; // that of the page follows
    }
    bool keep_up(DrawMemory& m, const Document& d, const Document* /*began*/) const override {
        auto& memory = m.of<TrainMemory>();
        memory.runner.update(m.lab, d.train, std::exchange(memory.ahead, 0));
        memory.sweep.update(m.lab, d.train,
                            std::exchange(memory.sweeping, false) &&
                                !memory.runner.state().too_large());
        return true;
    }
    void compute(DrawMemory& m, const Document& d) const override {
        m.of<TrainMemory>().runner.compute(m.lab, d.train);
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
