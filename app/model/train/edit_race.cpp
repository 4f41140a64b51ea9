#include "app/model/edit_parts.h"

#include "app/language/language.h"
#include "core/base/lists.h"

#include <algorithm>

namespace normscope {

namespace {

using Lanes = std::vector<Lane>;

bool only_steps_differ(TrainConfig a, const TrainConfig& b) {
    a.steps = b.steps;
    return a == b && a.schedule != Schedule::linear;
}

// The lane goes on by `now` from the step, after what it was trained with up to it; where it
// cannot, it begins anew and the answer is false.
bool branch(Lane& lane, std::vector<RunPhase> run, const TrainConfig& now, Index step) {
    while (run.size() > 1 && run.back().first > step) run.pop_back();
    if (run.back().first == step && run.size() > 1)
        run.pop_back(); // the last step is changed again
    lane.past.clear();
    if (step == 0 || !goes_on(run.back().config, now)) return false;
    for (const auto i : indices(run)) {
        const bool last = i + 1 == run.size();
        if (last && run[i].config == now) break; // as if it had not branched
        lane.past.push_back({last ? step : run[i + 1].first, run[i].config});
    }
    return true;
}

Index branch_step(const RaceSetup& before, bool go_on) {
    return go_on && can_branch(before) ? before.step : 0;
}

struct ApplyRace {
    const Document& before;

    // As with_part(), for a change of the lanes that needs a lane of this index.
    template<class Change>
    Result<Document> with_lane(std::size_t index, Change&& change) const {
        if (index >= before.train.lanes->size())
            return fail("There is no lane {}: the race has {}", index + 1,
                        before.train.lanes->size());
        return with_part<RaceSetup>(before, [&](RaceSetup& s) { change(s.lanes.own()); });
    }

    Result<Document> operator()(const SetRace& e) const {
        return with_part<RaceSetup>(before, [&](RaceSetup& s) {
            s.common = e.common;
            s.input = e.input.value_or(s.input);
            const bool same_input = s.input == before.train.input;
            // Before a branch the settings after it are a change too.
            const bool changes = branches_later(before.train) && e.common == before.train.common;
            if (same_input && !changes && only_steps_differ(before.train.common, e.common)) {
                s.step = std::min(s.step, e.common.steps);
                return;
            }
            const bool same_kind = kind_of(before.train.common.task) == kind_of(e.common.task);
            Lanes lanes = same_kind ? *s.lanes : usual_lanes(e.common.task);
            const Index step = same_kind && same_input ? branch_step(before.train, e.go_on) : 0;
            bool goes_on = false;
            for (Lane& lane : lanes) {
                const auto run = same_kind ? run_of(before.train, lane) : std::vector<RunPhase>();
                const TrainConfig now = config_of(s, lane);
                if (step > 0 && run.back().config == now && run.back().first <= step) continue;
                if (step > 0)
                    goes_on |= branch(lane, run, now, step) && lane.on;
                else
                    lane.past.clear();
            }
            s.lanes = std::move(lanes);
            if (!goes_on) s.step = 0;
        });
    }

    Result<Document> operator()(const BeginAnew&) const {
        return with_part<RaceSetup>(before, [&](RaceSetup& s) {
            for (Lane& lane : s.lanes.own()) lane.past.clear();
            s.step = 0;
        });
    }

    Result<Document> operator()(const AddLane&) const {
        return with_part<RaceSetup>(before, [&](RaceSetup& s) {
            Lanes& lanes = s.lanes.own();
            lanes.push_back({"", true, free_look(lanes), {}});
        });
    }

    Result<Document> operator()(const DuplicateLane& e) const {
        return with_lane(e.index, [&](Lanes& lanes) {
            Lane copy = lanes[e.index];
            copy.look = free_look(lanes);
            lanes.insert(lanes.begin() + static_cast<std::ptrdiff_t>(e.index) + 1, std::move(copy));
        });
    }

    Result<Document> operator()(const RemoveLane& e) const {
        return with_lane(e.index, [&](Lanes& lanes) {
            lanes.erase(lanes.begin() + static_cast<std::ptrdiff_t>(e.index));
        });
    }

    Result<Document> operator()(const RenameLane& e) const {
        return with_lane(e.index, [&](Lanes& lanes) {
            const bool blank = e.name.find_first_not_of(' ') == std::string::npos;
            lanes[e.index].name = blank ? std::string() : e.name;
        });
    }

    Result<Document> operator()(const SwitchLane& e) const {
        return with_lane(e.index, [&](Lanes& lanes) { lanes[e.index].on = e.on; });
    }

    Result<Document> operator()(const SetLane& e) const {
        return with_lane(e.index, [&](Lanes& lanes) {
            Lane& lane = lanes[e.index];
            const auto run = run_of(before.train, lane);
            lane = with_config(before.train, lane, e.config);
            const TrainConfig now = config_of(before.train, lane);
            const Index step = branch_step(before.train, e.go_on);
            if (run.back().config != now || run.back().first > step) branch(lane, run, now, step);
        });
    }
};

struct DescribeRace {
    const Document& before;

    std::string lane_at(std::size_t index) const {
        const Lanes& lanes = *before.train.lanes;
        return index < lanes.size() ? lane_name(before.train, lanes[index]) : std::string();
    }

    // `change`, and where a race that goes on makes it.
    Wording from_step(Wording change, bool go_on) const {
        const Index step = branch_step(before.train, go_on);
        return step > 0 ? wording("{} from step {}", change, step) : change;
    }

    Wording operator()(const SetRace& e) const {
        const TrainConfig was = common_at(before.train, before.train.step);
        if (e.input && e.common == was && (*e.input)->name == before.train.input->name)
            return wording("Class → {}", (*e.input)->given.points.names.class_column);
        return from_step(describe_difference(was, e.common, wording("Another race")), e.go_on);
    }
    Wording operator()(const BeginAnew&) const { return wording("Begin the race anew"); }
    Wording operator()(const AddLane&) const { return wording("Add a lane"); }
    Wording operator()(const DuplicateLane& e) const {
        return wording("Duplicate “{}”", lane_at(e.index));
    }
    Wording operator()(const RemoveLane& e) const {
        return wording("Remove “{}”", lane_at(e.index));
    }
    Wording operator()(const RenameLane& e) const {
        return wording("Rename “{}” to “{}”", lane_at(e.index), e.name);
    }
    Wording operator()(const SwitchLane& e) const {
        return wording("{} “{}”", e.on ? "Race with" : "Race without", lane_at(e.index));
    }
    Wording operator()(const SetLane& e) const {
        const Lanes& lanes = *before.train.lanes;
        if (e.index >= lanes.size()) return Wording();
        const TrainConfig was = config_at(before.train, lanes[e.index], before.train.step);
        return wording(
            "{}: {}", lane_at(e.index),
            from_step(describe_difference(was, e.config, wording("other settings")), e.go_on));
    }
};

} // namespace

Result<Document> apply_part(const Document& before, const RaceEdit& edit) {
    return std::visit(ApplyRace{before}, edit);
}

Wording label_of_part(const RaceEdit& edit, const Document& before) {
    return std::visit(DescribeRace{before}, edit);
}

} // namespace normscope
