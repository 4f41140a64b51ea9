#include "app/model/transformer/file_weights.h"
#include "app/study/transformer/transformer_study.h"

#include <chrono>
#include <cmath>
#include <gtest/gtest.h>
#include <thread>

// A decoder that reads words of its own choice, and weights that come from a file.
namespace normscope {
namespace {

std::shared_ptr<const TransformerStudy> decoded(int words,
                                                std::shared_ptr<const TransformerStudy> before) {
    TransformerSetup setup = default_transformer();
    setup.decoded = words;
    return TransformerStudy::of(setup, before);
}

// The model of a config, as if a file had held it.
std::shared_ptr<const FileWeights> weights_of(TransformerConfig config, Words words) {
    config.vocabulary = static_cast<Index>(words.size());
    config.source_vocabulary = config.vocabulary;
    config.final_norm = false;
    return std::make_shared<const FileWeights>(
        FileWeights{"w.safetensors", std::move(words), *make_transformer<float>(config)});
}

TEST(Decode, EveryWordIsTheLikeliestAfterThoseBefore) {
    const auto all = decoded(4, nullptr);
    ASSERT_FALSE(all->error());
    const std::vector<Index>& ids = all->sentence().target;
    ASSERT_EQ(ids.size(), 5u);
    EXPECT_EQ(ids.front(), 0) << "the start";
    for (std::size_t i = 1; i < ids.size(); ++i) {
        TransformerSetup given = default_transformer();
        given.decoded = static_cast<int>(i) - 1;
        const auto before = TransformerStudy::of(given, nullptr);
        EXPECT_EQ(ids[i], before->likeliest(static_cast<Index>(i) - 1)) << i;
        EXPECT_EQ(all->tokens(StackSide::decoder)[i],
                  all->vocabulary()[static_cast<std::size_t>(ids[i])]);
    }
}

TEST(Decode, AStepGoesOnFromTheWordsThatAreThere) {
    std::shared_ptr<const TransformerStudy> study;
    for (int words = 0; words <= 4; ++words) study = decoded(words, study);
    for (int words = 4; words >= 0; --words) {
        study = decoded(words, study);
        EXPECT_EQ(study->sentence().target, decoded(words, nullptr)->sentence().target) << words;
        EXPECT_EQ(study->forward().logits, decoded(words, nullptr)->forward().logits) << words;
    }
}

TEST(Decode, AnotherSourceIsDecodedAnew) {
    const auto before = decoded(4, nullptr);
    TransformerSetup setup = before->setup();
    setup.source = Words{"norms", "norms", "I"};
    EXPECT_EQ(TransformerStudy::of(setup, before)->sentence().target,
              TransformerStudy::of(setup, nullptr)->sentence().target);
}

TEST(Decode, TheLossIsThatOfTheTarget) {
    const auto study = decoded(2, nullptr);
    ASSERT_TRUE(study->forward().loss);
    const auto& labels = study->sentence().labels;
    ASSERT_EQ(labels.size(), 3u);
    double loss = 0;
    for (Index t = 0; t < 3; ++t)
        loss -= std::log(static_cast<double>(
            study->forward().probabilities(t, labels[static_cast<std::size_t>(t)])));
    EXPECT_NEAR(*study->forward().loss, loss / 3, 1e-6);
    EXPECT_NE(study->backward(), nullptr);
}

TEST(FileWeights, TheModelRunsWithTheFilesNumbers) {
    TransformerSetup setup = default_transformer();
    const Words words{"<s>", "I", "am", "studying", "layer", "norms"};
    const auto weights = weights_of(setup.config, words);
    setup.config = weights->model.config;
    setup.weights = weights;
    ASSERT_TRUE(check(setup)) << check(setup).error().message;
    const auto study = TransformerStudy::of(setup, nullptr);
    ASSERT_FALSE(study->error()) << study->error()->message;
    EXPECT_EQ(study->vocabulary(), words);
    const auto expected = transformer_forward(weights->model, {sentence_of(setup)});
    EXPECT_EQ(study->forward().logits, expected->logits);
}

TEST(FileWeights, TheAlphaOfReZeroScalesWhatTheSkipIsAddedTo) {
    TransformerSetup setup = default_transformer();
    TransformerConfig config = setup.config;
    config.rezero = true;
    auto weights = *weights_of(config, {"<s>", "I", "am", "studying", "layer", "norms"});
    weights.model.encoder.layers[0][0].alpha(0) = 0.25f;
    setup.config = weights.model.config;
    setup.weights = std::make_shared<const FileWeights>(weights);
    const auto study = TransformerStudy::of(setup, nullptr);
    ASSERT_FALSE(study->error()) << study->error()->message;
    const AddNormNumbers numbers = study->add_norm({Box::Kind::add_norm, StackSide::encoder, 0, 0});
    EXPECT_LE((numbers.x + numbers.f - numbers.z).cwiseAbs().maxCoeff(), 1e-6f);
    EXPECT_GT(numbers.f.cwiseAbs().maxCoeff(), 0);
    EXPECT_EQ(
        study->add_norm({Box::Kind::add_norm, StackSide::encoder, 0, 1}).f.cwiseAbs().maxCoeff(),
        0);
}

TEST(FileWeights, SettingsThatNeedNoOtherTensorsGoWithThem) {
    TransformerSetup setup = default_transformer();
    const auto weights = weights_of(setup.config, {"<s>", "I", "am", "studying", "layer", "norms"});
    const auto fits_with = [&](auto change) {
        TransformerConfig config = weights->model.config;
        change(config);
        return fits(config, *weights);
    };
    using C = TransformerConfig;
    EXPECT_TRUE(fits_with([](C& c) { c.heads = 4; }));
    EXPECT_TRUE(fits_with([](C& c) { c.norm.kind = NormKind::rms; }));
    EXPECT_TRUE(fits_with([](C& c) { c.placement = Placement::deepnorm; }));
    EXPECT_TRUE(fits_with([](C& c) { c.masked = false; }));
    EXPECT_TRUE(fits_with([](C& c) { c.positions = Positions::none; }));
    EXPECT_FALSE(fits_with([](C& c) { c.layers = 2; }));
    EXPECT_FALSE(fits_with([](C& c) { c.ffn = 32; }));
    EXPECT_FALSE(fits_with([](C& c) { c.arch = Architecture::decoder; }));
    EXPECT_FALSE(fits_with([](C& c) { c.placement = Placement::peri; }));
    EXPECT_FALSE(fits_with([](C& c) { c.positions = Positions::learned; }));
}

TEST(TransformerWorker, ALargeModelIsMadeBesideTheScreenAndTheNewestStays) {
    TransformerSetup setup = default_transformer();
    setup.config.layers = 6;
    setup.config.width = 128;
    setup.config.ffn = 512;
    ASSERT_FALSE(TransformerStudy::fits_in_a_frame(setup));
    Lab lab;
    Node<TransformerStudy, TransformerSetup> node;
    EXPECT_FALSE(node.keep_up(lab, setup)) << "nothing is there yet";
    double read = 0; // of whichever is shown, while the next one is made
    for (const char* word : {"am", "layer", "norms"}) {
        setup.source = Words{"I", word};
        while (!node.last() || !node.last()->is_of(setup)) {
            node.keep_up(lab, setup);
            lab.end_frame();
            if (node.last()) read += static_cast<double>(node.last()->forward().logits(0, 0));
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        EXPECT_EQ(node.last()->tokens(StackSide::encoder).back(), word);
    }
    EXPECT_TRUE(std::isfinite(read));
}

} // namespace
} // namespace normscope
