#include "app/charts/number_format.h"
#include "app/io/safetensors/safetensors.h"
#include "app/model/transformer/file_weights.h"
#include "app/session/session_file.h"
#include "app/shell/files/file_commands.h"
#include "app/workspaces/transformer/lens.h"
#include "app/workspaces/workspace_table.h"
#include "core/transformer/named_tensors.h"
#include "tests/app/words/written_numbers.h"
#include "tests/app/workspaces/transformer/transformer_harness.h"

#include <fstream>
#include <gtest/gtest.h>

// Decoding, weights of a file, the gradient's lens and what differs by layer, by hand.
namespace normscope::testing {
namespace {

TEST(TransformerDecode, StepsWordByWordAndBack) {
    TransformerHarness h;
    const Document before = h.document();
    h.press("transformer.next-word.decode.step");
    EXPECT_EQ(h.setup().decoded, 0);
    EXPECT_EQ(h.study().tokens(StackSide::decoder), (Words{"<s>"}));
    EXPECT_TRUE(h.has_text("at <s>"));
    const std::string next =
        h.study().vocabulary()[static_cast<std::size_t>(h.study().likeliest(0))];
    h.press("transformer.next-word.decode.step");
    EXPECT_EQ(h.study().tokens(StackSide::decoder), (Words{"<s>", next}));
    EXPECT_EQ(h.fault(), "");
    h.press("transformer.next-word.decode.back");
    EXPECT_EQ(h.setup().decoded, 0);
    EXPECT_EQ(h.document(), before);
    EXPECT_FALSE(h.state().history.can_undo()) << "words that are looked at change no document";
}

TEST(TransformerDecode, AStepSendsAPulseUpTheStackUnlessMotionIsReduced) {
    TransformerHarness h;
    h.click("transformer.next-word.decode.step");
    EXPECT_TRUE(h.view().pulse);
    EXPECT_TRUE(h.app().animating());
    h.settle();
    EXPECT_FALSE(h.view().pulse) << "it comes to rest";
    EXPECT_FALSE(h.app().animating());
    h.state().view.reduce_motion = true;
    h.click("transformer.next-word.decode.step");
    EXPECT_FALSE(h.view().pulse);
}

TEST(TransformerDecode, EndsWhereAnotherWorkspaceIsOpenedWhichBeginsNothing) {
    TransformerHarness h;
    h.click("transformer.next-word.decode.play");
    h.frames(3);
    ASSERT_TRUE(h.state().view.running);
    h.click("bar.train");
    h.frames(3);
    EXPECT_FALSE(h.state().view.running);
    EXPECT_EQ(h.document().train.step, 0);
}

TEST(TransformerDecode, PlaysToTheEndOfTheTarget) {
    TransformerHarness h;
    h.click("transformer.next-word.decode.play");
    for (int i = 0; i < 2000 && (i < 3 || h.state().view.running); ++i) h.frame();
    EXPECT_EQ(h.setup().decoded, 4);
    EXPECT_FALSE(h.state().view.running);
    h.settle();
    EXPECT_EQ(h.study().tokens(StackSide::decoder).size(), 5u);
    h.press("transformer.sentences.target-reads.given");
    EXPECT_FALSE(h.setup().decoded);
    EXPECT_EQ(h.study().tokens(StackSide::decoder).back(), "am");
}

TEST(TransformerDecode, ASessionKeepsWhatWasDecoded) {
    TransformerHarness h;
    h.press("transformer.sentences.target-reads.decoded");
    h.press("transformer.next-word.decode.step");
    const auto again = read_session(write_session(h.document()), "again");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->transformer.decoded, 1);
    EXPECT_EQ(*again, h.document());
}

TEST(TransformerDecode, LongWordsOfItsOwnChoiceHaveRoom) {
    TransformerHarness h;
    Document d = h.document();
    d.transformer.source = Words{"incomprehensible", "extraordinarily", "disproportionate",
                                 "straightforward", "misunderstanding"};
    d.transformer.target = Words{"a", "b", "a", "b", "a"};
    d.transformer.decoded = 4;
    h.become(std::move(d));
    h.settle();
    const Rect panel = h.named("transformer.sentences").rect;
    const auto chips = h.all_of("transformer.sentences.target.");
    ASSERT_EQ(chips.size(), 5u);
    for (const NamedPart& chip : chips) EXPECT_LE(chip.rect.bottom(), panel.bottom()) << chip.name;
    EXPECT_EQ(h.fault(), "");
}

// The sentences that a file was made for are those that one meets first.
TEST(TransformerWeights, AFileBeginsWithTheSentencesThatItNames) {
    Harness h;
    open_path(h.state(), h.state().assets / "examples" / "reverse.safetensors");
    h.settle();
    const Example example = *find_example(h.state().examples, k_first_transformer);
    const TransformerSetup trained = open_example(example)->transformer;
    EXPECT_EQ(*h.document().transformer.source, *trained.source);
    EXPECT_EQ(*h.document().transformer.target, *trained.target);
}

// A file of weights as PyTorch writes them, with what no tensor says.
std::string weights_file(TransformerConfig config, TextByKey metadata) {
    config.vocabulary = 6;
    config.source_vocabulary = 6;
    const auto model = make_transformer<float>(config);
    return write_safetensors(tensors(std::as_const(*model)), metadata);
}

TEST(TransformerWeights, AFileOpensInItsWorkspaceWithItsWords) {
    Harness h;
    const auto path = h.dir() / "w.safetensors";
    TransformerConfig config;
    config.layers = 2;
    config.width = 24;
    config.ffn = 48;
    std::ofstream(path, std::ios::binary)
        << weights_file(config, {{"heads", "3"},
                                 {"norm", "rms"},
                                 {"placement", "pre"},
                                 {"words", R"(["<s>", "I", "am", "studying", "layer", "norms"])"}});
    open_path(h.state(), path);
    h.settle();
    EXPECT_EQ(workspace_table()[h.state().view.workspace].id, "transformer");
    const TransformerSetup& setup = h.document().transformer;
    ASSERT_TRUE(setup.weights) << h.state().status;
    EXPECT_EQ(setup.weights->name, "w.safetensors");
    EXPECT_EQ(setup.config.heads, 3);
    EXPECT_EQ(setup.config.norm.kind, NormKind::rms);
    EXPECT_EQ(setup.config.placement, Placement::pre);
    EXPECT_EQ(setup.config.width, 24);
    EXPECT_TRUE(h.has_text("w.safetensors"));
    const auto again = read_session(write_session(h.document()), "again");
    ASSERT_TRUE(again) << again.error().message;
    ASSERT_TRUE(again->transformer.weights);
    const auto& model = setup.weights->model;
    const auto was = tensors(model), is = tensors(again->transformer.weights->model);
    ASSERT_EQ(was.size(), is.size());
    for (std::size_t i = 0; i < was.size(); ++i)
        EXPECT_TRUE(std::equal(was[i].data, was[i].data + was[i].size(), is[i].data))
            << was[i].name;
    EXPECT_TRUE(again->transformer.config == setup.config);
    h.click_and_settle("transformer.model.more");
    h.click_and_settle("transformer.model.weights.draw");
    EXPECT_FALSE(h.document().transformer.weights);
    h.key_and_settle(Key::z, true);
    EXPECT_TRUE(h.document().transformer.weights);
}

TEST(TransformerWeights, WhatTheFileDoesNotSayIsToldAsAssumed) {
    Harness h;
    const auto path = h.dir() / "w.safetensors";
    std::ofstream(path, std::ios::binary) << weights_file(TransformerConfig(), {});
    open_path(h.state(), path);
    h.settle();
    EXPECT_EQ(vocabulary_of(h.document().transformer), (Words{"0", "1", "2", "3", "4", "5"}));
    for (const char* told : {"; the file does not say, so: ", "Norm", "Activation: ReLU", "Skip"})
        EXPECT_NE(h.state().status.find(told), std::string::npos) << told << h.state().status;
}

TEST(TransformerWeights, HowTheFilesNamesWereReadIsTold) {
    Harness h;
    const auto path = h.dir() / "W.SafeTensors";
    TransformerConfig config;
    config.vocabulary = 6;
    const auto model = make_transformer<float>(config);
    auto wrapped = tensors(std::as_const(*model));
    for (auto& tensor : wrapped) tensor.name.insert(0, "module.");
    std::ofstream(path, std::ios::binary) << write_safetensors(wrapped);
    open_path(h.state(), path);
    h.settle();
    ASSERT_TRUE(h.document().transformer.weights) << h.state().status;
    EXPECT_NE(h.state().status.find("taken off its names: module."), std::string::npos)
        << h.state().status;
}

TEST(TransformerWeights, AFileThatIsNoneIsRefusedAndNothingIsLost) {
    Harness h;
    const Document before = h.document();
    const auto path = h.dir() / "w.safetensors";
    std::ofstream(path, std::ios::binary)
        << "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 5\n";
    open_path(h.state(), path);
    h.settle();
    EXPECT_TRUE(h.document() == before);
    EXPECT_NE(h.state().status.find("Git LFS"), std::string::npos) << h.state().status;
}

TEST(TransformerGradient, EveryBoxHasALensOfItsGradient) {
    for (const Size window : {Size{1600, 1000}, Size{1024, 768}}) {
        TransformerHarness h({.window = window});
        h.view().gradient = true;
        for (const Box::Kind kind : {Box::Kind::embedding, Box::Kind::sublayer, Box::Kind::add_norm,
                                     Box::Kind::linear, Box::Kind::softmax}) {
            h.view().box = {kind, StackSide::decoder, 0, 0};
            h.settle();
            EXPECT_EQ(h.fault(), "") << static_cast<int>(kind);
        }
    }
}

TEST(TransformerGradient, TheTwoPartsAddUpToDx) {
    TransformerHarness h;
    const Box box{Box::Kind::add_norm, StackSide::decoder, 1, 1};
    h.view().gradient = true;
    h.view().box = box;
    h.view().pinned = TokenOf{StackSide::decoder, 2};
    h.settle();
    const auto& back = h.study().backward()->decoder.layers[1][1];
    for (const LoggedText& text : h.log().texts) {
        if (!text.text.starts_with("∂L/∂X = ")) continue;
        const auto numbers = written_numbers(text.text);
        ASSERT_EQ(numbers.size(), 3u) << text.text;
        EXPECT_NEAR(numbers[0].value + numbers[1].value, numbers[2].value,
                    0.5001 * numbers[2].last_digit);
        Index feature = 0;
        h.study().gradient(box).row(2).cwiseAbs().maxCoeff(&feature);
        EXPECT_TRUE(numbers[2].is(static_cast<double>(back.dx()(2, feature)))) << text.text;
        return;
    }
    FAIL() << "no line tells ∂L/∂X";
}

TEST(TransformerByLayer, TellsHowW2sGradientRises) {
    TransformerHarness h;
    h.view().box = {Box::Kind::add_norm, StackSide::decoder, 0, 0};
    h.settle();
    h.unfold("lens");
    h.press("transformer.by-layer.shown.by-layer");
    const TransformerMeasure own = measure(h.study().forward(), *h.study().backward());
    EXPECT_TRUE(h.has_text(
        "decoder " + number_text(own.decoder[2].w2_grad_norm / own.decoder[0].w2_grad_norm, 2) +
        " Post"));
    EXPECT_EQ(h.fault(), "");
}

TEST(TransformerPeek, WithTheMaskEarlierOutputsMoveByZero) {
    TransformerHarness h;
    h.view().box = {Box::Kind::sublayer, StackSide::decoder, 0, 0};
    h.view().pinned = TokenOf{StackSide::decoder, 2};
    h.settle();
    const auto zeros = [&] {
        return std::ranges::count(h.log().texts, std::string("0"), &LoggedText::text);
    };
    const Peek* peek = h.state().memory.of<TransformerMemory>().peek.find({h.setup(), 2});
    ASSERT_TRUE(peek);
    EXPECT_TRUE(h.has_text("“" + peek->word + "”"));
    const auto masked = zeros();
    h.press("transformer.lens.mask");
    EXPECT_EQ(zeros(), masked - 2) << "two words stand before the pinned one";
}

} // namespace
} // namespace normscope::testing
