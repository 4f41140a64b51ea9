// Against PyTorch (tests/golden/make_train_golden.py), and central differences of whole
// Transformers.
#include "core/nn/loss.h"
#include "core/train/learner.h"
#include "core/train/optimizer.h"
#include "core/transformer/named_tensors.h"
#include "tests/core/nn/golden.h"

namespace normscope {
namespace {

using namespace testing;
using Json = nlohmann::json;

TrainConfig sequence_config() {
    TrainConfig out = usual_config(Task::reverse);
    out.layers = 1;
    out.width = 6;
    out.heads = 3;
    out.ffn = 5;
    out.symbols = 6;
    return out;
}

Batch golden_batch(const Json& sentences) {
    Batch out;
    for (const Json& s : sentences)
        out.push_back({s.at("source").get<std::vector<Index>>(),
                       s.at("target").get<std::vector<Index>>(),
                       s.at("labels").get<std::vector<Index>>(),
                       {}});
    return out;
}

TEST(SequenceGolden, ATrainingRunOfTwentyStepsAgrees) {
    const Json golden = golden_file("train.json");
    for (const Json& entry : golden.at("transformer")) {
        TrainConfig config = sequence_config();
        config.placement = entry.at("norm_first").get<bool>() ? Placement::pre : Placement::post;
        const auto data = make_train_data<double>(config, {}).value();
        auto learner = SequenceLearner<double>::make(config, data, 1).value();
        const Json& start = entry.at("start").at("parameters");
        EXPECT_EQ(start.size(), tensors(learner.model()).size());
        for (const NamedTensor<double>& tensor : tensors(learner.model())) {
            const Matrix<double> values = golden_matrix<double>(start.at(tensor.name));
            std::copy_n(values.data(), values.size(), tensor.data);
        }
        auto state = start_optimizer<double>(config.optimizer, parameter_count(learner.model()));
        std::vector<Parameter<double>> parameters;
        Index step = 0;
        for (const Json& batch : entry.at("batches")) {
            const auto loss = learner.pass(Task::reverse, golden_batch(batch));
            ASSERT_TRUE(loss) << loss.error().message;
            EXPECT_NEAR(loss->loss,
                        entry.at("losses")[static_cast<std::size_t>(step)].get<double>(), 1e-10);
            learner.parameters(parameters);
            const double rate = 1e-2 * schedule_factor({Schedule::linear, 5, 20, 6}, step++);
            optimize<double>(config.optimizer, rate, parameters, state,
                             clip_scale(gradient_norm<double>(parameters), 0.5));
        }
        for (const auto& tensor : learner.tensors()) {
            const Matrix<double> expected =
                golden_matrix<double>(entry.at("end").at("parameters").at(tensor.name));
            for (Index i = 0; i < tensor.size(); ++i)
                EXPECT_NEAR(tensor.data[i], expected.data()[i], 1e-9) << tensor.name;
        }
    }
}

TEST(SequenceLearner, TheGradientOfEveryValueAgreesWithCentralDifferences) {
    for (const TrainModel model :
         {TrainModel::encoder_decoder, TrainModel::encoder, TrainModel::decoder})
        for (const Skip skip : {Skip::add, Skip::rezero, Skip::none})
            for (const NormEntry& norm : k_norms) {
                TrainConfig config = sequence_config();
                config.model = model;
                config.skip = skip;
                config.norm = norm.kind;
                config.activation = Activation::gelu;
                config.placement = norm.kind == NormKind::rms ? Placement::peri : Placement::pre;
                config.length = 4;
                config.shortest = 2;
                SCOPED_TRACE(std::string(id_of(model)) + " " + std::string(norm.id));
                const auto data = make_train_data<double>(config, {}).value();
                auto learner = SequenceLearner<double>::make(config, data, 1).value();
                const Batch batch(data.test_sentences.begin(), data.test_sentences.begin() + 3);
                Random random(5);
                for (const auto& tensor : tensors(learner.model()))
                    if (tensor.name.find("alpha") != std::string::npos)
                        tensor.data[0] = 0.5 + random.uniform();
                const auto loss = [&] { return learner.pass(config.task, batch)->loss; };
                loss();
                std::vector<Parameter<double>> parameters;
                learner.parameters(parameters);
                std::vector<std::vector<double>> gradients;
                for (const auto& p : parameters)
                    gradients.emplace_back(p.gradient, p.gradient + p.size);
                for (std::size_t t = 0; t < parameters.size(); ++t)
                    for (Index i = 0; i < parameters[t].size; i += 1 + parameters[t].size / 4) {
                        double& value = parameters[t].value[i];
                        const double own = value, step = 1e-5;
                        value = own + step;
                        const double above = loss();
                        value = own - step;
                        const double below = loss();
                        value = own;
                        ASSERT_NEAR(gradients[t][static_cast<std::size_t>(i)],
                                    (above - below) / (2 * step), 1e-5)
                            << learner.tensors()[t].name;
                    }
            }
}

TEST(SequenceLearner, WordsWithoutALabelCountInNoLoss) {
    Matrix<double> logits(3, 2), labelled(2, 2);
    logits << 1, 2, 5, -5, 0.5, 0;
    labelled << 1, 2, 0.5, 0;
    const auto some = cross_entropy(logits, {0, k_no_label, 1}).value();
    const auto own = cross_entropy(labelled, {0, 1}).value();
    EXPECT_EQ(some.loss, own.loss);
    EXPECT_EQ(some.dlogits.row(1).norm(), 0);
    EXPECT_EQ(some.dlogits.row(2), own.dlogits.row(1));
    EXPECT_EQ(cross_entropy(logits, {-1, -1, -1}).error().message,
              "cross-entropy needs a target: no token has one");
}

TEST(SequenceLearner, WithoutANormGammaAndBetaAreNotTrained) {
    TrainConfig config = sequence_config();
    config.norm = NormKind::none;
    const auto data = make_train_data<float>(config, {}).value();
    const auto learner = SequenceLearner<float>::make(config, data, 1).value();
    for (const auto& tensor : learner.tensors())
        EXPECT_EQ(tensor.name.find("norm"), std::string::npos) << tensor.name;
}

TEST(SequenceLearner, EvaluationGoesByRunningStatistics) {
    TrainConfig config = sequence_config();
    config.norm = NormKind::batch;
    config.placement = Placement::peri;
    const auto data = make_train_data<double>(config, {}).value();
    auto learner = SequenceLearner<double>::make(config, data, 1).value();
    std::vector<RunningStats<double>*> running;
    learner.running(running);
    EXPECT_EQ(running.size(), 2u * 2 + 2 * 3 + 2) << "two norms a block, and the final ones";
    ASSERT_TRUE(learner.pass(config, data, 0));
    learner.running(running);
    for (const auto* r : running) EXPECT_EQ(r->updates, 1);
    const double before = running[0]->mean(0);
    ASSERT_TRUE(learner.evaluate(config, data));
    learner.running(running);
    EXPECT_EQ(running[0]->mean(0), before);
    // One sentence alone is evaluated as it is among others: nothing is shared with them.
    Transformer<double> model = learner.model();
    for (auto* stack : {&model.encoder, &model.decoder}) {
        for (auto& layer : stack->layers)
            for (auto& block : layer) block.options.mode = Mode::eval;
        stack->final_norm->options.mode = Mode::eval;
    }
    const auto all = transformer_forward(model, data.test_sentences).value();
    const auto one = transformer_forward(model, {data.test_sentences[0]}).value();
    EXPECT_LE((all.logits.topRows(one.logits.rows()) - one.logits).cwiseAbs().maxCoeff(), 1e-12);
}

} // namespace
} // namespace normscope
