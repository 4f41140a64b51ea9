#include "app/cli/train/train.h"

#include "app/cli/outputs.h"
#include "app/model/train/race_setup.h"
#include "app/session/archive.h"
#include "core/base/lists.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <span>

namespace normscope {

namespace {

Json record_json(const RunRecord& record) {
    Json out{{"step", record.step},         {"loss", record.loss},
             {"accuracy", record.accuracy}, {"test_accuracy", record.test_accuracy},
             {"grad_norms", Json::array()}, {"layer_mean", Json::array()},
             {"layer_std", Json::array()}};
    for (const LayerState& layer : record.layers) {
        out["grad_norms"].push_back(layer.gradient_norm);
        out["layer_mean"].push_back(layer.reading.mean);
        out["layer_std"].push_back(layer.reading.std);
    }
    return out;
}

Json seeds_json(const std::vector<SeedRun>& seeds) {
    Json out = Json::array();
    for (const SeedRun& run : seeds) {
        Json& own = out.emplace_back();
        own["seed"] = run.seed;
        own["steps"] = Json::array();
        for (const RunRecord& record : run.records) own["steps"].push_back(record_json(record));
        own["guess"] = {{"loss", run.guess.loss},
                        {"test_accuracy", json_or_null(run.guess.test_accuracy)}};
        own["hit_step"] = json_or_null(run.hit_step);
        own["diverged_step"] = run.diverged ? Json(run.diverged->step) : Json();
        own["diverged_at"] = run.diverged ? Json(run.diverged->place) : Json();
        own["final"] = {{"loss", run.final.loss},
                        {"train_accuracy", json_or_null(run.final.train_accuracy)},
                        {"test_accuracy", run.final.test_accuracy},
                        {"greedy_accuracy", json_or_null(run.final.greedy_accuracy)},
                        {"antidiagonal_best", json_or_null(run.final.antidiagonal_best)}};
    }
    return out;
}

// The columns of a step that was looked at; the index is that of the last layer.
constexpr TableColumn k_of_step[] = {{"step", "/step"},
                                     {"loss", "/loss"},
                                     {"accuracy", "/accuracy"},
                                     {"test accuracy", "/test_accuracy"},
                                     {"‖g‖ first layer", "/grad_norms/0"},
                                     {"‖g‖ last layer", "/grad_norms/{}"},
                                     {"u first mean", "/layer_mean/0"},
                                     {"u first σ", "/layer_std/0"},
                                     {"u last mean", "/layer_mean/{}"},
                                     {"u last σ", "/layer_std/{}"}};
constexpr TableColumn k_of_seed[] = {{"seed", "/seed"},
                                     {"loss", "/final/loss"},
                                     {"train accuracy", "/final/train_accuracy"},
                                     {"test accuracy", "/final/test_accuracy"},
                                     {"guessed", "/guess/test_accuracy"},
                                     {"greedy", "/final/greedy_accuracy"},
                                     {"antidiagonal", "/final/antidiagonal_best"},
                                     {"hit at step", "/hit_step"},
                                     {"diverged", "/diverged"}};

// One run: a line a step.
std::string steps_table(const Json& run) {
    TextTable table({}, k_of_step);
    for (const Json& step : run["steps"])
        table.add({}, Json::array({step}), {}, step["grad_norms"].size() - 1);
    return table.text() +
           "‖g‖: the gradient's norm; u: what the activation function of a layer reads; mean and "
           "σ: root mean square over its units\n\n";
}

std::string seeds_table(Json seeds) {
    TextTable table({}, k_of_seed);
    for (Json& run : seeds) {
        const Json& step = run["diverged_step"];
        run["diverged"] = step.is_null() ? "no"
                                         : fmt::format("at step {}: {}", step.dump(),
                                                       run["diverged_at"].get<std::string>());
        table.add({}, Json::array({run}));
    }
    return table.text();
}

std::size_t trained_count(const TrainConfig& config, const std::vector<SeedRun>& seeds) {
    return static_cast<std::size_t>(std::ranges::count_if(
        seeds, [&](const SeedRun& run) { return has_learned(config.task, run); }));
}

// "a, b and 4 more".
std::string listed(const std::vector<std::string>& names) {
    constexpr std::size_t k_most = 8;
    const auto some = std::span(names).first(std::min(names.size(), k_most));
    return fmt::format(
        "{}{}", joined(some),
        some.size() < names.size() ? fmt::format(" and {} more", names.size() - some.size()) : "");
}

// How many of so many runs must train for a rate that trains: four of five.
std::size_t enough(std::size_t seeds) {
    return (4 * seeds + 4) / 5;
}

// The largest rate of a sweep at which enough runs train; none: there is no such.
std::optional<double> largest_rate(const TrainReport& report) {
    std::optional<double> out;
    for (const RateRuns& rate : report.rates)
        if (trained_count(report.config, rate.seeds) >= enough(rate.seeds.size()))
            out = std::max(out.value_or(rate.lr), rate.lr);
    return out;
}

std::string sweep_table(const TrainReport& report) {
    TextTable table({"learning rate", "trained", "loss", "test accuracy", "diverged"}, {});
    for (const RateRuns& rate : report.rates) {
        double loss = 0, accuracy = 0;
        for (const SeedRun& run : rate.seeds) {
            loss += run.final.loss / static_cast<double>(rate.seeds.size());
            accuracy += run.final.test_accuracy / static_cast<double>(rate.seeds.size());
        }
        table.add(
            {shown(rate.lr),
             fmt::format("{} of {}", trained_count(report.config, rate.seeds), rate.seeds.size()),
             shown(loss), shown(accuracy),
             std::to_string(std::ranges::count_if(
                 rate.seeds, [](const SeedRun& run) { return run.diverged.has_value(); }))});
    }
    const auto largest = largest_rate(report);
    const std::size_t seeds = report.rates.front().seeds.size();
    const std::string runs = fmt::format("{} of {} runs", enough(seeds), seeds);
    return table.text() + (largest ? fmt::format("largest rate that trains: {} ({} or more)\n",
                                                 shown(*largest), runs)
                                   : fmt::format("no rate trains {}\n", runs));
}

} // namespace

std::string train_json(const TrainReport& report) {
    Json out;
    Json& config = out["config"] = json_of(report.config);
    config.erase("seed"); // each run says its own
    config["clip"] = json_or_null(report.config.clip);
    config.erase("norm_place");
    if (!is_transformer(report.config.model)) config["placement"] = id_of(report.config.norm_place);
    if (!report.file.empty()) config["file"] = report.file;
    if (const PointNames& names = report.names; !names.classes.empty()) {
        config["class"] = names.class_column;
        config["classes"] = names.classes;
        config["features"] = names.features;
    }
    config["every"] = report.every;
    if (!report.sweeps) {
        out["seeds"] = seeds_json(report.rates.front().seeds);
        return out.dump(1) + '\n';
    }
    config.erase("lr");
    out["sweep"] = Json::array();
    for (const RateRuns& rate : report.rates)
        out["sweep"].push_back({{"lr", rate.lr},
                                {"trained", trained_count(report.config, rate.seeds)},
                                {"seeds", seeds_json(rate.seeds)}});
    out["largest_lr"] = json_or_null(largest_rate(report));
    return out.dump(1) + '\n';
}

std::string train_table(const TrainReport& report) {
    const TrainConfig& c = report.config;
    std::string out = fmt::format("{}: width {}, {}{}, {}, batch {}, {} steps\n", train_name(c),
                                  c.width, label_of(c.optimizer.kind),
                                  report.sweeps ? "" : fmt::format(" at {}", shown(c.lr)),
                                  label_of(c.schedule), c.batch, c.steps);
    const std::vector<SeedRun>& seeds = report.rates.front().seeds;
    if (const PointNames& names = report.names; !names.classes.empty())
        out += fmt::format("{}: the class is the column {}: {}; features: {}\n", report.file,
                           names.class_column, listed(names.classes), listed(names.features));
    out += fmt::format("a guess by how often each is there has the loss {}\n\n",
                       shown(seeds.front().guess.loss));
    if (report.sweeps) return out + sweep_table(report);
    const Json json = seeds_json(seeds);
    if (seeds.size() == 1) out += steps_table(json[0]);
    return out + seeds_table(json);
}

} // namespace normscope
