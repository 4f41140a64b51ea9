#include "app/words/script.h"

#include "app/words/norm_formula.h"
#include "core/base/lists.h"

#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace normscope {

namespace {

std::string python_number(double v) {
    if (std::isnan(v)) return "float(\"nan\")";
    if (std::isinf(v)) return v > 0 ? "float(\"inf\")" : "-float(\"inf\")";
    return fmt::format("{}", v);
}

template<class Values>
std::string python_list(const Values& values) {
    std::string out = "[";
    for (Index i = 0; i < std::ssize(values); ++i)
        out += (i ? ", " : "") + python_number(entry_at(values, i));
    return out + "]";
}

std::string python_rows(const Matrix<double>& m) {
    std::string out = "[";
    for (Index t = 0; t < m.rows(); ++t)
        out += (t ? ",\n     " : "") + python_list(Vector<double>(m.row(t)));
    return out + "]";
}

struct Script {
    const Backward& b;
    bool numpy;
    const Document& d = b.document();
    const NormEntry& norm = norm_entry(d.norm);
    std::string dtype = fmt::format("{}.{}", numpy ? "np" : "torch",
                                    d.precision == Precision::float32 ? "float32" : "float64");
    std::string text = {};

    std::string program() {
        line(numpy ? "import numpy as np" : "import torch");
        line("");
        assign("X", python_rows(*d.x), true);
        assign("FX", python_rows(*d.f), true);
        assign("gamma", python_affine(*d.gamma), true);
        assign("beta", python_affine(*d.beta), true);
        assign("dY", python_rows(b.dy()), false);
        line(fmt::format("eps = {}", d.eps));
        line("");
        line(b.skip() ? "Z = X + FX" : "Z = FX  # no skip");
        if (numpy)
            formulas();
        else
            functions();
        line("");
        line("for name, value in {\"Z\": Z, \"x_hat\": x_hat, \"Y\": Y, \"dX\": dX, \"dgamma\": "
             "dgamma, \"dbeta\": dbeta}.items():");
        line("    print(name, value, sep=\"\\n\")");
        return std::move(text);
    }

    void line(std::string_view words) { text += fmt::format("{}\n", words); }

    void assign(std::string_view name, std::string_view values, bool leaf) {
        line(fmt::format("{} = {}({}, dtype={}{})", name, numpy ? "np.array" : "torch.tensor",
                         values, dtype, leaf && !numpy ? ", requires_grad=True" : ""));
    }

    // One a feature, a token (a column) or for all.
    std::string python_affine(const std::vector<double>& values) const {
        if (d.affine_per == AffinePer::scalar) return python_number(values[0]);
        if (d.affine_per == AffinePer::feature) return python_list(values);
        std::string column = "[";
        for (const auto i : indices(values))
            column += fmt::format("{}[{}]", i ? ", " : "", python_number(values[i]));
        return column + "]";
    }

    // Over the values that share statistics: the rows of what `in_sets` gives, or its columns.
    std::string along_sets() const {
        const int axis = norm.shares == Shares::feature ? 0 : 1;
        return numpy ? fmt::format("axis={}, keepdims=True", axis)
                     : fmt::format("dim={}, keepdim=True", axis);
    }
    std::string mean_of(std::string_view what) const {
        return fmt::format("{}.mean({})", what, along_sets());
    }
    std::string statistic_of(std::string_view values) const {
        return python_statistic(*norm.spread, values, along_sets(), numpy ? "np" : "torch");
    }
    bool in_groups() const { return b.sets().groups > 1; }
    std::string in_sets(std::string_view what) const {
        return in_groups()
                   ? fmt::format("({}).reshape(-1, {})", what, d.feature_count() / b.sets().groups)
                   : std::string(what);
    }

