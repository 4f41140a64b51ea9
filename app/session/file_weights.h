#pragma once
#include "app/io/safetensors/safetensors.h"
#include "app/model/transformer/file_weights.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

// The Transformer of a file of weights, with settings of the file, of its user and usual ones.
namespace normscope {

// The settings that no tensor tells; a file's "__metadata__" says them under the names of the
// command line's options ("heads": "4").
std::vector<const Field<TransformerConfig>*> file_settings();

// A value as it stands in the metadata.
std::string setting_text(const Field<TransformerConfig>& field, const FieldValue& value);

struct FileSetting {
    const Field<TransformerConfig>* field = nullptr;
    std::optional<FieldValue> of_file;
    bool asked = false; // by the user, who is right against the file

    bool is_assumed() const { return !of_file && !asked; }
};

template<class S>
struct FileModel {
    Transformer<S> model;
    Words vocabulary;                  // "words" of the metadata, else the ids
    bool reads_words = true;           // else rows of a matrix: the file has layers alone
    Words source, target;              // a pair that it was made for; empty: the file names none
    std::vector<FileSetting> settings; // those that count in this Transformer
    std::vector<std::string> notes;    // of name_weights()
};

// Sizes follow from the tensors; every other setting is the one `asked` for, else the file's, else
// that of `usual` as far as it fits. Errors: those of name_weights() and read_transformer(), a
// setting of the file that cannot be read, by its key, and heads that do not divide the width.
template<class S>
Result<FileModel<S>> read_file_model(const Safetensors& file, TransformerConfig usual,
                                     std::span<const SetField<TransformerConfig>> asked = {},
                                     int threads = 1);

// read_file_model() for a document with the settings `now`. Error: a file of layers alone.
Result<FileModel<float>> read_file_weights(const Safetensors& file, TransformerConfig now);

// The part of the model that a document keeps.
FileWeights kept_weights(FileModel<float> model, const std::string& file_name);

} // namespace normscope
