#include "app/study/transformer/transformer_study.h"

#include "core/base/fnv1a.h"
#include "core/base/random.h"
#include "core/norm/affine.h"
#include "core/transformer/named_tensors.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace normscope {

namespace {

// Multiplications of a forward and a backward pass that a frame has the time for.
constexpr double k_at_once = 4e7;

double work_of(const TransformerSetup& setup) {
    const TransformerConfig& c = setup.config;
    const auto d = static_cast<double>(c.width), ffn = static_cast<double>(c.ffn);
    const double encoder = encoder_layers(c) * (4 * d * d + 2 * d * ffn);
    const double decoder =
        decoder_layers(c) * ((has_cross_attention(c) ? 8 : 4) * d * d + 2 * d * ffn);
    return 3 * (encoder * static_cast<double>(setup.source->size()) +
                decoder * static_cast<double>(setup.target->size())) +
           encoder + decoder; // drawing the weights
}

double norm_of(const Matrix<float>& m) {
    return m.cast<double>().norm();
}

WayStage stage(Box box, WayStage::What what, int layer, const Matrix<float>& m, Index token) {
    WayStage s{box, what, layer, m.row(token).transpose(), 0, 0};
    const Vector<double> values = s.values.cast<double>();
    s.mean = values.mean();
    s.std = std::sqrt((values.array() - s.mean).square().mean());
    return s;
}

bool contains(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

TransformerStudy::Parameters counted(const Transformer<float>& model) {
    TransformerStudy::Parameters out;
    for (const auto& tensor : tensors(model)) {
        Index& kind = contains(tensor.name, "attn")     ? out.attention
                      : contains(tensor.name, "linear") ? out.feed_forward
                      : contains(tensor.name, "norm")   ? out.norms
                                                        : out.words;
        kind += tensor.size();
    }
    return out;
}

// Gives every word the rows that its own letters draw, N(0, 1/D) as the model's others: they stay
// when another word comes or goes.
void draw_words(Transformer<float>& model, const Words& vocabulary) {
    const double std = 1 / std::sqrt(static_cast<double>(model.config.width));
    for (std::size_t i = 0; i < vocabulary.size(); ++i) {
        Random random = random_stream(model.config.seed, fnv1a(vocabulary[i]));
        for (Matrix<float>* table :
             {&model.source_embedding, &model.target_embedding, &model.generator.weight})
            if (table->rows() > static_cast<Index>(i))
                for (Index d = 0; d < table->cols(); ++d)
                    (*table)(static_cast<Index>(i), d) = static_cast<float>(std * random.normal());
    }
}

void take_out(ResidualBlock<float>& block, BlockPiece piece) {
    switch (piece) {
    case BlockPiece::sublayer: {
        const auto silence = [](Linear<float>& last) {
            last.weight.setZero();
            last.bias.setZero();
        };
        if (auto* attention = std::get_if<MultiHeadAttention<float>>(&block.sublayer))
            silence(attention->out);
        if (auto* feed_forward = std::get_if<FeedForward<float>>(&block.sublayer))
            silence(feed_forward->second);
        return;
    }
    case BlockPiece::skip:
        block.options.skip = Residual::no_skip;
        return;
    case BlockPiece::norm:
        block.options.norm = NormKind::none;
    }
}

std::shared_ptr<const Transformer<float>> without(std::shared_ptr<const Transformer<float>> whole,
                                                  const std::vector<TakenOut>& pieces) {
    if (pieces.empty()) return whole;
    Transformer<float> model = *whole;
    for (const TakenOut& piece : pieces) {
        auto& stack = piece.side == StackSide::encoder ? model.encoder : model.decoder;
        take_out(stack.layers[static_cast<std::size_t>(piece.layer)]
                             [static_cast<std::size_t>(piece.block)],
                 piece.piece);
    }
    return std::make_shared<const Transformer<float>>(std::move(model));
}

const Matrix<float>& top_of(const TransformerForward<float>& forward, StackSide head) {
    return head == StackSide::encoder ? forward.encoder.y : forward.decoder.y;
}

// ‖a − b‖/‖b‖
double apart(const Matrix<float>& a, const Matrix<float>& b) {
    return norm_of(a - b) / norm_of(b);
}

} // namespace

std::shared_ptr<const TransformerStudy>
TransformerStudy::of(const TransformerSetup& setup,
                     const std::shared_ptr<const TransformerStudy>& before) {
    auto out = std::make_shared<TransformerStudy>();
    out->setup_ = setup;
    out->vocabulary_ = vocabulary_of(setup);
    const TransformerConfig config = config_of(setup);
    if (has_encoder(config)) out->tokens_[0] = read_by(setup, SentenceSide::source);
    if (has_decoder(config)) out->tokens_[1] = read_by(setup, SentenceSide::target);
    if (before && before->whole_ && before->whole_->config == config &&
        before->vocabulary_ == out->vocabulary_) {
        out->whole_ = before->whole_;
    } else if (auto made = make_transformer<float>(config)) {
        if (config.init == WeightInit::xavier_normal) draw_words(*made, out->vocabulary_);
        out->whole_ = std::make_shared<const Transformer<float>>(std::move(*made));
    } else {
        out->error_ = made.error();
        return out;
    }
    out->parameters_ = counted(*out->whole_);
    out->model_ = without(out->whole_, *setup.taken_out);
    auto forward = transformer_forward(*out->model_, {sentence_of(setup)});
    if (!forward) {
        out->error_ = forward.error();
        return out;
    }
    out->forward_ = std::move(*forward);
    if (!setup.taken_out->empty())
        if (const auto whole = transformer_forward(*out->whole_, {sentence_of(setup)}))
            out->moved_ =
                Moved{apart(out->output_of(out->head()), top_of(*whole, out->head())), whole->loss};
    if (!out->forward_.loss) return out;
    if (auto backward = transformer_backward(*out->model_, out->forward_))
        out->backward_ = std::move(*backward);
    else
        out->error_ = backward.error();
    return out;
}

Where TransformerStudy::where(const TransformerSetup& setup, const TransformerStudy* before) {
    return !before || work_of(setup) <= k_at_once ? Where::here : Where::on_a_worker;
}

bool TransformerStudy::fits(const TransformerSetup& setup) const {
    const TransformerConfig &a = setup_.config, &b = setup.config;
    return a.arch == b.arch && a.layers == b.layers && a.width == b.width && a.heads == b.heads &&
           a.placement == b.placement && setup_.source->size() == setup.source->size() &&
           setup_.target->size() == setup.target->size();
}

int TransformerStudy::layers(StackSide side) const {
    return side == StackSide::encoder ? encoder_layers(setup_.config)
                                      : decoder_layers(setup_.config);
}

int TransformerStudy::blocks(StackSide side) const {
    return blocks_of(setup_.config, side);
}

Reading TransformerStudy::reading(StackSide side, int block) const {
    if (block + 1 == blocks(side)) return Reading::feed_forward;
    if (block == 1) return Reading::cross;
    return side == StackSide::decoder && setup_.config.masked ? Reading::masked : Reading::self;
}

bool TransformerStudy::has(const Box& box) const {
    if (error_ || !has(box.side)) return false;
    switch (box.kind) {
    case Box::Kind::embedding:
        return true;
    case Box::Kind::final_norm:
        return stack(box.side).final_norm.has_value();
    case Box::Kind::linear:
    case Box::Kind::softmax:
        return box.side == head();
    default:
        return box.layer < layers(box.side) && box.block < blocks(box.side);
    }
}

const StackForward<float>& TransformerStudy::stack(StackSide side) const {
    return side == StackSide::encoder ? forward_.encoder : forward_.decoder;
}

const BlockCache<float>& TransformerStudy::cache(StackSide side, int layer, int block) const {
    return stack(side).layers[static_cast<std::size_t>(layer)][static_cast<std::size_t>(block)];
}

const ResidualBlock<float>& TransformerStudy::block(StackSide side, int layer, int block) const {
    const auto& stack = side == StackSide::encoder ? model_->encoder : model_->decoder;
    return stack.layers[static_cast<std::size_t>(layer)][static_cast<std::size_t>(block)];
}

Matrix<float> TransformerStudy::output(const Box& box) const {
    const auto layer = static_cast<std::size_t>(box.layer);
    const auto block = static_cast<std::size_t>(box.block);
    switch (box.kind) {
    case Box::Kind::embedding:
        return (box.side == StackSide::encoder ? forward_.source : forward_.target).sum;
    case Box::Kind::sublayer:
        return cache(box.side, box.layer, box.block).branch;
    case Box::Kind::add_norm:
        return stack(box.side).output_of(layer, block);
    case Box::Kind::final_norm:
        return stack(box.side).y;
    case Box::Kind::linear:
        return forward_.logits;
    case Box::Kind::softmax:
        return forward_.probabilities;
    }
    return {};
}

Matrix<float> TransformerStudy::gradient(const Box& box) const {
    if (!backward_) return {};
    const bool encoder = box.side == StackSide::encoder;
    const StackBackward<float>& back = encoder ? backward_->encoder : backward_->decoder;
    // At the stack's output: from the head, or from all layers that read the memory.
    const Matrix<float>& top = box.side == head() ? backward_->dy : backward_->decoder.dmemory;
    const auto layer = static_cast<std::size_t>(box.layer);
    const auto block = static_cast<std::size_t>(box.block);
    switch (box.kind) {
    case Box::Kind::embedding:
        return back.dx;
    case Box::Kind::sublayer: {
        const BlockOptions& options = this->block(box.side, box.layer, box.block).options;
        return back.layers[layer][block].dz * static_cast<float>(options.branch_scale);
    }
    case Box::Kind::add_norm:
        if (block + 1 < back.layers[layer].size()) return back.layers[layer][block + 1].dx();
        if (layer + 1 < back.layers.size()) return back.layers[layer + 1].front().dx();
        return back.final_norm ? back.final_norm->dz : top;
    case Box::Kind::final_norm:
        return top;
    case Box::Kind::linear:
        return forward_.dlogits;
    case Box::Kind::softmax: {
        // Of L = −log p of the label, mean over tokens; smoothed labels share it out.
        Matrix<float> d =
            Matrix<float>::Zero(forward_.probabilities.rows(), forward_.probabilities.cols());
        const auto labels = sentence_of(setup_).labels;
        const auto words = static_cast<double>(d.cols());
        const double smoothed = setup_.config.label_smoothing;
        for (Index t = 0; t < d.rows(); ++t)
            for (Index v = 0; v < d.cols(); ++v) {
                const double wanted =
                    smoothed / words +
                    (labels[static_cast<std::size_t>(t)] == v ? 1 - smoothed : 0.0);
                d(t, v) = wanted == 0 ? 0.0f
                                      : static_cast<float>(-wanted / forward_.probabilities(t, v) /
                                                           static_cast<double>(d.rows()));
            }
        return d;
    }
    }
    return {};
}

const Matrix<float>& TransformerStudy::input(const Box& box) const {
    return cache(box.side, box.layer, box.block).x;
}

Matrix<float> TransformerStudy::gradient_at_norm(StackSide side, int layer, int b) const {
    if (!backward_) return {};
    const auto& back = side == StackSide::encoder ? backward_->encoder : backward_->decoder;
    const BlockBackward<float>& of =
        back.layers[static_cast<std::size_t>(layer)][static_cast<std::size_t>(b)];
    return of.dnormed;
}

AddNormNumbers TransformerStudy::add_norm(StackSide side, int layer, int b) const {
    const BlockCache<float>& c = cache(side, layer, b);
    const ResidualBlock<float>& of = block(side, layer, b);
    const BlockOptions& options = of.options;
    const Add add{options.skip, options.trunk_scale, options.branch_scale};
    AddNormNumbers out;
    out.norm_first = options.placement == Placement::pre || options.placement == Placement::peri;
    out.x = add.has_skip() ? Matrix<float>(c.x * static_cast<float>(add.trunk_scale))
                           : Matrix<float>::Zero(c.x.rows(), c.x.cols());
    out.f = c.branch * static_cast<float>(add.branch_scale);
    (void)residual_add(c.x, c.branch, add, out.z); // one shape: the block has added them
    if (c.norm) {
        out.x_hat = c.norm->x_hat;
        out.cache = *c.norm;
        (void)affine_forward(out.x_hat, of.affine, out.normed); // as long as the block's
    }
    out.y = stack(side).output_of(static_cast<std::size_t>(layer), static_cast<std::size_t>(b));
    out.x_norm = norm_of(out.x);
    out.f_norm = norm_of(out.f);
    return out;
}

std::optional<TransformerStudy::Parts> TransformerStudy::gradient_parts(StackSide side, int layer,
                                                                        int block) const {
    if (!backward_) return std::nullopt;
    const auto& back = side == StackSide::encoder ? backward_->encoder : backward_->decoder;
    const BlockBackward<float>& of =
        back.layers[static_cast<std::size_t>(layer)][static_cast<std::size_t>(block)];
    return Parts{norm_of(of.skip), norm_of(of.branch)};
}

const AttentionCache<float>* TransformerStudy::attention(StackSide side, int layer,
                                                         int block) const {
    return std::get_if<AttentionCache<float>>(&cache(side, layer, block).sublayer);
}

const FeedForwardCache<float>* TransformerStudy::feed_forward(StackSide side, int layer,
                                                              int block) const {
    return std::get_if<FeedForwardCache<float>>(&cache(side, layer, block).sublayer);
}

std::vector<WayStage> TransformerStudy::way(StackSide side, Index token) const {
    using What = WayStage::What;
    std::vector<WayStage> out;
    const auto& input = side == StackSide::encoder ? forward_.source : forward_.target;
    const Box embedding{Box::Kind::embedding, side, 0, 0};
    out.push_back(stage(embedding, What::words, -1, input.words, token));
    if (input.positions.size() > 0)
        out.push_back(stage(embedding, What::positions, -1, input.sum, token));
    for (int l = 0; l < layers(side); ++l)
        for (int b = 0; b < blocks(side); ++b) {
            const AddNormNumbers n = add_norm(side, l, b);
            const Box at{Box::Kind::add_norm, side, l, b};
            if (n.norm_first && n.x_hat.size() > 0)
                out.push_back(stage(at, What::norm, l, n.x_hat, token));
            out.push_back(stage({Box::Kind::sublayer, side, l, b}, What::sublayer, l, n.f, token));
            out.push_back(stage(at, What::add, l, n.z, token));
            if (!n.norm_first && n.x_hat.size() > 0)
                out.push_back(stage(at, What::norm, l, n.x_hat, token));
        }
    if (stack(side).final_norm)
        out.push_back(stage({Box::Kind::final_norm, side, 0, 0}, What::norm, layers(side),
                            stack(side).final_norm->x_hat, token));
    return out;
}

std::string place_of(const TransformerStudy& study, const Box& box) {
    const std::string_view side = box.side == StackSide::encoder ? "encoder" : "decoder";
    switch (box.kind) {
    case Box::Kind::embedding:
    case Box::Kind::final_norm:
        return std::string(side);
    case Box::Kind::linear:
    case Box::Kind::softmax:
        return "head";
    case Box::Kind::sublayer:
        return fmt::format("{} {}", side, box.layer + 1);
    case Box::Kind::add_norm:
        break;
    }
    std::string sublayer(name_of(study, Box{Box::Kind::sublayer, box.side, box.layer, box.block}));
    std::ranges::transform(sublayer, sublayer.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    return fmt::format("{} {} · after {}", side, box.layer + 1, sublayer);
}

std::string_view name_of(const TransformerStudy& study, const Box& box) {
    switch (box.kind) {
    case Box::Kind::embedding:
        return study.setup().config.positions == Positions::none ? "Embedding" : "Embedding + PE";
    case Box::Kind::final_norm:
        return "Final norm";
    case Box::Kind::linear:
        return "Linear";
    case Box::Kind::softmax:
        return "Softmax";
    case Box::Kind::add_norm: {
        const BlockOptions& o = study.block(box.side, box.layer, box.block).options;
        const bool inside = o.placement == Placement::pre || o.placement == Placement::peri;
        return inside || !norm_entry(o.norm).normalizes() ? "Add" : "Add & Norm";
    }
    case Box::Kind::sublayer:
        switch (study.reading(box.side, box.block)) {
        case Reading::self:
            return "Self-attention";
        case Reading::masked:
            return "Masked attention";
        case Reading::cross:
            return "Cross-attention";
        case Reading::feed_forward:
            return "Feed forward";
        }
    }
    return {};
}

} // namespace normscope
