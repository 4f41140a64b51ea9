#include "app/model/train/edit_race.h"

#include <algorithm>
#include <fmt/format.h>

namespace normscope {

namespace {

using Lanes = std::vector<Lane>;

// The document with a changed race, if that can be.
template<class Change>
Result<Document> with_race(const Document& before, Change&& change) {
    Document d = before;
    change(d.train);
    if (const auto ok = check(d.train); !ok) return tl::unexpected(ok.error());
    return d;
}

// As with_race(), where the lanes change and there is one of this index.
template<class Change>
Result<Document> with_lane(const Document& before, std::size_t index, Change&& change) {
    if (index >= before.train.lanes->size())
        return fail(fmt::format("There is no lane {}: the race has {}", index + 1,
                                before.train.lanes->size()));
    return with_race(before, [&](RaceSetup& s) {
        Lanes lanes = *s.lanes;
        change(lanes);
        s.lanes = std::move(lanes);
    });
}

std::string lane_at(const Document& d, std::size_t index) {
    const Lanes& lanes = *d.train.lanes;
    return index < lanes.size() ? lane_name(d.train, lanes[index]) : std::string();
}

bool only_steps_differ(TrainConfig a, const TrainConfig& b) {
    a.steps = b.steps;
    return a == b && a.schedule != Schedule::linear;
}

} // namespace

Result<Document> apply(const Document& before, const SetRace& e) {
    return with_race(before, [&](RaceSetup& s) {
        if (kind_of(s.common.task) != kind_of(e.common.task)) s.lanes = usual_lanes(e.common.task);
        s.step = only_steps_differ(s.common, e.common) ? std::min(s.step, e.common.steps) : 0;
        s.common = e.common;
    });
}

Result<Document> apply(const Document& before, const AddLane&) {
    return with_race(before, [&](RaceSetup& s) {
        Lanes lanes = *s.lanes;
        lanes.push_back({"", true, free_look(lanes), {}});
        s.lanes = std::move(lanes);
    });
}

Result<Document> apply(const Document& before, const DuplicateLane& e) {
    return with_lane(before, e.index, [&](Lanes& lanes) {
        Lane copy = lanes[e.index];
        copy.look = free_look(lanes);
        lanes.insert(lanes.begin() + static_cast<std::ptrdiff_t>(e.index) + 1, std::move(copy));
    });
}

Result<Document> apply(const Document& before, const RemoveLane& e) {
    return with_lane(before, e.index, [&](Lanes& lanes) {
        lanes.erase(lanes.begin() + static_cast<std::ptrdiff_t>(e.index));
    });
}

Result<Document> apply(const Document& before, const RenameLane& e) {
    return with_lane(before, e.index, [&](Lanes& lanes) {
        const bool blank = e.name.find_first_not_of(' ') == std::string::npos;
        lanes[e.index].name = blank ? std::string() : e.name;
    });
}

Result<Document> apply(const Document& before, const SwitchLane& e) {
    return with_lane(before, e.index, [&](Lanes& lanes) { lanes[e.index].on = e.on; });
}

Result<Document> apply(const Document& before, const SetLane& e) {
    return with_lane(before, e.index, [&](Lanes& lanes) {
        lanes[e.index] = with_config(before.train, lanes[e.index], e.config);
    });
}

std::string describe(const SetRace& e, const Document& before) {
    const auto told = describe_difference(before.train.common, e.common);
    return told && !told->empty() ? *told : std::string("Another race");
}

std::string describe(const AddLane&, const Document& /*before*/) {
    return "Add a lane";
}

std::string describe(const DuplicateLane& e, const Document& before) {
    return fmt::format("Duplicate “{}”", lane_at(before, e.index));
}

std::string describe(const RemoveLane& e, const Document& before) {
    return fmt::format("Remove “{}”", lane_at(before, e.index));
}

std::string describe(const RenameLane& e, const Document& before) {
    return fmt::format("Rename “{}” to “{}”", lane_at(before, e.index), e.name);
}

std::string describe(const SwitchLane& e, const Document& before) {
    return fmt::format("{} “{}”", e.on ? "Race with" : "Race without", lane_at(before, e.index));
}

std::string describe(const SetLane& e, const Document& before) {
    const Lanes& lanes = *before.train.lanes;
    if (e.index >= lanes.size()) return {};
    const auto told = describe_difference(config_of(before.train, lanes[e.index]), e.config);
    return fmt::format("{}: {}", lane_at(before, e.index),
                       told && !told->empty() ? *told : std::string("other settings"));
}

} // namespace normscope
