#include "app/cli/transformer/transformer.h"

#include "app/cli/inputs.h"
#include "app/io/csv.h"
#include "app/io/file.h"
#include "app/model/transformer/transformer_setup.h"
#include "core/nn/loss.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <limits>
#include <memory>
#include <ostream>

namespace normscope {

namespace {

struct TransformerOptions {
    Said<TransformerConfig> said;
    bool final_norm = false;
    std::optional<bool> mask;
    bool tied = false;
    BatchShape batch;
    int seeds = k_usual_seeds;
    std::string precision = "float32";
    bool json = false;
    // The paths of the second form; empty where nothing was said.
    std::string weights, source, target, labels, out;
};

TransformerConfig config_of(const TransformerOptions& options) {
    TransformerConfig config = applied(options.said, {});
    config.masked = options.mask.value_or(true);
    config.tied = options.tied;
    if (options.final_norm) config.final_norm = true;
    config.longest =
        std::max({config.longest, options.batch.source_tokens, options.batch.target_tokens});
    return config;
}

// Options that were said and do nothing, and the way out.
void note_idle_options(const TransformerConfig& config, std::optional<bool> mask,
                       std::ostream& notes) {
    if (places_no_norm(config))
        notes << "normscope: transformer: --placement places the norm, and --norm none leaves "
                 "none: choose a --norm\n";
    if (enlarges_no_skip(config))
        notes << "normscope: transformer: --placement deepnorm enlarges the skip, and --skip none "
                 "leaves none: only its smaller weights remain; choose --skip add\n";
    if (mask && !has_decoder(config))
        notes << "normscope: transformer: " << (*mask ? "--mask" : "--no-mask")
              << " changes nothing: an encoder has no mask\n";
}

CommandResult measure_drawn(const TransformerOptions& options, const CommandContext& context) {
    DrawnTransformers drawn{config_of(options), options.batch, options.precision, {}};
    if (const auto ok = check_config(drawn.config); !ok)
        return usage_error("transformer: {}; see normscope transformer --help", ok.error());
    const bool in_float64 = options.precision == "float64";
    TRY(check_memory(transformer_bytes(drawn.config, drawn.batch) * (in_float64 ? 2 : 1),
                     "transformer: this Transformer",
                     "--layers, --width, --batch, --source-tokens, --target-tokens or --vocab"));
    note_idle_options(drawn.config, options.mask, context.notes);
    auto measures =
        in_float64
            ? measure_over_seeds<double>(drawn.config, drawn.batch, options.seeds, all_threads())
            : measure_over_seeds<float>(drawn.config, drawn.batch, options.seeds, all_threads());
    if (!measures) return fail("transformer: {}", measures.error());
    drawn.seeds = std::move(*measures);
    if (!in_float64 && overflows(drawn.seeds))
        context.notes << "normscope: transformer: some values are beyond what float32 holds and "
                         "are not numbers; --precision float64 reaches further\n";
    context.out << (options.json ? transformer_json(drawn) : transformer_table(drawn));
    return {};
}

// PyTorch's ignore_index.
constexpr double k_ignored_label = -100;

// A table, or a list in brackets as Python and JSON write it, which may stand for the path itself.
Checked<Table> load_list(const std::string& path) {
    constexpr std::string_view k_blanks = " \t\r\n";
    const auto is_list = [](const std::string& text) {
        return text.starts_with('[') && text.ends_with(']');
    };
    Result<std::string> list = is_list(path) ? path : std::string();
    if (list->empty() && path != k_standard_input) list = read_file(path);
    if (list) list->erase(list->find_last_not_of(k_blanks) + 1);
    if (!list || !is_list(*list)) return load_input(path);
    while (is_list(*list)) *list = list->substr(1, list->size() - 2);
    std::ranges::replace(*list, '\n', ' ');
    return TRY(read_csv(*list, path));
}

// A line of whole numbers, which may stand in brackets. Of labels some may be ignored.
Checked<std::vector<Index>> load_ids(const std::string& path, bool labels) {
    const Matrix<double> values = TRY(load_list(path)).values;
    if (values.rows() != 1 && values.cols() != 1)
        return fail("{}: holds {} lines of {} ids: expected one line", path, values.rows(),
                    values.cols());
    std::vector<Index> ids;
    for (Index i = 0; i < values.size(); ++i) {
        const double id = values.data()[i];
        const bool ignored = labels && id == k_ignored_label;
        if (!ignored && !(id >= 0 && id <= 1e9 && id == std::floor(id)))
            return fail("{}: value {} is {}: an id is a whole number from 0 up{}", path, i + 1, id,
                        labels ? ", or -100 where no word is wanted" : "");
        ids.push_back(ignored ? k_no_label : static_cast<Index>(id));
    }
    return ids;
}

// The files that a stack reads, as far as it is there.
CommandResult check_sides(const TransformerOptions& options, const TransformerConfig& config) {
    const std::string weights = "transformer: " + options.weights;
    if (has_encoder(config) && options.source.empty())
        return usage_error("{} has an encoder: its ids are missing, --source IDS.csv", weights);
    if (has_cross_attention(config) && options.target.empty())
        return usage_error("{} has a decoder: its ids are missing, --target IDS.csv", weights);
    if (!has_decoder(config) && !options.target.empty())
        return usage_error("{} has no decoder: --target has no use", weights);
    if (!has_encoder(config) && options.source.empty() == options.target.empty())
        return usage_error("{} is a decoder alone: expected one line of ids, --target IDS.csv",
                           weights);
    return {};
}

// The ids of words; of layers alone the rows of a matrix, which become the `table`.
template<class S>
CommandResult load_tokens(const std::string& path, const FileModel<S>& file,
                          std::vector<Index>& ids, Matrix<S>& table) {
    if (path.empty()) return {};
    if (file.reads_words)
        return load_ids(path, false).map([&](std::vector<Index> read) { ids = std::move(read); });
    const Table rows = TRY(load_input(path));
    const Index width = file.model.config.width;
    if (rows.values.cols() != width)
        return fail("{}: has {} features: expected a matrix of {}, as the "
                    "weights are layers alone without words",
                    path, rows.values.cols(), width);
    table = rows.values.template cast<S>();
    for (Index t = 0; t < table.rows(); ++t) ids.push_back(t);
    return {};
}

template<class S>
Checked<Sentence> load_sentence(const TransformerOptions& options, FileModel<S>& file) {
    Sentence sentence;
    const bool encodes = has_encoder(file.model.config);
    // A decoder alone may be told its ids by either name.
    const std::string& target =
        encodes || !options.target.empty() ? options.target : options.source;
    const std::string source = encodes ? options.source : std::string();
    TRY(load_tokens(source, file, sentence.source, file.model.source_embedding));
    TRY(load_tokens(target, file, sentence.target, file.model.target_embedding));
    if (options.labels.empty()) return sentence;
    if (!file.reads_words)
        return usage_error(
            "transformer: {} holds layers alone, without a head: --labels has no use",
            options.weights);
    sentence.labels = TRY(load_ids(options.labels, true));
    return sentence;
}

// The settings that were asked for, of those that a file can say. A mask makes a decoder of layers
// without one.
Said<TransformerConfig> asked_of_file(const TransformerOptions& options) {
    Said<TransformerConfig> asked = options.said;
    if (options.mask) asked.push_back(set<&TransformerConfig::masked>(*options.mask));
    if (options.mask.value_or(false))
        asked.push_back(set<&TransformerConfig::arch>(Architecture::decoder));
    return asked;
}

void note_settings(const WeightsRun& run, std::ostream& notes) {
    const std::string file = "normscope: transformer: " + run.file + ": ";
    for (const std::string& note : run.notes) notes << file << note << '\n';
    std::vector<std::string> assumed;
    for (const FileSetting& setting : run.settings) {
        const FieldValue value = setting.field->get(run.config);
        const std::string now = setting_text(*setting.field, value);
        if (setting.is_assumed()) assumed.push_back(std::string(setting.field->key) + " " + now);
        if (setting.asked && setting.of_file && *setting.of_file != value)
            notes << file << "says " << setting_text(*setting.field, *setting.of_file) << " for "
                  << option_name(*setting.field) << ": " << now << " is taken, as asked for\n";
    }
    if (!assumed.empty())
        notes << file << "does not say all of its settings, and no option does: assumed "
              << joined(assumed) << '\n';
}

template<class S>
CommandResult run_weights(const TransformerOptions& options, const CommandContext& context) {
    TransformerConfig usual;
    usual.label_smoothing = 0;
    usual.longest = std::numeric_limits<Index>::max();
    const Safetensors file = TRY(open_safetensors(options.weights));
    FileModel<S> read = TRY(read_file_model<S>(file, usual, asked_of_file(options), all_threads()));
    const Transformer<S>& model = read.model;
    TRY(check_sides(options, model.config));
    note_idle_options(model.config, options.mask, context.notes);
    const Sentence sentence = TRY(load_sentence(options, read));
    const auto forward = transformer_forward(model, {sentence});
    if (!forward) return fail("transformer: {}", forward.error());
    const WeightsRun run{options.weights, model.config, read.settings, read.notes, forward->loss};
    note_settings(run, context.notes);
    std::optional<TransformerBackward<S>> backward;
    if (forward->loss) {
        auto gradients = transformer_backward(model, *forward);
        if (!gradients) return fail("transformer: {}", gradients.error());
        backward = std::move(*gradients);
    }
    const std::filesystem::path folder = options.out;
    const CommandResult written =
        write_files(folder, transformer_outputs(model, *forward, backward, read.reads_words));
    std::error_code error;
    if (written && !backward && std::filesystem::exists(folder / "loss.npy", error))
        context.notes << "normscope: transformer: " << folder.string()
                      << " still has an earlier run's loss.npy and grad: this run makes none\n";
    if (written && options.json) context.out << weights_json(run);
    return written;
}

CommandResult run_transformer(const TransformerOptions& options, const CommandContext& context) {
    if (options.weights.empty()) return measure_drawn(options, context);
    if (options.out.empty())
        return usage_error("transformer: --weights goes with --out, the folder for what comes out");
    return options.precision == "float64" ? run_weights<double>(options, context)
                                          : run_weights<float>(options, context);
}

void define_drawn(CLI::App& app, TransformerOptions& options) {
    const auto count = [&](const std::string& name, auto& into, double most,
                           const std::string& help) {
        add_number(app, name, into, {1, most}, help)->default_str(std::to_string(into));
    };
    count("--batch", options.batch.sentences, 1024, "Sentences of a batch");
    count("--source-tokens", options.batch.source_tokens, 8192, "Tokens of a source sentence");
    count("--target-tokens", options.batch.target_tokens, 8192, "Tokens of a target sentence");
    count("--seeds", options.seeds, 1000, "How many seeds, from 0 up");
    app.add_flag("--final-norm", options.final_norm,
                 "A norm at the end of each stack; pre and peri have one anyway");
    app.add_flag("--tied", options.tied, "One table for source, target and head");
    app.add_flag("--json", options.json,
                 "Print every number of every seed as JSON; with --weights the settings, who said "
                 "each, and the loss");
}

void define_weights(CLI::App& app, TransformerOptions& options) {
    const std::string group = "One sentence through the weights of a file";
    const auto weights =
        app.add_option("--weights", options.weights,
                       "Weights under PyTorch's names, .safetensors: sizes are taken from them")
            ->type_name("FILE")
            ->group(group);
    for (const auto& [name, into, help] :
         {std::tuple("--source", &options.source, "A line of ids: the words of the encoder"),
          std::tuple("--target", &options.target, "A line of ids: the words of the decoder"),
          std::tuple("--labels", &options.labels,
                     "A line of ids: the words wanted; writes loss.npy and grad/NAME.npy too")})
        app.add_option(name, *into, help)->type_name("FILE")->needs(weights)->group(group);
    app.add_option("--out", options.out, "Folder for memory.npy, logits.npy, probabilities.npy …")
        ->type_name("DIR")
        ->needs(weights)
        ->group(group);
    for (const char* of_drawn :
         {"--arch", "--layers", "--width", "--ffn", "--init", "--vocab", "--batch",
          "--source-tokens", "--target-tokens", "--seeds", "--final-norm", "--tied"})
        weights->excludes(app.get_option(of_drawn));
}

} // namespace

CommandAction define_transformer(CLI::App& app) {
    const auto options = std::make_shared<TransformerOptions>();
    add_field_options<TransformerConfig>(app, options->said, TransformerConfig{});
    app.get_option("--label-smoothing")->default_str("0.1, with --weights 0");
    const auto mask = [&](const std::string& name, bool value, const std::string& help) {
        return app.add_flag_callback(
            name, [options, value] { options->mask = value; }, help);
    };
    mask("--mask", true,
         "A word of the decoder sees none after it; with --weights also where its layers are "
         "called an encoder's, as in a GPT made of them")
        ->excludes(mask("--no-mask", false, "A word of the decoder sees those after it"));
    add_precision(app, options->precision);
    define_drawn(app, *options);
    define_weights(app, *options);
    return [options](const CommandContext& context) { return run_transformer(*options, context); };
}

} // namespace normscope
