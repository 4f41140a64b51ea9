#include "app/model/train/race_setup.h"

#include "app/language/language.h"
#include "app/model/flow/flow_setup.h"
#include "app/model/printed_number.h"
#include "core/base/lists.h"

#include <algorithm>
#include <array>

namespace normscope {

namespace {

constexpr std::string_view k_lane_keys[] = {
    "norm", "groups", "norm_place", "placement", "skip", "layers",    "activation",
    "lr",   "warmup", "schedule",   "clip",      "mask", "optimizer", "positions"};

const Field<TrainConfig>& train_field(std::string_view key) {
    return *std::ranges::find(fields<TrainConfig>(), key, &Field<TrainConfig>::key);
}

LaneDifference differs(std::string_view key, std::string_view choice) {
    const Field<TrainConfig>& field = train_field(key);
    return {&field, Chosen{place_in(field.words.choices, choice, &ChoiceName::id)}};
}

std::size_t place_of(const LaneDifference& difference) {
    return place_in(lane_fields(), difference.field);
}

// "Layer norm", "Pre-LN", "no norm": what a lane does about norms.
std::string norm_words(const TrainConfig& c) {
    const NormEntry& norm = norm_entry(c.norm);
    if (!norm.normalizes()) return worded("No norm");
    if (!is_transformer(c.model))
        return c.norm_place == NormPlace::post ? worded("{} norm after φ", norm.label)
                                               : worded("{} norm", norm.label);
    return norm_name(c.norm, c.placement);
}

bool is_of_norm(std::string_view key) {
    return key == "norm" || key == "groups" || key == "norm_place" || key == "placement";
}

std::string short_words(const TrainConfig& c, std::string_view key) {
    if (key == "skip")
        return c.skip == Skip::none     ? worded("no skip")
               : c.skip == Skip::rezero ? worded("ReZero")
                                        : worded("skip");
    if (key == "layers")
        return c.layers == 1 ? worded("{} layer", c.layers) : worded("{} layers", c.layers);
    if (key == "activation") return worded("{}", label_of(c.activation));
    if (key == "lr") return worded("lr {}", short_text(c.lr));
    if (key == "warmup")
        return c.warmup == 0 ? worded("no warm-up") : worded("warm-up {}", c.warmup);
    if (key == "schedule") return worded("{}", label_of(c.schedule));
    if (key == "clip") return c.clip ? worded("clip {}", short_text(*c.clip)) : worded("no clip");
    if (key == "mask") return c.masked ? worded("mask") : worded("no mask");
    if (key == "optimizer") return worded("{}", label_of(c.optimizer.kind));
    return c.positions == Positions::none ? worded("no positions")
                                          : worded("{} positions", id_of(c.positions));
}

Result<void> check_run(const TrainConfig& c) {
    TRY(check_fields(c));
    return check_config(c);
}

Result<void> check_input(const RaceSetup& setup) {
    const TrainInput& given = setup.input->given;
    if (setup.common.task == Task::text) {
        if (given.text.empty()) return fail("The task “text” needs a text, and there is none");
        if (given.text.size() > k_longest_race_text)
            return fail("The text has {} bytes; a race reads at most {}", given.text.size(),
                        k_longest_race_text);
        return read_text(given.text, setup.common.length).map([](const TextData&) {});
    }
    if (setup.common.task != Task::own) return {};
    const Points& points = given.points;
    if (points.classes.empty())
        return fail("The task “own” needs points of yours: open a CSV with a column of classes");
    if (points.x.rows() > k_most_own_points)
        return fail("There are {} points; a race reads at most {}", points.x.rows(),
                    k_most_own_points);
    return split_points(points, setup.common.seed).map([](const PointData&) {});
}

Result<void> check_past(const std::vector<RunPhase>& run) {
    for (std::size_t i = 1; i < run.size(); ++i) {
        const Index first = run[i].first, before = run[i - 1].first;
        if (first <= before || first > k_most_race_steps)
            return fail("it branches at step {}: expected {} to {}", first, before + 1,
                        k_most_race_steps);
        TRY(check_run(run[i - 1].config));
        if (!goes_on(run[i - 1].config, run[i].config))
            return fail("at step {} it cannot go on: its tensors or its data would be "
                        "others",
                        first);
    }
    return {};
}

} // namespace

template<>
std::span<const Field<RaceSetup>> fields() {
    using S = RaceSetup;
    static const Field<S> rows[] = {
        field<&S::step>("step", "Step", {0, static_cast<double>(k_most_race_steps)}, {},
                        {.unsaid = [](const S& s) { return s.step == 0; }}),
    };
    constexpr std::size_t k_others = 3; // the common settings, the lanes and the input
    static_assert(std::size(rows) + k_others == member_count<S>());
    return rows;
}

const std::vector<const Field<TrainConfig>*>& lane_fields() {
    static const auto all = [] {
        std::vector<const Field<TrainConfig>*> out;
        for (const std::string_view key : k_lane_keys) out.push_back(&train_field(key));
        return out;
    }();
    return all;
}

std::vector<Lane> usual_lanes(Task task) {
    if (kind_of(task) == TaskKind::points)
        return {{"", true, 0, {differs("norm", "none"), differs("skip", "none")}},
                {"", true, 4, {differs("norm", "layer"), differs("skip", "none")}},
                {"", true, 2, {differs("norm", "none"), differs("skip", "add")}},
                {"", true, 1, {differs("norm", "layer"), differs("skip", "add")}}};
    return {{"", true, 0, {differs("norm", "none")}},
            {"", true, 1, {differs("placement", "post")}},
            {"", true, 2, {differs("placement", "pre")}}};
}

RaceSetup default_race() {
    RaceSetup out;
    out.common = usual_config(Task::spirals);
    out.common.layers = 24;
    out.common.lr = 0.2;
    out.common.steps = 1000;
    out.lanes = usual_lanes(Task::spirals);
    return out;
}

TrainConfig config_of(const RaceSetup& setup, const Lane& lane) {
    TrainConfig out = setup.common;
    for (const LaneDifference& difference : lane.differences) {
        const Optimizer before = out.optimizer.kind;
        difference.field->set(out, difference.value);
        if (out.optimizer.kind != before)
            out.optimizer = usual_optimizer(out.optimizer.kind, out.model);
    }
    return out;
}

bool same_value(const RaceInput& a, const RaceInput& b) {
    const Points &p = a.given.points, &q = b.given.points;
    return a.name == b.name && a.given.text == b.given.text && p.classes == q.classes &&
           p.class_count == q.class_count && p.names == q.names && same_value(p.x, q.x);
}

TrainConfig config_at(const RaceSetup& setup, const Lane& lane, Index step) {
    const auto past = std::ranges::upper_bound(lane.past, step, {}, &LanePast::until);
    return past == lane.past.end() ? config_of(setup, lane) : past->config;
}

TrainConfig common_at(const RaceSetup& setup, Index step) {
    TrainConfig out = setup.common;
    for (const Field<TrainConfig>& field : fields<TrainConfig>())
        for (const Lane& lane : *setup.lanes) {
            const bool own = find_in(lane.differences, &field, &LaneDifference::field);
            if (own || lane.past.empty() || step >= lane.past.back().until) continue;
            field.set(out, field.get(config_at(setup, lane, step)));
            break;
        }
    out.steps = setup.common.steps;
    return out;
}

bool branches_later(const RaceSetup& setup) {
    return last_branch(setup).value_or(0) > setup.step;
}

std::vector<RunPhase> run_of(const RaceSetup& setup, const Lane& lane) {
    std::vector<RunPhase> out;
    Index first = 0;
    for (const LanePast& past : lane.past) {
        out.push_back({first, past.config});
        first = past.until;
    }
    out.push_back({first, config_of(setup, lane)});
    return out;
}

bool can_branch(const RaceSetup& setup) {
    return setup.step > 0 && setup.step < setup.common.steps;
}

std::optional<Index> last_branch(const RaceSetup& setup) {
    std::optional<Index> out;
    for (const Lane& lane : *setup.lanes)
        if (!lane.past.empty()) out = std::max(out.value_or(0), lane.past.back().until);
    return out;
}

Lane with_config(const RaceSetup& setup, Lane lane, const TrainConfig& config) {
    const TrainConfig now = config_of(setup, lane);
    for (const Field<TrainConfig>* const field : lane_fields()) {
        const FieldValue value = field->get(config);
        if (value == field->get(now)) continue;
        std::erase_if(lane.differences, [&](const LaneDifference& d) { return d.field == field; });
        if (value != field->get(setup.common)) lane.differences.push_back({field, value});
    }
    std::ranges::sort(lane.differences, {}, place_of);
    return lane;
}

std::string lane_name(const RaceSetup& setup, const Lane& lane) {
    if (!lane.name.empty()) return lane.name;
    const TrainConfig config = config_of(setup, lane);
    const auto& all = *setup.lanes;
    // The name need not say the norm where no lane differs in it.
    const bool norms_differ = std::ranges::any_of(all, [](const Lane& other) {
        return std::ranges::any_of(
            other.differences, [](const LaneDifference& d) { return is_of_norm(d.field->key); });
    });
    std::string out = norms_differ ? norm_words(config) : std::string();
    for (const LaneDifference& difference : lane.differences) {
        if (is_of_norm(difference.field->key)) continue;
        if (!out.empty()) out += ", ";
        out += short_words(config, difference.field->key);
    }
    return out.empty() ? norm_words(config) : out;
}

Result<void> check(const RaceSetup& setup) {
    TRY(check_fields(setup));
    TRY(check_run(setup.common));
    TRY(check_input(setup));
    if (setup.step > setup.common.steps)
        return fail("The race has {} steps: there is no step {} to look at", setup.common.steps,
                    setup.step);
    if (setup.lanes->empty()) return fail("A race needs a lane");
    if (setup.lanes->size() > k_most_lanes)
        return fail("There are {} lanes; at most {} race: remove one first", setup.lanes->size(),
                    k_most_lanes);
    for (const auto i : indices(*setup.lanes)) {
        const Lane& lane = (*setup.lanes)[i];
        const auto named = [&] { return worded("The lane “{}”", lane_name(setup, lane)); };
        for (const LaneDifference& d : lane.differences)
            if (place_of(d) == lane_fields().size())
                return fail("{}: “{}” is the same for all lanes", named(), d.field->label);
        if (lane.look >= k_most_lanes)
            return fail("{} has look {}: expected 0 to {}", named(), lane.look, k_most_lanes - 1);
        for (const auto& ok : {check_run(config_of(setup, lane)), check_past(run_of(setup, lane))})
            if (!ok) return fail("{}: {}", named(), ok.error());
    }
    return {};
}

} // namespace normscope
