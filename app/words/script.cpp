#include "app/words/script.h"

#include "app/words/norm_formula.h"

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
    for (Index i = 0; i < static_cast<Index>(values.size()); ++i)
        out += (i ? ", " : "") + python_number(values[static_cast<std::size_t>(i)]);
    return out + "]";
}

std::string python_rows(const Matrix<double>& m) {
    std::string out = "[";
    for (Index t = 0; t < m.rows(); ++t)
        out += (t ? ",\n     " : "") + python_list(Vector<double>(m.row(t)));
    return out + "]";
}

class Script {
  public:
    Script(const Backward& b, ScriptFor library)
        : b_(b), d_(b.document()), norm_(norm_entry(d_.norm)), numpy_(library == ScriptFor::numpy),
          dtype_(fmt::format("{}.{}", numpy_ ? "np" : "torch",
                             d_.precision == Precision::float32 ? "float32" : "float64")) {}

    std::string text() {
        line(numpy_ ? "import numpy as np" : "import torch");
        line("");
        assign("X", python_rows(*d_.x), true);
        assign("FX", python_rows(*d_.f), true);
        assign("gamma", python_affine(*d_.gamma), true);
        assign("beta", python_affine(*d_.beta), true);
        assign("dY", python_rows(b_.dy()), false);
        line(fmt::format("eps = {}", d_.eps));
        line("");
        line(b_.skip() ? "Z = X + FX" : "Z = FX  # no skip");
        if (numpy_)
            formulas();
        else
            functions();
        line("");
        line("for name, value in {\"Z\": Z, \"x_hat\": x_hat, \"Y\": Y, \"dX\": dX, \"dgamma\": "
             "dgamma, \"dbeta\": dbeta}.items():");
        line("    print(name, value, sep=\"\\n\")");
        return std::move(text_);
    }

  private:
    const Backward& b_;
    const Document& d_;
    const NormEntry& norm_;
    bool numpy_;
    std::string dtype_, text_;

    void line(std::string_view words) { text_ += fmt::format("{}\n", words); }

    void assign(std::string_view name, std::string_view values, bool leaf) {
        line(fmt::format("{} = {}({}, dtype={}{})", name, numpy_ ? "np.array" : "torch.tensor",
                         values, dtype_, leaf && !numpy_ ? ", requires_grad=True" : ""));
    }

    // One a feature, a token (a column) or for all.
    std::string python_affine(const std::vector<double>& values) const {
        if (d_.affine_per == AffinePer::scalar) return python_number(values[0]);
        if (d_.affine_per == AffinePer::feature) return python_list(values);
        std::string column = "[";
        for (std::size_t i = 0; i < values.size(); ++i)
            column += fmt::format("{}[{}]", i ? ", " : "", python_number(values[i]));
        return column + "]";
    }

    std::string pull_of(std::string_view x_hat) const {
        return fmt::format(fmt::runtime(norm_.spread->numpy_pull), x_hat, along_sets(),
                           b_.sets().size());
    }

    // Over the values that share statistics: the rows of what `in_sets` gives, or its columns.
    std::string along_sets() const {
        const int axis = norm_.shares == Shares::feature ? 0 : 1;
        return numpy_ ? fmt::format("axis={}, keepdims=True", axis)
                      : fmt::format("dim={}, keepdim=True", axis);
    }
    std::string mean_of(std::string_view what) const {
        return fmt::format("{}.mean({})", what, along_sets());
    }
    std::string statistic_of(std::string_view values) const {
        return python_statistic(*norm_.spread, values, along_sets(), numpy_ ? "np" : "torch");
    }
    bool in_groups() const { return b_.sets().groups > 1; }
    std::string in_sets(std::string_view what) const {
        return in_groups() ? fmt::format("({}).reshape(-1, {})", what,
                                         d_.feature_count() / b_.sets().groups)
                           : std::string(what);
    }
    std::string in_tokens(std::string_view what) const {
        return in_groups() ? fmt::format("({}).reshape(Z.shape)", what) : std::string(what);
    }

