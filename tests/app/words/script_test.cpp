#include "app/words/script.h"

#include "app/io/file.h"
#include "app/study/add_norm/derived.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace normscope {
namespace {

bool python_has(const std::string& module) {
    return std::system(("/usr/bin/python3 -c 'import " + module + "' 2>/dev/null").c_str()) == 0;
}

std::string output_of(const std::string& command) {
    std::string out;
    FILE* pipe = ::popen(command.c_str(), "r");
    for (std::array<char, 4096> part{}; pipe;) {
        const std::size_t n = std::fread(part.data(), 1, part.size(), pipe);
        if (n == 0) break;
        out.append(part.data(), n);
    }
    EXPECT_EQ(pipe ? ::pclose(pipe) : 1, 0);
    return out;
}

// Every norm and sharing, with and without a skip, in both precisions, evaluation, and few cells.
std::vector<Document> documents() {
    std::vector<Document> all;
    for (const NormEntry& norm : k_norms)
        for (const AffinePer per : {AffinePer::feature, AffinePer::token, AffinePer::scalar})
            for (const bool plain : {true, false}) {
                Document d = blank_document(3, 4);
                Matrix<double> x(3, 4), f(3, 4);
                x << 0.9, -0.4, 1.2, 0.1, 0.2, 0.5, -0.7, 1.4, 1.8, -0.3, 0.8, -0.9;
                f << 0.3, 0.2, -0.5, 0.8, 1.1, -0.6, 0.4, 0.2, 1.36, 0.91, 1.07, -0.4;
                d.x = x;
                d.f = f;
                d.norm = Norm(norm.kind, 2);
                d.eps = plain ? 1e-5 : 0.1;
                d.residual = plain ? Residual::add : Residual::no_skip;
                d.precision = plain ? Precision::float32 : Precision::float64;
                if (!plain && norm.has_running) d.backward.mode = Mode::eval;
                d.affine_per = per;
                std::vector<double> gamma{1, 1.4, -0.6, 1.8}, beta{0, 0.3, 0, -0.5};
                const std::size_t n = per == AffinePer::feature ? 4
                                      : per == AffinePer::token ? 3
                                                                : 1;
                gamma.resize(n);
                beta.resize(n);
                d.gamma = gamma;
                d.beta = beta;
                EXPECT_TRUE(check(d));
                all.push_back(d);
            }
    return all;
}

// Runs the scripts of all documents one after the other and compares what each makes.
void expect_same_numbers(ScriptFor library, const std::string& flat) {
    std::string program;
    for (const Document& d : documents()) {
        const auto script = script_of(*Backward::of(d), library);
        ASSERT_TRUE(script) << script.error().message;
        program += *script +
                   "print('@', *(repr(float(v)) for m in (Z, x_hat, Y, dX, dgamma, dbeta) "
                   "for v in " +
                   flat + "))\n";
    }
    const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                       ("normscope-script-" + std::to_string(::getpid()) + ".py");
    ASSERT_TRUE(write_file_atomically(file, program));
    std::istringstream out(output_of("/usr/bin/python3 " + file.string()));
    std::filesystem::remove(file);
    for (const Document& d : documents()) {
        std::string line;
        while (std::getline(out, line) && !line.starts_with("@ ")) {
        }
        std::istringstream numbers(line.substr(2));
        const auto derived = Derived::of(d);
        const auto backward = Backward::of(d);
        // Batch norm's evaluation is the backward workspace's alone.
        const bool own_forward = backward->running() == nullptr;
        const double tolerance = d.precision == Precision::float32 ? 1e-5 : 1e-12;
        const auto compare = [&](const char* what, Index n, auto&& expected) {
            for (Index i = 0; i < n; ++i) {
                double value = 0;
                ASSERT_TRUE(numbers >> value) << what;
                EXPECT_NEAR(value, expected(i), tolerance)
                    << what << "[" << i << "], " << settings_text(d);
            }
        };
        const Index features = d.feature_count();
        const auto entry = [&](Tensor which) {
            return [&, which](Index i) {
                if (own_forward) return derived->view(which)(i / features, i % features);
                const Index t = i / features, j = i % features;
                return which == Tensor::z       ? backward->z()(t, j)
                       : which == Tensor::x_hat ? backward->cache().x_hat(t, j)
                                                : backward->y(t, j);
            };
        };
        compare("Z", d.x->size(), entry(Tensor::z));
        compare("x_hat", d.x->size(), entry(Tensor::x_hat));
        compare("Y", d.x->size(), entry(Tensor::y));
        compare("dX", d.x->size(), [&](Index i) {
            return backward->skip() ? backward->dz()(i / features, i % features) : 0.0;
        });
        compare("dgamma", backward->dgamma().size(),
                [&](Index i) { return backward->dgamma()(i); });
        compare("dbeta", backward->dbeta().size(), [&](Index i) { return backward->dbeta()(i); });
    }
}

TEST(Script, NumPyMakesTheNumbersOfTheScreen) {
    ASSERT_TRUE(python_has("numpy")) << "third_party/packages-test.txt has python3-numpy";
    expect_same_numbers(ScriptFor::numpy, "np.ravel(m)");
}

TEST(Script, PyTorchMakesTheNumbersOfTheScreen) {
    if (!python_has("torch")) GTEST_SKIP() << "python3-torch is not installed";
    expect_same_numbers(ScriptFor::pytorch, "m.detach().reshape(-1)");
}

TEST(Script, ADocumentWithoutStatisticsOrOfTooManyNumbersIsRefused) {
    Document one = blank_document(1, 4);
    one.norm = NormKind::batch;
    EXPECT_FALSE(script_of(*Backward::of(one), ScriptFor::numpy));
    const auto large = script_of(*Backward::of(blank_document(200, 200)), ScriptFor::numpy);
    ASSERT_FALSE(large);
    EXPECT_NE(large.error().message.find("40000"), std::string::npos);
}

} // namespace
} // namespace normscope
