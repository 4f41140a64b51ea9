#include "app/model/edit.h"
#include "app/session/session_file.h"
#include "tests/app/model/edited.h"
#include "tests/app/model/norm_race.h"

#include <gtest/gtest.h>
#include <limits>

namespace normscope {
namespace {

using testing::edited;
using testing::refusal;

Document raced() {
    Document d = blank_document(2, 3);
    d.train = testing::norm_race();
    return d;
}

template<class Change>
SetRace race_with(const Document& d, Change&& change) {
    TrainConfig config = d.train.common;
    change(config);
    return {config};
}

template<class Change>
SetLane lane_with(const Document& d, std::size_t index, Change&& change) {
    TrainConfig config = config_of(d.train, (*d.train.lanes)[index]);
    change(config);
    return {index, config};
}

const Lane& lane(const Document& d, std::size_t index) {
    return (*d.train.lanes)[index];
}
TrainConfig trained(const Document& d, std::size_t index) {
    return config_of(d.train, lane(d, index));
}

TEST(RaceEdit, ANewDocumentRacesEachOfNormAndSkipAloneAndBoth) {
    const RaceSetup race = blank_document(2, 3).train;
    ASSERT_TRUE(check(race)) << check(race).error().message;
    EXPECT_EQ(race.common.layers, 24);
    std::vector<std::string> names;
    for (const Lane& one : *race.lanes) names.push_back(lane_name(race, one));
    EXPECT_EQ(names, (std::vector<std::string>{"No norm, no skip", "Layer norm, no skip",
                                               "No norm, skip", "Layer norm, skip"}));
}

TEST(RaceEdit, LanesAreNamedByTheirDifferences) {
    const Document d = raced();
    ASSERT_TRUE(check(d.train)) << check(d.train).error().message;
    ASSERT_EQ(d.train.lanes->size(), 5u);
    EXPECT_EQ(lane_name(d.train, lane(d, 0)), "No norm");
    EXPECT_EQ(lane_name(d.train, lane(d, 1)), "Layer norm");
    EXPECT_EQ(lane_name(d.train, lane(d, 4)), "Layer norm, no skip");
    EXPECT_EQ(trained(d, 2).norm.kind, NormKind::batch);
    EXPECT_EQ(trained(d, 4).skip, Skip::none);
    EXPECT_EQ(trained(d, 4).layers, d.train.common.layers);
}

TEST(RaceEdit, ACommonSettingReachesEveryLaneThatHasNoneOfItsOwn) {
    Document d = raced();
    d = edited(d, lane_with(d, 1, [](TrainConfig& c) { c.lr = 0.03; }));
    EXPECT_EQ(lane_name(d.train, lane(d, 1)), "Layer norm, lr 0.03");
    const auto edit = race_with(d, [](TrainConfig& c) { c.lr = 1; });
    EXPECT_EQ(describe(edit, d), "Learning rate of the run → 1");
    d = edited(d, edit);
    EXPECT_EQ(trained(d, 0).lr, 1);
    EXPECT_EQ(trained(d, 1).lr, 0.03);
    d = edited(d, lane_with(d, 1, [](TrainConfig& c) { c.lr = 1; }));
    EXPECT_EQ(lane(d, 1).differences.size(), 1u) << "as the common one again";
}

TEST(RaceEdit, ALaneHasNoTaskBatchSeedOrNumberOfStepsOfItsOwn) {
    const Document d = raced();
    const Document after = edited(d, lane_with(d, 0, [](TrainConfig& c) {
                                      c.task = Task::moons;
                                      c.batch = 3;
                                      c.seed = 9;
                                      c.steps = 7;
                                      c.layers = 2;
                                  }));
    TrainConfig expected = trained(d, 0);
    expected.layers = 2;
    EXPECT_EQ(trained(after, 0), expected);
}

TEST(RaceEdit, LanesAreAddedDuplicatedRenamedSwitchedAndRemoved) {
    Document d = raced();
    d = edited(d, DuplicateLane{1});
    ASSERT_EQ(d.train.lanes->size(), 6u);
    EXPECT_EQ(lane(d, 2).differences, lane(d, 1).differences);
    EXPECT_EQ(lane(d, 2).look, 5u) << "a look of its own";
    EXPECT_NE(refusal(d, AddLane{}).find("at most 6"), std::string::npos);
    EXPECT_EQ(describe(RemoveLane{0}, d), "Remove “No norm”");
    d = edited(d, RemoveLane{0});
    d = edited(d, RenameLane{0, "Mine"});
    EXPECT_EQ(lane_name(d.train, lane(d, 0)), "Mine");
    d = edited(d, RenameLane{0, " "});
    EXPECT_EQ(lane_name(d.train, lane(d, 0)), "Layer norm") << "no name: by its differences";
    EXPECT_EQ(describe(SwitchLane{0, false}, d), "Race without “Layer norm”");
    d = edited(d, SwitchLane{0, false});
    EXPECT_FALSE(lane(d, 0).on);
    d = edited(d, AddLane{});
    EXPECT_TRUE(lane(d, 5).differences.empty());
    while (d.train.lanes->size() > 1) d = edited(d, RemoveLane{0});
    EXPECT_NE(refusal(d, RemoveLane{0}).find("needs a lane"), std::string::npos);
    EXPECT_NE(refusal(d, RemoveLane{1}).find("no lane 2"), std::string::npos);
}

TEST(RaceEdit, AnotherSettingBeginsAnewAndAnotherNumberOfStepsDoesNot) {
    Document d = edited(raced(), set<&RaceSetup::step>(640));
    d = edited(d, race_with(d, [](TrainConfig& c) { c.steps = 3000; }));
    EXPECT_EQ(d.train.step, 640);
    d = edited(d, race_with(d, [](TrainConfig& c) { c.steps = 500; }));
    EXPECT_EQ(d.train.step, 500);
    EXPECT_NE(refusal(d, set<&RaceSetup::step>(501)).find("no step 501"), std::string::npos);
    d = edited(d, race_with(d, [](TrainConfig& c) { c.seed = 4; }));
    EXPECT_EQ(d.train.step, 0);
}

template<class Change>
SetRace going_on(const Document& d, Change&& change) {
    SetRace edit = race_with(d, std::forward<Change>(change));
    edit.go_on = true;
    return edit;
}

TEST(RaceEdit, AChangeOnTheWayBranchesTheLanesThatItChanges) {
    Document d = edited(raced(), set<&RaceSetup::step>(640));
    const TrainConfig old = trained(d, 1);
    d = edited(d, lane_with(d, 0, [](TrainConfig& c) { c.lr = 0.5; }));
    const auto edit = going_on(d, [](TrainConfig& c) { c.lr = 0.03; });
    EXPECT_EQ(describe(edit, d), "Learning rate of the run → 0.03 from step 640");
    d = edited(d, edit);
    EXPECT_EQ(d.train.step, 640) << "it goes on from there";
    EXPECT_TRUE(lane(d, 0).past.empty()) << "its own rate is as it was";
    ASSERT_EQ(run_of(d.train, lane(d, 1)).size(), 2u);
    EXPECT_EQ(lane(d, 1).past, (std::vector<LanePast>{{640, old}}));
    EXPECT_EQ(last_branch(d.train), 640);
    // Changed again at the same step it is one branch still, and none as it was before.
    d = edited(d, going_on(d, [](TrainConfig& c) { c.lr = 0.02; }));
    EXPECT_EQ(lane(d, 1).past, (std::vector<LanePast>{{640, old}}));
    EXPECT_TRUE(lane(edited(d, going_on(d, [](TrainConfig& c) { c.lr = 0.1; })), 1).past.empty());
    // Further on it branches again; further back, from what it was then.
    const TrainConfig second = trained(d, 1);
    Document later = edited(d, set<&RaceSetup::step>(900));
    later = edited(later, going_on(later, [](TrainConfig& c) { c.batch = 8; }));
    EXPECT_EQ(lane(later, 1).past, (std::vector<LanePast>{{640, old}, {900, second}}));
    Document back = edited(d, set<&RaceSetup::step>(100));
    back = edited(back, going_on(back, [](TrainConfig& c) { c.batch = 8; }));
    EXPECT_EQ(lane(back, 1).past, (std::vector<LanePast>{{100, old}}));
    d = edited(later, BeginAnew{});
    EXPECT_EQ(d.train.step, 0);
    EXPECT_FALSE(last_branch(d.train));
    EXPECT_EQ(trained(d, 1), trained(later, 1)) << "with the settings as they are";
}

// A change before a branch is made to the settings that a person sees there.
TEST(RaceEdit, BeforeABranchTheSettingsAreThoseThatHeldThere) {
    Document d = edited(raced(), set<&RaceSetup::step>(640));
    d = edited(d, going_on(d, [](TrainConfig& c) { c.lr = 0.03; }));
    EXPECT_EQ(common_at(d.train, 640).lr, 0.03) << "the next step is taken with it";
    EXPECT_EQ(common_at(d.train, 639).lr, 0.1);
    EXPECT_EQ(config_at(d.train, lane(d, 1), 639).lr, 0.1);
    EXPECT_EQ(config_at(d.train, lane(d, 1), 2000).lr, 0.03);
    EXPECT_FALSE(branches_later(d.train));
    const Document back = edited(d, set<&RaceSetup::step>(100));
    EXPECT_TRUE(branches_later(back.train));
    const auto there = [&](auto&& change) {
        TrainConfig config = common_at(back.train, 100);
        change(config);
        return SetRace{config, true};
    };
    const auto edit = there([](TrainConfig& c) { c.batch = 8; });
    EXPECT_EQ(describe(edit, back), "Batch in training → 8 from step 100");
    const Document other = edited(back, edit);
    EXPECT_EQ(trained(other, 1).lr, 0.1);
    EXPECT_EQ(trained(other, 1).batch, 8);
    EXPECT_EQ(last_branch(other.train), 100);
    // The rate of the later branch, from here on.
    const Document sooner = edited(back, there([](TrainConfig& c) { c.lr = 0.03; }));
    EXPECT_EQ(trained(sooner, 1).lr, 0.03);
    EXPECT_EQ(last_branch(sooner.train), 100);
    TrainConfig rate = config_at(back.train, lane(back, 1), 100);
    rate.lr = 0.03;
    const Document alone = edited(back, SetLane{1, rate, true});
    EXPECT_EQ(lane(alone, 1).past.back().until, 100);
    EXPECT_EQ(lane(alone, 2).past.back().until, 640);
}

TEST(RaceEdit, OtherShapesBeginAnewAndOneLaneBranchesAlone) {
    Document d = edited(raced(), set<&RaceSetup::step>(640));
    Document deeper = edited(d, going_on(d, [](TrainConfig& c) { c.layers = 9; }));
    EXPECT_EQ(deeper.train.step, 0);
    EXPECT_FALSE(last_branch(deeper.train));
    SetLane edit = lane_with(d, 1, [](TrainConfig& c) { c.skip = Skip::none; });
    edit.go_on = true;
    d = edited(d, edit);
    EXPECT_EQ(d.train.step, 640);
    EXPECT_EQ(lane(d, 1).past.size(), 1u);
    EXPECT_TRUE(lane(d, 0).past.empty());
    edit = lane_with(d, 1, [](TrainConfig& c) { c.norm = NormKind::none; });
    edit.go_on = true;
    EXPECT_TRUE(lane(edited(d, edit), 1).past.empty()) << "γ and β are gone";
    d = edited(d, set<&RaceSetup::step>(d.train.common.steps));
    d = edited(d, going_on(d, [](TrainConfig& c) { c.lr = 0.03; }));
    EXPECT_EQ(d.train.step, 0) << "at the end there is nothing to go on to";
}

TEST(RaceEdit, ASessionKeepsTheBranchesAndRefusesThoseThatCannotBe) {
    Document d = edited(raced(), set<&RaceSetup::step>(640));
    d = edited(d, going_on(d, [](TrainConfig& c) { c.lr = 0.03; }));
    const std::string text = write_session(d);
    const auto read = read_session(text, "a");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, d);
    std::vector<Lane> lanes = *d.train.lanes;
    lanes[1].past[0].config.width = 8;
    d.train.lanes = lanes;
    EXPECT_NE(check(d.train).error().message.find("“Layer norm”: at step 640 it cannot go on"),
              std::string::npos);
    lanes[1].past[0].until = 0;
    d.train.lanes = lanes;
    EXPECT_NE(check(d.train).error().message.find("expected 1 to"), std::string::npos);
}

TEST(RaceEdit, AnotherKindOfTaskHasItsOwnLanes) {
    const Document d = edited(raced(), SetRace{usual_config(Task::reverse)});
    ASSERT_EQ(d.train.lanes->size(), 3u);
    EXPECT_EQ(lane_name(d.train, lane(d, 1)), "Post-LN");
    EXPECT_EQ(lane_name(d.train, lane(d, 2)), "Pre-LN");
}

TEST(RaceEdit, WhatCannotBeTrainedIsRefusedByItsLane) {
    const Document d = raced();
    const auto groups = lane_with(d, 1, [](TrainConfig& c) { c.norm = {NormKind::group, 5}; });
    EXPECT_NE(refusal(d, groups).find("The lane “Group"), std::string::npos) << refusal(d, groups);
    EXPECT_NE(refusal(d, race_with(d, [](TrainConfig& c) { c.layers = 65; })).find("from 1 to 64"),
              std::string::npos);
    EXPECT_FALSE(
        refusal(d, race_with(
                       d, [](TrainConfig& c) { c.lr = std::numeric_limits<double>::quiet_NaN(); }))
            .empty());
    EXPECT_NE(refusal(d, race_with(d, [](TrainConfig& c) { c.task = Task::own; })).find("CSV"),
              std::string::npos);
    EXPECT_NE(refusal(d, SetRace{usual_config(Task::text)}).find("needs a text"),
              std::string::npos);
}

TEST(RaceEdit, ASessionKeepsTheRace) {
    Document d = raced();
    d = edited(d, race_with(d, [](TrainConfig& c) {
                   c.task = Task::moons;
                   c.noise = 0.25;
                   c.optimizer = usual_optimizer(Optimizer::adamw, c.model);
                   c.clip = 0.5;
                   c.seed = 12;
               }));
    d = edited(d, lane_with(d, 1, [](TrainConfig& c) {
                   c.clip.reset();
                   c.schedule = Schedule::linear;
                   c.warmup = 60;
                   c.activation = Activation::tanh;
               }));
    d = edited(d, SwitchLane{2, false});
    d = edited(d, RemoveLane{0});
    d = edited(d, RenameLane{1, "Batch, mine"});
    d = edited(d, set<&RaceSetup::step>(77));
    const auto read = read_session(write_session(d), "a");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_EQ(*read, d);
    EXPECT_FALSE(trained(*read, 0).clip);
}

} // namespace
} // namespace normscope
