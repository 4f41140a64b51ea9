#include "tests/core/norm/testing.h"

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

// Agreement with PyTorch (tests/golden/make_golden.py): forward and backward, every norm, γ and β
// per feature, token and scalar.
namespace normscope {
namespace {

using namespace testing;
using nlohmann::json;

const json& golden() {
    static const json values = [] {
        std::ifstream file(std::string(NORMSCOPE_GOLDEN_DIR) + "/norms.json");
        return json::parse(file);
    }();
    return values;
}

template<class S>
Matrix<S> read(const json& values, Index rows, Index cols) {
    EXPECT_EQ(static_cast<Index>(values.size()), rows * cols);
    Matrix<S> out(rows, cols);
    for (Index i = 0; i < out.size(); ++i)
        out.data()[i] = values[static_cast<std::size_t>(i)].get<S>();
    return out;
}

// The passes to test, by default those of the kernels.
template<class S>
struct Way {
    decltype(&normalize<S>) forward = normalize<S>;
    std::function<Result<NormGradients<S>>(const NormCache<S>&, const Affine<S>&, const Matrix<S>&)>
        backward = [](const auto&... arguments) { return normalize_backward<S>(arguments...); };
};

template<class S>
void check_case(const json& spec, const json& values, double tolerance, const Way<S>& way = {}) {
    const Index tokens = spec.at("tokens");
    const Index features = spec.at("features");
    const std::string norm = spec.at("norm");
    const std::string per = spec.at("per");
    SCOPED_TRACE(norm + " per " + per + " " + std::to_string(tokens) + "×" +
                 std::to_string(features));
    const auto get = [&](const json& from, const char* name, Index rows, Index cols) {
        return read<S>(from.at(name), rows, cols);
    };
    Affine<S> affine;
    affine.per = per == "feature" ? AffinePer::feature
                 : per == "token" ? AffinePer::token
                                  : AffinePer::scalar;
    const Index n = affine_size(affine.per, tokens, features);
    affine.gamma = get(values, "gamma", n, 1);
    affine.beta = get(values, "beta", n, 1);
    const auto dy = get(values, "dy", tokens, features);
    const auto z = get(values, "z", tokens, features);

    const auto expect_all = [&](const NormCache<S>& cache, const json& expected) {
        // A sum may cancel to nearly nothing: it is as exact as its largest terms are.
        const auto expect_sum = [&](const Vector<S>& sum, const char* name) {
            const double term = static_cast<double>(dy.cwiseAbs().maxCoeff());
            const auto diff = (sum - get(expected, name, n, 1)).cwiseAbs().maxCoeff();
            EXPECT_LE(static_cast<double>(diff), tolerance * term) << name;
        };
        Matrix<S> y;
        ASSERT_TRUE(affine_forward(cache.x_hat, affine, y));
        EXPECT_LE(relative_difference(y, get(expected, "y", tokens, features)), tolerance);
        const auto grads = way.backward(cache, affine, dy);
        ASSERT_TRUE(grads);
        EXPECT_LE(relative_difference(grads->dz, get(expected, "dz", tokens, features)), tolerance);
        expect_sum(grads->dgamma, "dgamma");
        expect_sum(grads->dbeta, "dbeta");
    };
    const Norm kind{norm_with_id(norm), spec.value("groups", Index{1})};
    const auto out = way.forward(kind, z, with_eps(spec.at("eps")), nullptr);
    ASSERT_TRUE(out);
    EXPECT_LE(relative_difference(out->cache.x_hat, get(values, "x_hat", tokens, features)),
              tolerance);
    expect_all(out->cache, values);
    if (!norm_entry(kind).has_running) return;
    ASSERT_TRUE(out->running);
    EXPECT_LE(relative_difference(out->running->mean, get(values, "running_mean", features, 1)),
              tolerance);
    EXPECT_LE(relative_difference(out->running->var, get(values, "running_var", features, 1)),
              tolerance);
    const auto evaluated = way.forward(kind, z, {.mode = Mode::eval}, &*out->running);
    ASSERT_TRUE(evaluated);
    expect_all(evaluated->cache, values.at("eval"));
}

TEST(Golden, FloatAgreesWithPyTorch) {
    for (const json& spec : golden().at("cases")) check_case<float>(spec, spec.at("float"), 2e-6);
}

TEST(Golden, DoubleAgreesWithPyTorch) {
    for (const json& spec : golden().at("cases"))
        check_case<double>(spec, spec.at("double"), 1e-12);
}

TEST(Golden, TheDefinitionsAgreeWithPyTorch) {
    const Way<double> way{normalize_by_definition, [](const auto&... arguments) {
                              return normalize_backward_by_definition(arguments...);
                          }};
    for (const json& spec : golden().at("cases"))
        check_case<double>(spec, spec.at("double"), 1e-12, way);
}

} // namespace
} // namespace normscope