    // x̂ = (z − μ)/s and dz = (a − mean(a) − d·mean(a⊙x̂))/s, as far as the norm has them.
    void formulas() {
        const std::string_view x = in_groups() ? "x" : "x_hat";
        const std::string divisor = python_divisor(*norm.spread, "np");
        if (!norm.normalizes()) {
            line("x_hat = Z");
        } else {
            if (in_groups()) line(fmt::format("z = {}  # a row a group", in_sets("Z")));
            const std::string_view z = in_groups() ? "z" : "Z";
            const RunningStats<double>* running = b.running();
            if (running) { // constants
                assign("mu", python_list(running->mean), false);
                assign("var", python_list(running->var), false);
            } else {
                line(norm.centres ? fmt::format("mu = {}", mean_of(z)) : "mu = 0");
                line(fmt::format("{} = {}", norm.spread->python_variable,
                                 statistic_of(fmt::format("({} - mu)", z))));
            }
            line(fmt::format("{} = ({} - mu) / {}", x, z, divisor));
            if (in_groups()) line("x_hat = x.reshape(Z.shape)");
        }
        line("Y = gamma * x_hat + beta");
        line("");
        line(fmt::format("a = {}", in_sets("gamma * dY")));
        const BackwardTerms terms = terms_of(d.norm, d.backward.mode);
        std::string dz = "a";
        if (norm.normalizes()) {
            if (terms.mean) dz += fmt::format(" - {}", mean_of("a"));
            if (terms.projection) {
                const std::string pull = fmt::format(fmt::runtime(norm.spread->numpy_pull), x,
                                                     along_sets(), b.sets().size());
                dz += fmt::format(" - {} * {}", pull, mean_of(fmt::format("(a * {})", x)));
            }
            dz = fmt::format("({}) / {}", dz, divisor);
            if (in_groups()) dz = fmt::format("({}).reshape(Z.shape)", dz);
        }
        line("dZ = " + dz);
        line(b.skip() ? "dX = dZ  # and dF(X)" : "dX = 0 * dZ  # all of it goes to F(X)");
        const std::string_view over = d.affine_per == AffinePer::feature ? "axis=0"
                                      : d.affine_per == AffinePer::token ? "axis=1"
                                                                         : "";
        line(fmt::format("dgamma = (dY * x_hat).sum({})", over));
        line(fmt::format("dbeta = dY.sum({})", over));
    }

    void functions() {
        const std::string_view f = "torch.nn.functional";
        if (!norm.normalizes())
            line("x_hat = Z");
        else if (const RunningStats<double>* running = b.running()) {
            assign("mu", python_list(running->mean), false);
            assign("var", python_list(running->var), false);
            line(fmt::format("x_hat = {}.batch_norm(Z, mu, var, training=False, eps=eps)", f));
        } else if (norm.shares == Shares::feature)
            line(fmt::format("x_hat = {}.batch_norm(Z, None, None, training=True, eps=eps)", f));
        else if (norm.shares == Shares::group)
            line(fmt::format("x_hat = {}.group_norm(Z, {}, eps=eps)", f, b.sets().groups));
        else if (norm.centres)
            line(fmt::format("x_hat = {}.layer_norm(Z, Z.shape[1:], eps=eps)", f));
        else
            line(norm.spread->squares
                     ? fmt::format("x_hat = Z * torch.rsqrt({} + eps)", statistic_of("Z"))
                     : fmt::format("x_hat = Z / ({} + eps)", statistic_of("Z")));
        line("Y = gamma * x_hat + beta");
        line("");
        line("Y.backward(dY)");
        line(b.skip() ? "dX = X.grad" : "dX = torch.zeros_like(X)  # all of it goes to F(X)");
        line("dgamma, dbeta = gamma.grad, beta.grad");
    }
};

} // namespace

Result<std::string> script_of(const Backward& backward, ScriptFor library) {
    if (backward.error()) return tl::unexpected(*backward.error());
    if (const Index n = backward.document().x->size(); n > k_most_scripted_values)
        return fail(fmt::format("A script holds every number: up to {} values, here are {}. Export "
                                "X and F(X) as files instead",
                                k_most_scripted_values, n));
    return Script{backward, library == ScriptFor::numpy}.program();
}

} // namespace normscope
