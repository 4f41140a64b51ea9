#include "app/study/transformer/peek.h"

namespace normscope {

std::shared_ptr<const Peek> Peek::of(const Input& input,
                                     const std::shared_ptr<const Peek>& /*before*/) {
    auto out = std::make_shared<Peek>();
    out->input_ = input;
    const TransformerSetup& setup = input.setup;
    const auto whole = whole_model(setup);
    if (!whole || !has_decoder(setup.config)) return out;
    const auto model = without(*whole, *setup.taken_out);
    const auto passed = pass_through(*model, setup, {});
    if (!passed) return out;
    Sentence other = passed->sentence;
    const Words vocabulary = vocabulary_of(setup);
    const auto at = static_cast<std::size_t>(input.token);
    if (at >= other.target.size() || vocabulary.size() < 2) return out;
    other.target[at] = (other.target[at] + 1) % static_cast<Index>(vocabulary.size());
    const auto moved = transformer_forward(*model, {other});
    if (!moved) return out;
    out->word_ = vocabulary[static_cast<std::size_t>(other.target[at])];
    const Matrix<float>&y = passed->forward.decoder.y, &y_other = moved->decoder.y;
    for (Index t = 0; t < y.rows(); ++t)
        out->moved_.push_back((y_other.row(t) - y.row(t)).cast<double>().norm() /
                              y.row(t).cast<double>().norm());
    return out;
}

Where Peek::where(const Input& input, const Peek* /*before*/) {
    return fits_in_a_frame(work_of(input.setup)) ? Where::here : Where::on_a_worker;
}

bool Peek::fits(const Input& input) const {
    return input_.token == input.token &&
           input_.setup.target->size() == input.setup.target->size() &&
           input_.setup.decoded == input.setup.decoded;
}

} // namespace normscope
