#include "app/cli/transformer/transformer.h"

#include "app/io/npy.h"
#include "core/base/lists.h"
#include "core/norm/affine.h"
#include "core/transformer/named_tensors.h"

#include <span>
#include <string>
#include <variant>

namespace normscope {

namespace {

template<class S>
class OutputFiles {
  public:
    std::vector<OutputFile> files;

    void add(const std::string& name, const Matrix<S>& values) {
        files.push_back({name + ".npy", write_npy(values)});
    }

    void add(const std::string& name, std::span<const S> values, const std::vector<Index>& shape) {
        files.push_back({name + ".npy", write_npy(values, shape)});
    }

    void add_stack(const std::string& name, const TransformerStack<S>& stack,
                   const StackForward<S>& forward, const EmbeddingForward<S>& embedding) {
        add(name + "input", embedding.sum);
        for (const auto layer : indices(stack.layers)) {
            const std::string at = name + "layers." + std::to_string(layer);
            const auto& blocks = stack.layers[layer];
            for (const auto b : indices(blocks))
                add_block(at + ".", block_names(b, blocks.size()), blocks[b],
                          forward.layers[layer][b], forward.output_of(layer, b));
            add(at, forward.output_of(layer));
        }
        if (!forward.final_norm) return;
        add(name + "norm.z", forward.last);
        add(name + "norm", forward.y);
    }

  private:
    void add_block(const std::string& at, const BlockNames& names, const ResidualBlock<S>& block,
                   const BlockCache<S>& cache, const Matrix<S>& y) {
        const Placement placement = block.options.placement;
        const bool peri = placement == Placement::peri;
        const std::string sublayer = names.sublayer.empty() ? "linear2" : names.sublayer;
        add(at + (peri ? names.norm + "_out" : sublayer), cache.branch);
        if (const auto* attention = std::get_if<AttentionCache<S>>(&cache.sublayer)) {
            const Matrix<S>& weights = attention->probabilities.front(); // of the one sentence
            const Index heads = std::get<MultiHeadAttention<S>>(block.sublayer).heads;
            add(at + sublayer + ".weights",
                std::span(weights.data(), static_cast<std::size_t>(weights.size())),
                {heads, weights.rows() / heads, weights.cols()});
        }
        if (is_inside(placement)) {
            Matrix<S> read; // what the sublayer reads
            if (affine_forward(cache.norm.cache.x_hat, block.affine, read))
                add(at + names.norm, read);
            add(at + names.norm + ".z", cache.x);
            return;
        }
        add(at + names.norm + ".z", cache.z);
        add(at + names.norm, y);
    }
};

} // namespace

template<class S>
std::vector<OutputFile>
transformer_outputs(const Transformer<S>& model, const TransformerForward<S>& forward,
                    const std::optional<TransformerBackward<S>>& backward, bool has_head) {
    OutputFiles<S> out;
    if (has_encoder(model.config)) {
        out.add_stack("encoder.", model.encoder, forward.encoder, forward.source);
        out.add("memory", forward.encoder.y);
    }
    if (has_decoder(model.config))
        out.add_stack("decoder.", model.decoder, forward.decoder, forward.target);
    if (!has_head) return std::move(out.files);
    out.add("logits", forward.logits);
    out.add("probabilities", forward.probabilities);
    if (!backward) return std::move(out.files);
    const S loss = static_cast<S>(*forward.loss);
    out.add("loss", std::span(&loss, 1), {});
    for (const NamedTensor<const S>& gradient : tensors(*backward))
        out.add("grad/" + gradient.name,
                std::span(gradient.data, static_cast<std::size_t>(gradient.size())),
                gradient.shape);
    return std::move(out.files);
}

NORMSCOPE_IN_BOTH_PRECISIONS(transformer_outputs);

} // namespace normscope
