#include "app/io/safetensors/safetensors.h"

#include "app/language/language.h"
#include "core/base/lists.h"
#include "core/transformer/named_tensors.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <utility>

namespace normscope {

namespace {

constexpr std::string_view k_stacks[] = {"encoder.", "decoder."};

std::string layer_prefix(std::string_view stack, int layer) {
    return std::string(stack) + "layers." + std::to_string(layer) + ".";
}

int count_layers(const Safetensors& file, std::string_view stack) {
    int layers = 0;
    while (file.holds(layer_prefix(stack, layers))) ++layers;
    return layers;
}

// The tensor of this name and shape. `unused`: one of the file that has no use, if there is one.
Result<const TensorEntry*> expect_tensor(const Safetensors& file, const std::string& name,
                                         const std::vector<Index>& shape,
                                         const TensorEntry* unused = nullptr) {
    const TensorEntry* const found = file.find(name);
    if (!found)
        return fail(unused ? worded("{}: tensor {} is missing: expected one of shape {}; {} is "
                                    "there and has no use.",
                                    file.file_name, quote_name(name), describe_shape(shape),
                                    quote_name(*unused))
                           : worded("{}: tensor {} is missing: expected one of shape {}.",
                                    file.file_name, quote_name(name), describe_shape(shape)));
    if (found->shape != shape)
        return fail("{}: tensor {} has the shape {}: expected {}.", file.file_name,
                    quote_name(*found), describe_shape(found->shape), describe_shape(shape));
    return found;
}

struct MatrixShape {
    Index rows = 0, cols = 0;
};
Result<MatrixShape> expect_matrix(const Safetensors& file, const std::string& name,
                                  std::string_view meaning) {
    const TensorEntry* const found = file.find(name);
    if (!found)
        return fail("{}: tensor {} is missing: expected a matrix, {}.", file.file_name,
                    quote_name(name), meaning);
    if (found->shape.size() != 2)
        return fail("{}: tensor {} has the shape {}: expected a matrix, {}.", file.file_name,
                    quote_name(*found), describe_shape(found->shape), meaning);
    return MatrixShape{found->shape[0], found->shape[1]};
}

Result<void> check_layers(const Safetensors& file, std::string_view stack, int layers,
                          const TransformerConfig& c) {
    for (int layer = 0; layer < layers; ++layer) {
        const std::string at = layer_prefix(stack, layer);
        for (const auto& [name, rows] : {std::pair(at + "self_attn.in_proj_weight", 3 * c.width),
                                         std::pair(at + "linear1.weight", c.ffn)})
            TRY(expect_tensor(file, name, {rows, c.width}));
    }
    return {};
}

// The layers of an encoder, read as those of a decoder alone.
void make_decoder(Safetensors& file) {
    for (TensorEntry& tensor : file.tensors)
        for (const auto& [from, to] : {std::pair("encoder.", "decoder."), {"src_", "tgt_"}})
            if (tensor.name.starts_with(from))
                tensor.name.replace(0, std::string_view(from).size(), to);
    std::ranges::sort(file.tensors, {}, &TensorEntry::name);
}

// The sizes of the tables for words. Layers alone have as many words as features.
Result<void> read_tables(const Safetensors& file, TransformerConfig& c) {
    c.vocabulary = std::max(c.width, Index{2});
    c.source_vocabulary = has_encoder(c) ? std::optional(c.vocabulary) : std::nullopt;
    if (!has_tables(file)) return {};
    const MatrixShape words = TRY(expect_matrix(
        file, has_encoder(c) ? "src_embed.weight" : "tgt_embed.weight", "words × features"));
    c.width = words.cols;
    if (has_encoder(c)) c.source_vocabulary = words.rows;
    c.vocabulary = TRY(expect_matrix(file, "generator.weight", "words × features")).rows;
    TRY(expect_tensor(file, "generator.weight", {c.vocabulary, c.width}));
    return {};
}

// As many learned positions as asked for, or as there are.
Result<void> cut_positions(Safetensors& file, TransformerConfig& c) {
    if (c.positions != Positions::learned) {
        std::erase_if(file.tensors, is_position);
        c.longest = TransformerConfig{}.longest;
        return {};
    }
    for (const std::string_view name : {"src_pos.weight", "tgt_pos.weight"}) {
        if (name.starts_with("src") ? !has_encoder(c) : !has_decoder(c)) continue;
        const MatrixShape table =
            TRY(expect_matrix(file, std::string(name), "positions × features"));
        c.longest = std::min(c.longest, table.rows);
    }
    for (TensorEntry& tensor : file.tensors)
        if (is_position(tensor) && tensor.shape.size() == 2 && tensor.shape[0] > c.longest) {
            tensor.end = tensor.begin + (tensor.end - tensor.begin) /
                                            static_cast<std::uint64_t>(tensor.shape[0]) *
                                            static_cast<std::uint64_t>(c.longest);
            tensor.shape[0] = c.longest;
        }
    return {};
}

tl::unexpected<Error> fail_no_layer(const Safetensors& file) {
    constexpr std::size_t k_named = 3;
    const std::string names =
        joined(std::span(file.tensors).first(std::min(k_named, file.tensors.size())),
               [](const TensorEntry& tensor) { return quote_name(tensor); });
    return fail(worded("{}: there is no layer: its first names are {}; expected those of "
                       "torch.nn.Transformer, such as {}.",
                       file.file_name, names.empty() ? "—" : names,
                       std::string("\"encoder.layers.0.self_attn.in_proj_weight\", "
                                   "\"src_embed.weight\", \"generator.weight\"")));
}

// Checked so far that a file cannot ask for much more memory than it is long.
Result<TransformerConfig> config_of(Safetensors& file, TransformerConfig c) {
    if (c.arch == Architecture::decoder && count_layers(file, k_stacks[1]) == 0) make_decoder(file);
    const int encoders = count_layers(file, k_stacks[0]);
    const int decoders = count_layers(file, k_stacks[1]);
    if (encoders == 0 && decoders == 0) return fail_no_layer(file);
    c.arch = decoders == 0   ? Architecture::encoder
             : encoders == 0 ? Architecture::decoder
                             : Architecture::encoder_decoder;
    c.layers = encoders > 0 ? encoders : decoders;
    c.decoder_layers = decoders > 0 ? std::optional(decoders) : std::nullopt;
    c.width = layer_width(file);
    TRY(read_tables(file, c));
    const std::string first = layer_prefix(k_stacks[encoders > 0 ? 0 : 1], 0);
    c.ffn = TRY(expect_matrix(file, first + "linear1.weight", "hidden features × features")).rows;
    c.final_norm = file.holds("encoder.norm.") || file.holds("decoder.norm.");
    c.tied = false;
    c.head_bias = true;
    c.rezero = file.find(first + "alpha1") != nullptr;
    TRY(cut_positions(file, c));
    if (auto ok = check_config(c); !ok) return fail("{}: {}.", file.file_name, ok.error());
    for (const auto& [stack, layers] :
         {std::pair(k_stacks[0], encoders), std::pair(k_stacks[1], decoders)})
        TRY(check_layers(file, stack, layers, c));
    return c;
}

// "layers..linear.bias": what biases without which a layer can be made have in common.
std::string kind_of(std::string name) {
    std::erase_if(name, [](char c) { return c >= '0' && c <= '9'; });
    for (const std::string_view stack : k_stacks)
        if (name.starts_with(stack)) name.erase(0, stack.size());
    return name;
}

template<class S>
Result<void> read_values(const Safetensors& file, const TensorEntry& tensor, S* to) {
    const Vector<S> values = TRY(tensor_values<S>(file, tensor));
    for (Index i = 0; i < values.size(); ++i)
        if (!std::isfinite(values[i]))
            return fail("{}: tensor {} has {} as value {}: expected finite numbers of {} bits.",
                        file.file_name, quote_name(tensor), values[i], i + 1, 8 * sizeof(S));
    std::ranges::copy(values, to);
    return {};
}

} // namespace

bool has_tables(const Safetensors& weights) {
    return weights.find("generator.weight") || weights.find("src_embed.weight") ||
           weights.find("tgt_embed.weight");
}

Index layer_width(const Safetensors& weights) {
    for (const std::string_view stack : k_stacks)
        if (const TensorEntry* const linear =
                weights.find(layer_prefix(stack, 0) + "linear1.weight");
            linear && linear->shape.size() == 2)
            return linear->shape[1];
    return 0;
}

template<class S>
Result<Transformer<S>> read_transformer(Safetensors weights, TransformerConfig said, int threads) {
    auto model = empty_transformer<S>(TRY(config_of(weights, std::move(said))), threads);
    if (!model) return fail("{}: {}.", weights.file_name, model.error());
    if (!weights.holds("encoder.norm.")) model->encoder.final_norm.reset();
    if (!weights.holds("decoder.norm.")) model->decoder.final_norm.reset();

    const std::vector<NamedTensor<S>> wanted = tensors(*model);
    std::set<std::string_view> names;
    for (const NamedTensor<S>& to : wanted) names.insert(to.name);
    std::set<std::string> kinds;
    const TensorEntry* unused = nullptr;
    for (const TensorEntry& tensor : weights.tensors) {
        kinds.insert(kind_of(tensor.name));
        if (!unused && !names.contains(tensor.name)) unused = &tensor;
    }
    for (const NamedTensor<S>& to : wanted) {
        const bool in_stack = std::ranges::any_of(
            k_stacks, [&](std::string_view stack) { return to.name.starts_with(stack); });
        if (!in_stack && !has_tables(weights) && !to.name.ends_with("_pos.weight")) continue;
        if (to.name.ends_with("bias") && !kinds.contains(kind_of(to.name))) continue;
        TRY(read_values(weights, *TRY(expect_tensor(weights, to.name, to.shape, unused)), to.data));
    }
    if (unused)
        return fail(
            "{}: tensor {} has no use in this Transformer: expected none beside its weights.",
            weights.file_name, quote_name(*unused));
    return std::move(*model);
}

template<class S>
std::string write_transformer(const Transformer<S>& model, TextByKey metadata) {
    metadata.emplace("format", "pt");
    return write_safetensors(tensors(model), metadata);
}

NORMSCOPE_IN_BOTH_PRECISIONS(read_transformer);
NORMSCOPE_IN_BOTH_PRECISIONS(write_transformer);

} // namespace normscope
