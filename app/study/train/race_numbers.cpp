#include "app/study/train/race_runner.h"
#include "core/base/lists.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace normscope {

namespace {

// Quoted as RFC 4180 asks.
std::string csv_word(const std::string& word) {
    if (word.find_first_of(",\"\n\r") == std::string::npos) return word;
    std::string out = "\"";
    for (const char c : word) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

void append_number(std::string& out, float value) {
    out += ',';
    if (std::isfinite(value)) fmt::format_to(std::back_inserter(out), "{}", value);
}

void append_lane(std::string& out, const std::string& name, const LaneTrace& trace,
                 std::size_t layers) {
    for (Index step = 1; step <= trace.steps(); ++step) {
        fmt::format_to(std::back_inserter(out), "{},{}", name, step);
        append_number(out, entry_at(trace.loss, step - 1));
        const TestLook* const look = trace.look_at(step);
        out += ',';
        if (look && look->step == step)
            fmt::format_to(std::back_inserter(out), "{}", look->accuracy);
        for (std::size_t l = 0; l < layers; ++l) {
            if (l >= trace.layer_count) {
                out += ",,,,";
                continue;
            }
            const LayerTrace& layer = trace.layer(step, l);
            for (const float value :
                 {layer.mean, layer.std, layer.gradient_norm, layer.update_ratio})
                append_number(out, value);
        }
        out += '\n';
    }
}

} // namespace

std::string race_csv(const RaceSetup& setup, const RaceState& state) {
    std::size_t layers = 0;
    for (const auto& lane : state.lanes)
        if (lane) layers = std::max(layers, lane->trace.layer_count);
    std::string out = "lane,step,loss,test_accuracy";
    for (std::size_t l = 1; l <= layers; ++l)
        for (const char* what : {"mean", "std", "gradient", "log10_update_ratio"})
            out += fmt::format(",layer{}_{}", l, what);
    out += '\n';
    for (std::size_t i = 0; i < state.lanes.size() && i < setup.lanes->size(); ++i)
        if (state.lanes[i])
            append_lane(out, csv_word(lane_name(setup, (*setup.lanes)[i])), state.lanes[i]->trace,
                        layers);
    return out;
}

} // namespace normscope
