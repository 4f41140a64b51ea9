#pragma once
#include "app/model/document.h"
#include "app/session/document_json.h"

// The parts of a document that hold more than settings.
namespace normscope {

// {…, "block_affine": [{…}]}: every setting under the name of its command-line option ("ffn_mult",
// "trunk_scale").
template<class A>
void archive(A& a, StackConfig& stack) {
    if (A::reads) stack = default_flow().stack;
    a.fields(stack);
    a("block_affine", stack.block_affine);
}

template<class A>
void archive(A& a, PinnedStack& pin) {
    a("name", pin.name);
    a("shown", pin.shown);
    a("look", pin.look);
    a("stack", pin.stack);
}

// Earlier versions kept the names that the program gives, in English.
void forget_derived_names(FlowSetup& flow);

// {"stack": {…}, "seeds": 5, "linked_affine": true, "pinned": [{…}]}
template<class A>
void archive(A& a, FlowSetup& flow) {
    a("stack", flow.stack);
    a.fields(flow);
    a("pinned", flow.pinned);
    if (A::reads) forget_derived_names(flow);
}

// {"name": "W.safetensors", "words": ["<s>", …], "tensors": {"encoder.layers.0…": [0.5, …], …}}:
// PyTorch's names, row after row.
nlohmann::ordered_json json_of(const std::shared_ptr<const FileWeights>& weights);
// The config becomes that of the weights.
std::shared_ptr<const FileWeights> read_weights(const JsonPlace& at, TransformerConfig& config);

// {"layers": 3, …, "source": ["I", …], "target": […]}
template<class A>
void archive(A& a, TransformerSetup& setup) {
    a.fields(setup.config);
    a("source", setup.source);
    a("target", setup.target);
    a("taken_out", setup.taken_out);
    a("decoded", setup.decoded, [](const JsonPlace& at) {
        return static_cast<int>(read_integer(at, 0, static_cast<int>(k_most_words)));
    });
    a("weights", setup.weights,
      [&](const JsonPlace& at) { return read_weights(at, setup.config); });
}

// Left out is what is as the task is usually trained.
void read_into(const JsonPlace& at, TrainConfig& into);

// {"norm": "layer", "skip": "none"}
nlohmann::ordered_json json_of(const std::vector<LaneDifference>& differences);
void read_into(const JsonPlace& at, std::vector<LaneDifference>& into);

template<class A>
void archive(A& a, LanePast& past) {
    a("until", past.until);
    a("config", past.config);
}

template<class A>
void archive(A& a, Lane& lane) {
    a("name", lane.name);
    a("on", lane.on);
    a("look", lane.look);
    a("differences", lane.differences);
    a("past", lane.past);
}

// Errors: not as many classes as points, or names that do not fit. Names that a session does not
// have are numbers.
void complete(Points& points, const JsonPlace& at);

// {"name": "sonnets", "text": "…"} or {"name": …, "points": [[1, 2], …], "classes": [0, …], …}
template<class A>
void archive(A& a, RaceInput& input) {
    Points& points = input.given.points;
    a("name", input.name);
    a("text", input.given.text);
    a("points", points.x, read_rows);
    a("classes", points.classes);
    if (A::reads || !points.classes.empty()) {
        a("features", points.names.features);
        a("class", points.names.class_column);
        a("class_at", points.names.class_at);
        a("class_names", points.names.classes);
    }
    if constexpr (A::reads)
        if (points.x.size() > 0 || !points.classes.empty()) complete(points, a.place);
}

// {"common": {"task": "spirals", …}, "step": 640, "lanes": [{…}], "input": {…}}
template<class A>
void archive(A& a, RaceSetup& race) {
    a("common", race.common);
    a.fields(race);
    a("lanes", race.lanes);
    a("input", race.input);
}

} // namespace normscope
