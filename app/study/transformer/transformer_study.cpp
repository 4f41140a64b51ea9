#include "app/study/transformer/transformer_study.h"

#include "app/language/language.h"
#include "core/base/lists.h"
#include "core/norm/affine.h"

#include <cmath>

namespace normscope {

namespace {

WayStage stage(Box box, WayStage::What what, int layer, const Matrix<float>& m, Index token) {
    WayStage s{box, what, layer, m.row(token).transpose(), 0, 0};
    const Vector<double> values = s.values.cast<double>();
    s.mean = values.mean();
    s.std = std::sqrt((values.array() - s.mean).square().mean());
    return s;
}

Words words_of(const std::vector<Index>& ids, const Words& vocabulary) {
    Words out;
    for (const Index id : ids) out.push_back(entry_at(vocabulary, id));
    return out;
}

double largest_of(const Matrix<float>& m) {
    return static_cast<double>(m.cwiseAbs().maxCoeff());
}

// The norm that reads the sum of a block: its own, that of the next block, or the final one.
struct ReadBy {
    Affine<float> affine;
    Matrix<float> dy;
    std::string_view words;
};

ReadBy reader_of(const TransformerStudy& study, const Box& box, bool norm_first) {
    if (!norm_first) return {study.block(box).affine, study.gradient(box), "its norm"};
    if (const auto above = study.next(box)) {
        const BlockBackward<float>* const back = study.backward(*above);
        return {study.block(*above).affine, back ? back->dnormed : Matrix<float>(),
                "the norm of the next sublayer"};
    }
    const auto& norm = of_side(study.model(), box.side).final_norm;
    return {norm ? norm->affine
                 : identity_affine<float>(AffinePer::feature, 1, study.setup().config.width),
            study.gradient(norm ? Box{Box::Kind::final_norm, box.side} : box), "the final norm"};
}

} // namespace

std::shared_ptr<const TransformerStudy>
TransformerStudy::of(const TransformerSetup& setup,
                     const std::shared_ptr<const TransformerStudy>& before,
                     const Progress& progress) {
    auto out = std::make_shared<TransformerStudy>();
    out->setup_ = setup;
    out->vocabulary_ = vocabulary_of(setup);
    if (before && before->whole_ && before->setup_.weights == setup.weights &&
        before->whole_->config == config_of(setup) && before->vocabulary_ == out->vocabulary_) {
        out->whole_ = before->whole_;
    } else if (auto made = whole_model(setup)) {
        out->whole_ = std::move(*made);
    } else {
        out->error_ = made.error();
        return out;
    }
    out->parameters_ = count_parameters(*out->whole_);
    out->model_ = without(out->whole_, *setup.taken_out);
    auto passed = pass_through(*out->model_, setup, progress);
    if (!progress.at(0.5)) return nullptr;
    if (!passed) {
        out->error_ = passed.error();
        return out;
    }
    out->sentence_ = std::move(passed->sentence);
    out->forward_ = std::move(passed->forward);
    if (out->has(StackSide::encoder))
        out->tokens_[0] = *setup.source; // a file may have no word of padding
    if (out->has(StackSide::decoder))
        out->tokens_[1] = words_of(out->sentence_.target, out->vocabulary_);
    if (!setup.taken_out->empty())
        if (const auto whole = transformer_forward(*out->whole_, {out->sentence_})) {
            const Matrix<float>& top = of_side(*whole, out->head()).y;
            const Matrix<float>& moved = out->stack(out->head()).y;
            out->moved_ = Moved{norm_of(Matrix<float>(moved - top)) / norm_of(top), whole->loss};
        }
    if (out->forward_.loss) {
        if (auto backward = transformer_backward(*out->model_, out->forward_))
            out->backward_ = std::move(*backward);
        else
            out->error_ = backward.error();
    }
    return out;
}

std::vector<double> TransformerStudy::largest(bool of_gradient) const {
    std::vector<double> out;
    if (error_ || (of_gradient && !backward_)) return out;
    for (const StackSide side : {StackSide::encoder, StackSide::decoder})
        for (int l = 0; l < layers(side); ++l)
            for (int b = 0; b < blocks(side); ++b)
                for (const auto kind : {Box::Kind::sublayer, Box::Kind::add_norm}) {
                    const Box box{kind, side, l, b};
                    out.push_back(largest_of(of_gradient ? gradient(box) : output(box)));
                }
    return out;
}

bool TransformerStudy::fits_in_a_frame(const TransformerSetup& setup) {
    return normscope::fits_in_a_frame(work_of(setup));
}

Index TransformerStudy::likeliest(Index token) const {
    Index word = 0;
    forward_.probabilities.row(token).maxCoeff(&word);
    return word;
}

std::vector<StackSide> TransformerStudy::sides() const {
    std::vector<StackSide> out;
    for (const StackSide side : {StackSide::encoder, StackSide::decoder})
        if (has(side)) out.push_back(side);
    return out;
}

Reading TransformerStudy::reading(const Box& box) const {
    if (box.block + 1 == blocks(box.side)) return Reading::feed_forward;
    if (box.block == 1) return Reading::cross;
    return box.side == StackSide::decoder && setup_.config.masked ? Reading::masked : Reading::self;
}

std::optional<Box> TransformerStudy::next(const Box& box) const {
    if (box.kind == Box::Kind::embedding) return Box{Box::Kind::sublayer, box.side};
    const bool last = box.block + 1 == blocks(box.side);
    const Box above{Box::Kind::sublayer, box.side, box.layer + last, last ? 0 : box.block + 1};
    return above.layer < layers(box.side) ? std::optional(above) : std::nullopt;
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

const ResidualBlock<float>& TransformerStudy::block(const Box& box) const {
    return in_block(of_side(*model_, box.side).layers, box);
}

const BlockBackward<float>* TransformerStudy::backward(const Box& box) const {
    return backward_ ? &in_block(of_side(*backward_, box.side).layers, box) : nullptr;
}

const Matrix<float>& TransformerStudy::output(const Box& box) const {
    switch (box.kind) {
    case Box::Kind::embedding:
        return embedded(box.side).sum;
    case Box::Kind::sublayer:
        return cache(box).branch;
    case Box::Kind::add_norm:
        return stack(box.side).output_of(static_cast<std::size_t>(box.layer),
                                         static_cast<std::size_t>(box.block));
    case Box::Kind::final_norm:
        return stack(box.side).y;
    case Box::Kind::linear:
        return forward_.logits;
    case Box::Kind::softmax:
        break;
    }
    return forward_.probabilities;
}

Matrix<float> TransformerStudy::gradient(const Box& box) const {
    if (!backward_) return {};
    const StackBackward<float>& back = of_side(*backward_, box.side);
    // At the stack's output: from the head, or from all layers that read the memory.
    const Matrix<float>& top = box.side == head() ? backward_->dy : backward_->decoder.dmemory;
    switch (box.kind) {
    case Box::Kind::embedding:
        return back.dx;
    case Box::Kind::sublayer:
        return backward(box)->dz * static_cast<float>(branch_scale(block(box)));
    case Box::Kind::add_norm:
        if (const auto above = next(box)) return backward(*above)->dx();
        return back.final_norm ? back.final_norm->dz : top;
    case Box::Kind::final_norm:
        return top;
    case Box::Kind::linear:
        return forward_.dlogits;
    case Box::Kind::softmax: {
        // ∂L/∂p of L = −log p of the label, mean over tokens; smoothing spreads the label over all
        // words.
        const Matrix<float>& p = forward_.probabilities;
        const double smoothed = setup_.config.label_smoothing;
        return Matrix<float>::NullaryExpr(p.rows(), p.cols(), [&](Index t, Index v) {
            const bool label = entry_at(sentence_.labels, t) == v;
            const double wanted =
                smoothed / static_cast<double>(p.cols()) + (label ? 1 - smoothed : 0.0);
            return wanted == 0
                       ? 0.0f
                       : static_cast<float>(-wanted / p(t, v) / static_cast<double>(p.rows()));
        });
    }
    }
    return {};
}

AddNormNumbers TransformerStudy::add_norm(const Box& box) const {
    const BlockCache<float>& c = cache(box);
    const ResidualBlock<float>& of = block(box);
    const BlockOptions& options = of.options;
    const Add add{options.skip, options.trunk_scale, branch_scale(of)};
    AddNormNumbers out;
    out.norm_first = is_inside(options.placement);
    out.x = add.has_skip() ? Matrix<float>(c.x * static_cast<float>(add.trunk_scale))
                           : Matrix<float>::Zero(c.x.rows(), c.x.cols());
    out.f = c.branch * static_cast<float>(add.branch_scale);
    (void)residual_add(c.x, c.branch, add, out.z); // one shape: the block has added them
    out.x_hat = c.norm.cache.x_hat;
    out.cache = c.norm.cache;
    (void)affine_forward(out.x_hat, of.affine, out.normed); // as long as the block's
    out.y = output(box);
    out.x_norm = norm_of(out.x);
    out.f_norm = norm_of(out.f);
    return out;
}

std::vector<WayStage> TransformerStudy::way(StackSide side, Index token) const {
    using What = WayStage::What;
    std::vector<WayStage> out;
    const EmbeddingForward<float>& input = embedded(side);
    const Box embedding{Box::Kind::embedding, side};
    out.push_back(stage(embedding, What::words, -1, input.words, token));
    if (input.positions.size() > 0)
        out.push_back(stage(embedding, What::positions, -1, input.sum, token));
    for (int l = 0; l < layers(side); ++l)
        for (int b = 0; b < blocks(side); ++b) {
            const Box at{Box::Kind::add_norm, side, l, b};
            const AddNormNumbers n = add_norm(at);
            const bool norms = norm_entry(block(at).options.norm).normalizes();
            if (n.norm_first && norms) out.push_back(stage(at, What::norm, l, n.x_hat, token));
            out.push_back(stage(at.sublayer(), What::sublayer, l, n.f, token));
            out.push_back(stage(at, What::add, l, n.z, token));
            if (!n.norm_first && norms) out.push_back(stage(at, What::norm, l, n.x_hat, token));
        }
    if (stack(side).final_norm)
        out.push_back(stage({Box::Kind::final_norm, side}, What::norm, layers(side),
                            stack(side).final_norm->cache.x_hat, token));
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
        return worded("{} {}", side, box.layer + 1);
    case Box::Kind::add_norm:
        break;
    }
    return worded("{} {} · after {}", side, box.layer + 1, name_of(study, box.sublayer()));
}

std::string_view name_of(const TransformerStudy& study, const Box& box) {
    constexpr std::string_view k_sublayers[] = {// in the order of Reading
                                                "Self-attention", "Masked attention",
                                                "Cross-attention", "Feed forward"};
    switch (box.kind) {
    case Box::Kind::embedding:
        return study.setup().config.positions == Positions::none ? "Embedding" : "Embedding + PE";
    case Box::Kind::sublayer:
        return entry_at(k_sublayers, study.reading(box));
    case Box::Kind::add_norm: {
        const BlockOptions& o = study.block(box).options;
        return is_inside(o.placement) || !norm_entry(o.norm).normalizes() ? "Add" : "Add & Norm";
    }
    case Box::Kind::final_norm:
        return "Final norm";
    case Box::Kind::linear:
        return "Linear";
    case Box::Kind::softmax:
        break;
    }
    return "Softmax";
}

Result<Document> open_add_norm(const Document& document, const TransformerStudy& study,
                               const Box& box) {
    if (study.error()) return tl::unexpected(*study.error());
    AddNormNumbers n = study.add_norm(box);
    const BlockOptions& options = study.block(box).options;
    ReadBy reader = reader_of(study, box, n.norm_first);
    std::string title = n.norm_first
                            ? worded("Transformer, {}, then {}", place_of(study, box), reader.words)
                            : worded("Transformer, {}", place_of(study, box));
    // With no skip what stands for X is not added.
    Matrix<float> x = options.skip == Residual::add ? std::move(n.x) : study.input(box);
    return as_document(document, {std::move(title), study.tokens(box.side), std::move(x),
                                  std::move(n.f), options.norm, options.skip,
                                  std::move(reader.affine), options.eps, std::move(reader.dy)});
}

} // namespace normscope