    // x̂ = (z − μ)/s and dz = (a − mean(a) − d·mean(a⊙x̂))/s, as far as the norm has them.
    void formulas() {
        const std::string_view x = in_groups() ? "x" : "x_hat";
        const std::string divisor = python_divisor(*norm_.spread, "np");
        if (!norm_.normalizes()) {
            line("x_hat = Z");
        } else {
            if (in_groups()) line(fmt::format("z = {}  # a row a group", in_sets("Z")));
            const std::string_view z = in_groups() ? "z" : "Z";
            const RunningStats<double>* running = b_.running();
            if (running) { // constants
                assign("mu", python_list(running->mean), false);
                assign("var", python_list(running->var), false);
            } else {
                line(norm_.centres ? fmt::format("mu = {}", mean_of(z)) : "mu = 0");
                line(fmt::format("{} = {}", norm_.spread->python_variable,
                                 statistic_of(fmt::format("({} - mu)", z))));
            }
            line(fmt::format("{} = ({} - mu) / {}", x, z, divisor));
            if (in_groups()) line("x_hat = x.reshape(Z.shape)");
        }
        line("Y = gamma * x_hat + beta");
        line("");
        line(fmt::format("a = {}", in_sets("gamma * dY")));
        const BackwardTerms terms = terms_of(d_.norm, d_.backward.mode);
        std::string dz = "a";
        if (norm_.normalizes()) {
            if (terms.mean) dz += fmt::format(" - {}", mean_of("a"));
            if (terms.projection)
                dz += fmt::format(" - {} * {}", pull_of(x), mean_of(fmt::format("(a * {})", x)));
            dz = in_tokens(fmt::format("({}) / {}", dz, divisor));
        }
        line("dZ = " + dz);
        line(b_.skip() ? "dX = dZ  # and dF(X)" : "dX = 0 * dZ  # all of it goes to F(X)");
        const std::string_view over = d_.affine_per == AffinePer::feature ? "axis=0"
                                      : d_.affine_per == AffinePer::token ? "axis=1"
                                                                          : "";
        line(fmt::format("dgamma = (dY * x_hat).sum({})", over));
        line(fmt::format("dbeta = dY.sum({})", over));
    }

    void functions() {
        const std::string_view f = "torch.nn.functional";
        if (!norm_.normalizes())
            line("x_hat = Z");
        else if (const RunningStats<double>* running = b_.running()) {
            assign("mu", python_list(running->mean), false);
            assign("var", python_list(running->var), false);
            line(fmt::format("x_hat = {}.batch_norm(Z, mu, var, training=False, eps=eps)", f));
        } else if (norm_.shares == Shares::feature)
            line(fmt::format("x_hat = {}.batch_norm(Z, None, None, training=True, eps=eps)", f));
        else if (norm_.shares == Shares::group)
            line(fmt::format("x_hat = {}.group_norm(Z, {}, eps=eps)", f, b_.sets().groups));
        else if (norm_.centres)
            line(fmt::format("x_hat = {}.layer_norm(Z, Z.shape[1:], eps=eps)", f));
        else
            line(norm_.spread->squares
                     ? fmt::format("x_hat = Z * torch.rsqrt({} + eps)", statistic_of("Z"))
                     : fmt::format("x_hat = Z / ({} + eps)", statistic_of("Z")));
        line("Y = gamma * x_hat + beta");
        line("");
        line("Y.backward(dY)");
        line(b_.skip() ? "dX = X.grad" : "dX = torch.zeros_like(X)  # all of it goes to F(X)");
        line("dgamma, dbeta = gamma.grad, beta.grad");
    }
};

} // namespace

std::span<const Choice<ScriptFor>> choices(ScriptFor) {
    static constexpr std::array<Choice<ScriptFor>, 2> k_choices = {
        {{ScriptFor::numpy, "numpy", "NumPy"}, {ScriptFor::pytorch, "pytorch", "PyTorch"}}};
    return k_choices;
}

Result<std::string> script_of(const Backward& backward, ScriptFor library) {
    if (backward.error()) return tl::unexpected(*backward.error());
    if (const Index n = backward.document().x->size(); n > k_most_scripted_values)
        return fail(fmt::format("A script holds every number: up to {} values, here are {}. Export "
                                "X and F(X) as files instead",
                                k_most_scripted_values, n));
    return Script(backward, library).text();
}

} // namespace normscope
