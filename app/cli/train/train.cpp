#include "app/cli/train/train.h"
#include "app/cli/options.h"
#include "app/io/text.h"
#include "app/model/train/race_setup.h"
#include "core/base/lists.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <ostream>

namespace normscope {

namespace {

struct TrainOptions {
    Said<TrainConfig> said;
    std::string task = "spirals";
    std::string class_column;
    std::string placement; // of the model's own table; empty: nothing was said
    std::optional<TrainModel> model;
    std::optional<Optimizer> optimizer;
    std::optional<double> lr, clip;
    bool no_mask = false;
    int seeds = 1;
    Index every = 25;
    std::vector<double> sweep;
    std::string save;
    bool json = false;
};

// The value of an id in the model's own table of placements.
template<class E>
Checked<E> placement_of(const std::string& id, E usual) {
    if (id.empty()) return usual;
    const std::vector<std::string> ids = ids_of<E>();
    if (!find_in(ids, id))
        return usage_error("train: --placement {}: this model's norms stand {}", id,
                           fmt::format("{}", fmt::join(ids, " or ")));
    return from_id<E>(id);
}

Checked<TrainConfig> config_of(const TrainOptions& options, Task task) {
    TrainConfig config = usual_config(task);
    config.model = options.model.value_or(config.model);
    config.optimizer =
        usual_optimizer(options.optimizer.value_or(config.optimizer.kind), config.model);
    const bool adapts =
        config.optimizer.kind == Optimizer::adam || config.optimizer.kind == Optimizer::adamw;
    config.lr = options.lr.value_or(adapts ? 0.003 : 0.1);
    config = applied(options.said, config);
    config.clip = options.clip;
    config.masked = !options.no_mask;
    if (is_transformer(config.model))
        config.placement = TRY(placement_of(options.placement, config.placement));
    else
        config.norm_place = TRY(placement_of(options.placement, config.norm_place));
    if (const auto ok = check_config(config); !ok)
        return usage_error("train: {}; see normscope train --help", ok.error());
    return config;
}

// Options that were said and do nothing, and the way out.
void note_idle_options(const TrainOptions& options, const TrainConfig& c, std::ostream& notes) {
    if (!norm_entry(c.norm).normalizes() && !options.placement.empty() &&
        c.placement != Placement::deepnorm)
        notes << "normscope: train: --placement places the norm, and --norm none leaves none: "
                 "choose a --norm\n";
    if (options.no_mask && c.model != TrainModel::encoder_decoder && c.model != TrainModel::decoder)
        notes << "normscope: train: --no-mask changes nothing: a decoder alone has a mask\n";
    if (!options.save.empty() && norm_entry(c.norm).has_running)
        notes << "normscope: train: the file has no running statistics: `normscope transformer` "
                 "goes by the statistics of the sentence that it reads\n";
    if (!options.save.empty() && options.seeds > 1)
        notes << "normscope: train: --save keeps the weights of seed 0\n";
}

CommandResult run_train(const TrainOptions& options, const CommandContext& context) {
    const TaskSource source = TRY(load_task(options.task, options.class_column));
    const TrainConfig config = TRY(config_of(options, source.task));
    if (!options.save.empty()) TRY(check_save(config, options.save));
    const int threads = std::min(all_threads(), options.seeds);
    TRY(check_memory(threads * run_bytes(config, source.input), "train: this run",
                     "--layers, --width, --ffn, --batch, --length or --symbols"));
    note_idle_options(options, config, context.notes);
    TrainReport report{config,        source.file, source.input.points.names,
                       options.every, {},          !options.sweep.empty()};
    std::optional<Trainer<float>> first;
    for (const double lr : report.sweeps ? options.sweep : std::vector{config.lr}) {
        TrainConfig own = config;
        own.lr = lr;
        auto runs =
            run_over_seeds(own, source.input, options.seeds, options.every, threads, &first);
        if (!runs)
            return fail("{}: {}", source.file.empty() ? std::string("train") : source.file,
                        runs.error());
        report.rates.push_back({lr, std::move(*runs)});
    }
    context.out << (options.json ? train_json(report) : train_table(report));
    if (options.save.empty()) return {};
    return save_weights(*first, options.save);
}

constexpr double k_most_rate = 1e9;

// "0.01,0.1": the rates of a sweep.
std::string read_rates(const std::string& text, std::vector<double>* into) {
    std::vector<double> rates;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const auto rate = parse_number(text.substr(begin, end - begin));
        if (!rate) return rate.error().message;
        if (!(*rate > 0 && *rate <= k_most_rate))
            return fmt::format("expected rates above 0 and up to {}, separated by commas, found {}",
                               k_most_rate, text.substr(begin, end - begin));
        rates.push_back(*rate);
        begin = end + 1;
    }
    if (into) *into = std::move(rates);
    return {};
}

void define_choices(CLI::App& app, TrainOptions& options) {
    app.add_option(
           "--task", options.task,
           "What is learned: points, sequences, the sonnets (text), or a FILE: a table with "
           "two or more columns and one of classes (.csv, .npy …), .txt")
        ->type_name("NAME|FILE")
        ->default_str(options.task);
    app.add_option("--class", options.class_column,
                   "The column of classes of a table, by its heading or its number from 1")
        ->type_name("NAME")
        ->default_str(
            "class, label, target, y, species …, else the last one of words, else the last "
            "or first one of few whole numbers");
    add_choice<TrainModel>(
        app, "--model", options.model,
        "Points: mlp; sequences: encoder-decoder, encoder or decoder; text: decoder")
        ->default_str("as the task needs");
    add_choice<Optimizer>(app, "--optimizer", options.optimizer,
                          "How a step goes from the gradient to new weights")
        ->default_str("sgd, of Transformers adam");
    app.add_option("--placement", options.placement,
                   "Where the norms stand: post, pre, deepnorm or peri; of an MLP pre or post "
                   "the activation")
        ->check(CLI::IsMember(ids_of<Placement>()))
        ->default_str("post, of an MLP pre");
    add_number(app, "--lr", options.lr, {0}, "Learning rate")
        ->default_str("0.1, of adam and adamw 0.003");
    add_number(app, "--clip", options.clip, {0}, "The most that the gradient's norm may be");
}

} // namespace

CommandAction define_train(CLI::App& app) {
    const auto options = std::make_shared<TrainOptions>();
    define_choices(app, *options);
    add_field_options<TrainConfig>(app, options->said, TrainConfig{});
    app.get_option("--layers")->default_str("12, of Transformers 2");
    app.get_option("--length")->default_str("8, of a text 32");
    app.add_flag("--no-mask", options->no_mask, "A word of the decoder sees those after it");
    add_number(app, "--seeds", options->seeds, {1, 1000}, "How many seeds, from 0 up")
        ->default_str("1");
    add_number(app, "--every", options->every, {1, 1e7}, "Steps from one look to the next")
        ->default_str("25");
    app.add_option_function<std::string>(
           "--sweep",
           [opts = options.get()](const std::string& text) { read_rates(text, &opts->sweep); },
           "Learning rates to train with, one after the other")
        ->check([](const std::string& text) { return read_rates(text, nullptr); })
        ->type_name("LR,LR,…")
        ->excludes(app.get_option("--lr"));
    app.add_option("--save", options->save,
                   "Weights after the last step, of seed 0, for `normscope transformer --weights` "
                   "and the window")
        ->type_name("FILE")
        ->excludes(app.get_option("--sweep"));
    app.add_flag("--json", options->json, "Print every number of every seed as JSON");
    return [options](const CommandContext& context) { return run_train(*options, context); };
}

} // namespace normscope
