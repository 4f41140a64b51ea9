#include "app/io/safetensors/safetensors.h"

#include "app/language/language.h"
#include "core/transformer/named_tensors.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace normscope {

namespace {

constexpr std::array<std::string_view, 2> k_stacks{"encoder.", "decoder."};

tl::unexpected<Error> fail_tensor(const Safetensors& file, const std::string& name,
                                  const std::string& message) {
    return fail(file.file_name + worded(": tensor ") + quote_name(name) + " " + message + ".");
}

// Whether there is a tensor whose name begins so.
bool holds(const Safetensors& file, const std::string& prefix) {
    const auto at = std::ranges::lower_bound(file.tensors, prefix, {}, &TensorEntry::name);
    return at != file.tensors.end() && at->name.starts_with(prefix);
}

std::string layer_prefix(std::string_view stack, int layer) {
    return std::string(stack) + "layers." + std::to_string(layer) + ".";
}

int count_layers(const Safetensors& file, std::string_view stack) {
    int layers = 0;
    while (holds(file, layer_prefix(stack, layers))) ++layers;
    return layers;
}

// The tensor of this name and shape. `unused`: one of the file that has no use, if there is one.
Result<const TensorEntry*> expect_tensor(const Safetensors& file, const std::string& name,
                                         const std::vector<Index>& shape,
                                         const std::string& unused = {}) {
    const TensorEntry* const found = file.find(name);
    if (!found)
        return fail_tensor(
            file, name,
            worded("is missing: expected one of shape ") + describe_shape(shape) +
                (unused.empty() ? std::string()
                                : "; " + quote_name(unused) + worded(" is there and has no use")));
    if (found->shape != shape)
        return fail_tensor(file, name,
                           worded("has the shape ") + describe_shape(found->shape) +
                               worded(": expected ") + describe_shape(shape));
    return found;
}

struct MatrixShape {
    Index rows = 0, cols = 0;
};
Result<MatrixShape> expect_matrix(const Safetensors& file, const std::string& name,
                                  const std::string& meaning) {
    const TensorEntry* const found = file.find(name);
    if (!found) return fail_tensor(file, name, worded("is missing: expected a matrix, ") + meaning);
    if (found->shape.size() != 2)
        return fail_tensor(file, name,
                           worded("has the shape ") + describe_shape(found->shape) +
                               worded(": expected a matrix, ") + meaning);
    return MatrixShape{found->shape[0], found->shape[1]};
}

Result<void> check_layers(const Safetensors& file, std::string_view stack, int layers,
                          const TransformerConfig& c) {
    for (int layer = 0; layer < layers; ++layer) {
        const std::string at = layer_prefix(stack, layer);
        for (const auto& [name, rows] : {std::pair(at + "self_attn.in_proj_weight", 3 * c.width),
                                         std::pair(at + "linear1.weight", c.ffn)})
            if (const auto ok = expect_tensor(file, name, {rows, c.width}); !ok)
                return tl::unexpected(ok.error());
    }
    return {};
}

// Checked so far that a file cannot ask for much more memory than it is long.
Result<TransformerConfig> config_of(const Safetensors& file, TransformerConfig c) {
    const int encoders = count_layers(file, k_stacks[0]);
    const int decoders = count_layers(file, k_stacks[1]);
    if (encoders == 0 && decoders == 0)
        return fail(file.file_name +
                    ": there is no layer: expected the names of torch.nn.Transformer, such as "
                    "encoder.layers.0.self_attn.in_proj_weight.");
    c.arch = decoders == 0   ? Architecture::encoder
             : encoders == 0 ? Architecture::decoder
                             : Architecture::encoder_decoder;
    c.layers = encoders > 0 ? encoders : decoders;
    c.decoder_layers = decoders > 0 ? std::optional(decoders) : std::nullopt;
    const auto words = expect_matrix(file, encoders > 0 ? "src_embed.weight" : "tgt_embed.weight",
                                     "words × features");
    if (!words) return tl::unexpected(words.error());
    c.width = words->cols;
    if (encoders > 0) c.source_vocabulary = words->rows;
    const auto head = expect_matrix(file, "generator.weight", "words × features");
    if (!head) return tl::unexpected(head.error());
    if (const auto ok = expect_tensor(file, "generator.weight", {head->rows, c.width}); !ok)
        return tl::unexpected(ok.error());
    c.vocabulary = head->rows;
    const std::string linear = layer_prefix(k_stacks[encoders > 0 ? 0 : 1], 0) + "linear1.weight";
    const auto hidden = expect_matrix(file, linear, "hidden features × features");
    if (!hidden) return tl::unexpected(hidden.error());
    c.ffn = hidden->rows;
    c.final_norm = holds(file, "encoder.norm.") || holds(file, "decoder.norm.");
    c.tied = false;
    c.head_bias = true;
    c.rezero = file.find(layer_prefix(k_stacks[encoders > 0 ? 0 : 1], 0) + "alpha1") != nullptr;
    if (auto ok = check_config(c); !ok)
        return fail(file.file_name + ": " + error_text(ok.error()) + ".");
    for (const auto& [stack, layers] :
         {std::pair(k_stacks[0], encoders), std::pair(k_stacks[1], decoders)})
        if (auto ok = check_layers(file, stack, layers, c); !ok) return tl::unexpected(ok.error());
    return c;
}

} // namespace

template<class S>
Result<Transformer<S>> read_transformer(const Safetensors& file, TransformerConfig said,
                                        int threads) {
    const auto config = config_of(file, std::move(said));
    if (!config) return tl::unexpected(config.error());
    auto model = empty_transformer<S>(*config, threads);
    if (!model) return fail(file.file_name + ": " + error_text(model.error()) + ".");
    if (!holds(file, "encoder.norm.")) model->encoder.final_norm.reset();
    if (!holds(file, "decoder.norm.")) model->decoder.final_norm.reset();

    const std::vector<NamedTensor<S>> wanted = tensors(*model);
    std::set<std::string_view> names;
    for (const NamedTensor<S>& to : wanted) names.insert(to.name);
    const auto has_no_use = [&](const TensorEntry& tensor) { return !names.contains(tensor.name); };
    const auto unused = std::ranges::find_if(file.tensors, has_no_use);
    const bool all_used = unused == file.tensors.end();
    for (const NamedTensor<S>& to : wanted) {
        const auto found =
            expect_tensor(file, to.name, to.shape, all_used ? std::string() : unused->name);
        if (!found) return tl::unexpected(found.error());
        const auto values = tensor_values<S>(file, **found);
        if (!values) return tl::unexpected(values.error());
        std::ranges::copy(*values, to.data);
    }
    if (!all_used)
        return fail_tensor(file, unused->name,
                           "has no use in this Transformer: expected none beside its weights");
    return std::move(*model);
}

template<class S>
std::string write_transformer(const Transformer<S>& model, TextByKey metadata) {
    metadata.emplace("format", "pt");
    return write_safetensors(tensors(model), metadata);
}

template Result<Transformer<float>> read_transformer(const Safetensors&, TransformerConfig, int);
template Result<Transformer<double>> read_transformer(const Safetensors&, TransformerConfig, int);
template std::string write_transformer(const Transformer<float>&, TextByKey);
template std::string write_transformer(const Transformer<double>&, TextByKey);

} // namespace normscope
