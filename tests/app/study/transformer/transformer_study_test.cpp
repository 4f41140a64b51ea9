#include "app/study/transformer/transformer_study.h"

#include "app/study/add_norm/derived.h"
#include "core/norm/affine.h"

#include <gtest/gtest.h>

// The numbers of the Transformer workspace against the model's own pass.
namespace normscope {
namespace {

using Mf = Matrix<float>;

constexpr StackSide k_sides[] = {StackSide::encoder, StackSide::decoder};

TransformerSetup setup_of(Architecture arch, Placement placement = Placement::post) {
    TransformerSetup setup = default_transformer();
    setup.config.arch = arch;
    setup.config.layers = 2;
    setup.config.placement = placement;
    return setup;
}

std::shared_ptr<const TransformerStudy> study_of(const TransformerSetup& setup) {
    auto study = TransformerStudy::of(setup, nullptr);
    EXPECT_FALSE(study->error()) << study->error()->message;
    return study;
}

// Every Add & Norm of a study.
std::vector<Box> adds_of(const TransformerStudy& study) {
    std::vector<Box> out;
    for (const StackSide side : k_sides)
        for (int l = 0; l < study.layers(side); ++l)
            for (int b = 0; b < study.blocks(side); ++b)
                out.push_back({Box::Kind::add_norm, side, l, b});
    return out;
}

double apart(const Mf& a, const Mf& b) {
    if (a.rows() != b.rows() || a.cols() != b.cols()) return INFINITY;
    return static_cast<double>((a - b).cwiseAbs().maxCoeff());
}

TEST(TransformerStudy, EveryBoxPutsOutARowAToken) {
    for (const Architecture arch :
         {Architecture::encoder_decoder, Architecture::encoder, Architecture::decoder})
        for (const Placement placement : {Placement::post, Placement::peri}) {
            const auto study = study_of(setup_of(arch, placement));
            for (const StackSide side : k_sides)
                for (const Box::Kind kind :
                     {Box::Kind::embedding, Box::Kind::sublayer, Box::Kind::add_norm,
                      Box::Kind::final_norm, Box::Kind::linear, Box::Kind::softmax}) {
                    const Box box{kind, side, 0, 0};
                    if (!study->has(box)) continue;
                    const auto tokens = static_cast<Index>(study->tokens(side).size());
                    EXPECT_EQ(study->output(box).rows(), tokens) << name_of(*study, box);
                    EXPECT_EQ(study->gradient(box).rows(), tokens) << name_of(*study, box);
                    EXPECT_EQ(study->gradient(box).cols(), study->output(box).cols());
                }
        }
}

TEST(TransformerStudy, AnAddAndNormIsTheSumAndItsNorm) {
    for (const Placement placement :
         {Placement::post, Placement::pre, Placement::deepnorm, Placement::peri}) {
        const auto study = study_of(setup_of(Architecture::encoder_decoder, placement));
        for (const Box& box : adds_of(*study)) {
            const AddNormNumbers n = study->add_norm(box);
            EXPECT_LE(apart(n.z, n.x + n.f), 1e-6);
            EXPECT_EQ(apart(n.y, n.norm_first ? n.z : n.normed), 0);
            EXPECT_EQ(apart(n.y, study->output(box)), 0);
            EXPECT_LE(n.x_hat.rowwise().mean().cwiseAbs().maxCoeff(), 1e-5);
            EXPECT_NEAR(n.x_norm / (n.x_norm + n.f_norm), n.x.norm() / (n.x.norm() + n.f.norm()),
                        1e-6);
        }
    }
}

TEST(TransformerStudy, ABoxReadsWhatTheOneBelowPutsOut) {
    const auto study = study_of(setup_of(Architecture::encoder_decoder));
    const std::vector<Box> adds = adds_of(*study);
    for (std::size_t i = 0; i < adds.size(); ++i) {
        const bool first = i == 0 || adds[i - 1].side != adds[i].side;
        const Box below = first ? Box{Box::Kind::embedding, adds[i].side, 0, 0} : adds[i - 1];
        EXPECT_EQ(apart(study->input(adds[i]), study->output(below)), 0);
    }
}

TEST(TransformerStudy, TheGradientComesFromTheHead) {
    const auto study = study_of(setup_of(Architecture::encoder_decoder));
    const Box linear{Box::Kind::linear, StackSide::decoder, 0, 0};
    const Mf dlogits = study->gradient(linear);
    const Box last{Box::Kind::add_norm, StackSide::decoder, 1, 2};
    EXPECT_LE(apart(study->gradient(last), dlogits * study->model().generator.weight), 1e-6);
    // Through the softmax: dlogits = p ⊙ (g − Σ g·p).
    const Mf p = study->output({Box::Kind::softmax, StackSide::decoder, 0, 0});
    const Mf g = study->gradient({Box::Kind::softmax, StackSide::decoder, 0, 0});
    const Vector<float> along = g.cwiseProduct(p).rowwise().sum();
    EXPECT_LE(apart(dlogits, p.cwiseProduct(g.colwise() - along)), 1e-6);
    // The gradient of the encoder's output comes from all layers that read it.
    const Box top{Box::Kind::add_norm, StackSide::encoder, 1, 1};
    EXPECT_EQ(apart(study->gradient(top), study->backward()->decoder.dmemory), 0);
}

TEST(TransformerStudy, EveryNormBringsATokenBack) {
    const auto study = study_of(setup_of(Architecture::encoder_decoder));
    const auto way = study->way(StackSide::decoder, 2);
    ASSERT_EQ(way.size(), 2u + 2 * 3 * 3);
    for (const WayStage& stage : way)
        if (stage.what == WayStage::What::norm) {
            EXPECT_NEAR(stage.mean, 0, 1e-5);
            EXPECT_NEAR(stage.std, 1, 1e-3);
        }
}

TEST(TransformerStudy, AnAddAndNormOpensAsADocument) {
    for (const Placement placement : {Placement::post, Placement::pre, Placement::peri}) {
        TransformerSetup setup = setup_of(Architecture::encoder_decoder, placement);
        const auto study = study_of(setup);
        Document own = blank_document(4, 6);
        own.transformer = setup;
        for (const Box& box : adds_of(*study)) {
            const auto opened = open_add_norm(own, *study, box);
            ASSERT_TRUE(opened) << opened.error().message;
            EXPECT_EQ(*opened->tokens, study->tokens(box.side));
            EXPECT_TRUE(opened->transformer == setup);
            const AddNormNumbers n = study->add_norm(box);
            const auto derived = Derived::of(*opened);
            const auto shown = [&](Tensor which) {
                Mf m(n.z.rows(), n.z.cols());
                const MatrixView view = derived->view(which);
                for (Index t = 0; t < m.rows(); ++t)
                    for (Index d = 0; d < m.cols(); ++d) m(t, d) = static_cast<float>(view(t, d));
                return m;
            };
            EXPECT_LE(apart(shown(Tensor::z), n.z), 1e-6);
            if (!n.norm_first) {
                EXPECT_LE(apart(shown(Tensor::y), n.y), 1e-5);
            }
            const Matrix<double>& dy = *opened->backward.dy;
            EXPECT_EQ(dy.rows(), n.z.rows());
            EXPECT_GT(dy.norm(), 0);
            if (!n.norm_first) {
                EXPECT_EQ(apart(dy.cast<float>(), study->gradient(box)), 0);
            }
        }
    }
}

// The norm that reads the last sum of a stack with pre is the final one: what is opened ends in the
// stack's own output.
TEST(TransformerStudy, WhereTheNormComesFirstTheNextOneIsOpened) {
    const TransformerSetup setup = setup_of(Architecture::encoder_decoder, Placement::pre);
    const auto study = study_of(setup);
    Document own = blank_document(4, 6);
    own.transformer = setup;
    const Box last{Box::Kind::add_norm, StackSide::decoder, 1, 2};
    const auto opened = open_add_norm(own, *study, last);
    ASSERT_TRUE(opened);
    const auto derived = Derived::of(*opened);
    const MatrixView y = derived->view(Tensor::y);
    const Mf out = study->output({Box::Kind::final_norm, StackSide::decoder, 0, 0});
    for (Index t = 0; t < out.rows(); ++t)
        for (Index d = 0; d < out.cols(); ++d)
            EXPECT_NEAR(y(t, d), static_cast<double>(out(t, d)), 1e-5);
}

// Each word has a vector of its own, so that a changed word alone is the cause of a movement.
TEST(TransformerStudy, AWordHasItsOwnVectorWhateverTheOthersAre) {
    TransformerSetup setup = default_transformer();
    const auto before = study_of(setup);
    setup.target = Words{"norms", "layer", "studying", "new", "I"};
    const auto after = study_of(setup);
    const Mf was = before->stack(StackSide::decoder).y, is = after->stack(StackSide::decoder).y;
    // The decoder reads <s> norms layer studying, then the changed word; its mask hides that.
    EXPECT_EQ(apart(was.topRows(4), is.topRows(4)), 0);
    EXPECT_GT(apart(was.bottomRows(1), is.bottomRows(1)), 0.01);
    setup.config.masked = false;
    const auto seen = study_of(setup);
    setup.target = Words{"norms", "layer", "studying", "am", "I"};
    const auto peeked = study_of(setup);
    EXPECT_GT(apart(seen->stack(StackSide::decoder).y.topRows(4),
                    peeked->stack(StackSide::decoder).y.topRows(4)),
              0.001);
}

TEST(TransformerStudy, WeightsServeAgainForTheSameWords) {
    TransformerSetup setup = default_transformer();
    const auto first = study_of(setup);
    setup.source = Words{"I", "am", "studying", "layer", "layer"};
    const auto second = TransformerStudy::of(setup, first);
    EXPECT_EQ(&first->model(), &second->model());
    EXPECT_GT(apart(first->stack(StackSide::encoder).y, second->stack(StackSide::encoder).y), 0.01);
}

TEST(TransformerStudy, AnEncoderWithoutLabelsHasNoGradient) {
    TransformerSetup setup = setup_of(Architecture::encoder);
    setup.target = Words{"I"};
    const auto study = study_of(setup);
    EXPECT_EQ(study->backward(), nullptr);
    EXPECT_EQ(study->gradient({}).size(), 0);
    EXPECT_EQ(study->backward({Box::Kind::add_norm, StackSide::encoder}), nullptr);
}

TEST(TransformerStudy, WithoutASublayerAnAddAndNormIsTheNormOfX) {
    TransformerSetup setup = default_transformer();
    setup.taken_out = std::vector{TakenOut{StackSide::encoder, 1, 1, BlockPiece::sublayer}};
    const auto study = study_of(setup);
    const AddNormNumbers n = study->add_norm({Box::Kind::add_norm, StackSide::encoder, 1, 1});
    EXPECT_EQ(n.f_norm, 0);
    const auto normed =
        norm_forward(Norm{}, n.x, identity_affine<float>(AffinePer::feature, 1, 16));
    ASSERT_TRUE(normed);
    EXPECT_LE(apart(n.y, normed->y), 1e-6);
    const auto whole = study_of(default_transformer());
    ASSERT_TRUE(study->moved());
    const Mf was = whole->stack(StackSide::decoder).y, is = study->stack(StackSide::decoder).y;
    EXPECT_NEAR(study->moved()->share, (is - was).norm() / was.norm(), 1e-6);
    EXPECT_EQ(study->moved()->loss, whole->forward().loss);
    EXPECT_FALSE(whole->moved());
}

TEST(TransformerStudy, ASkipOrANormIsTakenOutOfItsBlockAlone) {
    TransformerSetup setup = default_transformer();
    setup.taken_out = std::vector{TakenOut{StackSide::decoder, 0, 1, BlockPiece::skip},
                                  TakenOut{StackSide::decoder, 2, 0, BlockPiece::norm}};
    const auto study = study_of(setup);
    const AddNormNumbers no_skip = study->add_norm({Box::Kind::add_norm, StackSide::decoder, 0, 1});
    EXPECT_EQ(apart(no_skip.z, no_skip.f), 0);
    const AddNormNumbers no_norm = study->add_norm({Box::Kind::add_norm, StackSide::decoder, 2, 0});
    EXPECT_EQ(apart(no_norm.y, no_norm.z), 0);
    EXPECT_EQ(name_of(*study, {Box::Kind::add_norm, StackSide::decoder, 2, 0}), "Add");
    EXPECT_EQ(name_of(*study, {Box::Kind::add_norm, StackSide::decoder, 2, 1}), "Add & Norm");
}

TEST(TransformerStudy, CountsItsParameters) {
    const auto study = study_of(default_transformer());
    const Index d = 16, ffn = 64, words = 6;
    const auto& p = study->parameters();
    EXPECT_EQ(p.attention, 3 * 3 * (4 * d * d + 4 * d));
    EXPECT_EQ(p.feed_forward, 6 * (2 * d * ffn + ffn + d));
    EXPECT_EQ(p.norms, 15 * 2 * d);
    EXPECT_EQ(p.words, 3 * words * d + words);
}

} // namespace
} // namespace normscope
