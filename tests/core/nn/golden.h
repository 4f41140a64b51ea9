#pragma once
#include "core/nn/linear.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

// Reads what PyTorch computed: a matrix is [rows, cols, values…].
namespace normscope::testing {

inline nlohmann::json golden_file(const char* name) {
    return nlohmann::json::parse(std::ifstream(std::string(NORMSCOPE_GOLDEN_DIR "/") + name));
}

template<class S>
Matrix<S> golden_matrix(const nlohmann::json& numbers) {
    Matrix<S> m(numbers[0].get<Index>(), numbers[1].get<Index>());
    for (Index i = 0; i < m.size(); ++i)
        m.data()[i] = static_cast<S>(numbers[static_cast<std::size_t>(i) + 2].get<double>());
    return m;
}

template<class S>
Vector<S> golden_vector(const nlohmann::json& numbers) {
    return golden_matrix<S>(numbers).row(0).transpose();
}

// One without a bias where there is none of that name.
template<class S>
Linear<S> golden_linear(const nlohmann::json& parameters, const std::string& weight,
                        const std::string& bias) {
    return {golden_matrix<S>(parameters.at(weight)),
            parameters.contains(bias) ? golden_vector<S>(parameters.at(bias)) : Vector<S>{}};
}

// The largest difference relative to the largest expected value.
template<class M, class S = typename M::Scalar>
void expect_golden(const M& actual, const nlohmann::json& expected, const std::string& what) {
    constexpr double tolerance = std::is_same_v<std::remove_const_t<S>, float> ? 4e-6 : 1e-12;
    const Matrix<double> e = golden_matrix<double>(expected);
    Matrix<double> a = actual.template cast<double>();
    if (a.cols() == 1 && e.rows() == 1) a.transposeInPlace();
    ASSERT_EQ(a.rows(), e.rows()) << what;
    ASSERT_EQ(a.cols(), e.cols()) << what;
    // The gradient of the key's bias is 0 but for rounding.
    const double scale = std::max(e.cwiseAbs().maxCoeff(), 0.1);
    EXPECT_LE((a - e).cwiseAbs().maxCoeff() / scale, tolerance) << what;
}

template<class S>
void expect_golden(const LinearGradients<S>& g, const nlohmann::json& gradients,
                   const std::string& weight, const std::string& bias) {
    expect_golden(g.dweight, gradients.at(weight), weight);
    EXPECT_EQ(g.dbias.size() > 0, gradients.contains(bias)) << bias;
    if (g.dbias.size() > 0) expect_golden(g.dbias, gradients.at(bias), bias);
}

} // namespace normscope::testing
