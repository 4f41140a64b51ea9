// Against PyTorch (tests/golden/make_train_golden.py), and central differences of the whole MLP.
#include "core/train/mlp.h"

#include "core/nn/loss.h"
#include "core/train/optimizer.h"
#include "tests/core/nn/golden.h"
#include "tests/core/norm/testing.h"

#include <cmath>

namespace normscope {
namespace {

using namespace testing;
using Json = nlohmann::json;

MlpConfig mlp_config_of(const Json& entry) {
    MlpConfig out;
    out.layers = entry.at("layers");
    out.width = entry.at("width");
    const Index classes = entry.at("classes");
    out.outputs = classes == 2 ? 1 : classes;
    out.norm = norm_with_id(entry.at("norm").get<std::string>());
    for (const auto& choice : choices(NormPlace{}))
        if (entry.at("place") == choice.id) out.place = choice.value;
    for (const auto& choice : choices(Skip{}))
        if (entry.at("skip") == choice.id) out.skip = choice.value;
    for (const Activation activation : {Activation::relu, Activation::tanh, Activation::gelu})
        if (entry.at("activation") == (activation == Activation::relu   ? "relu"
                                       : activation == Activation::tanh ? "tanh"
                                                                        : "gelu"))
            out.activation = activation;
    return out;
}

// Fills values and running statistics from a state of the file.
template<class S>
void fill_mlp(Mlp<S>& mlp, const Json& state) {
    EXPECT_EQ(state.at("parameters").size(), mlp.places.size());
    for (const TensorPlace& place : mlp.places) {
        const Matrix<S> values = golden_matrix<S>(state.at("parameters").at(place.name));
        std::copy_n(values.data(), values.size(), mlp.values.data() + place.first);
    }
}

template<class S>
void expect_mlp(const Mlp<S>& mlp, const Json& state, double tolerance) {
    const auto expect_near = [&](const S* values, const Json& wanted, const std::string& name) {
        const Matrix<double> expected = golden_matrix<double>(wanted);
        for (Index i = 0; i < expected.size(); ++i)
            EXPECT_NEAR(values[i], expected.data()[i], tolerance) << name << " " << i;
    };
    for (const NamedTensor<const S>& tensor : mlp_tensors(mlp, mlp.values))
        expect_near(tensor.data, state.at("parameters").at(tensor.name), tensor.name);
    for (std::size_t l = 0; l < mlp.running.size(); ++l) {
        const std::string at = "layers." + std::to_string(l) + ".norm.running_";
        expect_near(mlp.running[l].mean.data(), state.at("running").at(at + "mean"), at + "mean");
        expect_near(mlp.running[l].var.data(), state.at("running").at(at + "var"), at + "var");
    }
}

TEST(MlpGolden, ATrainingRunOfTwentyStepsAgrees) {
    const Json golden = golden_file("train.json");
    for (const Json& entry : golden.at("mlp")) {
        SCOPED_TRACE(entry.at("norm").get<std::string>() + " " +
                     entry.at("place").get<std::string>());
        Mlp<double> mlp = make_mlp<double>(mlp_config_of(entry)).value();
        fill_mlp(mlp, entry.at("start"));
        OptimizerConfig optimizer;
        for (const auto& choice : choices(Optimizer{}))
            if (entry.at("optimizer") == choice.id) optimizer.kind = choice.value;
        optimizer.beta2 = 0.98;
        optimizer.eps = 1e-9;
        auto state = start_optimizer<double>(optimizer, mlp.values.size());
        const Matrix<double> all = golden_matrix<double>(entry.at("x"));
        MlpPass<double> pass;
        std::size_t step = 0;
        for (const Json& batch : entry.at("batches")) {
            Matrix<double> x(static_cast<Index>(batch.size()), all.cols());
            std::vector<Index> classes;
            for (const Index point : batch) {
                x.row(static_cast<Index>(classes.size())) = all.row(point);
                classes.push_back(entry.at("labels")[static_cast<std::size_t>(point)]);
            }
            ASSERT_TRUE(mlp_forward(mlp, x, Mode::train, pass));
            const BatchLoss loss = class_loss(pass.logits, classes, pass.dlogits);
            EXPECT_NEAR(loss.loss, entry.at("losses")[step++].get<double>(), 1e-10);
            ASSERT_TRUE(mlp_backward(mlp, x, pass));
            const std::vector<Parameter<double>> parameters{
                {mlp.values.data(), pass.gradients.data(), mlp.values.size()}};
            const double norm = gradient_norm<double>(parameters);
            const Json& clip = entry.at("clip");
            optimize<double>(optimizer, entry.at("lr"), parameters, state,
                             clip.is_null() ? 1 : clip_scale(norm, clip));
        }
        expect_mlp(mlp, entry.at("end"), 1e-9);
        ASSERT_TRUE(mlp_forward(mlp, all, Mode::eval, pass));
        const Matrix<double> expected = golden_matrix<double>(entry.at("evaluated"));
        EXPECT_LE((pass.logits - expected).cwiseAbs().maxCoeff(), 1e-9);
    }
}

TEST(Mlp, TheGradientOfEveryValueAgreesWithCentralDifferences) {
    for (const NormEntry& norm : k_norms)
        for (const NormPlace place : {NormPlace::pre, NormPlace::post})
            for (const Activation activation : {Activation::tanh, Activation::gelu})
                for (const Skip skip : {Skip::add, Skip::none, Skip::rezero}) {
                    SCOPED_TRACE(std::string(norm.id) + " " + std::string(id_of(skip)));
                    MlpConfig config;
                    config.layers = 3;
                    config.width = 6;
                    config.outputs = skip == Skip::add ? 1 : 3;
                    config.norm = norm.kind;
                    config.place = place;
                    config.activation = activation;
                    config.skip = skip;
                    Mlp<double> mlp = make_mlp<double>(config).value();
                    Random random(3);
                    mlp.values += 0.3 * random_matrix<double>(mlp.values.size(), 1, random).col(0);
                    const Matrix<double> x = random_matrix<double>(7, 2, random);
                    const std::vector<Index> classes{0, 1, 1, 0, 1, 0, 1};
                    MlpPass<double> pass;
                    const auto loss = [&] {
                        EXPECT_TRUE(mlp_forward(mlp, x, Mode::train, pass));
                        return class_loss(pass.logits, classes, pass.dlogits).loss;
                    };
                    loss();
                    ASSERT_TRUE(mlp_backward(mlp, x, pass));
                    const Vector<double> gradients = pass.gradients;
                    for (Index i = 0; i < mlp.values.size(); ++i) {
                        const double own = mlp.values(i), step = 1e-5;
                        mlp.values(i) = own + step;
                        const double above = loss();
                        mlp.values(i) = own - step;
                        const double below = loss();
                        mlp.values(i) = own;
                        ASSERT_NEAR(gradients(i), (above - below) / (2 * step), 1e-7) << i;
                    }
                }
}

TEST(Mlp, StartsFromTheInitOfItsActivation) {
    MlpConfig config;
    config.width = 64;
    for (const auto& [activation, gain] :
         {std::pair(Activation::relu, 2.0), std::pair(Activation::tanh, 1.0)}) {
        config.activation = activation;
        const Mlp<double> mlp = make_mlp<double>(config).value();
        const auto weight = mlp.values.segment(mlp.layers[5].weight, 64 * 64);
        EXPECT_NEAR(weight.squaredNorm() / (64 * 64), gain / 64, 0.1 * gain / 64);
        EXPECT_EQ(mlp.values.segment(mlp.layers[5].bias, 64).norm(), 0);
        EXPECT_TRUE((mlp.values.segment(mlp.layers[5].gamma, 64).array() == 1).all());
        EXPECT_TRUE((mlp.values.segment(mlp.layers[5].beta, 64).array() == 0).all());
    }
}

TEST(Mlp, BadSettingsAreRefused) {
    MlpConfig config;
    config.layers = 0;
    EXPECT_EQ(make_mlp<float>(config).error().message,
              "the number of layers must be from 1 to 1024; it is 0");
    config = {};
    config.norm = Norm(NormKind::group, 5);
    EXPECT_FALSE(make_mlp<float>(config));
    MlpPass<float> pass;
    auto mlp = make_mlp<float>({}).value();
    EXPECT_EQ(mlp_forward(mlp, Matrix<float>(3, 5), Mode::train, pass).error().message,
              "the MLP expects tokens of 2 features; the matrix is 3×5");
}

TEST(ClassLoss, OneLogitIsTwoOfWhichOneIsZero) {
    Matrix<double> one(4, 1), two(4, 2), done, dtwo;
    one << 0.3, -2, 40, -700;
    for (Index t = 0; t < 4; ++t) two.row(t) << 0, one(t, 0);
    const std::vector<Index> classes{1, 1, 0, 0};
    const BatchLoss a = class_loss(one, classes, done), b = class_loss(two, classes, dtwo);
    EXPECT_NEAR(a.loss, b.loss, 1e-13);
    EXPECT_EQ(a.accuracy, 0.5);
    EXPECT_EQ(b.accuracy, 0.5);
    EXPECT_LE((done - dtwo.col(1)).cwiseAbs().maxCoeff(), 1e-15);
    one(1, 0) = std::nan("");
    EXPECT_TRUE(std::isnan(class_loss(one, classes, done).loss));
}

} // namespace
} // namespace normscope
