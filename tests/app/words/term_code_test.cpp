#include "app/words/norm_formula.h"

#include "app/io/file.h"
#include "app/model/document.h"
#include "app/study/add_norm/derived.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace normscope {
namespace {

constexpr FormulaTerm k_terms[] = {FormulaTerm::mean,  FormulaTerm::variance, FormulaTerm::epsilon,
                                   FormulaTerm::x_hat, FormulaTerm::gamma,    FormulaTerm::beta};

TEST(TermCode, TheTermsOfAFormulaAreFoundInTheirOrder) {
    const auto terms = [](std::string_view formula) {
        std::vector<FormulaTerm> found;
        std::size_t at = 0;
        while (const auto term = find_term(formula, at)) {
            found.push_back(term->term);
            at = term->at + term->length;
        }
        return found;
    };
    using enum FormulaTerm;
    EXPECT_EQ(terms("x\u0302 = (z − μ) / √(σ² + ε)"),
              (std::vector{x_hat, FormulaTerm::mean, variance, epsilon}));
    EXPECT_EQ(terms("y = γ · x\u0302 + β"), (std::vector{gamma, x_hat, beta}));
    EXPECT_EQ(terms("√(mean(z²) + ε)"), (std::vector{variance, epsilon}));
    EXPECT_TRUE(terms("= 7.79 / 6 = 1.298").empty());
}

// A line that is shown as the program's own stands in its file.
TEST(TermCode, TheLineOfCppStandsInItsFile) {
    for (const NormEntry& norm : k_norms)
        for (const FormulaTerm term : k_terms) {
            if (!norm.centres && term == FormulaTerm::mean) continue; // none is taken
            const TermCode code = code_of(term, norm.kind);
            const auto path = std::filesystem::path(NORMSCOPE_ASSET_DIR).parent_path() / code.file;
            const auto source = read_file(path);
            ASSERT_TRUE(source) << path;
            EXPECT_NE(std::string_view(*source).find(code.cpp), std::string_view::npos)
                << norm.id << ": " << code.cpp;
        }
}

// The PyTorch lines as NumPy runs them, one after the other, make the x̂ and Y of the screen.
TEST(TermCode, TheLinesMakeTheNumbersOfTheScreen) {
    for (const NormEntry& norm : k_norms) {
        Document d = blank_document(3, 4);
        Matrix<double> x(3, 4);
        x << 1, -2, 0.5, 3, 2, 2.5, -1, 0, 4, 1, 1.5, -3;
        d.x = x;
        d.norm = norm.kind;
        d.gamma = std::vector<double>{1, 2, -1, 0.5};
        d.beta = std::vector<double>{0, 0.5, 1, -1};
        d.precision = Precision::float64;
        std::string program = "import numpy as np\nZ = np.array([";
        for (Index t = 0; t < 3; ++t) {
            program += "[";
            for (Index f = 0; f < 4; ++f) program += fmt::format("{},", x(t, f));
            program += "],";
        }
        program += fmt::format("])\neps = {}\ngamma = np.array([1, 2, -1, 0.5])\n"
                               "beta = np.array([0, 0.5, 1, -1])\n",
                               d.eps);
        for (const FormulaTerm term :
             {FormulaTerm::mean, FormulaTerm::variance, FormulaTerm::x_hat, FormulaTerm::gamma})
            program += code_of(term, d.norm).pytorch + "\n";
        for (const auto& [torch, numpy] : {std::pair<std::string, std::string>{"dim=", "axis="},
                                           {"keepaxis=", "keepdims="},
                                           {"torch.", "np."}})
            for (std::size_t at; (at = program.find(torch)) != std::string::npos;)
                program.replace(at, torch.size(), numpy);
        program += "print(*x_hat.ravel(), *Y.ravel())\n";
        const auto file = std::filesystem::temp_directory_path() /
                          fmt::format("normscope-term-{}.py", ::getpid());
        ASSERT_TRUE(write_file_atomically(file, program));
        FILE* pipe = ::popen(("/usr/bin/python3 " + file.string()).c_str(), "r");
        ASSERT_TRUE(pipe);
        const auto derived = Derived::of(d);
        for (const Tensor which : {Tensor::x_hat, Tensor::y})
            for (Index i = 0; i < 12; ++i) {
                double value = 0;
                ASSERT_EQ(std::fscanf(pipe, "%lf", &value), 1) << program;
                EXPECT_NEAR(value, derived->view(which)(i / 4, i % 4), 1e-12) << norm.id;
            }
        ::pclose(pipe);
        std::filesystem::remove(file);
    }
}

} // namespace
} // namespace normscope
