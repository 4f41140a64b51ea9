#include "app/model/edit.h"

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

} // namespace
} // namespace normscope
