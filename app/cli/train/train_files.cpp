#include "app/cli/train/train.h"

#include "app/cli/options.h"
#include "app/io/class_column.h"
#include "app/io/file.h"
#include "app/io/load.h"
#include "app/io/safetensors/safetensors.h"
#include "app/model/transformer/transformer_setup.h"
#include "app/session/document_json.h"
#include "app/session/file_weights.h"
#include "app/study/train/lane_shot.h"
#include "core/base/caught.h"
#include "core/base/lists.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace normscope {

namespace {

namespace fs = std::filesystem;

Checked<TaskSource> load_file_task(const fs::path& path, const std::string& class_column) {
    TaskSource out;
    out.file = path.filename().string();
    if (path.extension() == ".txt") {
        if (!class_column.empty())
            return usage_error("train: --class names a column of a table, and a .txt is a text");
        out.task = Task::text;
        out.input.text = TRY(read_file(path));
        return out;
    }
    out.task = Task::own;
    out.input.points = TRY(caught(path.string(), [&] { return load_points(path, class_column); }));
    return out;
}

Words words_of(const Trainer<float>& trainer) {
    if (trainer.config().task == Task::text) {
        Words out;
        for (const std::string& character : trainer.data().text.characters)
            out.push_back(character == " " ? "␣" : character == "\n" ? "⏎" : character);
        return out;
    }
    return symbol_words(trainer.config().symbols);
}

} // namespace

Checked<TaskSource> load_task(const std::string& name, const std::string& class_column) {
    std::vector<std::string> ids = ids_of<Task>();
    std::erase(ids, std::string(id_of(Task::own)));
    if (!find_in(ids, name)) {
        std::error_code ignored;
        if (fs::exists(split_array(name).file, ignored)) return load_file_task(name, class_column);
        return usage_error("train: --task {}: there is no such task and no such file; "
                           "the tasks are {}, or a table with a column of classes "
                           "(.csv, .npy …), or a .txt",
                           name, joined(ids));
    }
    if (!class_column.empty())
        return usage_error("train: --class names a column of a table: take --task FILE");
    TaskSource out;
    out.task = from_id<Task>(name);
    if (out.task != Task::text) return out;
    out.input.text = TRY(read_asset("texts/sonnets.txt"));
    return out;
}

CommandResult check_save(const TrainConfig& config, const std::string& path) {
    if (!is_transformer(config.model))
        return usage_error(
            "train: --save {} keeps a Transformer's weights, and this is an MLP: take --model "
            "encoder-decoder, encoder or decoder",
            path);
    return {};
}

CommandResult save_weights(const Trainer<float>& trainer, const std::filesystem::path& path) {
    if (const auto& diverged = trainer.divergence())
        return fail("train: --save {}: the run of seed {} diverged at step {}: "
                    "its weights are not written",
                    path.string(), trainer.config().seed, diverged->step);
    const Transformer<float>& model = *trainer.transformer();
    TextByKey metadata;
    for (const Field<TransformerConfig>* const field : file_settings())
        metadata[std::string(field->key)] = setting_text(*field, field->get(model.config));
    metadata["words"] = nlohmann::json(words_of(trainer)).dump();
    TRY(write_file_atomically(path, write_transformer(model, std::move(metadata))));
    return {};
}

} // namespace normscope
