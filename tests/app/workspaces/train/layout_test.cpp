#include "tests/app/workspaces/train/train_harness.h"

#include <gtest/gtest.h>
#include <map>
#include <string_view>
#include <vector>

namespace normscope::testing {
namespace {

struct TrainScreen {
    Size window;
    float scale;
};

void expect_clean(TrainHarness& h, const TrainScreen& screen, const std::string& what) {
    h.settle();
    const std::string where = what + " at " + std::to_string(static_cast<int>(screen.window.w)) +
                              ", " + std::to_string(screen.scale);
    EXPECT_EQ(overlapping_widgets(h.log()).value_or(""), "") << where;
    EXPECT_EQ(overlapping_texts(h.log()).value_or(""), "") << where;
    EXPECT_EQ(clipped_text(h.log(), screen.window, screen.scale).value_or(""), "") << where;
    EXPECT_EQ(wrong_name(h.log()).value_or(""), "") << where;
}

void expect_all_clean(TrainHarness& h, const TrainScreen& screen, const std::string& what) {
    expect_clean(h, screen, what);
    for (int page = 0; page < 8; ++page) {
        ImGui::GetIO().MouseWheel = -8;
        h.move({screen.window.w - 4, screen.window.h / 2});
        expect_clean(h, screen, what + ", scrolled");
    }
    ImGui::GetIO().MouseWheel = 1000;
    h.move({screen.window.w - 4, screen.window.h / 2});
    h.settle();
}

RaceSetup full_race() {
    RaceSetup race = small_race();
    std::vector<Lane> lanes = *race.lanes;
    lanes.push_back(
        {"A lane with a name that is longer than any column has room for", true, 5, {}});
    race.lanes = lanes;
    race.step = 60;
    return race;
}

TEST(TrainWorkspace, NothingOverlapsAndNoWordIsCut) {
    for (const TrainScreen screen :
         {TrainScreen{{1600, 1000}, 1}, TrainScreen{{1024, 768}, 1}, TrainScreen{{1024, 768}, 2.5f},
          TrainScreen{{1600, 1000}, 1.5f}, TrainScreen{{3840, 2160}, 2.5f}}) {
        TrainHarness h({.window = screen.window, .scale = screen.scale}, full_race());
        expect_all_clean(h, screen, "six lanes");
        h.view().more_axes = h.view().more_lanes = h.view().more_setup = true;
        h.view().lane = 1;
        expect_all_clean(h, screen, "one lane's settings");
        h.view().lane.reset();
        h.view().folds.ids = {"inside", "train-gradient", "sweep", "phases"};
        expect_all_clean(h, screen, "all panels");
        h.view().updates = true;
        expect_all_clean(h, screen, "updates");
        h.view().updates = false;
        RaceSetup race = full_race();
        race.step = 0;
        h.set(race);
        h.view().predicting = true;
        expect_all_clean(h, screen, "what is expected");
        h.view().predicting = false;
        race.step = 60;
        race.common.lr = 1e9;
        h.set(race);
        expect_all_clean(h, screen, "diverged");
        RaceSetup words = small_race();
        words.common = usual_config(Task::sort);
        words.common.layers = 1;
        words.lanes = usual_lanes(Task::sort);
        words.step = 3;
        h.set(words);
        expect_all_clean(h, screen, "sequences");
        if (::testing::Test::HasFailure()) return; // the first one tells enough
    }
}

TEST(TrainWorkspace, TheFirstScreenHoldsTheRaceItsControlsAndItsLanes) {
    TrainHarness h({.window = {1600, 1000}}, full_race());
    for (const char* name :
         {"train.run.run", "train.race.chart", "train.lanes.add", "train.maps"}) {
        EXPECT_GT(h.named(name).in_sight().h, 10) << name;
        EXPECT_LT(h.named(name).rect.y, 1000) << name;
    }
}

// The number of lane names in each line over the maps.
std::vector<int> lines_of_maps(TrainHarness& h) {
    const Rect maps = h.named("train.maps").rect;
    std::map<float, int> lines;
    for (const LoggedText& text : h.log().texts)
        for (const std::string_view lane :
             {"No norm", "Layer norm", "Batch norm", "RMS norm", "Layer norm, no skip"})
            if (text.text == lane && text.rect.y > maps.y && text.rect.bottom() < maps.bottom())
                ++lines[text.rect.y];
    std::vector<int> out;
    for (const auto& [y, count] : lines) out.push_back(count);
    return out;
}

TEST(TrainWorkspace, MapsAreSharedOutEvenlyOverTheirLines) {
    RaceSetup race = small_race();
    race.step = 10;
    race.lanes = std::vector<Lane>{race.lanes->begin(), race.lanes->begin() + 4};
    TrainHarness narrow({.window = {1024, 2400}}, race);
    EXPECT_EQ(lines_of_maps(narrow), (std::vector<int>{2, 2}));
    TrainHarness wide({.window = {1600, 1400}}, race);
    EXPECT_EQ(lines_of_maps(wide), (std::vector<int>{4}));
}

} // namespace
} // namespace normscope::testing
