#include "app/model/edit.h"
#include "app/model/transformer/file_weights.h"
#include "core/transformer/transformer.h"

#include <gtest/gtest.h>

namespace normscope {
namespace {

Document with_words(Words source, Words target) {
    Document d = blank_document(2, 2);
    d.transformer.source = std::move(source);
    d.transformer.target = std::move(target);
    return d;
}

TEST(TransformerSentences, TheDecoderReadsTheTargetShiftedRight) {
    const Document d = with_words({"a", "b", "a"}, {"b", "c"});
    EXPECT_EQ(vocabulary_of(d.transformer), (Words{"<s>", "a", "b", "c"}));
    EXPECT_EQ(config_of(d.transformer).vocabulary, 4);
    const Sentence s = sentence_of(d.transformer);
    EXPECT_EQ(s.source, (std::vector<Index>{1, 2, 1}));
    EXPECT_EQ(s.target, (std::vector<Index>{0, 2}));
    EXPECT_EQ(s.labels, (std::vector<Index>{2, 3}));
}

TEST(TransformerSentences, AnEncoderAloneHasLabelsWhereThereAreAsManyWords) {
    Document d = with_words({"a", "b"}, {"b", "a"});
    d.transformer.config.arch = Architecture::encoder;
    EXPECT_EQ(sentence_of(d.transformer).labels, (std::vector<Index>{2, 1}));
    d.transformer.target = Words{"b"};
    EXPECT_TRUE(sentence_of(d.transformer).labels.empty());
}

TEST(TransformerSentences, RefusesSentencesThatCannotBeRead) {
    const Document d = with_words({"a"}, {"b"});
    const auto refused = [&](const Words& words) {
        const auto after = apply(d, SetWords{SentenceSide::source, words});
        return after ? std::string() : after.error().message;
    };
    EXPECT_EQ(refused({}), "The source needs a word: add one");
    EXPECT_EQ(refused({"a", "  "}), "A word of the source is empty: type one, or take it out");
    EXPECT_EQ(refused(Words(17, "a")),
              "The source has 17 words; up to 16 are shown: leave some out");
    EXPECT_NE(refused({std::string(41, 'a')}).find("longer than a word"), std::string::npos);
}

TEST(TransformerSentences, PaddingIsSeenByNoWord) {
    Document d = with_words({"a", "<pad>", "b"}, {"b", "<pad>"});
    EXPECT_EQ(sentence_of(d.transformer).padding, (std::vector<std::uint8_t>{0, 1, 0}));
    const auto all = apply(d, SetWords{SentenceSide::source, {"<pad>", "<pad>"}});
    ASSERT_FALSE(all);
    EXPECT_NE(all.error().message.find("leave another word in it"), std::string::npos);
    d.transformer.source = Words{"a", "b"};
    EXPECT_TRUE(sentence_of(d.transformer).padding.empty());
}

TEST(TransformerSentences, WeightsOfAFileNeedNotKnowPadding) {
    Document d = with_words({"a"}, {"b"});
    const auto model = make_transformer<float>(config_of(d.transformer));
    ASSERT_TRUE(model);
    d.transformer.weights = std::make_shared<const FileWeights>(
        FileWeights{"w.safetensors", vocabulary_of(d.transformer), *model});
    const auto padded = apply(d, SetWords{SentenceSide::source, {"a", "<pad>"}});
    ASSERT_TRUE(padded) << padded.error().message;
    EXPECT_EQ(sentence_of(padded->transformer).source, (std::vector<Index>{1, 0}));
    EXPECT_EQ(sentence_of(padded->transformer).padding, (std::vector<std::uint8_t>{0, 1}));
    EXPECT_FALSE(apply(d, SetWords{SentenceSide::target, {"b", "<pad>"}}));
}

TEST(TransformerSentences, AnEditIsNamedByWhatDiffers) {
    const Document d = with_words({"a", "b"}, {"b"});
    const auto told = [&](const Words& words) {
        return describe(Edit{SetWords{SentenceSide::source, words}}, d);
    };
    EXPECT_EQ(told({"a", "c"}), "“b” → “c”");
    EXPECT_EQ(told({"a", "b", "c"}), "Add a word to the source");
    EXPECT_EQ(told({"a"}), "Take a word out of the source");
    EXPECT_EQ(told({"c", "d"}), "Another source sentence");
    TransformerConfig deeper = d.transformer.config;
    deeper.layers = 6;
    EXPECT_EQ(describe(Edit{SetTransformer{deeper}}, d), "Layers → 6");
    deeper.heads = 4;
    EXPECT_EQ(describe(Edit{SetTransformer{deeper}}, d), "Another Transformer");
}

TEST(TransformerSentences, APieceIsTakenOutAndGoesWithItsLayer) {
    const Document d = with_words({"a"}, {"b"});
    const TakenOut piece{StackSide::decoder, 2, 1, BlockPiece::skip};
    const auto without = apply(d, TakeOut{piece, true});
    ASSERT_TRUE(without);
    EXPECT_TRUE(is_taken_out(without->transformer, piece));
    EXPECT_EQ(describe(Edit{TakeOut{piece, true}}, d), "Take out the skip of decoder 3");
    EXPECT_EQ(*apply(*without, TakeOut{piece, false}), d);
    TransformerConfig shallow = d.transformer.config;
    shallow.layers = 2;
    const auto shrunk = apply(*without, SetTransformer{shallow});
    ASSERT_TRUE(shrunk);
    EXPECT_TRUE(shrunk->transformer.taken_out->empty());
    EXPECT_FALSE(apply(d, TakeOut{{StackSide::encoder, 3, 0, BlockPiece::norm}, true}));
}

TEST(TransformerSentences, RefusesHeadsThatDoNotDivideTheWidth) {
    const Document d = with_words({"a"}, {"b"});
    TransformerConfig config = d.transformer.config;
    config.heads = 3;
    const auto after = apply(d, SetTransformer{config});
    ASSERT_FALSE(after);
    EXPECT_NE(after.error().message.find("heads"), std::string::npos) << after.error().message;
}

TEST(Decode, ReadsNoMoreWordsThanTheTargetHas) {
    Document d = with_words({"a", "b"}, {"b", "a", "c"});
    const auto decode = [&](std::optional<int> words) { return apply(d, Decode{words}); };
    ASSERT_TRUE(decode(2));
    EXPECT_EQ(decode(2)->transformer.decoded, 2);
    EXPECT_EQ(decode(9)->transformer.decoded, 2) << "as many as there are";
    EXPECT_FALSE(decode(-1));
    d = *decode(2);
    EXPECT_EQ(apply(d, SetWords{SentenceSide::target, {"b", "a"}})->transformer.decoded, 1);
    TransformerConfig encoder = d.transformer.config;
    encoder.arch = Architecture::encoder;
    EXPECT_FALSE(apply(d, SetTransformer{encoder})->transformer.decoded) << "nobody decodes";
    EXPECT_EQ(describe(Edit{Decode{1}}, d), "Take back a decoded word");
    EXPECT_EQ(describe(Edit{Decode{std::nullopt}}, d), "Give the decoder the target");
}

std::shared_ptr<const FileWeights> some_weights(Words words) {
    TransformerConfig config = default_transformer().config;
    config.layers = 1;
    config.vocabulary = static_cast<Index>(words.size());
    config.final_norm = false;
    return std::make_shared<const FileWeights>(
        FileWeights{"w.safetensors", std::move(words), *make_transformer<float>(config)});
}

TEST(TakeWeights, BringsSizesAndVocabulary) {
    const Document d = with_words({"a", "b"}, {"b"});
    const auto taken = apply(d, TakeWeights{some_weights({"<s>", "x", "y"})});
    ASSERT_TRUE(taken) << taken.error().message;
    const TransformerSetup& setup = taken->transformer;
    EXPECT_EQ(setup.config.layers, 1);
    EXPECT_EQ(vocabulary_of(setup), (Words{"<s>", "x", "y"}));
    EXPECT_EQ(*setup.source, (Words{"x", "y", "x", "y", "x"})) << "words of the file";
    const auto refused = apply(*taken, SetWords{SentenceSide::source, {"z"}});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().message, "“z” is not among the 3 words of w.safetensors: <s>, x, y");
    const auto known = apply(d, TakeWeights{some_weights({"<s>", "a", "b"})});
    EXPECT_EQ(*known->transformer.source, (Words{"a", "b"})) << "the user's own words stay";
}

TEST(TakeWeights, AnotherSizeOrSeedDrawsThemAgain) {
    const Document d = *apply(with_words({"a"}, {"b"}), TakeWeights{some_weights({"<s>", "x"})});
    const auto with = [&](auto change) {
        TransformerConfig config = d.transformer.config;
        change(config);
        return apply(d, SetTransformer{config})->transformer;
    };
    EXPECT_TRUE(with([](TransformerConfig& c) { c.heads = 4; }).weights);
    EXPECT_FALSE(with([](TransformerConfig& c) { c.layers = 2; }).weights);
    const TransformerSetup drawn = with([](TransformerConfig& c) { ++c.seed; });
    EXPECT_FALSE(drawn.weights);
    EXPECT_FALSE(drawn.config.final_norm) << "what the file alone said goes with it";
    EXPECT_FALSE(apply(d, TakeWeights{})->transformer.weights);
}

TEST(TakeWeights, RefusesWordsThatAreNotOneARow) {
    FileWeights weights = *some_weights({"<s>", "x"});
    weights.vocabulary = {"<s>", "x", "y"};
    EXPECT_EQ(check(weights).error().message,
              "w.safetensors: names 3 words; its tables have 2 rows");
    weights.model.config.decoder_layers = 24;
    weights.vocabulary = {"<s>", "x"};
    EXPECT_NE(check(weights).error().message.find("has 24 decoder layers"), std::string::npos);
    weights.vocabulary = {"x", "x"};
    EXPECT_EQ(check(weights).error().message,
              "w.safetensors: a word of its vocabulary is empty or stands twice");
}

} // namespace
} // namespace normscope
