#include "app/charts/number_format.h"
#include "app/workspaces/transformer/lens.h"
#include "core/nn/linear.h"
#include "tests/app/words/written_numbers.h"
#include "tests/app/workspaces/transformer/transformer_harness.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <variant>
#include <vector>

namespace normscope::testing {
namespace {

constexpr Box k_cross{Box::Kind::sublayer, StackSide::decoder, 1, 1};
constexpr Box k_after_cross{Box::Kind::add_norm, StackSide::decoder, 1, 1};

struct Lenses : TransformerHarness {
    using TransformerHarness::TransformerHarness;
    void choose(const Box& box) {
        view().box = box;
        view().lens_open = true;
        settle();
    }
    void set(const std::function<void(TransformerConfig&)>& change) {
        Document d = document();
        change(d.transformer.config);
        become(std::move(d));
        settle();
    }
    std::vector<Box> boxes() {
        std::vector<Box> out;
        for (const StackSide side : {StackSide::encoder, StackSide::decoder})
            for (const Box::Kind kind :
                 {Box::Kind::embedding, Box::Kind::sublayer, Box::Kind::add_norm,
                  Box::Kind::final_norm, Box::Kind::linear, Box::Kind::softmax})
                for (int block = 0; block < 3; ++block)
                    if (const Box box{kind, side, 0, block};
                        study().has(box) &&
                        (block == 0 || kind == Box::Kind::sublayer || kind == Box::Kind::add_norm))
                        out.push_back(box);
        return out;
    }
    // The lens's first text that begins so; hats are drawn, not written.
    std::string line(const std::string& beginning) const {
        const Rect lens = named("transformer.lens").rect;
        for (const LoggedText& text : log().texts)
            if (text.text.starts_with(beginning) && lens.contains(text.rect.center()))
                return text.text;
        return {};
    }
    Point cell_of(const std::string& widget, Index row, Index col, Index rows, Index cols) {
        const Rect r = named(widget).rect;
        return {r.x + r.w * (static_cast<float>(col) + 0.5f) / static_cast<float>(cols),
                r.y + r.h * (static_cast<float>(row) + 0.5f) / static_cast<float>(rows)};
    }
    void hover(Point at) {
        move(at);
        frames(3);
    }
};

std::vector<Setup> screens() {
    return {{}, {.window = {1024, 768}}, {.scale = 2}};
}

TEST(TransformerLens, EveryBoxHasALensOfItsOwn) {
    for (const auto& screen : screens()) {
        Lenses h(screen);
        for (const Placement placement : {Placement::post, Placement::pre, Placement::peri}) {
            h.set([&](TransformerConfig& c) { c.placement = placement; });
            for (const Box& box : h.boxes()) {
                h.choose(box);
                EXPECT_EQ(h.fault(), "") << place_of(h.study(), box);
                EXPECT_EQ(clipped_text(h.log(), screen.window, screen.scale).value_or(""), "")
                    << place_of(h.study(), box);
            }
        }
        if (::testing::Test::HasFailure()) return;
    }
}

TEST(TransformerLens, EveryArchitectureAndNormIsDrawn) {
    Lenses h;
    for (const NormEntry& norm : k_norms)
        for (const Architecture arch : {Architecture::encoder, Architecture::decoder}) {
            h.set([&](TransformerConfig& c) {
                c.norm.kind = norm.kind;
                c.arch = arch;
            });
            for (const Box& box : h.boxes()) {
                h.choose(box);
                EXPECT_EQ(h.fault(), "") << norm.id << ' ' << place_of(h.study(), box);
            }
        }
}

TEST(TransformerLens, TheNextAddAndNormIsOneClickAway) {
    Lenses h;
    h.choose({Box::Kind::add_norm, StackSide::encoder, 2, 1});
    EXPECT_TRUE(h.has_text("6 of 15"));
    h.click_and_settle("transformer.lens.next-box");
    EXPECT_EQ(h.view().box, (Box{Box::Kind::add_norm, StackSide::decoder, 0, 0}));
    EXPECT_TRUE(h.has_text("7 of 15"));
    h.click_and_settle("transformer.lens.previous-box");
    EXPECT_EQ(h.view().box, (Box{Box::Kind::add_norm, StackSide::encoder, 2, 1}));
    h.choose({Box::Kind::add_norm, StackSide::decoder, 2, 2});
    h.click_and_settle("transformer.lens.next-box");
    EXPECT_EQ(h.view().box, (Box{Box::Kind::add_norm, StackSide::decoder, 2, 2})) << "the last";
}

TEST(TransformerLens, AnAddNormCellIsTheModelsOwn) {
    Lenses h;
    h.choose(k_after_cross);
    const auto& x = h.study().input(k_after_cross);
    const Matrix<float> f = h.study().output(k_cross);
    const Index token = 2, feature = 5;
    h.hover(h.cell_of("transformer.lens.f", token, feature, x.rows(), x.cols()));
    const auto z = written_numbers(h.line("z = ")), x_hat = written_numbers(h.line("x = ("));
    ASSERT_EQ(z.size(), 3u) << h.line("z = ");
    ASSERT_EQ(x_hat.size(), 4u) << h.line("x = (");
    EXPECT_TRUE(z[0].is(static_cast<double>(x(token, feature))));
    EXPECT_TRUE(z[1].is(static_cast<double>(f(token, feature))));
    const Vector<double> row = (x.row(token) + f.row(token)).cast<double>();
    const double mean = row.mean();
    const double root =
        std::sqrt((row.array() - mean).square().mean() + h.document().transformer.config.eps);
    EXPECT_TRUE(x_hat[1].is(mean)) << h.line("x = (");
    EXPECT_TRUE(x_hat[2].is(root)) << h.line("x = (");
    EXPECT_TRUE(x_hat[3].is((row(feature) - mean) / root)) << h.line("x = (");
}

TEST(TransformerLens, AnAttentionWeightIsTheModelsOwn) {
    Lenses h;
    h.choose(k_cross);
    const TransformerStudy& study = h.study();
    const auto& block = study.model().decoder.layers[1][1];
    const auto& attention = std::get<MultiHeadAttention<float>>(block.sublayer);
    const Index d = study.setup().config.width, d_h = d / study.setup().config.heads;
    const Matrix<double> x = study.input(k_cross).cast<double>();
    const Matrix<double> memory = study.forward().encoder.y.cast<double>();
    const Matrix<double> w = attention.in.weight.cast<double>();
    const Index token = 1;
    for (int head = 0; head < 2; ++head) {
        h.view().head = head;
        h.view().pinned = TokenOf{StackSide::decoder, token};
        h.settle();
        const Matrix<double> q = x * w.middleRows(head * d_h, d_h).transpose();
        const Matrix<double> k = memory * w.middleRows(d + head * d_h, d_h).transpose();
        const Vector<double> product = k * q.row(token).transpose();
        const Vector<double> e = (product / std::sqrt(static_cast<double>(d_h))).array().exp();
        Index largest = 0;
        const double weight = e.maxCoeff(&largest) / e.sum();
        const auto score = written_numbers(h.line("q·k/√d")),
                   softmax = written_numbers(h.line("softmax = "));
        ASSERT_EQ(score.size(), 3u) << h.line("q·k/√d");
        ASSERT_EQ(softmax.size(), 4u) << h.line("softmax = ");
        EXPECT_TRUE(score[0].is(product(largest))) << h.line("q·k/√d");
        EXPECT_TRUE(score[1].is(std::sqrt(static_cast<double>(d_h))));
        EXPECT_TRUE(softmax[2].is(e.sum())) << h.line("softmax = ");
        EXPECT_TRUE(softmax[3].is(weight)) << h.line("softmax = ");
    }
    h.view().head.reset();
    h.settle();
    EXPECT_EQ(h.line("mean = (").substr(0, 8), "mean = (");
}

TEST(TransformerLens, AMaskedWeightHasNoDigits) {
    Lenses h;
    h.choose({Box::Kind::sublayer, StackSide::decoder, 0, 0});
    const Rect map = h.named("transformer.lens.weights").rect;
    const auto tokens = h.study().tokens(StackSide::decoder).size();
    const auto digits = std::ranges::count_if(
        h.log().texts, [&](const LoggedText& text) { return map.contains(text.rect.center()); });
    EXPECT_EQ(static_cast<std::size_t>(digits), tokens * (tokens + 1) / 2);
}

TEST(TransformerLens, NoWordLooksAtPadding) {
    Lenses h;
    ASSERT_TRUE(h.state().apply_edits({SetWords{SentenceSide::source, {"a", "<pad>", "b"}}}));
    for (const Box& box : {Box{Box::Kind::sublayer, StackSide::encoder, 0, 0}, k_cross}) {
        h.choose(box);
        const Matrix<float>& weights = h.study().attention(box)->probabilities[0];
        EXPECT_TRUE((weights.col(1).array() == 0).all());
        const Rect map = h.named("transformer.lens.weights").rect;
        const auto digits = std::ranges::count_if(h.log().texts, [&](const LoggedText& text) {
            return map.contains(text.rect.center());
        });
        EXPECT_EQ(digits, 2 * h.study().output(box).rows());
    }
    h.view().head = 0;
    h.view().pinned = TokenOf{StackSide::decoder, 0};
    h.settle();
    const auto softmax = written_numbers(h.line("softmax = "));
    const Matrix<float>& weights = h.study().attention(k_cross)->probabilities[0];
    ASSERT_EQ(softmax.size(), 4u);
    EXPECT_TRUE(softmax[3].is(static_cast<double>(weights.row(0).maxCoeff())));
}

TEST(TransformerLens, PaddingThatAFileHasNoWordForKeepsItsName) {
    Harness h({.example = "", .persist = true});
    ASSERT_TRUE(h.document().transformer.weights);
    Words source = *h.document().transformer.source;
    source.back() = "<pad>";
    ASSERT_TRUE(h.state().apply_edits({SetWords{SentenceSide::source, source}}));
    const auto study = TransformerStudy::of(h.document().transformer, nullptr);
    EXPECT_EQ(study->tokens(StackSide::encoder), source);
}

TEST(TransformerLens, ANameAboveAColumnIsWholeOrEndsInDots) {
    Lenses h;
    const Words words{"incomprehensible", "extraordinarily", "disproportionate", "straightforward"};
    Document d = h.document();
    d.transformer.source = words;
    h.become(std::move(d));
    h.choose(k_cross);
    const Rect lens = h.named("transformer.lens").rect;
    std::size_t dotted = 0;
    for (const LoggedText& text : h.log().texts) {
        if (!lens.contains(text.rect.center()) || text.text.size() < 2) continue;
        dotted += text.text.ends_with("…") ? 1 : 0;
        for (const std::string& word : words)
            EXPECT_FALSE(text.text != word && word.starts_with(text.text)) << text.text;
    }
    EXPECT_GT(dotted, 0u);
}

TEST(TransformerLens, AClickOnARowPinsItsToken) {
    Lenses h;
    h.choose(k_after_cross);
    const auto& x = h.study().input(k_after_cross);
    h.click_and_settle(h.cell_of("transformer.lens.x", 1, 3, x.rows(), x.cols()));
    EXPECT_EQ(h.view().pinned, (TokenOf{StackSide::decoder, 1}));
    EXPECT_TRUE(h.has_text("norms, through 3"));
    EXPECT_TRUE(h.has_text("at norms"));
}

TEST(TransformerLens, AStageOfTheWayChoosesItsBox) {
    Lenses h;
    h.choose(k_after_cross);
    const Rect way = h.named("transformer.token-way.stages").rect;
    // The columns of the input stand at the left.
    h.click_and_settle(Point{way.x + 10, way.center().y});
    EXPECT_EQ(h.view().box, (Box{Box::Kind::embedding, StackSide::decoder, 0, 0}));
    h.key_and_settle(Key::right);
    EXPECT_EQ(h.view().box, (Box{Box::Kind::sublayer, StackSide::decoder, 0, 0}));
    h.key_and_settle(Key::right);
    EXPECT_EQ(h.view().box, (Box{Box::Kind::add_norm, StackSide::decoder, 0, 0}));
    h.key_and_settle(Key::left);
    EXPECT_EQ(h.view().box, (Box{Box::Kind::sublayer, StackSide::decoder, 0, 0}));
}

TEST(TransformerLens, TwelveLayersStandSideBySide) {
    Lenses h;
    for (const int layers : {1, 6, 12}) {
        h.set([&](TransformerConfig& c) { c.layers = layers; });
        EXPECT_EQ(h.fault(), "") << layers;
        EXPECT_TRUE(h.has("transformer.token-way.stages"));
    }
}

TEST(TransformerLens, TheNextWordsAreTheLikeliest) {
    Lenses h;
    const auto& p = h.study().forward().probabilities;
    std::vector<float> row(p.row(p.rows() - 1).begin(), p.row(p.rows() - 1).end());
    std::ranges::sort(row, std::greater());
    for (std::size_t i = 0; i < 5; ++i)
        EXPECT_TRUE(h.has_text(fixed_text(static_cast<double>(row[i]), 3))) << i;
    EXPECT_TRUE(h.has_text("label"));
}

} // namespace
} // namespace normscope::testing
