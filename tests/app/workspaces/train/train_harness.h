#pragma once
#include "app/workspaces/train/panels.h"
#include "app/workspaces/workspace_table.h"
#include "tests/app/model/norm_race.h"
#include "tests/app/shell/harness.h"
#include "tests/app/shell/layout_checks.h"

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <utility>

namespace normscope::testing {

// A race that is run in a moment.
inline RaceSetup small_race() {
    RaceSetup s = norm_race();
    s.common.layers = 3;
    s.common.width = 8;
    s.common.points = 30;
    s.common.steps = 200;
    return s;
}

// The program in the Train workspace, by its key.
struct TrainHarness : Harness {
    explicit TrainHarness(Setup setup = {.window = {1600, 1400}},
                          const RaceSetup& race = small_race())
        : Harness(std::move(setup)) {
        set(race);
        key(Key::n6);
        settle();
    }
    void set(const RaceSetup& race) {
        Document d = document();
        d.train = race;
        become(std::move(d));
        settle();
    }
    void go_to(Index step) {
        RaceSetup there = setup();
        there.step = step;
        set(there);
    }
    const RaceSetup& setup() { return document().train; }
    TrainView& view() { return state().view.of<TrainView>(); }
    const RaceState& race() { return state().memory.of<TrainMemory>().runner.state(); }
    const LaneState& lane(std::size_t index) { return *race().lanes.at(index); }
    void press(const std::string& name) {
        click(name);
        settle();
    }
    void choose_task(const std::string& id) {
        press("train.task");
        press("train.task." + id);
    }
    // A file is taken as the task: its name and bytes.
    void take_file(const std::string& name, const std::string& bytes) {
        const Workspace& train = workspace_table()[state().view.workspace];
        const auto edit = train.take_file(document(), put(name, bytes));
        ASSERT_TRUE(edit) << edit.error().message;
        ASSERT_TRUE(state().apply_edits({*edit}));
        settle();
    }
    std::filesystem::path put(const std::string& name, const std::string& bytes) const {
        const std::filesystem::path path = dir() / name;
        std::ofstream(path, std::ios::binary) << bytes;
        return path;
    }
    void undo() {
        key(Key::z, true);
        settle();
    }
    // Frames until the race is over.
    void run() {
        click("train.run.run");
        for (int i = 0; i < 20000 && state().view.running; ++i) frame();
        settle();
    }
};

} // namespace normscope::testing
