#pragma once
#include "app/io/safetensors/safetensors.h"
#include "app/model/transformer/transformer_setup.h"

namespace normscope {

// The weights of a file and the settings they are run with: sizes follow from the tensors; the
// rest is what the file's "__metadata__" says under the names of the command line's options
// ("heads": "4", "words": "[\"<s>\", …]"), else what `now` says as far as it fits. Errors: those of
// read_transformer(), and a setting that cannot be read.
Result<FileWeights> read_file_weights(const Safetensors& file, const TransformerConfig& now);

} // namespace normscope
