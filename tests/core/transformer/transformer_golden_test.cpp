// Against PyTorch's nn.Transformer and its layers: tests/golden/make_transformer_golden.py.
#include "core/transformer/named_tensors.h"
#include "tests/core/nn/golden.h"

namespace normscope {
namespace {

using namespace testing;
using Json = nlohmann::json;

template<class S>
class TransformerGolden : public ::testing::Test {};
using TransformerPrecisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(TransformerGolden, TransformerPrecisions);

TransformerConfig config_of(const Json& entry) {
    TransformerConfig out;
    out.heads = entry.at("heads");
    out.ffn = entry.at("ffn");
    if (entry.at("activation") == "gelu") out.activation = Activation::gelu;
    if (entry.at("norm_first").get<bool>()) out.placement = Placement::pre;
    return out;
}

// Every tensor of the model from the file; both have the same ones.
template<class S>
void fill(Transformer<S>& model, const Json& parameters) {
    const auto all = tensors(model);
    EXPECT_EQ(all.size(), parameters.size());
    for (const NamedTensor<S>& tensor : all) {
        const auto values = golden_matrix<S>(parameters.at(tensor.name));
        ASSERT_EQ(values.size(), tensor.size()) << tensor.name;
        std::copy_n(values.data(), values.size(), tensor.data);
    }
}

template<class S>
void expect_gradients(const TransformerBackward<S>& back, const Json& gradients) {
    const auto all = tensors(back);
    EXPECT_EQ(all.size(), gradients.size());
    for (const NamedTensor<const S>& g : all) {
        const Index rows = g.shape.size() == 2 ? g.shape[0] : 1;
        const Eigen::Map<const Matrix<S>> values(g.data, rows, g.size() / rows);
        expect_golden(values, gradients.at(g.name), g.name);
    }
}

TYPED_TEST(TransformerGolden, TheWholeAgrees) {
    using S = TypeParam;
    const Json golden = golden_file("transformer.json");
    for (const Json& entry : golden.at("transformer")) {
        TransformerConfig config = config_of(entry);
        for (const auto& choice : choices(Architecture{}))
            if (entry.at("arch") == choice.id) config.arch = choice.value;
        SCOPED_TRACE(id_of(config.arch));
        config.layers = entry.at("layers");
        config.width = entry.at("width");
        config.vocabulary = entry.at("words");
        config.final_norm = entry.at("final_norm").get<bool>();
        config.label_smoothing = entry.at("label_smoothing");
        auto model = empty_transformer<S>(config, 2);
        ASSERT_TRUE(model) << model.error().message;
        fill(*model, entry.at("parameters"));
        Batch batch;
        for (std::size_t s = 0; s < entry.at("labels").size(); ++s) {
            Sentence& sentence = batch.emplace_back();
            const auto read = [&](const char* side, std::vector<Index>& to) {
                if (s < entry.at(side).size()) to = entry.at(side)[s].get<std::vector<Index>>();
            };
            read("source", sentence.source);
            read("target", sentence.target);
            read("labels", sentence.labels);
        }
        const auto forward = transformer_forward(*model, batch);
        ASSERT_TRUE(forward) << forward.error().message;
        expect_golden(forward->logits, entry.at("logits"), "logits");
        EXPECT_NEAR(*forward->loss, entry.at("loss").get<double>(),
                    (std::is_same_v<S, float> ? 4e-6 : 1e-12) * entry.at("loss").get<double>());
        const auto back = transformer_backward(*model, *forward);
        ASSERT_TRUE(back) << back.error().message;
        expect_gradients(*back, entry.at("gradients"));
        if (!has_encoder(config)) continue;
        expect_golden(forward->encoder.y, entry.at("memory"), "memory");
        expect_golden(has_decoder(config) ? back->decoder.dmemory : back->dy, entry.at("dmemory"),
                      "dmemory");
    }
}

TYPED_TEST(TransformerGolden, ADecoderLayerAgrees) {
    using S = TypeParam;
    const Json golden = golden_file("transformer.json");
    for (const Json& entry : golden.at("decoder_layer")) {
        TransformerConfig config = config_of(entry);
        config.layers = 1;
        config.final_norm = false;
        const auto x = golden_matrix<S>(entry.at("x"));
        config.width = x.cols();
        auto model = empty_transformer<S>(config);
        ASSERT_TRUE(model) << model.error().message;
        const std::string layer = "decoder.layers.0.";
        for (const NamedTensor<S>& tensor : tensors(*model)) {
            if (!tensor.name.starts_with(layer)) continue;
            const auto values =
                golden_matrix<S>(entry.at("parameters").at(tensor.name.substr(layer.size())));
            std::copy_n(values.data(), values.size(), tensor.data);
        }
        const auto memory = golden_matrix<S>(entry.at("memory"));
        const AttentionContext<S> context{nullptr, &memory, nullptr};
        StackForward<S> forward;
        ASSERT_TRUE(stack_forward_into(model->decoder, x, context, forward));
        expect_golden(forward.y, entry.at("y"), "y");
        TransformerBackward<S> back;
        ASSERT_TRUE(stack_backward_into(model->decoder, forward, golden_matrix<S>(entry.at("dy")),
                                        Want::everything, context, back.decoder));
        expect_golden(back.decoder.dx, entry.at("dx"), "dx");
        expect_golden(back.decoder.dmemory, entry.at("dmemory"), "dmemory");
        Json named;
        for (const auto& [name, value] : entry.at("gradients").items()) named[layer + name] = value;
        expect_gradients(back, named);
    }
}

} // namespace
} // namespace normscope
